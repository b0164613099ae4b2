/** judgeOverdue: silence turns checks down, each exactly once. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { flipIfOverdue } from '../../../src/domain/check/status.ts'
import { isBefore } from '../../../src/lib/time.ts'
import type { Rules } from '../../../src/store/store.ts'
import { allFlips } from '../../support/lists.ts'
import {
  aChannel,
  aCheck,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  only,
  rejection,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function overdueContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  /** Creates checks that were pinged one second after each other. */
  const pinged = async (count: number) => {
    const channel = await g.channel()
    const checks = await Promise.all(Array.from({ length: count }, () => g.check({}, [channel])))
    for (const check of checks) {
      await g.ping(check)
      g.clock.advance({ seconds: 1 })
    }
    return checks
  }

  describe('judging overdue checks', () => {
    test('finds nothing to wait for before the first ping', async () => {
      await g.check()
      expect(await g.store.flips.nextLookAt()).toBeNull()
      expect(await g.judgeOverdue()).toEqual({ flips: [], owed: false, nextLookAt: null })
    })

    test('turns a check down at its deadline, and not a microsecond earlier', async () => {
      const check = only(await pinged(1))
      g.clock.set(after(119.999_999).toString())
      expect((await g.judgeOverdue()).flips).toEqual([])
      expect((await g.stored(check)).status).toBe('up')
      g.clock.set(after(120).toString())
      const flip: Flip = {
        checkId: check.id,
        n: 2,
        createdAt: after(120),
        oldStatus: 'up',
        newStatus: 'down',
        reason: 'timeout',
      }
      expect(await g.judgeOverdue()).toEqual({ flips: [flip], owed: true, nextLookAt: null })
      expect(await g.stored(check)).toEqual({
        ...check,
        status: 'down',
        nEvents: 2,
        nPings: 1,
        lastPingAt: after(0),
        lastSuccessAt: after(0),
        runs: Uint8Array.of(3),
      })
      expect((await allFlips(g.store, check.id)).at(0)).toEqual(flip)
    })

    test('dates the flip to the deadline, however late it runs, and makes it only once', async () => {
      await pinged(1)
      g.clock.set(after(7200).toString())
      expect((await g.judgeOverdue()).flips.map(({ createdAt }) => createdAt)).toEqual([after(120)])
      expect(await g.judgeOverdue()).toMatchObject({ flips: [], owed: false })
      expect(await g.claim()).toHaveLength(1)
    })

    test('writes deliveries with the flips, and none for a check without channels', async () => {
      await g.ping(await g.check())
      g.clock.advance({ seconds: 120 })
      expect(await g.judgeOverdue()).toMatchObject({ flips: [{ n: 2 }], owed: false })
      expect(await g.store.deliveries.nextAt()).toBeNull()
    })

    test('owes each of several checks what its own integrations get, also by a group', async () => {
      const [one, two, off] = [
        await g.channel(),
        await g.channel(),
        await g.channel({ disabledReason: 'unsubscribed' }),
      ]
      const group = await g.channel({ kind: 'group', settings: `${two.id}, ${off.id}` })
      const assigned = [[one, two, off], [], [group], [group, two], [off], [one]]
      const checks = await Promise.all(assigned.map((channels) => g.check({}, channels)))
      for (const check of checks) await g.ping(check)
      g.clock.advance({ seconds: 120 })
      expect((await g.judgeOverdue()).flips).toHaveLength(6)
      const owed = await g.store.deliveries.list(g.project.id, 'pending', 100)
      const to = ({ id }: Pick<Check, 'id'>) =>
        owed.flatMap(({ delivery }) => (delivery.checkId === id ? [delivery.channelId] : [])).toSorted()
      expect(checks.map(to)).toEqual([[one.id, two.id].toSorted(), [], [two.id], [two.id], [], [one.id]])
    })

    test('owes nothing to an integration that only a group of another project names', async () => {
      const by = () => g.store.by(anAuthor())
      const other = aProject({ name: 'Other' })
      await by().projects.create(other, [])
      const own = await g.channel()
      const groups = [
        await g.channel({ kind: 'group', settings: own.id }),
        aChannel(other, { kind: 'group', settings: own.id }),
      ] as const
      await by().channels.create(groups[1])
      const fresh = aCheck(other)
      const channelIds = [groups[1].id]
      await by().checks.upsert(fresh, null, (check) => ({ check, channelIds }), g.rules)
      const checks = [await g.check({}, [groups[0]]), fresh] as const
      for (const check of checks) await g.ping(check)
      g.clock.advance({ seconds: 120 })
      expect((await g.judgeOverdue()).flips).toHaveLength(2)
      const owed = [...(await g.claim()), ...(await g.claim())]
      expect(owed.map(({ delivery }) => delivery.checkId)).toEqual([checks[0].id])
    })

    test('takes the longest overdue first, a batch at most, and says when to look again', async () => {
      const checks = await pinged(5)
      g.clock.set(after(122).toString())
      const first = await g.judgeOverdue(2)
      expect(first.flips.map(({ checkId }) => checkId)).toEqual(checks.slice(0, 2).map(({ id }) => id))
      expect(first.nextLookAt).toEqual(after(122))
      const second = await g.judgeOverdue(2)
      expect(second.flips.map(({ checkId }) => checkId)).toEqual(checks.slice(2, 3).map(({ id }) => id))
      expect(second.nextLookAt).toEqual(after(123))
    })

    test('gives a started run the grace time to end, then turns the check down', async () => {
      const check = await g.check({ timeoutSeconds: 3600 })
      await g.ping(check, { action: 'start' })
      g.clock.advance({ seconds: 60 })
      const flip = only((await g.judgeOverdue()).flips)
      expect([flip.oldStatus, flip.newStatus, flip.createdAt]).toEqual(['new', 'down', after(60)])
      expect((await g.stored(check)).lastStartAt).toEqual(after(0))
    })

    test('does not lose a check whose deadline a ping has moved', async () => {
      const check = only(await pinged(1))
      g.clock.set(after(100).toString())
      await g.ping(check)
      g.clock.set(after(120).toString())
      expect(await g.judgeOverdue()).toEqual({ flips: [], owed: false, nextLookAt: after(220) })
      g.clock.set(after(220).toString())
      expect((await g.judgeOverdue()).flips).toHaveLength(1)
    })

    test('never looks later than a deadline, whatever pings arrive', async () => {
      const check = await g.check({ timeoutSeconds: 600, graceSeconds: 300 })
      for (const action of [
        'success',
        'start',
        'log',
        'success',
        'start',
        'fail',
        'start',
        'success',
        'start',
      ] as const) {
        await g.ping(check, { action })
        g.clock.advance({ seconds: 7 })
        const due = flipIfOverdue(await g.stored(check), after(1e6))?.flip.createdAt ?? null
        const look = await g.store.flips.nextLookAt()
        if (due === null) expect(look).toBeNull()
        else expect(look !== null && !isBefore(due, look)).toBe(true)
      }
    })

    test('by two stores at the same time makes each flip and each delivery once', async () => {
      const checks = await pinged(40)
      const other = (await g.another?.()) ?? g.store
      g.clock.set(after(3600).toString())
      const look = (store: typeof other) => store.flips.judgeOverdue(g.clock.now(), g.rules, 100)
      const both = await Promise.all([look(g.store), look(other)])
      const flipped = both.flatMap(({ flips }) => flips.map(({ checkId }) => checkId))
      expect(flipped.toSorted()).toEqual(checks.map(({ id }) => id).toSorted())
      for (const { id } of checks) expect(await allFlips(g.store, id)).toHaveLength(2)
      const owed = await g.store.deliveries.list(g.project.id, 'pending', 100)
      expect(owed.map(({ delivery }) => delivery.checkId).toSorted()).toEqual(flipped.toSorted())
    })

    test('whose decision throws changes nothing', async () => {
      const checks = await pinged(2)
      const [, second] = checks
      g.clock.set(after(3600).toString())
      const failing: Rules = {
        ...g.rules,
        judge: (check, now) => {
          if (check.id === second?.id) throw new Error('poison')
          return g.rules.judge(check, now)
        },
      }
      expect(await rejection(g.store.flips.judgeOverdue(g.clock.now(), failing, 100))).toHaveProperty(
        'message',
        'poison',
      )
      for (const check of checks) expect((await g.stored(check)).status).toBe('up')
      expect(await g.store.deliveries.nextAt()).toBeNull()
    })
  })
}
