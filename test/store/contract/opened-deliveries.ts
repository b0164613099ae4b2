/** Deliveries that a person opens, sends at once or cancels. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { DeliveryOrder, DeliveryState } from '../../../src/domain/alert/delivery.ts'
import {
  A_TRACE,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function openedDeliveriesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const by = () => g.store.by(anAuthor({ at: g.clock.now() }))
  const sent = ({ delivery }: DeliveryOrder) =>
    g.store.deliveries.record([delivery], { state: 'sent' }, A_TRACE, g.clock.now())
  const failed = ({ delivery }: DeliveryOrder) => {
    const result = { state: 'failed', error: 'it failed', disablesChannel: false } as const
    return g.store.deliveries.record([delivery], result, A_TRACE, g.clock.now())
  }
  const retriedAt = ({ delivery }: DeliveryOrder, seconds: number) => {
    const result = { state: 'pending', error: 'not now', nextAttemptAt: after(seconds) } as const
    return g.store.deliveries.record([delivery], result, A_TRACE, g.clock.now())
  }
  /** Creates a check that has gone down, up and down again, with the alerts of one channel, of which the first is due. */
  const flippedCheck = async () => {
    const channel = await g.channel()
    const check = await g.check({ name: 'Backup' }, [channel])
    for (const action of ['fail', 'success', 'fail'] as const) await g.ping(check, { action })
    return { check, channel }
  }
  const entries = () => g.store.deliveries.list(g.project.id, null, 10)
  /** Returns an entry by the number of its flip. */
  const entryOf = async (eventN: number) => only((await entries()).filter(({ delivery }) => delivery.eventN === eventN))
  const statesByFlip = async () =>
    (await entries()).map(({ delivery: { eventN, state } }) => `${eventN} ${state}`).toSorted()

  describe('one of a project', () => {
    test('is found by its check, flip and channel, and in no other project', async () => {
      const { check, channel } = await flippedCheck()
      const key = { checkPublicId: check.publicId, eventN: 2, channelId: channel.id }
      const find = (over: Partial<typeof key> = {}, of = g.project) =>
        g.store.deliveries.findOf(of.id, { ...key, ...over })
      expect(await find()).toEqual(await entryOf(2))
      expect(await find({ eventN: 4 })).toBeNull()
      expect(await find({ checkPublicId: 'unknown' })).toBeNull()
      expect(await find({ channelId: (await g.channel()).id })).toBeNull()
      const other = await by().projects.create(aProject(), [])
      expect(await find({}, other)).toBeNull()
      await by().checks.transfer(check.id, { from: g.project.id, to: other.id }, g.clock.now())
      expect([await find(), await find({}, other)]).toEqual([null, null])
    })

    test('knows how many wait for it, and whether a later one has arrived', async () => {
      await flippedCheck()
      const known = async (eventN: number) => {
        const { delivery } = await entryOf(eventN)
        return [await g.store.deliveries.countBehind(delivery), await g.store.deliveries.hasLaterSent(delivery)]
      }
      expect([await known(1), await known(3)]).toEqual([
        [2, false],
        [0, false],
      ])
      await failed(only(await g.claim()))
      await sent(only(await g.claim()))
      expect([await known(1), await known(2)]).toEqual([
        [1, true],
        [1, false],
      ])
    })
  })

  test('a list of one channel has those of one check since a time, and none of a check that is gone', async () => {
    const channel = await g.channel()
    const [check, gone] = [await g.check({}, [channel]), await g.check({}, [channel])]
    await g.ping(check, { action: 'fail' })
    g.clock.advance({ minutes: 1 })
    await g.ping(check)
    await g.ping(gone, { action: 'fail' })
    const read = async (checkId: string | null, seconds: number, state: DeliveryState = 'pending') => {
      const filter = { state, checkId, since: after(seconds) }
      const { entries } = await g.store.deliveries.read(channel.id, filter, null, 10)
      return entries.map(({ delivery }) => [delivery.checkId, delivery.eventN])
    }
    expect(await read(check.id, 0)).toEqual([
      [check.id, 2],
      [check.id, 1],
    ])
    expect(await read(check.id, 60)).toEqual([[check.id, 2]])
    expect(await read(check.id, 0, 'sent')).toEqual([])
    expect(await read(null, 60)).toHaveLength(2)
    for (let round = 0; round < 3; round += 1) for (const order of await g.claim()) await sent(order)
    expect(await read(null, 60, 'sent')).toHaveLength(2)
    await by().checks.delete(gone.id)
    expect(await read(null, 60, 'sent')).toEqual([[check.id, 2]])
  })

  test('an entry is open while its check has been down since', async () => {
    const channel = await g.channel()
    const check = await g.check({}, [channel])
    const open = async () => {
      const filter = { state: 'pending', checkId: null, since: null } as const
      const { entries } = await g.store.deliveries.read(channel.id, filter, null, 10)
      const listed = await g.store.deliveries.list(g.project.id, null, 10)
      expect(new Set(listed.map(({ isOpen }) => isOpen))).toEqual(new Set(entries.map(({ isOpen }) => isOpen)))
      return entries.map(({ delivery, isOpen }) => [delivery.eventN, isOpen])
    }
    await g.ping(check, { action: 'fail' })
    expect(await open()).toEqual([[1, true]])
    g.clock.advance({ minutes: 1 })
    await g.ping(check)
    expect(await open()).toEqual([
      [2, false],
      [1, false],
    ])
  })

  test('those of a channel that are tried later are listed, the soonest first', async () => {
    const channel = await g.channel()
    const names = new Map<string, string>()
    for (const name of ['first', 'second', 'third'])
      await g.ping(await g.check({ name }, [channel]), { action: 'fail' })
    for (const seconds of [300, 100, 200]) {
      const order = only(await g.claim())
      names.set(order.delivery.id, `at ${seconds}`)
      await retriedAt(order, seconds)
    }
    const waiting = async (seconds: number, limit = 10) =>
      (await g.store.deliveries.listWaiting(channel.id, after(seconds), limit)).map((id) => names.get(id))
    expect(await waiting(0)).toEqual(['at 100', 'at 200', 'at 300'])
    expect(await waiting(0, 2)).toEqual(['at 100', 'at 200'])
    expect(await waiting(100)).toEqual(['at 200', 'at 300'])
    expect(await g.store.deliveries.listWaiting('unknown', after(0), 10)).toEqual([])
  })

  describe('one that is pending', () => {
    const sendNow = (id: string) => by().deliveries.change(id, 'send-now')
    const cancel = (id: string) => by().deliveries.change(id, 'cancel')
    /** Claims the only due delivery. Its lease is a minute, less of which is left than an attempt takes. */
    const claimed = async () => {
      const order = only(await g.claim())
      g.clock.advance({ seconds: 40 })
      return order
    }

    test('is due at once when it is sent, unless its attempt may be under way', async () => {
      await flippedCheck()
      const order = await claimed()
      const { id } = order.delivery
      expect(await sendNow(id)).toBe(false)
      await retriedAt(order, 300)
      g.clock.advance({ seconds: 10 })
      expect(await sendNow(id)).toBe(true)
      expect(await g.store.deliveries.nextAt()).toEqual(g.clock.now())
      expect(await g.store.audit.list(1)).toMatchObject([{ action: 'edit', subject: { kind: 'delivery', id } }])
      expect(await sendNow(id)).toBe(false)
      expect(only(await g.claim()).delivery).toMatchObject({ id, attempts: 2 })
    })

    test('stays as it is when it has ended, waits for another, or does not exist', async () => {
      await flippedCheck()
      const behind = (await entryOf(2)).delivery.id
      expect(await sendNow(behind)).toBe(false)
      const order = only(await g.claim())
      await failed(order)
      for (const id of [order.delivery.id, 'unknown']) {
        expect([await sendNow(id), await cancel(id)]).toEqual([false, false])
      }
    })

    test('is given up when it is cancelled, unless its attempt may be under way, and the next one is due', async () => {
      await flippedCheck()
      const order = await claimed()
      const { id } = order.delivery
      expect(await cancel(id)).toBe(false)
      await retriedAt(order, 300)
      g.clock.advance({ seconds: 10 })
      expect(await cancel(id)).toBe(true)
      expect(await entryOf(1)).toMatchObject({
        delivery: { state: 'failed' },
        error: 'Cancelled by a command',
        nextAttemptAt: null,
      })
      expect(await g.store.audit.list(1)).toMatchObject([{ action: 'edit', subject: { kind: 'delivery', id } }])
      const next = only(await g.claim())
      expect(next.delivery.eventN).toBe(2)
      expect(await cancel((await entryOf(3)).delivery.id)).toBe(true)
      await sent(next)
      expect(await g.claim()).toEqual([])
      expect(await statesByFlip()).toEqual(['1 failed', '2 sent', '3 failed'])
    })
  })
}
