/** Stored changes of several checks, which any server can undo. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import { applyBulk, applyUndo, type Undo, undoOf } from '../../../src/domain/bulk/bulk.ts'
import { undoOfCreation } from '../../../src/domain/bulk/creation.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { pause } from '../../../src/domain/check/pause.ts'
import type { CheckWithChannels } from '../../../src/domain/check/representation.ts'
import type { ChangedCheck, Store, UndoKey } from '../../../src/store/store.ts'
import {
  aCheck,
  after,
  anAccount,
  anAuthor,
  aProject,
  aSilenceOf,
  NOON,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function undosContract(open: OpenStore): void {
  let g: StoreFixture
  let ann: Account
  beforeEach(async () => {
    g = await storeFixture(open)
    ann = anAccount()
    await g.store.by(anAuthor()).accounts.create(ann)
  })
  afterEach(() => g.close())

  const key = (over: Partial<UndoKey> = {}): UndoKey => ({
    lookup: 'a',
    accountId: ann.id,
    projectId: g.project.id,
    ...over,
  })
  const pauseAll = (checks: readonly Check[], stepsBefore = 0, of = key()) => {
    const ids = checks.map(({ publicId }) => publicId)
    const undo = ({ before, change }: ChangedCheck): Undo =>
      undoOf(before, { kind: 'pause' }, { ...before, check: change.check })
    const keeping = { key: of, begunAt: g.clock.now(), stepsBefore, undoOf: undo }
    return g.store
      .by(anAuthor())
      .checks.changeMany(g.project.id, ids, ({ check }) => pause(check, g.clock.now()), g.rules, keeping)
  }
  const undo = (of = key(), store: Store = g.store) =>
    store.by(anAuthor()).checks.undo(of, g.clock.now(), (before, how) => applyUndo(before, how, new Set()), g.rules)
  const undoWith = (existing: readonly string[]) =>
    g.store
      .by(anAuthor())
      .checks.undo(key(), g.clock.now(), (before, how) => applyUndo(before, how, new Set(existing)), g.rules)
  const some = async (count: number) => Promise.all(Array.from({ length: count }, () => g.check()))

  describe('a change of several checks', () => {
    test('is undone as it was kept, to the microsecond and the last run', async () => {
      const check = await g.check()
      await g.ping(check, { action: 'start' })
      g.clock.advance({ microseconds: 1_501 })
      await g.ping(check)
      g.clock.advance({ seconds: 1 })
      await g.ping(check, { action: 'start', rid: crypto.randomUUID() })
      const before = await g.stored(check)
      await pauseAll([check])
      expect(await g.stored(check)).not.toEqual(before)
      expect(await undo()).toMatchObject({ undone: 1, kept: 0, left: 0 })
      expect(await g.stored(check)).toEqual(before)
    })

    test('of settings, tags and channels is undone as it was kept', async () => {
      const [mail, ops] = [await g.channel(), await g.channel()]
      const check = await g.check({ tags: ' a  b ' }, [mail])
      const before = only((await g.store.checks.findMany([check.id])).slice(0, 1))
      const action = {
        kind: 'set',
        settings: {
          schedule: '0 3 * * *',
          tz: 'Europe/Riga',
          grace: 61,
          methods: 'POST',
          addTags: ['c'],
          channelIds: [ops.id],
        },
      } as const
      const keeping = {
        key: key(),
        begunAt: g.clock.now(),
        stepsBefore: 0,
        undoOf: ({ before: was, change }: ChangedCheck): Undo =>
          undoOf(was, action, { check: change.check, channelIds: change.channelIds ?? was.channelIds }),
      }
      const decide = (was: CheckWithChannels) => applyBulk(was, action, g.clock.now())
      await g.store.by(anAuthor()).checks.changeMany(g.project.id, [check.publicId], decide, g.rules, keeping)
      const changed = only((await g.store.checks.findMany([check.id])).slice(0, 1))
      expect(changed).toMatchObject({
        check: { kind: 'cron', schedule: '0 3 * * *', graceSeconds: 61, tags: 'a b c' },
        channelIds: [ops.id],
      })
      const existing = new Set([mail.id, ops.id])
      const undone = await g.store
        .by(anAuthor())
        .checks.undo(key(), g.clock.now(), (was, how) => applyUndo(was, how, existing), g.rules)
      expect(undone).toMatchObject({ undone: 1, kept: 0 })
      expect(only((await g.store.checks.findMany([check.id])).slice(0, 1))).toEqual(before)
    })

    test('is undone from its last call to the first, each once', async () => {
      const [first, second] = [await some(2), await some(3)]
      await pauseAll(first)
      await pauseAll(second, 2)
      expect(await undo()).toMatchObject({ undone: 3, kept: 0, left: 2 })
      await g.ping(only(first.slice(0, 1)))
      expect(await undo()).toMatchObject({ undone: 1, kept: 1, left: 0 })
      expect(await undo()).toBeNull()
    })

    test('leaves incidents as they were: held, taken and told', async () => {
      const make = async (tags: string) => {
        const check = await g.check({ tags }, [await g.channel()])
        await g.ping(check)
        return check
      }
      const checks = [await make('muted'), await make('muted'), await make('told')] as const
      const silence = aSilenceOf(g.project, { match: { checks: [], tags: ['muted'] } })
      await g.store.by(anAuthor()).silences.create(silence, NOON)
      for (const check of checks) await g.ping(check, { action: 'fail' })
      const incidents = async () => {
        await g.store.incidents.look(await g.store.incidents.due(g.clock.now(), 10), g.rules)
        const found = await Promise.all(checks.map(({ id }) => g.store.incidents.list(id, null, 10)))
        const stories = await Promise.all(found.flat().map((one) => g.store.incidents.listEvents(one)))
        return [found.flat().map(({ revision: _, ...rest }) => rest), stories.flat()]
      }
      const taking = { note: 'I look', until: after(60), takesOver: false }
      await g.store.by(anAuthor()).incidents.acknowledge({ checkId: checks[1].id, n: 2 }, taking, g.rules)
      const before = await incidents()
      expect(before[0]).toMatchObject([
        { held: { why: 'silence' } },
        { held: { why: 'acknowledgement' } },
        { held: null },
      ])
      await pauseAll(checks)
      expect((await incidents())[0]).toMatchObject([{ held: null }, { held: null }, { resolvedAt: NOON }])
      expect(await undo()).toMatchObject({ undone: 3, kept: 0 })
      expect(await incidents()).toEqual(before)
      expect((await g.store.deliveries.list(g.project.id, null, 10)).map(({ checkName }) => checkName)).toEqual([
        checks[2].name,
      ])
    })

    test('stays where somebody has left a note on the incident since', async () => {
      const [noted, other] = [await g.check(), await g.check()]
      for (const check of [noted, other]) await g.ping(check, { action: 'fail' })
      await pauseAll([noted, other])
      await g.store.by(anAuthor()).incidents.note({ checkId: noted.id, n: 1 }, 'not needed until May', g.rules)
      const before = await g.stored(noted)
      expect(await undo()).toMatchObject({ undone: 1, kept: 1 })
      expect(await g.stored(noted)).toEqual(before)
      expect((await g.stored(other)).status).toBe('down')
    })

    test('keeps nothing of a call that changed nothing', async () => {
      const checks = await some(1)
      await pauseAll(checks, 0, key({ lookup: 'b' }))
      await pauseAll(checks)
      expect(await undo()).toBeNull()
    })

    test('is undone by its token, its account and in its project only', async () => {
      await pauseAll(await some(1))
      const bob = anAccount({ email: 'bob@example.org' })
      await g.store.by(anAuthor()).accounts.create(bob)
      const other = await g.store.by(anAuthor()).projects.create(aProject(), [])
      for (const wrong of [{ lookup: 'b' }, { lookup: '' }, { accountId: bob.id }, { projectId: other.id }]) {
        expect(await undo(key(wrong))).toBeNull()
      }
      expect(await undo()).not.toBeNull()
    })

    test('is undone within an hour, and then removed', async () => {
      await pauseAll(await some(1), 0, key({ lookup: 'old' }))
      g.clock.advance({ seconds: 1 })
      await pauseAll(await some(1))
      g.clock.advance({ seconds: 3_599 })
      expect(await undo(key({ lookup: 'old' }))).toBeNull()
      await g.store.retention.removeExpired(g.clock.now())
      expect(await undo()).toMatchObject({ undone: 1 })
    })

    test('goes on though the account was deleted, and cannot be undone', async () => {
      await g.store.by(anAuthor()).accounts.delete(ann.id)
      const checks = await some(1)
      expect(await pauseAll(checks)).toHaveLength(1)
      expect(await undo()).toBeNull()
    })

    test('that created them is undone by their deletion, but for one that was pinged since', async () => {
      const channel = await g.channel()
      const checkOf = (name: string) => ({
        fresh: aCheck(g.project, { name, slug: name, createdAt: g.clock.now() }),
        decide: (check: Check) => ({ check, channelIds: [channel.id] }),
      })
      const author = anAuthor()
      const created = await g.store
        .by(author)
        .checks.createMany(g.project.id, ['a', 'b', 'a', 'c'].map(checkOf), g.rules, {
          key: key(),
          begunAt: g.clock.now(),
          stepsBefore: 0,
          undoOf: undoOfCreation,
        })
      expect(created.map(({ check, channelIds }) => [check.slug, ...channelIds])).toEqual([
        ['a', channel.id],
        ['b', channel.id],
        ['c', channel.id],
      ])
      const rows = (await g.store.audit.list(100)).filter((row) => row.author.changeId === author.changeId)
      expect(rows.map(({ action, subject }) => `${action} ${subject.name}`)).toEqual([
        'create a',
        'create b',
        'create c',
      ])
      const [, pinged] = created
      if (pinged) await g.ping(pinged.check)
      expect(await undoWith([channel.id])).toMatchObject({ undone: 2, deleted: 2, kept: 1, left: 0 })
      const left = await g.store.checks.list(g.project.id, {}, null)
      expect(left.items.map(({ check }) => check.slug)).toEqual(['b'])
      expect(await undoWith([channel.id])).toBeNull()
    })

    test('is undone once by two servers at the same time', async () => {
      const checks = await some(6)
      for (const [at, check] of checks.entries()) await pauseAll([check], at)
      const other = (await g.another?.()) ?? g.store
      const undone = await Promise.all([g.store, other, g.store, other].map((store) => undo(key(), store)))
      const rest: unknown[] = []
      for (let step = await undo(); step; step = await undo()) rest.push(step)
      const all = [...undone.filter((step) => step !== null), ...rest]
      expect(all).toHaveLength(6)
      expect(all).toEqual(all.map(() => expect.objectContaining({ undone: 1, kept: 0 })))
    })
  })
}
