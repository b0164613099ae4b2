/** `overdue check set`, on the database of a server. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { deleteCheck, getCheck, listChecks, upsertCheck } from '../../../src/services/checks/checks.ts'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let place: TestDatabase
let t: TestApp
let ids: string[]
let channelId: string
beforeAll(async () => {
  place = await testDatabase()
  t = await testApp({ env: { DATABASE_URL: place.url } })
  channelId = (await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })).id
})
afterAll(async () => {
  await t.close()
  await place.remove()
})
beforeEach(async () => {
  for await (const page of listChecks(t.app.deps, t.actor, {}))
    for (const { check } of page) await deleteCheck(t.app.deps, t.actor, check)
  ids = []
  for (const spec of [
    { name: 'nightly', schedule: '20 4 * * *', tz: 'Europe/Riga', tags: 'db' },
    { name: 'hourly', timeout: 3_600 },
  ])
    ids.push((await upsertCheck(t.app.deps, t.actor, spec, false)).check.id)
})

const set = (...words: string[]) => run(['check', 'set', ...words, '--project', 'Tests'], { DATABASE_URL: place.url })
const stored = (index: number) => getCheck(t.app.deps, t.actor, ids[index] ?? '')

test('several checks are changed at once, and what no option names stays', async () => {
  const { code, out, err } = await set('nightly', 'hourly', '--grace', '90m', '--channels', '*', '--add-tags', 'a b')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('changed 2 of 2 checks')
  expect(out).toContain('1 hour → 1 hour 30 minutes')
  expect(out).toContain('channels none → Ops; tags db → db a b')
  expect(await stored(0)).toMatchObject({
    check: { schedule: '20 4 * * *', tz: 'Europe/Riga', graceSeconds: 5_400, tags: 'db a b' },
    channelIds: [channelId],
  })
  expect(await stored(1)).toMatchObject({ check: { kind: 'simple', timeoutSeconds: 3_600, tags: 'a b' } })
  const [row] = await t.app.deps.store.audit.list(1)
  expect(row?.author.kind).toBe('command')
})

test('a dry run prints what would change, and changes nothing', async () => {
  const before = [await stored(0), await stored(1)]
  const { code, out } = await set('nightly', 'hourly', '--schedule', '0 3 * * *', '--methods', 'POST', '--dry-run')
  expect(code).toBe(0)
  expect(out).toContain('would change 2 of 2 checks')
  expect(out).toContain('methods any → POST')
  expect([await stored(0), await stored(1)]).toEqual(before)
})

test('what cannot be moved is said, and the exit status tells a script', async () => {
  const { code, out } = await set('nightly', 'hourly', '--move-by', '15')
  expect(code).toBe(1)
  expect(out).toContain('changed 1 of 2 checks')
  expect(out).toContain('→ hourly: Not moved: an interval has no time of day.')
  expect((await stored(0)).check.schedule).toBe('35 4 * * *')
  expect((await set('nightly', '--move-by=-15')).code).toBe(0)
  expect((await stored(0)).check.schedule).toBe('20 4 * * *')
})

test('as JSON it prints the checks with their changes', async () => {
  await t.call('GET', `/ping/${ids[1]}`)
  const { out } = await set('hourly', 'nightly', 'hourly', '--timeout', '2h', '--dry-run', '--json')
  expect(JSON.parse(out)).toMatchObject([
    { uuid: ids[1], timeout: 7_200, changed: true, alerts_30_days: { present: 0, tried: 0, missed: 0 } },
    { uuid: ids[0], timeout: 7_200, changed: true },
  ])
})

test.each([
  [['--grace', '1s'], '--grace "1s"'],
  [['--move-by', '0'], '--move-by "0"'],
  [['--move-by', '15', '--timeout', '1h'], '--move-by and --timeout: use only one'],
  [['--timeout', '1h', '--schedule', 'daily'], '--timeout and --schedule: use only one'],
  [['--methods', 'GET'], '--methods'],
  [['--tz', 'Mars/Base'], 'unknown time zone'],
  [['--add-tags', 'x'.repeat(501)], 'a tag has at most 500 characters'],
  [[], 'nothing to change'],
])('%j is refused and changes nothing', async (options, words) => {
  const before = [await stored(0), await stored(1)]
  const { code, out, err } = await set('nightly', 'hourly', ...options)
  expect({ code: code !== 0, out }).toEqual({ code: true, out: '' })
  expect(err).toContain(words)
  expect([await stored(0), await stored(1)]).toEqual(before)
})

test('one check that is not found stops the change of all', async () => {
  const { code, err } = await set('nightly', 'nobody', '--grace', '2h')
  expect([code, err]).toEqual([1, expect.stringContaining('has no check "nobody"')])
  expect((await stored(0)).check.graceSeconds).toBe(3_600)
})
