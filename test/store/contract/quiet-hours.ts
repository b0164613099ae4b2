/** Deliveries to channels in their quiet hours: held until these end, and claimed together then. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { DeliveryOrder } from '../../../src/domain/alert/delivery.ts'
import type { QuietHours } from '../../../src/domain/channel/quiet-hours.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import type { ClaimedOrder, CommittedChange } from '../../../src/store/store.ts'
import {
  A_TRACE,
  after,
  anAuthor,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
  TAKE_ALL,
} from '../../support/store-builders.ts'

/** Seconds after noon. */
const [BEGIN, END] = [3_600, 4 * 3_600]
const QUIET: QuietHours = { schedule: '0 13 * * *', tz: 'UTC', seconds: END - BEGIN, upTo: 'down' }

export function quietHoursContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const windTo = (seconds: number) => g.clock.advance(g.clock.now().until(after(seconds)))
  const quietChannel = (over: Partial<QuietHours> = {}) => g.channel({ quietHours: { ...QUIET, ...over } })
  const change = (id: string, quietHours: QuietHours | null) =>
    g.store.by(anAuthor({ at: g.clock.now() })).channels.change(id, (it) => ({ channel: { ...it, quietHours } }))
  /** A check of the channel that went down in its quiet hours, and recovered unless it `isDown`. */
  const outage = async (channel: Awaited<ReturnType<StoreFixture['channel']>>, isDown = false): Promise<Check> => {
    const check = await g.check({}, [channel])
    await g.ping(check, { action: 'fail' })
    await g.claim()
    if (!isDown) await g.ping(check)
    return check
  }
  const joined = () => g.claim({ joins: () => true })
  const idsOf = ({ delivery, joined: others }: ClaimedOrder) => [delivery, ...others].map(({ id }) => id)
  const states = async () =>
    (await g.store.deliveries.list(g.project.id, null, 10)).map(({ delivery: { eventN, state, attempts } }) => {
      return [eventN, state, attempts]
    })

  test('what is due waits until the end, and no attempt is counted', async () => {
    await outage(await quietChannel(), true)
    expect(await states()).toEqual([[1, 'pending', 1]])
    windTo(BEGIN)
    await outage(await quietChannel(), true)
    expect(await g.store.deliveries.nextAt()).toEqual(after(END))
    expect(await states()).toEqual([
      [1, 'pending', 0],
      [1, 'pending', 1],
    ])
    expect(await g.store.server.readOutbox()).toEqual({ pending: 2, oldestAt: after(END) })
    windTo(END - 1)
    expect(await g.claim()).toEqual([])
    windTo(END)
    expect((await g.claim()).map(({ delivery }) => delivery.heldUntil)).toEqual([after(END), after(END)])
  })

  test('what waits for them is not counted as undelivered, nor what waits behind it', async () => {
    const undelivered = async () =>
      (await g.store.deliveries.countUndelivered([g.project.id], after(-60), g.clock.now(), 10))[0]
    const channel = await quietChannel()
    windTo(BEGIN)
    const check = await g.check({}, [channel])
    await g.ping(check, { action: 'fail' })
    await g.ping(check)
    expect(await undelivered()).toBe(2)
    const changes: CommittedChange[] = []
    g.store.changes.watch((change) => changes.push(change))
    await g.claim()
    expect(changes).toEqual([{ kind: 'alerts', projectId: g.project.id, checkId: check.id }])
    expect(await undelivered()).toBe(0)
    windTo(END)
    expect(await undelivered()).toBe(2)
  })

  test('what is worse than they hold is claimed', async () => {
    windTo(BEGIN)
    await g.ping(await g.check({}, [await quietChannel({ upTo: 'warning' })]), { action: 'fail' })
    expect((await g.claim()).map(({ delivery }) => delivery.heldUntil)).toEqual([null])
  })

  describe('at their end', () => {
    test('a message has all that waited, and one result', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      await outage(channel)
      const down = await outage(channel, true)
      windTo(END)
      const order = only(await joined())
      expect([order.check.id, order.joined.length]).toEqual([down.id, 2])
      expect(await joined()).toEqual([])
      const deliveries = [order.delivery, ...order.joined]
      const retry = { state: 'pending', error: 'not now', nextAttemptAt: after(END + 5) } as const
      await g.store.deliveries.record(deliveries, retry, A_TRACE, g.clock.now())
      expect(await g.store.deliveries.nextAt()).toEqual(after(END + 5))
      windTo(END + 5)
      const again = only(await joined())
      expect(idsOf(again)).toEqual(idsOf(order))
      await g.store.deliveries.record([again.delivery, ...again.joined], { state: 'sent' }, A_TRACE, g.clock.now())
      expect((await states()).map(([, ...rest]) => rest)).toEqual([
        ['sent', 2],
        ['sent', 2],
        ['sent', 2],
      ])
      const attempts = await Promise.all(idsOf(again).map((id) => g.store.deliveries.listAttempts(id)))
      expect(attempts.map((list) => list.map(({ error }) => error))).toEqual(attempts.map(() => [null, 'not now']))
    })

    test('a claim that has very many leaves further channels to the next one', async () => {
      const channels = await Promise.all(Array.from({ length: 9 }, () => quietChannel()))
      windTo(BEGIN)
      const check = await g.check({}, channels)
      const flips = Array.from({ length: 140 }, (_, n) =>
        g.arrival(check, { action: n % 2 === 0 ? 'fail' : 'success' }),
      )
      await g.commit(...flips)
      await g.claim()
      windTo(END)
      const sizes = async () => (await joined()).map((order) => idsOf(order).length)
      expect([await sizes(), await sizes(), await sizes()]).toEqual([Array(8).fill(140), [140], []])
    })

    test('all of a message is due again when its lease has ended', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      await outage(channel)
      windTo(END)
      const order = only(await joined())
      g.clock.advance({ seconds: 60 })
      const again = only(await joined())
      expect(idsOf(again)).toEqual(idsOf(order))
      // The result of the first attempt does not count any more.
      await g.store.deliveries.record([order.delivery, ...order.joined], { state: 'sent' }, A_TRACE, g.clock.now())
      expect((await states()).map(([, state]) => state)).toEqual(['pending', 'pending'])
    })

    test('alerts that are sent alone are dropped with the end of their incident, and the next one is due', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      const check = await outage(channel)
      await g.ping(check, { action: 'fail' })
      windTo(END)
      expect(only(await g.claim()).delivery).toMatchObject({ eventN: 3, attempts: 1 })
      expect(await states()).toEqual([
        [3, 'pending', 1],
        [2, 'failed', 0],
        [1, 'failed', 0],
      ])
      const [, up] = await g.store.deliveries.list(g.project.id, null, 10)
      expect(up?.error).toBe('Cancelled by quiet hours: the incident ended before they did')
    })

    test('an alert that is written while earlier ones are dropped does not wait for these', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      const checks: Check[] = []
      for (let n = 0; n < 12; n += 1) checks.push(await outage(channel))
      windTo(END)
      const fails = checks.map((check) => g.arrival(check, { action: 'fail' }))
      const [orders] = await Promise.all([g.claim(), ...fails.map((fail) => g.commit(fail))])
      const sent = new Set(orders.map(({ check }) => check.id))
      while (sent.size < checks.length) {
        const { check, delivery } = only(await g.claim())
        expect(delivery.eventN).toBe(3)
        sent.add(check.id)
      }
    })

    test('of many alerts that are sent alone, none about an incident that has ended is sent', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      const checks: Check[] = []
      for (let n = 0; n < 260; n += 1) checks.push(await g.check({}, [channel]))
      await g.commit(...checks.map((check) => g.arrival(check, { action: 'fail' })))
      expect(await g.claim()).toEqual([])
      await g.commit(...checks.map((check) => g.arrival(check)))
      windTo(END)
      expect(await g.claim()).toEqual([])
      expect(await g.store.deliveries.nextAt()).toBeNull()
    })

    test('a message ends before an alert of the check that is tried later', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      const check = await outage(channel)
      windTo(END)
      const order = only(await joined())
      const later = { state: 'pending', error: 'busy', nextAttemptAt: after(END + 600) } as const
      await g.store.deliveries.record([order.delivery, ...order.joined], later, A_TRACE, g.clock.now())
      await g.ping(check, { action: 'fail' })
      await g.store.by(anAuthor({ at: g.clock.now() })).deliveries.change(order.delivery.id, 'send-now')
      const again = only(await joined())
      expect(idsOf(again)).toEqual([order.delivery.id])
      const muchLater = { ...later, nextAttemptAt: after(END + 1_200) } as const
      await g.store.deliveries.record([again.delivery], muchLater, A_TRACE, g.clock.now())
      windTo(END + 600)
      expect(await joined()).toEqual([])
      expect(await g.store.deliveries.nextAt()).toEqual(after(END + 1_200))
      windTo(END + 1_200)
      expect(idsOf(only(await joined()))).toHaveLength(3)
    })

    test('alerts of an incident that ends after them, before anything was sent, are not dropped', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      const check = await outage(channel, true)
      windTo(END + 1)
      await g.ping(check)
      for (const eventN of [1, 2]) {
        const { delivery } = only(await g.claim())
        expect(delivery.eventN).toBe(eventN)
        await g.store.deliveries.record([delivery], { state: 'sent' }, A_TRACE, g.clock.now())
      }
    })

    test('alerts that were tried before are not dropped: the receiver may know of them', async () => {
      const channel = await quietChannel()
      const check = await g.check({}, [channel])
      await g.ping(check, { action: 'fail' })
      const order: DeliveryOrder = only(await g.claim())
      const retry = { state: 'pending', error: 'not now', nextAttemptAt: after(BEGIN) } as const
      await g.store.deliveries.record([order.delivery], retry, A_TRACE, g.clock.now())
      windTo(BEGIN)
      expect(await g.claim()).toEqual([])
      await g.ping(check)
      windTo(END)
      expect(only(await g.claim()).delivery).toMatchObject({ eventN: 1, attempts: 2, heldUntil: after(END) })
    })

    test('those of many checks are dropped together', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      await outage(channel)
      await outage(channel)
      await outage(channel, true)
      windTo(END)
      await g.claim()
      expect((await states()).map(([, state]) => state).toSorted()).toEqual([...Array(4).fill('failed'), 'pending'])
    })

    test('a delivery under way stays claimed when alerts behind it are dropped', async () => {
      const channel = await quietChannel()
      const check = await outage(channel, true)
      const [down] = await g.store.deliveries.list(g.project.id, null, 10)
      if (down) await g.store.deliveries.record([down.delivery], { state: 'sent' }, A_TRACE, g.clock.now())
      windTo(BEGIN)
      await g.ping(check)
      await g.claim()
      await g.ping(check, { action: 'fail' })
      await g.ping(check)
      windTo(END)
      expect(only(await g.claim()).delivery.eventN).toBe(2)
      expect(await g.claim()).toEqual([])
      expect((await states()).map(([n, state]) => [n, state])).toEqual([
        [4, 'failed'],
        [3, 'failed'],
        [2, 'pending'],
        [1, 'sent'],
      ])
    })

    test('a refused message is sent alert by alert, those of a check in order', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      await outage(channel)
      windTo(END)
      const order = only(await joined())
      const refused = { state: 'pending', error: 'refused', nextAttemptAt: null } as const
      await g.store.deliveries.record([order.delivery, ...order.joined], refused, A_TRACE, g.clock.now())
      for (const eventN of [1, 2]) {
        const alone = only(await joined())
        expect([alone.delivery.eventN, alone.delivery.heldUntil, alone.joined]).toEqual([eventN, null, []])
        expect(await joined()).toEqual([])
        await g.store.deliveries.record([alone.delivery], { state: 'sent' }, A_TRACE, g.clock.now())
      }
    })

    test('a person can send at once only the first alert of a check', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      await outage(channel)
      windTo(END)
      const order = only(await joined())
      const retry = { state: 'pending', error: 'not now', nextAttemptAt: after(END + 60) } as const
      await g.store.deliveries.record([order.delivery, ...order.joined], retry, A_TRACE, g.clock.now())
      const sendNow = (id: string | undefined) =>
        g.store.by(anAuthor({ at: g.clock.now() })).deliveries.change(id ?? '', 'send-now')
      expect(await sendNow(order.joined[0]?.id)).toBe(false)
      expect(await sendNow(order.delivery.id)).toBe(true)
    })

    test('a dropped alert can be sent all the same', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      await outage(channel)
      windTo(END)
      await g.claim()
      const [up] = await g.store.deliveries.list(g.project.id, null, 10)
      const author = g.store.by(anAuthor({ at: g.clock.now() }))
      expect(await author.deliveries.change(up?.delivery.id ?? '', 'retry')).toBe(true)
      expect(only(await g.claim()).delivery).toMatchObject({ eventN: 2, heldUntil: null })
    })

    test.each(['end', 'are removed'])('two processes claim each delivery once when quiet hours %s', async (how) => {
      const stores = [g.store, (await g.another?.()) ?? g.store]
      const channels = [await quietChannel(), await quietChannel()]
      windTo(BEGIN)
      for (const channel of channels) for (let n = 0; n < 3; n += 1) await outage(channel)
      windTo(how === 'end' ? END : END - 1)
      if (how === 'are removed') for (const { id } of channels) await change(id, null)
      const claims = await Promise.all(
        [0, 1, 2, 3].map((n) =>
          (stores[n % 2] ?? g.store).deliveries.claim(g.clock.now(), after(END + 60), {
            ...TAKE_ALL,
            joins: () => true,
          }),
        ),
      )
      const ids = claims.flat().flatMap(idsOf)
      expect([ids.length, new Set(ids).size]).toEqual([12, 12])
    })
  })

  describe('what waits is due at once', () => {
    test('when the quiet hours of its channel are removed, or end earlier or later', async () => {
      const channel = await quietChannel()
      windTo(BEGIN)
      await outage(channel, true)
      windTo(BEGIN + 60)
      for (const seconds of [7_200, 9_000]) {
        await change(channel.id, { ...QUIET, seconds })
        expect(await g.store.deliveries.nextAt()).toEqual(g.clock.now())
        expect(await g.claim()).toEqual([])
        expect(await g.store.deliveries.nextAt()).toEqual(after(BEGIN + seconds))
      }
      await change(channel.id, null)
      expect(only(await g.claim()).delivery.heldUntil).toEqual(after(BEGIN + 60))
    })

    test('when the clock was set back, unless it is still in the quiet hours', async () => {
      await outage(await quietChannel(), true)
      const channel = await quietChannel()
      windTo(BEGIN + 60)
      await outage(channel, true)
      await g.store.server.pullBack(after(BEGIN))
      expect(await g.store.deliveries.nextAt()).toEqual(after(BEGIN))
      expect(await g.claim()).toEqual([])
      expect(await g.store.deliveries.nextAt()).toEqual(after(END))
      await g.store.server.pullBack(after(0))
      const rules = { ...TAKE_ALL, joins: () => true }
      const claimed = await g.store.deliveries.claim(after(0), after(60), rules)
      expect(claimed.map(({ delivery }) => delivery.heldUntil)).toEqual([after(0), after(0)])
    })
  })
}
