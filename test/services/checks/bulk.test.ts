/** Changes of many checks at once, and undoing them. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type PersonActor, personIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import type { CheckWithChannels } from '../../../src/domain/check/representation.ts'
import { deleteChannel } from '../../../src/services/channels/channel-deletion.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { type BulkAction, type BulkDeps, changeChecks, undoChange } from '../../../src/services/checks/bulk.ts'
import { clearCheck, getCheck, transferCheck, updateCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { addAccount } from '../../support/browser.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import { aChannel, anAuthor, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { codeOf } from '../accounts/people.ts'

let t: TestApp
let ann: PersonActor
beforeEach(async () => {
  t = await testApp()
  ann = personOf('ann')
  for (const id of ['ann', 'bob']) await addAccount(t, { id, email: `${id}@example.org` })
})
afterEach(() => t.close())

const deps = () => t.app.deps
function personOf(name: string, role: 'member' | 'read-only' = 'member', project = t.project): PersonActor {
  const person = { kind: 'person', accountId: name, email: `${name}@example.org`, isAdministrator: false } as const
  const actor = personIn(project, { ...person, address: null }, role)
  if (actor === null) throw new Error('a member is expected')
  return actor
}
const create = async (spec = {}) => (await upsertCheck(deps(), t.actor, spec, false)).check
const stored = (check: Check): Promise<CheckWithChannels> => getCheck(deps(), t.actor, check.id)
const change = (checks: readonly Check[], action: BulkAction, actor = ann) =>
  changeChecks(
    deps(),
    actor,
    checks.map(({ publicId }) => publicId),
    action,
  )
const undo = (token: string | null, actor = ann) => undoChange(deps(), actor, token ?? '')
const ping = (check: Check, path = '') => t.call('GET', `/ping/${check.id}${path}`)
const channel = () => createChannel(deps(), t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
const idsOf = (checks: readonly Check[]) => checks.map(({ publicId }) => publicId)
async function createMany(count: number): Promise<Check[]> {
  const checks: Check[] = []
  for (let n = 0; n < count; n++) checks.push(await create({ name: `job ${n}` }))
  return checks
}
/** Runs it with a store whose disk is full from the batch with this number on. */
function failingAt<Outcome>(batch: number, run: (failing: BulkDeps) => Promise<Outcome>): Promise<Outcome> {
  let batches = 0
  const { store } = deps()
  const by: typeof store.by = (author) => {
    batches += 1
    if (batches >= batch) throw new Error('disk full')
    return store.by(author)
  }
  return run({ ...deps(), store: { ...store, by } })
}
const statuses = async () => (await allChecks(deps().store, t.project.id)).map(({ check }) => check.status)

describe('a change of many checks', () => {
  test('counts what has changed and what has not, in batches that the audit log keeps apart', async () => {
    const checks: Check[] = []
    for (let n = 0; n < 120; n++) checks.push(await create({ name: `job ${n}` }))
    const [first] = checks
    if (first) await change([first], { kind: 'pause' })
    const before = (await deps().store.audit.list(1000)).length
    t.clock.advance({ seconds: 1 })
    const outcome = await change(checks, { kind: 'pause' })
    expect(outcome).toMatchObject({ changed: 119, unchanged: 1 })
    expect(new Set(await statuses())).toEqual(new Set(['paused']))
    const rows = (await deps().store.audit.list(1000)).slice(0, -before)
    const sizes = [...Map.groupBy(rows, ({ author }) => author.changeId).values()].map(({ length }) => length)
    expect(sizes.toSorted((a, b) => a - b)).toEqual([20, 24, 25, 25, 25])
    expect(rows[0]?.author).toMatchObject({ kind: 'person', name: 'ann@example.org' })
    expect(await undo(outcome.undo)).toMatchObject({ undone: 119, kept: 0 })
    expect((await statuses()).filter((status) => status === 'new')).toHaveLength(119)
  })

  test('changes fewer checks at once in a project of many integrations, whose assignments stay', async () => {
    for (let n = 0; n < 2_000; n++) await deps().store.by(anAuthor()).channels.create(aChannel(t.project))
    const checks: Check[] = []
    for (let n = 0; n < 6; n++) checks.push(await create({ name: `job ${n}`, channels: '*' }))
    const all = (await stored(checks[0] as Check)).channelIds
    const [channelId = ''] = all
    const before = (await deps().store.audit.list(10_000)).length
    t.clock.advance({ seconds: 1 })
    const { changed, undo: token } = await change(checks, { kind: 'unassign', channelId })
    expect(changed).toBe(6)
    const rows = (await deps().store.audit.list(10_000)).slice(0, -before)
    const sizes = [...Map.groupBy(rows, ({ author }) => author.changeId).values()].map(({ length }) => length)
    expect(sizes.toSorted((a, b) => a - b)).toEqual([2, 2, 2])
    for (const check of checks) expect((await stored(check)).channelIds).toEqual(all.slice(1))
    expect(await undo(token)).toMatchObject({ undone: 6, kept: 0 })
    for (const check of checks) expect((await stored(check)).channelIds).toEqual(all)
  })

  test('takes a check that is named twice once, and passes over what is no check', async () => {
    const check = await create()
    const ids = [check.publicId, check.publicId, 'zzzzzzzz', '', `${check.publicId}\0`]
    expect(await changeChecks(deps(), ann, ids, { kind: 'pause' })).toMatchObject({ changed: 1, unchanged: 3 })
  })

  test('adds a tag where it is missing and has room, and removes it as a whole word', async () => {
    const [plain, tagged] = [await create({ tags: ' a  b ' }), await create({ tags: 'prod' })]
    const full = await create({ tags: 'x'.repeat(498) })
    const all = [plain, tagged, full]
    const tags = async () => Promise.all(all.map(async (check) => (await stored(check)).check.tags))
    expect(await change(all, { kind: 'add-tag', tag: 'prod' })).toMatchObject({ changed: 1, unchanged: 2 })
    expect(await tags()).toEqual(['a b prod', 'prod', full.tags])
    expect(await change(all, { kind: 'remove-tag', tag: 'a' })).toMatchObject({ changed: 1, unchanged: 2 })
    expect(await tags()).toEqual(['b prod', 'prod', full.tags])
  })

  test.each(['', 'a b', 'a\tb', '\0', 'x'.repeat(501)])('refuses %j as a tag', async (tag) => {
    const check = await create()
    expect(await codeOf(change([check], { kind: 'add-tag', tag }))).toBe('invalid')
    expect((await stored(check)).check.tags).toBe('')
  })

  test('assigns an integration and takes it away, and refuses one of another project', async () => {
    const [ops, other] = [await channel(), await createProject(deps(), 'Other')]
    const checks = [await create({ channels: '*' }), await create()]
    const assigned = async () => Promise.all(checks.map(async (check) => (await stored(check)).channelIds))
    expect(await change(checks, { kind: 'assign', channelId: ops.id })).toMatchObject({ changed: 1, unchanged: 1 })
    expect(await assigned()).toEqual([[ops.id], [ops.id]])
    expect(await change(checks, { kind: 'unassign', channelId: ops.id })).toMatchObject({ changed: 2 })
    expect(await assigned()).toEqual([[], []])
    const foreign = { ...t.actor, project: other.project }
    const theirs = await createChannel(deps(), foreign, { kind: 'webhook', name: 'Theirs', settings: webhook() })
    expect(await codeOf(change(checks, { kind: 'assign', channelId: theirs.id }))).toBe('channel-not-found')
    expect(await assigned()).toEqual([[], []])
  })

  test('deletes for good, and offers nothing to undo when nothing changed', async () => {
    const checks = [await create(), await create()]
    expect(await change(checks, { kind: 'resume' })).toEqual({ changed: 0, unchanged: 2, left: 0, undo: null })
    expect(await change(checks, { kind: 'delete' })).toEqual({ changed: 2, unchanged: 0, left: 0, undo: null })
    expect(await statuses()).toEqual([])
  })

  test('that an error stops half way says what was changed, and that can be undone', async () => {
    const checks = await createMany(60)
    const outcome = await failingAt(2, (failing) => changeChecks(failing, ann, idsOf(checks), { kind: 'pause' }))
    expect(outcome).toMatchObject({ changed: 25, unchanged: 0, left: 35 })
    const told = t.log.find(({ message }) => message === 'a bulk change of checks stopped half way')
    expect(told).toMatchObject({ level: 'error', details: { changed: 25, left: 35 } })
    expect((await statuses()).filter((status) => status === 'paused')).toHaveLength(25)
    expect(await undo(outcome.undo)).toMatchObject({ undone: 25, left: 0 })
    expect(new Set(await statuses())).toEqual(new Set(['new']))
  })

  test('that an error stops half way has deleted what it counts', async () => {
    const checks = await createMany(60)
    const outcome = await failingAt(3, (failing) => changeChecks(failing, ann, idsOf(checks), { kind: 'delete' }))
    expect(outcome).toEqual({ changed: 50, unchanged: 0, left: 10, undo: null })
    expect(await statuses()).toHaveLength(10)
  })

  test('fails with its error when nothing was changed before it', async () => {
    const checks = await createMany(30)
    for (const kind of ['pause', 'delete'] as const) {
      const failed = failingAt(1, (failing) => changeChecks(failing, ann, idsOf(checks), { kind }))
      await expect(failed).rejects.toThrow('disk full')
    }
    expect(new Set(await statuses())).toEqual(new Set(['new']))
  })

  test('is refused to somebody who may only read', async () => {
    const check = await create()
    const reader = personOf('rob', 'read-only')
    for (const kind of ['pause', 'delete'] as const) {
      expect(await codeOf(change([check], { kind }, reader))).toBe('read-only')
    }
    expect(await codeOf(undo('x', reader))).toBe('read-only')
    expect(await statuses()).toEqual(['new'])
  })
})

describe('undoing', () => {
  test('a pause puts back the run, the last ping and the strip, and leaves no flip of it', async () => {
    const check = await create({ timeout: 600, grace: 600 })
    await ping(check)
    t.clock.advance({ seconds: 60 })
    await ping(check, '/start')
    const before = await stored(check)
    t.clock.advance({ seconds: 60 })
    const { undo: token } = await change([check], { kind: 'pause' })
    expect((await stored(check)).check).toMatchObject({ status: 'paused', lastStartAt: null })
    t.clock.advance({ seconds: 60 })
    expect(await undo(token)).toMatchObject({ undone: 1, kept: 0 })
    expect(await stored(check)).toEqual(before)
    expect((await allFlips(deps().store, check.id)).map(({ newStatus }) => newStatus)).toEqual(['up'])
  })

  test('a pause of a check that was down alerts no one again, and its recovery alerts as ever', async () => {
    const ops = await channel()
    const check = await create({ channels: ops.id })
    await ping(check, '/fail')
    await t.app.settle('deliveries')
    const { undo: token } = await change([check], { kind: 'pause' })
    await undo(token)
    await t.app.settle('deliveries')
    expect([(await stored(check)).check.status, t.sent.length]).toEqual(['down', 1])
    t.clock.advance({ minutes: 5 })
    await ping(check)
    await t.app.settle('deliveries')
    expect(t.sent).toHaveLength(2)
  })

  test('a resume puts back the pause', async () => {
    const check = await create({ manual_resume: true })
    await ping(check)
    await change([check], { kind: 'pause' })
    const before = await stored(check)
    const { undo: token } = await change([check], { kind: 'resume' })
    expect((await stored(check)).check).toMatchObject({ status: 'new', lastPingAt: null })
    await undo(token)
    expect(await stored(check)).toEqual(before)
  })

  test('keeps a check that a ping or a person has changed since, and puts back the others', async () => {
    const checks = [await create(), await create(), await create(), await create()]
    const [pinged, resumed, cleared, left] = checks
    if (!pinged || !resumed || !cleared || !left) throw new Error('four checks are expected')
    for (const check of checks) await ping(check)
    const { undo: token } = await change(checks, { kind: 'pause' })
    await ping(pinged)
    await change([resumed], { kind: 'resume' })
    await clearCheck(deps(), t.actor, cleared)
    expect(await undo(token)).toMatchObject({ undone: 1, kept: 3 })
    expect(await statuses()).toEqual(['up', 'new', 'new', 'up'])
  })

  test('a resume does not undo a clearing that came after it', async () => {
    const check = await create()
    await change([check], { kind: 'pause' })
    const { undo: token } = await change([check], { kind: 'resume' })
    await clearCheck(deps(), t.actor, check)
    expect(await undo(token)).toMatchObject({ undone: 0, kept: 1 })
    expect((await stored(check)).check.status).toBe('new')
  })

  test('keeps a check that was deleted or transferred', async () => {
    const [deleted, moved] = [await create(), await create()]
    const { undo: token } = await change([deleted, moved], { kind: 'pause' })
    await change([deleted], { kind: 'delete' })
    const other = { ...t.actor, project: (await createProject(deps(), 'Other')).project }
    await transferCheck(deps(), t.actor, moved, other)
    expect(await undo(token)).toMatchObject({ undone: 0, kept: 2 })
    expect((await getCheck(deps(), other, moved.id)).check.status).toBe('paused')
  })

  test('tags and integrations are put back as they were, whatever was pinged meanwhile', async () => {
    const [ops, night] = [await channel(), await channel()]
    const check = await create({ tags: ' a  b ', channels: ops.id })
    const tagged = await change([check], { kind: 'remove-tag', tag: 'a' })
    const assigned = await change([check], { kind: 'assign', channelId: night.id })
    await ping(check)
    expect(await undo(tagged.undo)).toMatchObject({ undone: 1, kept: 0 })
    expect(await undo(assigned.undo)).toMatchObject({ undone: 1, kept: 0 })
    const { check: after, channelIds } = await stored(check)
    expect([after.tags, after.nPings, channelIds]).toEqual([' a  b ', 1, [ops.id]])
  })

  test('tags and integrations that somebody has edited since stay', async () => {
    const ops = await channel()
    const check = await create({ tags: 'a' })
    const tagged = await change([check], { kind: 'add-tag', tag: 'b' })
    const assigned = await change([check], { kind: 'assign', channelId: ops.id })
    await updateCheck(deps(), t.actor, check, { tags: 'c', channels: '' }, false)
    expect(await undo(tagged.undo)).toMatchObject({ undone: 0, kept: 1 })
    expect(await undo(assigned.undo)).toMatchObject({ undone: 0, kept: 1 })
    expect((await stored(check)).check.tags).toBe('c')
  })

  test('settings are put back as they were, unless somebody has edited them since', async () => {
    const [one, other] = [await create({ schedule: '0 3 * * *', tz: 'Europe/Riga' }), await create({ timeout: 3_600 })]
    const settings = { schedule: '0 4 * * 1-5', grace: 600 } as const
    const first = await change([one], { kind: 'set', settings })
    expect((await stored(one)).check).toMatchObject({ schedule: '0 4 * * 1-5', tz: 'Europe/Riga', graceSeconds: 600 })
    expect(await change([one], { kind: 'set', settings })).toMatchObject({ changed: 0, undo: null })
    expect(await undo(first.undo)).toMatchObject({ undone: 1, kept: 0 })
    expect((await stored(one)).check).toEqual(one)
    const second = await change([other], { kind: 'set', settings })
    await updateCheck(deps(), t.actor, other, { grace: 660 }, false)
    expect(await undo(second.undo)).toMatchObject({ undone: 0, kept: 1 })
    expect((await stored(other)).check).toMatchObject({ kind: 'cron', graceSeconds: 660 })
  })

  test('does not bring back an integration that was deleted', async () => {
    const [ops, night] = [await channel(), await channel()]
    const check = await create({ channels: `${ops.id},${night.id}` })
    const { undo: token } = await change([check], { kind: 'unassign', channelId: night.id })
    await deleteChannel(deps(), t.actor, night)
    expect(await undo(token)).toMatchObject({ undone: 0, kept: 1 })
    expect((await stored(check)).channelIds).toEqual([ops.id])
  })

  test('goes on where an error stopped it', async () => {
    const checks = await createMany(60)
    const { undo: token } = await change(checks, { kind: 'pause' })
    const first = await failingAt(2, (failing) => undoChange(failing, ann, token ?? ''))
    expect(first).toMatchObject({ undone: 10, kept: 0, left: 50, undo: token })
    await expect(failingAt(1, (failing) => undoChange(failing, ann, first.undo ?? ''))).rejects.toThrow('disk full')
    expect(await undo(first.undo)).toEqual({ undone: 50, deleted: 0, kept: 0, left: 0, undo: null })
    expect(new Set(await statuses())).toEqual(new Set(['new']))
  })

  test('works once, within an hour, for the same person in the same project', async () => {
    const check = await create()
    const pause = async () => (await change([check], { kind: 'pause' })).undo
    const first = await pause()
    const elsewhere = personOf('ann', 'member', (await createProject(deps(), 'Other')).project)
    for (const actor of [personOf('bob'), elsewhere]) expect(await codeOf(undo(first, actor))).toBe('undo-ended')
    expect(await undo(first)).toMatchObject({ undone: 1, kept: 0 })
    expect(await codeOf(undo(first))).toBe('undo-ended')
    const second = await pause()
    t.clock.advance({ minutes: 60 })
    expect(await codeOf(undo(second))).toBe('undo-ended')
    expect(await codeOf(undo(''))).toBe('undo-ended')
  })
})
