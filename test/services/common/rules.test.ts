import { afterEach, beforeEach, expect, test } from 'bun:test'
import { changeRows } from '../../support/rows.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp

beforeEach(async () => {
  t = await testApp({ isShared: true })
})

afterEach(() => t.close())

async function create(spec: object): Promise<string> {
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: spec })
  expect(await (await t.call('GET', `/ping/${uuid}`)).text()).toBe('OK')
  return uuid
}

/** Sets a zone that a release of the zone data has removed. */
const loseZone = (uuid: string) =>
  changeRows(t.databaseUrl, "UPDATE checks SET tz = 'America/Gone' WHERE id = $1", [uuid])

const statuses = async () => {
  const { checks } = await t.json<{ checks: { name: string; status: string; next_ping: string | null }[] }>(
    'GET',
    '/api/v3/checks/',
    { key: t.keys.apiKey },
  )
  return checks.map(({ name, status, next_ping }) => [name, status, next_ping])
}

test('a check with an unreadable schedule still accepts pings, hides no other check, and is logged', async () => {
  const lost = await create({ name: 'lost', schedule: '0 * * * *', tz: 'Europe/Riga', grace: 60 })
  await create({ name: 'fine', timeout: 60, grace: 60 })
  await loseZone(lost)

  expect(await statuses()).toEqual([
    ['lost', 'up', null],
    ['fine', 'up', '2026-03-04T12:01:00+00:00'],
  ])
  expect((await t.call('GET', `/ping/${lost}`)).status).toBe(200)

  t.clock.advance({ hours: 2 })
  await t.app.settle('overdue')
  expect((await statuses()).map(([name, status]) => [name, status])).toEqual([
    ['lost', 'up'],
    ['fine', 'down'],
  ])
  const complaints = () => t.log.filter(({ message }) => message.startsWith('cannot evaluate schedule')).length
  expect(complaints()).toBeGreaterThan(0)

  const before = complaints()
  await t.app.settle('overdue')
  expect(complaints()).toBe(before)
})
