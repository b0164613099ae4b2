/** Deliveries: claimed for an attempt, ended by its result. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { DeliveryOrder } from '../../../src/domain/delivery.ts'
import { type DueChannel, SEATS } from '../../../src/domain/seats.ts'
import type { Arrival } from '../../../src/store/store.ts'
import { after, aSignal, type Ground, ground, type OpenStore, only, TAKE_ALL } from '../../support/store-builders.ts'

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

    /** A channel with so many checks that have just gone down. */
    const queue = async (length: number) => {
      const channel = await g.channel()
      const checks = []
      for (let index = 0; index < length; index += 1) checks.push(await g.check({}, [channel]))
      await g.commit(...checks.map((check) => g.arrival(check, { action: 'fail' })))
      g.clock.advance({ seconds: 1 })
      return channel
    }
    /** What the store says is due; nothing is taken. */
    const told = async () => {
      const heard: DueChannel[] = []
      const choose = (due: readonly DueChannel[]) => {
        heard.push(...due)
        return []
      }
      expect(await g.claim({ choose })).toEqual([])
      return heard
    }

    test('is told the channels to which something is due, with host and number, the longest due first', async () => {
      const [first, second, later] = [await queue(1), await queue(3), await queue(1)]
      await retry(only(await g.claim({ choose: () => [later.id] })), 60)
      expect(await told()).toEqual([
        { channelId: first.id, host: first.host, due: 1 },
        { channelId: second.id, host: second.host, due: 3 },
      ])
    })

    test('is told of every channel also behind a long queue, and of as many as one channel has seats', async () => {
      const long = await g.channel()
      // Checks that their first ping makes have all channels that there are.
      const madeByPing = (slug: string): Arrival => ({
        target: { kind: 'slug', pingKey: g.pingKey, slug, create: true },
        signal: aSignal({ action: 'fail' }),
        receivedAt: g.clock.now(),
      })
      await g.commit(...Array.from({ length: 600 }, (_, index) => madeByPing(`check-${index}`)))
      g.clock.advance({ seconds: 1 })
      const [short, other] = [await queue(1), await queue(6)]
      expect(await told()).toEqual([
        { channelId: long.id, host: long.host, due: SEATS.perChannel },
        { channelId: short.id, host: short.host, due: 1 },
        { channelId: other.id, host: other.host, due: SEATS.perChannel },
      ])
      await g.claim({ choose: () => [short.id, ...Array.from({ length: 6 }, () => other.id)] })
      expect((await told()).map(({ channelId }) => channelId)).toEqual([long.id])
    })

    test('takes as many of a channel as it is named, the longest due first', async () => {
      const channel = await g.channel()
      const ids = []
      for (let index = 0; index < 3; index += 1) {
        const { id } = await g.check({}, [channel])
        ids.push(id)
        await g.ping({ id }, { action: 'fail' })
        g.clock.advance({ seconds: 1 })
      }
      const take = async (named: number) => {
        const choose = () => Array.from({ length: named }, () => channel.id)
        return (await g.claim({ choose })).map(({ check }) => check.id)
      }
      expect(await take(2)).toEqual(ids.slice(0, 2))
      expect(await take(3)).toEqual(ids.slice(2))
      expect(await take(1)).toEqual([])
    })

    test('leaves the deliveries of a channel that is not admitted as they are, and takes the others', async () => {
      const [held, free] = [await queue(2), await queue(1)]
      const orders = await g.claim({ admits: ({ id }) => id !== held.id })
      expect(orders.map(({ channel }) => channel.id)).toEqual([free.id])
      expect(await g.store.nextDeliveryAt()).toEqual(after(0))
      expect((await g.claim()).map(({ delivery }) => delivery.attempts)).toEqual([1, 1])
    })

    test('takes nothing before it is due', async () => {
      await downCheck()
      expect(await g.store.claimDeliveries(after(-0.000_001), after(60), TAKE_ALL)).toEqual([])
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
      const choose = (due: readonly DueChannel[]) => TAKE_ALL.choose(due).slice(0, 20)
      const claim = (store: typeof other) => store.claimDeliveries(after(0), after(60), { ...TAKE_ALL, choose })
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

  describe('a lease', () => {
    const renew = ({ delivery }: DeliveryOrder, endsAt: number, until: number) =>
      g.store.renewLeases([{ delivery, endsAt: after(endsAt) }], after(until))

    test('that is renewed keeps the delivery from others until its new end', async () => {
      await downCheck()
      const order = only(await g.claim())
      await renew(order, 60, 75)
      expect(await g.store.nextDeliveryAt()).toEqual(after(75))
      await renew(order, 75, 90)
      g.clock.set(after(89.999_999).toString())
      expect(await g.claim()).toEqual([])
      g.clock.set(after(90).toString())
      expect(only(await g.claim()).delivery.attempts).toBe(2)
    })

    test('is renewed for many deliveries at once', async () => {
      for (let index = 0; index < 20; index += 1) await downCheck()
      const leases = (await g.claim()).map(({ delivery }) => ({ delivery, endsAt: after(60) }))
      await g.store.renewLeases(leases, after(75))
      expect(await g.store.nextDeliveryAt()).toEqual(after(75))
    })

    test('that has ended is renewed while nobody else has claimed, and not when somebody has', async () => {
      await downCheck()
      const order = only(await g.claim())
      g.clock.set(after(70).toString())
      await renew(order, 60, 80)
      expect(await g.claim()).toEqual([])
      g.clock.set(after(80).toString())
      only(await g.claim())
      await renew(order, 80, 1000)
      expect(await g.store.nextDeliveryAt()).toEqual(after(140))
    })

    test('is told from the next one by its attempt too, should both end at the same time', async () => {
      await downCheck()
      const order = only(await g.claim())
      only(await g.store.claimDeliveries(after(60), after(60), TAKE_ALL))
      await renew(order, 60, 1000)
      expect(await g.store.nextDeliveryAt()).toEqual(after(60))
    })

    test('of an attempt that has ended meanwhile is not renewed, whatever its end was', async () => {
      const [first, second] = [await downCheck(), await downCheck()]
      const orders = await g.claim()
      const of = ({ id }: { id: string }) => only(orders.filter(({ check }) => check.id === id))
      await sent(of(first))
      await retry(of(second), 3600)
      for (const order of orders) await renew(order, 60, 75)
      expect(await g.store.nextDeliveryAt()).toEqual(after(3600))
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
