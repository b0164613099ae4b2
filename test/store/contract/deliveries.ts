/** Deliveries: claimed for an attempt, ended by its result. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { DeliveryOrder } from '../../../src/domain/delivery.ts'
import type { ClaimLimits } from '../../../src/store/store.ts'
import { after, type Ground, ground, NO_LIMITS, type OpenStore, only } from '../../support/store-builders.ts'

export function deliveriesContract(open: OpenStore): void {
  let g: Ground
  beforeEach(async () => {
    g = await ground(open)
  })
  afterEach(() => g.close())

  /** A check that has just gone down, with so many channels. */
  const downCheck = async (channels = 1) => {
    const assigned = []
    for (let index = 0; index < channels; index += 1) assigned.push(await g.channel())
    const check = await g.check({}, assigned)
    await g.ping(check, { action: 'fail' })
    return check
  }
  const channelNow = async () => only(await g.store.listChannels(g.project.id))
  const sent = (order: DeliveryOrder) => g.store.recordDelivery(order.delivery, { state: 'sent' }, g.clock.now())
  const failed = (order: DeliveryOrder, disablesChannel: boolean, error = 'it failed') =>
    g.store.recordDelivery(order.delivery, { state: 'failed', error, disablesChannel }, g.clock.now())
  const retry = (order: DeliveryOrder, seconds: number) =>
    g.store.recordDelivery(
      order.delivery,
      { state: 'pending', error: 'not now', nextAttemptAt: after(seconds) },
      g.clock.now(),
    )

  describe('a claim', () => {
    test('brings everything that a message may need', async () => {
      const check = await downCheck()
      const order = only(await g.claim())
      expect(order.channel).toEqual(await channelNow())
      expect(order.check).toEqual(await g.stored(check))
      expect(order.channelIds).toEqual([order.channel.id])
      expect([order.flip]).toEqual(await g.store.listFlips(check.id, {}))
      expect(order.lastPing).toEqual(await g.store.findPing(check.id, 1))
      expect(order.delivery).toEqual({
        id: order.delivery.id,
        checkId: check.id,
        flipN: 1,
        channelId: order.channel.id,
        state: 'pending',
        attempts: 1,
        createdAt: after(0),
      })
    })

    test('shows the check with the status that the flip gave it, although it has another now', async () => {
      const check = await downCheck()
      await g.ping(check)
      expect(only(await g.claim()).check.status).toBe('down')
      expect((await g.stored(check)).status).toBe('up')
    })

    test('is nobody else’s until its lease ends; then the same delivery is due again as a further attempt', async () => {
      await downCheck()
      const first = only(await g.claim())
      g.clock.set(after(59.999_999).toString())
      expect(await g.claim()).toEqual([])
      expect(await g.store.nextDeliveryAt()).toEqual(after(60))
      g.clock.set(after(60).toString())
      const second = only(await g.claim())
      expect(second.delivery).toEqual({ ...first.delivery, attempts: 2 })
    })

    test('takes at most as many as asked for, the longest due first', async () => {
      const checks = []
      for (let index = 0; index < 5; index += 1) {
        checks.push(await downCheck())
        g.clock.advance({ seconds: 1 })
      }
      const claimed = []
      for (const size of [2, 2, 1]) {
        const orders = await g.claim({ total: 2 })
        expect(orders).toHaveLength(size)
        claimed.push(...orders.map(({ check }) => check.id).toSorted())
      }
      const ids = checks.map(({ id }) => id)
      expect(claimed).toEqual([...ids.slice(0, 2).toSorted(), ...ids.slice(2, 4).toSorted(), ...ids.slice(4)])
    })

    test('takes at most so many of one channel and none of a busy one, and fills up with others', async () => {
      const [many, few, busy] = [await g.channel(), await g.channel(), await g.channel()]
      for (let index = 0; index < 5; index += 1) {
        const check = await g.check({}, index < 2 ? [many, few, busy] : [many])
        await g.ping(check, { action: 'fail' })
        g.clock.advance({ seconds: 1 })
      }
      const claim = async (limits: Partial<ClaimLimits>) => {
        const channels = (await g.claim(limits)).map(({ channel }) => channel.id)
        return [many, few, busy].map(({ id }) => channels.filter((channel) => channel === id).length)
      }
      const busyChannels = [busy.id]
      expect(await claim({ perChannel: 3, busyChannels })).toEqual([3, 2, 0])
      expect(await claim({ perChannel: 3, busyChannels })).toEqual([2, 0, 0])
      expect(await claim({ busyChannels: [many.id, few.id] })).toEqual([0, 0, 2])
    })

    test('takes the longest due of a channel first when it may not take all', async () => {
      const channel = await g.channel()
      const ids = []
      for (let index = 0; index < 3; index += 1) {
        const { id } = await g.check({}, [channel])
        ids.push(id)
        await g.ping({ id }, { action: 'fail' })
        g.clock.advance({ seconds: 1 })
      }
      const claimed = []
      for (const _ of ids) claimed.push(only(await g.claim({ perChannel: 1 })).check.id)
      expect(claimed).toEqual(ids)
    })

    test('takes nothing before it is due', async () => {
      await downCheck()
      expect(await g.store.claimDeliveries(after(-0.000_001), after(60), NO_LIMITS)).toEqual([])
    })

    test('keeps the flips of a check back from a channel that has not heard of the earlier one', async () => {
      const check = await downCheck(2)
      const [slow, quick] = await g.claim()
      if (!slow || !quick) throw new Error('two were owed')
      await g.ping(check)
      await g.ping(check, { action: 'fail' })
      expect(await g.claim()).toEqual([])
      await sent(quick)
      const next = only(await g.claim())
      expect([next.channel.id, next.flip.n]).toEqual([quick.channel.id, 2])
      await failed(slow, false)
      const after1 = only(await g.claim())
      expect([after1.channel.id, after1.flip.n]).toEqual([slow.channel.id, 2])
    })

    test('lets a flip wait while the earlier one waits for its next try, but not the flips of other checks', async () => {
      const channel = await g.channel()
      const [check, other] = [await g.check({}, [channel]), await g.check({}, [channel])]
      await g.ping(check, { action: 'fail' })
      await retry(only(await g.claim()), 3600)
      await g.ping(check)
      // What waits for an earlier one does not call the loop.
      expect(await g.store.nextDeliveryAt()).toEqual(after(3600))
      for (const action of ['success', 'fail'] as const) await g.ping(other, { action })
      expect((await g.claim()).map(({ check: { id }, flip }) => [id, flip.n])).toEqual([[other.id, 2]])
      g.clock.set(after(3600).toString())
      expect((await g.claim()).filter(({ check: { id } }) => id === check.id).map(({ flip }) => flip.n)).toEqual([1])
    })

    test('by two stores at the same moment gives each delivery to one of them', async () => {
      const owed = 30
      for (let index = 0; index < owed; index += 1) await downCheck()
      const other = (await g.another?.()) ?? g.store
      const claim = (store: typeof other) => store.claimDeliveries(after(0), after(60), { ...NO_LIMITS, total: 20 })
      const orders = (await Promise.all([claim(g.store), claim(other), claim(g.store)])).flat()
      expect(orders).toHaveLength(owed)
      expect(new Set(orders.map(({ delivery }) => delivery.id)).size).toBe(owed)
    })

    test('of a channel that was deleted or disabled meanwhile still says so', async () => {
      await downCheck()
      await failed(only(await g.claim()), true, 'gone for good')
      const other = await g.check({}, [await channelNow()])
      expect((await g.commit(g.arrival(other, { action: 'fail' }))).owed).toBe(false)
    })
  })

  describe('the result of an attempt', () => {
    test('sent ends the delivery and clears the last error of the channel', async () => {
      await downCheck()
      await retry(only(await g.claim()), 10)
      expect((await channelNow()).lastError).toBe('not now')
      g.clock.set(after(10).toString())
      await sent(only(await g.claim()))
      expect(await g.store.nextDeliveryAt()).toBeNull()
      expect((await channelNow()).lastError).toBeNull()
      g.clock.advance({ hours: 48 })
      expect(await g.claim()).toEqual([])
    })

    test('to be tried again makes it due at the named instant, under the same id', async () => {
      await downCheck()
      const first = only(await g.claim())
      await retry(first, 10)
      expect(await g.store.nextDeliveryAt()).toEqual(after(10))
      expect(await g.claim()).toEqual([])
      g.clock.set(after(10).toString())
      expect(only(await g.claim()).delivery).toEqual({ ...first.delivery, attempts: 2 })
    })

    test('failed ends the delivery and leaves the channel in use', async () => {
      await downCheck()
      await failed(only(await g.claim()), false)
      expect(await g.store.nextDeliveryAt()).toBeNull()
      expect(await channelNow()).toMatchObject({ lastError: 'it failed', disabledReason: null })
    })

    test('failed for good disables the channel with its reason, which a later success does not take back', async () => {
      await downCheck()
      const order = only(await g.claim())
      await g.ping(order.check)
      await failed(order, true, 'gone for good')
      expect(await channelNow()).toMatchObject({ lastError: 'gone for good', disabledReason: 'gone for good' })
      await sent(only(await g.claim()))
      expect(await channelNow()).toMatchObject({ lastError: null, disabledReason: 'gone for good' })
    })

    test('of an attempt that outlived its lease counts for nothing', async () => {
      await downCheck()
      const late = only(await g.claim())
      g.clock.advance({ seconds: 60 })
      const newest = only(await g.claim())
      await failed(late, true, 'too late to tell')
      expect(await channelNow()).toMatchObject({ lastError: null, disabledReason: null })
      expect(await g.store.nextDeliveryAt()).toEqual(after(120))
      await sent(newest)
      await retry(late, 130)
      expect(await g.store.nextDeliveryAt()).toBeNull()
      expect((await channelNow()).lastError).toBeNull()
    })

    test('of a check that is gone meanwhile is no error', async () => {
      const check = await downCheck()
      const order = only(await g.claim())
      await g.store.deleteCheck(check.id)
      expect(await sent(order)).toBeUndefined()
      expect(await g.store.nextDeliveryAt()).toBeNull()
    })
  })
}
