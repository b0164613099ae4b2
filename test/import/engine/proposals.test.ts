import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createProposals, findProposals, slugsOf, timingsBySlug } from '../../../src/import/engine/proposals.ts'
import type { ProposedCheck } from '../../../src/import/proposals/proposal.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { listChecks, updateCheck } from '../../../src/services/checks/checks.ts'
import { refusalOf, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const NIGHTLY: ProposedCheck = {
  name: 'nightly',
  slug: 'nightly',
  tags: 'cron',
  timing: { schedule: '0 3 * * *', tz: 'Europe/Riga' },
  graceSeconds: 3600,
  isPaused: false,
  place: 'line 1',
  why: [],
}
const PERIODIC: ProposedCheck = { ...NIGHTLY, name: 'often', slug: 'often', timing: { timeout: 300 }, isPaused: true }

async function all() {
  const found = []
  for await (const page of listChecks(t.app.deps, t.actor, {})) found.push(...page)
  return found
}
const create = (checks: readonly ProposedCheck[], channels = '*') =>
  createProposals(t.app.deps, t.actor, checks, channels)

test('checks are created as proposed, those of suspended jobs paused', async () => {
  const placed = await create([NIGHTLY, PERIODIC])
  expect(placed.map(({ outcome }) => outcome)).toEqual(['created', 'created'])
  const checks = (await all()).map(({ check }) => check)
  expect(checks.map(({ id }) => id)).toEqual(placed.map(({ stored }) => String(stored?.id)))
  expect(checks).toMatchObject([
    {
      name: 'nightly',
      slug: 'nightly',
      tags: 'cron',
      kind: 'cron',
      schedule: '0 3 * * *',
      tz: 'Europe/Riga',
      status: 'new',
    },
    { name: 'often', kind: 'simple', timeoutSeconds: 300, graceSeconds: 3600, status: 'paused' },
  ])
})

test('the timings of checks are found by slug', async () => {
  await create([NIGHTLY, PERIODIC])
  expect([...(await timingsBySlug(t.app.deps, t.actor))]).toEqual([
    ['nightly', NIGHTLY.timing],
    ['often', PERIODIC.timing],
  ])
})

test('a second time nothing is created or changed, and one that has another schedule now is named', async () => {
  await create([NIGHTLY, PERIODIC])
  const [first] = await all()
  if (first === undefined) throw new Error('no check')
  await updateCheck(t.app.deps, t.actor, first.check, { schedule: '0 4 * * *', name: 'renamed' }, false)
  const before = await all()
  expect((await findProposals(t.app.deps, t.actor, [NIGHTLY, PERIODIC], '*')).map(({ outcome }) => outcome)).toEqual([
    'differs',
    'found',
  ])
  expect((await create([NIGHTLY, PERIODIC])).map(({ outcome }) => outcome)).toEqual(['differs', 'found'])
  expect(await all()).toEqual(before)
})

test('looking for them writes nothing', async () => {
  expect(await findProposals(t.app.deps, t.actor, [NIGHTLY], '*')).toEqual([
    { check: NIGHTLY, outcome: 'new', stored: null, channelIds: [] },
  ])
  expect(await all()).toEqual([])
})

test('the slugs of checks that a file pings are those of this project only', async () => {
  const ids = (await create([NIGHTLY])).map(({ stored }) => String(stored?.id))
  expect([...(await slugsOf(t.app.deps, t.actor, [...ids, crypto.randomUUID()]))]).toEqual(['nightly'])
})

test('an unknown channel is refused before anything is created', async () => {
  expect((await refusalOf(create([NIGHTLY], 'Nobody'))).code).toBe('channel-list-invalid')
  expect(await all()).toEqual([])
})

test('new checks get the channels that are named, and those that are here keep theirs', async () => {
  const channel = (name: string) => createChannel(t.app.deps, t.actor, { kind: 'webhook', name, settings: webhook() })
  const [{ id: ops }, { id: mail }] = [await channel('Ops'), await channel('Mail')]
  expect((await findProposals(t.app.deps, t.actor, [NIGHTLY], 'Ops')).map(({ channelIds }) => channelIds)).toEqual([
    [ops],
  ])
  await create([NIGHTLY], 'Ops')
  const placed = await create([NIGHTLY, PERIODIC])
  expect(placed.map(({ channelIds }) => channelIds.toSorted())).toEqual([[ops], [ops, mail].toSorted()])
  expect((await all()).map(({ channelIds }) => channelIds)).toEqual(placed.map(({ channelIds }) => channelIds))
})
