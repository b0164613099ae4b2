/** All readers of flips find the same if events of other kinds lie between them. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addSeconds, toMicroseconds } from '../../src/lib/time.ts'
import { whoWasTold } from '../../src/services/alerts/deliveries.ts'
import { changeRows, rowsIn } from '../support/rows.ts'
import { aChannel, anAuthor } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { courierFixture } from './courier/courier-fixture.ts'

let apps: readonly TestApp[]
beforeEach(async () => {
  const options = { isShared: true, env: { EMAIL_HOST: 'mail.example.org' } }
  apps = [await testApp(options), await testApp(options)]
})
afterEach(async () => {
  for (const t of apps) await t.close()
})

const COUNT = 'UPDATE checks SET n_events = n_events + 1 WHERE id = $1'
const NOTE = `
  INSERT INTO events (check_id, n, created_at, kind, detail) SELECT id, n_events, $2, 'note', '{}' FROM checks WHERE id = $1`

/** Makes a check go down, up and down again; with notes, each flip is followed by two events of another kind. */
async function history(t: TestApp, hasNotes: boolean): Promise<string> {
  const d = courierFixture(t)
  await t.app.deps.store
    .by(anAuthor())
    .channels.create(aChannel(t.project, { kind: 'email', settings: 'ops@example.org' }))
  const id = await d.addCheck()
  for (const action of ['', '/fail', '', '/fail']) {
    await d.ping(id, action)
    for (let n = 0; hasNotes && n < 2; n += 1) {
      await changeRows(t.databaseUrl, COUNT, [id])
      await changeRows(t.databaseUrl, NOTE, [id, toMicroseconds(t.clock.now())])
    }
    await d.deliver()
    t.clock.advance({ minutes: 10 })
  }
  return id
}

/** Removes values that differ in each database. */
const anonymous = (value: unknown) => JSON.stringify(value).replace(/"(?:id|checkId|n|eventN|channelId)":[^,}]+,?/g, '')

async function found(t: TestApp, id: string) {
  const { store } = t.app.deps
  const key = t.keys.apiKey
  const flips = await Promise.all(
    [1, 2, 3].map((version) => t.json('GET', `/api/v${version}/checks/${id}/flips/`, { key })),
  )
  const { uuid, ...check } = await t.json('GET', `/api/v3/checks/${id}`, { key })
  const since = addSeconds(t.clock.now(), -86_400)
  const down = await store.mailings.listDownCandidates(t.project.id, t.clock.now())
  const deliveries = await store.deliveries.list(t.project.id, null, 10)
  const told = await whoWasTold(t.app.deps, t.actor, [{ checkId: id, n: null }])
  return {
    flips,
    check: { status: check.status, n_pings: check.n_pings, last_ping: check.last_ping },
    subjects: t.mails.map(({ subject }) => subject),
    sentences: t.mails.map(({ text }) => text.split('\n')[0]),
    down: anonymous(down.map(({ newestFlip }) => newestFlip)),
    deliveries: deliveries.map(({ status, isOpen, delivery }) => [status, isOpen, String(delivery.createdAt)]),
    told: told.map(({ status, isOpen }) => [status, isOpen]),
    troubles: [...(await store.overview.listTroubles([id])).values()].map(({ since: at, reason }) => [
      String(at),
      reason,
    ]),
    recoveries: await store.overview.listRecoveries(t.project.id, since, null),
  }
}

test('lists, alerts, reminders and pages tell the same', async () => {
  const [plain, noted] = apps
  if (!plain || !noted) throw new Error('two apps are needed')
  const [first, second] = [await history(plain, false), await history(noted, true)]
  expect(
    await rowsIn(noted.databaseUrl, 'SELECT kind, COUNT(*) AS count FROM events GROUP BY kind ORDER BY kind'),
  ).toEqual([
    { kind: 'flip', count: 4 },
    { kind: 'note', count: 8 },
  ])
  const expected = await found(plain, first)
  expect(expected.deliveries).toHaveLength(3)
  expect(expected.subjects).toHaveLength(3)
  expect(expected.told).toEqual([['down', true]])
  expect(await found(noted, second)).toEqual(expected)
})

test('a check that came back was down since the flip before', async () => {
  const [, t] = apps
  if (!t) throw new Error('two apps are needed')
  const id = await history(t, true)
  await courierFixture(t).ping(id)
  const { items } = await t.app.deps.store.overview.listRecoveries(t.project.id, addSeconds(t.clock.now(), -60), null)
  expect(items).toMatchObject([{ checkId: id, n: 13, downSince: addSeconds(t.clock.now(), -600) }])
})

test('retention removes events of all kinds, once their incident has ended', async () => {
  const [, t] = apps
  if (!t) throw new Error('two apps are needed')
  const [d, id] = [courierFixture(t), await history(t, true)]
  await d.ping(id)
  await d.deliver()
  t.clock.advance({ hours: 24 * 94 })
  await t.app.settle('retention')
  expect(await rowsIn(t.databaseUrl, 'SELECT n FROM events')).toEqual([])
})
