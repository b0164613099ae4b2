/** Several checks of a project: changed, restored, and deleted in one transaction. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { pause } from '../../../src/domain/check/pause.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import type { CheckChange, DecideEach } from '../../../src/store/store.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import {
  aChannel,
  aCheck,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  refusalOf,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const HOUR = 3600
const [A, B] = ['a0000000-0000-4000-8000-000000000000', 'b0000000-0000-4000-8000-000000000000']

export function bulkContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const change = (checks: readonly Pick<Check, 'publicId'>[], decide: DecideEach, author = anAuthor()) =>
    g.store.by(author).checks.changeMany(
      g.project.id,
      checks.map(({ publicId }) => publicId),
      decide,
      g.rules,
    )
  const renamed: DecideEach = ({ check }) => ({ check: { ...check, name: `${check.name}!` } })
  const stored = async () =>
    (await allChecks(g.store, g.project.id)).map(({ check, channelIds }) => [check.name, ...channelIds])
  const elsewhere = async () => {
    const other = aProject()
    await g.store.by(anAuthor()).projects.create(other, [])
    const fresh = aCheck(other, { name: 'foreign' })
    return (await g.store.by(anAuthor()).checks.upsert(fresh, null, (check) => ({ check }), g.rules)).check
  }

  describe('a change of several checks', () => {
    // Two that write rows of the same checks in different orders may wait for each other.
    test('takes them in the order of their ids', async () => {
      const checks: Check[] = []
      for (const id of [B, A]) checks.push(await g.check({ id }))
      expect((await change(checks, renamed)).map(({ before }) => before.check.id)).toEqual([A, B])
    })

    test('is given each with its channels, and those of the project, and is returned with what was before', async () => {
      const [a, b] = [await g.channel(), await g.channel()]
      const one = await g.check({ id: B, name: 'one' }, [b])
      const two = await g.check({ id: A, name: 'two' })
      const given: unknown[] = []
      const decided = await change([two, one], (before, channels) => {
        given.push([before.check.name, before.channelIds, channels.map(({ id }) => id)])
        return { check: before.check, channelIds: [a.id] }
      })
      expect(given).toEqual([
        ['two', [], [a.id, b.id]],
        ['one', [b.id], [a.id, b.id]],
      ])
      expect(decided.map(({ before, change }) => [before.check.name, before.channelIds, change.channelIds])).toEqual([
        ['two', [], [a.id]],
        ['one', [b.id], [a.id]],
      ])
      expect(await stored()).toEqual([
        ['one', a.id],
        ['two', a.id],
      ])
    })

    test('leaves out those that are left as they are, are gone, or belong to another project', async () => {
      const [one, two, gone] = [await g.check({ name: 'one' }), await g.check({ name: 'two' }), await g.check()]
      await g.store.by(anAuthor()).checks.delete(gone.id)
      const foreign = await elsewhere()
      const changed = await change([foreign, gone, one, two], (before, channels) =>
        before.check.name === 'two' ? null : renamed(before, channels),
      )
      expect(changed.map(({ before }) => before.check.name)).toEqual(['one'])
      expect(await stored()).toEqual([['one!'], ['two']])
      expect((await g.stored(foreign)).name).toBe('foreign')
    })

    test('is all or nothing', async () => {
      const checks = [await g.check({ name: 'one' }), await g.check({ name: 'two' })]
      const refused = change(checks, (before, channels) => {
        if (before.check.name === 'two') throw new Refusal('invalid', 'no')
        return renamed(before, channels)
      })
      expect((await refusalOf(refused)).message).toBe('no')
      expect(await stored()).toEqual([['one'], ['two']])
    })

    test('is one change in the audit log, with a row for each check that differs', async () => {
      const checks = [
        await g.check({ id: A, name: 'one' }),
        await g.check({ name: 'two' }),
        await g.check({ id: B, name: 'three' }),
      ]
      const author = anAuthor()
      await change(
        checks,
        (before, channels) => (before.check.name === 'two' ? { check: before.check } : renamed(before, channels)),
        author,
      )
      const rows = (await g.store.audit.list(100)).filter((row) => row.author.changeId === author.changeId)
      expect(rows.map(({ action, subject }) => `${action} ${subject.name}`)).toEqual(['edit one!', 'edit three!'])
    })

    test('writes its flips, and sends none of the alerts that are not owed', async () => {
      const channel = await g.channel()
      const check = await g.check({}, [channel])
      await g.ping(check)
      await change([check], ({ check: now }) => pause(now, g.clock.now()))
      expect((await g.stored(check)).status).toBe('paused')
      expect((await allFlips(g.store, check.id)).map(({ newStatus }) => newStatus)).toEqual(['paused', 'up'])
      expect(await g.claim()).toEqual([])
      expect(await g.store.flips.nextLookAt()).toBeNull()
    })
  })

  describe('a flip that is undone', () => {
    const before = async (check: Check) => {
      const known = await g.stored(check)
      await change([check], ({ check: now }) => pause(now, g.clock.now()))
      const undo: CheckChange = { check: known, undoneFlip: known.nEvents + 1 }
      return { known, undo }
    }

    test('never was: the check has the state and the flips of before, and the next flip takes its number', async () => {
      const channel = await g.channel()
      const check = await g.check({}, [channel])
      await g.ping(check)
      g.clock.advance({ seconds: 10 })
      await g.ping(check, { action: 'start' })
      const { known, undo } = await before(check)
      await change([check], () => undo)
      expect(await g.stored(check)).toEqual(known)
      expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([1])
      g.clock.advance({ seconds: 60 })
      await g.judgeOverdue()
      const [flip] = await allFlips(g.store, check.id)
      expect([flip?.n, flip?.oldStatus, flip?.newStatus]).toEqual([2, 'up', 'down'])
      expect((await g.claim()).map((order) => order.flip.n)).toEqual([2])
    })

    test('back to down owes no alert, and starts the reminders that the pause had ended', async () => {
      const mail = aChannel(g.project, { kind: 'email', settings: 'ops@example.org' })
      await g.store.by(anAuthor()).channels.create(mail, { reminder: { periodSeconds: HOUR, firstAt: after(HOUR) } })
      const check = await g.check({}, [await g.channel()])
      await g.ping(check, { action: 'fail' })
      expect(await g.claim()).toHaveLength(1)
      const { undo } = await before(check)
      expect(await g.store.mailings.nextAt()).toBeNull()
      g.clock.advance({ seconds: 60 })
      await change([check], () => undo)
      expect((await g.stored(check)).status).toBe('down')
      expect(String(await g.store.mailings.nextAt())).toBe(String(after(HOUR + 60)))
      expect((await g.store.deliveries.list(g.project.id, null, 100)).map(({ delivery }) => delivery.eventN)).toEqual([
        1,
      ])
    })
  })

  describe('a deletion of several checks', () => {
    test('deletes those of the project, and says how many', async () => {
      const [one, two] = [await g.check({ id: B, name: 'one' }), await g.check({ id: A, name: 'two' })]
      await g.check({ name: 'three' })
      const foreign = await elsewhere()
      const ids = [two, foreign, one].map(({ publicId }) => publicId)
      const author = anAuthor()
      expect(await g.store.by(author).checks.deleteMany(g.project.id, ids)).toBe(2)
      expect(await stored()).toEqual([['three']])
      expect((await g.stored(foreign)).name).toBe('foreign')
      const rows = (await g.store.audit.list(100)).filter((row) => row.author.changeId === author.changeId)
      expect(rows.map(({ action, subject }) => `${action} ${subject.name}`)).toEqual(['delete two', 'delete one'])
      expect(await g.store.by(anAuthor()).checks.deleteMany(g.project.id, ids)).toBe(0)
    })

    test('ends the reminders only with the last check that is down', async () => {
      const mail = aChannel(g.project, { kind: 'email', settings: 'ops@example.org' })
      await g.store.by(anAuthor()).channels.create(mail, { reminder: { periodSeconds: HOUR, firstAt: after(HOUR) } })
      const checks = [await g.check(), await g.check(), await g.check()]
      for (const check of checks) await g.ping(check, { action: 'fail' })
      const [first = '', ...rest] = checks.map(({ publicId }) => publicId)
      await g.store.by(anAuthor()).checks.deleteMany(g.project.id, [first])
      expect(await g.store.mailings.nextAt()).not.toBeNull()
      await g.store.by(anAuthor()).checks.deleteMany(g.project.id, rest)
      expect(await g.store.mailings.nextAt()).toBeNull()
    })
  })
}
