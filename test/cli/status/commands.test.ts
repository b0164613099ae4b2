/** `overdue status`, on the database of a server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let place: TestDatabase
let t: TestApp
beforeAll(async () => {
  place = await testDatabase()
  t = await testApp({ env: { DATABASE_URL: place.url } })
})
afterAll(async () => {
  await t.close()
  await place.remove()
})

const status = (...words: string[]) => run(['status', ...words], { DATABASE_URL: place.url, TZ: 'UTC' })
const make = (json: object) =>
  t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { channels: '*', ...json } })

test('without checks says so, and all is good', async () => {
  expect(await status()).toEqual({ code: 0, out: 'Nothing is monitored yet.\n', err: '' })
})

describe('with checks', () => {
  let uuid: string
  beforeAll(async () => {
    await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
    const day = { timeout: 31_536_000, grace: 31_536_000 }
    const good = await make({ name: 'Good', ...day })
    await t.call('GET', `/ping/${good.uuid}`)
    uuid = (await make({ name: 'Nightly\u001b[2J backup', ...day })).uuid
  })

  test('that are well says that all is good, and how the night goes', async () => {
    await t.call('GET', `/ping/${uuid}`)
    const { code, out } = await status()
    expect(code).toBe(0)
    expect(out).toMatch(/^2 checks, all good\.\n\n(Last night|Tonight|The coming night), 18:00 to 08:00, UTC: .+\.\n$/)
  })

  test('of which one is down names it, says why and who was told, and has exit status 1', async () => {
    await t.call('POST', `/ping/${uuid}/fail`, { body: 'host key has changed' })
    await t.app.settle('deliveries')
    const { code, out } = await status()
    expect(code).toBe(1)
    const [first, blank, name, why, told] = out.split('\n')
    expect([first, blank, name]).toEqual(['1 check down. 1 as expected.', '', 'down  Nightly[2J backup'])
    expect(why).toMatch(/^ {2}Failed\. Last line: ‘host key has changed’\. Down for .+\.$/)
    expect(told).toStartWith('  Alerted: Ops ')
  })

  test('is one object with --json', async () => {
    const { code, out } = await status('--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      sentence: '1 check down. 1 as expected.',
      ...{ down: 1, late: 0, slow: 0, expected: 1, unpinged: 0, resumed: 0, paused: 0, unheard: 0 },
      problems: [
        {
          uuid,
          name: 'Nightly\u001b[2J backup',
          project: { id: t.project.id, name: 'Tests' },
          state: 'down',
          since: '2026-03-04T12:00:00+00:00',
        },
      ],
      night: { tz: 'UTC', words: expect.any(String) },
    })
  })

  test('of several projects names the project, and of one only that one', async () => {
    await createProject(t.app.deps, 'Other')
    const all = await status()
    expect(all.out).toStartWith('1 check down, in 1 of 2 projects. 1 as expected.\n')
    expect(all.out).toContain('\ndown  Nightly[2J backup  (Tests)\n')
    expect(await status('--project', 'Other')).toEqual({ code: 0, out: 'Nothing is monitored yet.\n', err: '' })
    expect((await status('--project', 'Tests')).code).toBe(1)
    expect(await status('--project', 'Nobody')).toMatchObject({ code: 1, out: '' })
  })
})
