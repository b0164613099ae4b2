/** Deliveries: claimed for an attempt, ended by its result. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Recipient } from '../../../src/domain/alert/concurrency-limit.ts'
import { cancelledBy, type DeliveryOrder } from '../../../src/domain/alert/delivery.ts'
import { BODY_BYTES } from '../../../src/domain/alert/flip-context.ts'
import type { Arrival, LateFailure } from '../../../src/store/store.ts'
import { allFlips } from '../../support/lists.ts'
import {
  A_TRACE,
  after,
  anAuthor,
  aSignal,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
  TAKE_ALL,
} from '../../support/store-builders.ts'

export function deliveriesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  /** Creates a check that has just gone down, with this many channels. */
  const downCheck = async (channels = 1) => {
    const assigned = []
    for (let index = 0; index < channels; index += 1) assigned.push(await g.channel())
    const check = await g.check({}, assigned)
    await g.ping(check, { action: 'fail' })
    return check
  }
  const channelNow = async () => only(await g.store.channels.list(g.project.id))
  const sent = (order: DeliveryOrder) =>
    g.store.deliveries.record([order.delivery], { state: 'sent' }, A_TRACE, g.clock.now())
  const failed = (order: DeliveryOrder, disablesChannel: boolean, error = 'it failed') =>
    g.store.deliveries.record([order.delivery], { state: 'failed', error, disablesChannel }, A_TRACE, g.clock.now())
  const retry = (order: DeliveryOrder, seconds: number) =>
    g.store.deliveries.record(
      [order.delivery],
      { state: 'pending', error: 'not now', nextAttemptAt: after(seconds) },
      A_TRACE,
      g.clock.now(),
    )

  test('what a message is made from can be read again, without a claim', async () => {
    await downCheck()
    const { delivery, channel: _channel, joined: _joined, ...story } = only(await g.claim())
    expect(await g.store.deliveries.findStory(delivery, g.clock.now())).toEqual(story)
    expect(await g.store.deliveries.findStory({ ...delivery, eventN: 99 }, g.clock.now())).toBeNull()
  })

  describe('a retry', () => {
    const found = async (id: string) => only(await g.store.deliveries.find(id, 2))
    const retry = (id: string) => g.store.by(anAuthor({ at: g.clock.now() })).deliveries.change(id, 'retry')

    test('makes a failed delivery due now, with the same id, as a further attempt', async () => {
      await downCheck()
      const order = only(await g.claim())
      await failed(order, false)
      g.clock.advance({ hours: 30 })
      expect(await g.store.deliveries.nextAt()).toBeNull()
      expect(await retry(order.delivery.id)).toBe(true)
      expect(await g.store.deliveries.nextAt()).toEqual(g.clock.now())
      const again = only(await g.claim())
      expect(again.delivery).toEqual({ ...order.delivery, attempts: 2 })
      await sent(again)
      expect(await found(order.delivery.id)).toMatchObject({ state: 'sent', attempts: 2 })
    })

    test('does nothing if the delivery is pending, sent, of a deleted check, or unknown', async () => {
      const check = await downCheck(2)
      const [first, second] = await g.claim()
      if (!first || !second) throw new Error('two deliveries were expected')
      await sent(second)
      for (const id of [first.delivery.id, second.delivery.id, 'nowhere']) {
        expect(await retry(id)).toBe(false)
      }
      await failed(first, false)
      await g.store.by(anAuthor()).checks.delete(check.id)
      expect(await retry(first.delivery.id)).toBe(false)
      expect(await g.store.deliveries.find(first.delivery.id, 1)).toEqual([])
    })

    test('is refused while a later alert of the check to the channel is pending, and works after that', async () => {
      const check = await downCheck()
      const down = only(await g.claim())
      await failed(down, false)
      await g.ping(check)
      expect(await retry(down.delivery.id)).toBe(false)
      await sent(only(await g.claim()))
      expect(await retry(down.delivery.id)).toBe(true)
      // Later deliveries wait for it.
      await g.ping(check, { action: 'fail' })
      g.clock.advance({ seconds: 1 })
      expect(only(await g.claim()).delivery.id).toBe(down.delivery.id)
      expect(await g.claim()).toEqual([])
    })

    test('finds deliveries by the first characters of their ids, in order of id', async () => {
      await downCheck(20)
      const ids = (await g.claim()).map(({ delivery }) => delivery.id).toSorted()
      expect((await g.store.deliveries.find('', 100)).map(({ id }) => id)).toEqual(ids)
      for (const id of ids) expect((await found(id.slice(0, 13))).id).toBe(id)
      const begin = ids.filter((id) => id.startsWith(ids[0]?.[0] ?? ''))
      expect((await g.store.deliveries.find(ids[0]?.[0] ?? '', 100)).map(({ id }) => id)).toEqual(begin)
      expect(await g.store.deliveries.find('', 3)).toHaveLength(3)
    })
  })

  test('of those to a channel that is deleted, the ended ones go before it, the oldest first', async () => {
    const [gone, kept] = [await g.channel(), await g.channel()]
    const check = await g.check({}, [gone, kept])
    for (const action of ['fail', 'success', 'fail'] as const) {
      await g.ping(check, { action })
      g.clock.advance({ minutes: 1 })
    }
    for (let round = 0; round < 2; round += 1) for (const order of await g.claim()) await sent(order)
    const left = async () =>
      (await g.store.deliveries.list(g.project.id, null, 10)).map(({ delivery: { channelId, eventN, state } }) => {
        return [channelId === gone.id ? 'gone' : 'kept', eventN, state]
      })
    expect(await left()).toHaveLength(6)
    expect(await g.store.channels.deleteEndedDeliveries(gone.id, 1)).toBe(1)
    expect(await left()).not.toContainEqual(['gone', 1, 'sent'])
    expect(await g.store.channels.deleteEndedDeliveries(gone.id, 10)).toBe(1)
    expect(await g.store.channels.deleteEndedDeliveries(gone.id, 10)).toBe(0)
    expect((await left()).filter(([which]) => which === 'gone')).toEqual([['gone', 3, 'pending']])
    expect((await left()).filter(([which]) => which === 'kept')).toHaveLength(3)
  })

  describe('a list of one channel and state', () => {
    const all = { checkId: null, since: null } as const
    const pending = { ...all, state: 'pending' } as const

    test('goes on after each place, also between deliveries of the same time', async () => {
      const channel = await g.channel()
      for (let index = 0; index < 5; index += 1) {
        await g.ping(await g.check({}, [channel]), { action: 'fail' })
        if (index === 2) g.clock.advance({ minutes: 1 })
      }
      const whole = await g.store.deliveries.read(channel.id, pending, null, 10)
      const ids = whole.entries.map(({ delivery }) => delivery.id)
      expect([ids.length, whole.last]).toEqual([5, null])
      const seen: string[] = []
      let page = await g.store.deliveries.read(channel.id, pending, null, 2)
      for (; page.last !== null; page = await g.store.deliveries.read(channel.id, pending, page.last, 2)) {
        seen.push(...page.entries.map(({ delivery }) => delivery.id))
      }
      expect([...seen, ...page.entries.map(({ delivery }) => delivery.id)]).toEqual(ids)
      const [, second, third] = whole.entries
      const place = { id: second?.delivery.id ?? '', createdAt: second?.delivery.createdAt ?? g.clock.now() }
      const other = await g.channel()
      expect(await g.store.deliveries.findNewest([channel.id, other.id], pending, place)).toEqual([
        { id: third?.delivery.id ?? '', createdAt: third?.delivery.createdAt ?? g.clock.now() },
        null,
      ])
    })

    test('has only what is asked for, and its counts end at the limit', async () => {
      const channel = await g.channel()
      const checks = [await g.check({}, [channel]), await g.check({}, [channel]), await g.check({}, [channel])]
      for (const check of checks) await g.ping(check, { action: 'fail' })
      const [order] = await g.claim()
      if (order) await sent(order)
      g.clock.advance({ minutes: 1 })
      const idOf = async (checkId: string | null, state: 'pending' | 'sent', since = g.clock.now()) => {
        const [place] = await g.store.deliveries.findNewest([channel.id], { state, checkId, since }, null)
        return place?.id ?? null
      }
      const begin = after(-3600)
      expect(await idOf(null, 'sent', begin)).toBe(order?.delivery.id ?? '')
      expect(await idOf(order?.delivery.checkId ?? null, 'sent', begin)).toBe(order?.delivery.id ?? '')
      expect(await idOf(order?.delivery.checkId ?? null, 'pending', begin)).toBeNull()
      expect(await idOf(null, 'sent')).toBeNull()
      expect(await g.store.deliveries.count([channel.id], null, 10)).toEqual({ pending: 2, failed: 0, sent: 1 })
      expect(await g.store.deliveries.count([channel.id], null, 1)).toEqual({ pending: 1, failed: 0, sent: 1 })
      expect(await g.store.deliveries.count([channel.id], g.clock.now(), 1)).toEqual({ pending: 0, failed: 0, sent: 0 })
    })
  })

  test('those that wait or failed are counted by project, up to a limit, without those of long ago and cancelled ones', async () => {
    await downCheck(4)
    const undelivered = (limit: number, since = after(-1)) =>
      g.store.deliveries.countUndelivered([g.project.id, 'another'], since, g.clock.now(), limit)
    expect(await undelivered(10)).toEqual([4, 0])
    expect(await undelivered(2)).toEqual([2, 0])
    const [first, second, third] = await g.claim()
    if (first) await sent(first)
    if (second) await failed(second, false)
    if (third) await failed(third, false, cancelledBy({ kind: 'command', name: '' }))
    expect(await undelivered(10)).toEqual([2, 0])
    expect(await undelivered(10, after(1))).toEqual([0, 0])
  })

  describe('an attempt', () => {
    const attemptsOf = (order: DeliveryOrder) => g.store.deliveries.listAttempts(order.delivery.id)

    test('is kept with its result, newest first', async () => {
      await downCheck()
      const first = only(await g.claim())
      await retry(first, 5)
      g.clock.advance({ seconds: 5 })
      const second = only(await g.claim())
      const answer = { status: '200 OK', headers: [['server', 'x']], body: 'thank you' } as const
      const trace = { beganAt: g.clock.now(), duration: 1_234, answer }
      await g.store.deliveries.record([second.delivery], { state: 'sent' }, trace, g.clock.now())
      expect(await attemptsOf(first)).toEqual([
        { n: 2, error: null, ...trace, answer: { ...answer, headers: [], body: '' } },
        { n: 1, error: 'not now', ...A_TRACE },
      ])
    })

    test('is kept only once, and not if another one has begun or the delivery has ended', async () => {
      await downCheck()
      const first = only(await g.claim())
      g.clock.advance({ minutes: 1 })
      const second = only(await g.claim())
      await retry(first, 5)
      expect(await attemptsOf(first)).toEqual([])
      await failed(second, false)
      await sent(second)
      expect((await attemptsOf(second)).map(({ n, error }) => ({ n, error }))).toEqual([{ n: 2, error: 'it failed' }])
      expect(await g.store.deliveries.find(second.delivery.id, 1)).toMatchObject([{ state: 'failed' }])
    })

    test('has only the status of its answer when five others have followed', async () => {
      await downCheck()
      const answer = { status: '503 Service Unavailable', headers: [['server', 'x']], body: 'away' } as const
      let order = only(await g.claim())
      for (let n = 1; n <= 6; n += 1) {
        const nextAttemptAt = g.clock.now().add({ seconds: 1 })
        const result = { state: 'pending', error: 'not now', nextAttemptAt } as const
        await g.store.deliveries.record([order.delivery], result, { ...A_TRACE, answer }, g.clock.now())
        g.clock.advance({ seconds: 1 })
        order = only(await g.claim())
      }
      const answers = (await attemptsOf(order)).map((attempt) => attempt.answer)
      expect(answers.slice(0, 5)).toEqual([answer, answer, answer, answer, answer])
      expect(answers.slice(5)).toEqual([{ ...answer, headers: [], body: '' }])
    })

    test('loses its answer by age, the oldest first, and stays', async () => {
      await downCheck(3)
      const orders = await g.claim()
      const answer = { status: '500', headers: [['server', 'x']], body: 'away' } as const
      const result = { state: 'failed', error: 'it failed', disablesChannel: false } as const
      for (const [index, { delivery }] of orders.entries()) {
        await g.store.deliveries.record(
          [delivery],
          result,
          { ...A_TRACE, beganAt: after(index), answer },
          g.clock.now(),
        )
      }
      const kept = async () => (await Promise.all(orders.map(attemptsOf))).map((attempts) => only(attempts))
      const before = await kept()
      expect(before.map((attempt) => attempt.answer)).toEqual([answer, answer, answer])
      expect(await g.store.retention.pruneAnswers(after(2), 1)).toBe(1)
      expect((await kept()).map((attempt) => attempt.answer)).toEqual([null, answer, answer])
      expect(await g.store.retention.pruneAnswers(after(2), 10)).toBe(1)
      expect(await g.store.retention.pruneAnswers(after(2), 10)).toBe(0)
      expect(await kept()).toEqual(before.map((attempt, n) => (n < 2 ? { ...attempt, answer: null } : attempt)))
    })

    test('is forgotten when twenty others have followed', async () => {
      await downCheck()
      let order = only(await g.claim())
      for (let n = 1; n <= 22; n += 1) {
        await retry(order, 1)
        g.clock.advance({ seconds: 1 })
        order = only(await g.claim())
      }
      const numbers = (await attemptsOf(order)).map(({ n }) => n)
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index))
    })
  })

  describe('a claim', () => {
    test('returns everything that a message may need', async () => {
      const check = await downCheck()
      const order = only(await g.claim())
      expect(order.channel).toEqual(await channelNow())
      expect(order.check).toEqual(await g.stored(check))
      expect(order.channelIds).toEqual([order.channel.id])
      expect([order.flip]).toEqual(await allFlips(g.store, check.id))
      const { droppedBytes: _, ...ping } = (await g.store.pings.find(check.id, 1)) ?? { droppedBytes: null }
      expect(order.lastPing).toMatchObject({ ...ping, bodySize: 0, bodyEnd: null })
      expect(order.delivery).toEqual({
        id: order.delivery.id,
        checkId: check.id,
        eventN: 1,
        channelId: order.channel.id,
        state: 'pending',
        attempts: 1,
        createdAt: after(0),
        heldUntil: null,
      })
    })

    test('returns start, end and size of a long body, the same bytes for all channels of the flip', async () => {
      const [one, other] = [await g.channel(), await g.channel()]
      const check = await g.check({}, [one, other])
      const body = new Uint8Array(BODY_BYTES.start + BODY_BYTES.end + 1).map((_, index) => index % 251)
      await g.ping(check, { action: 'fail', body })
      const [first, second] = (await g.claim()).map(({ lastPing }) => lastPing)
      expect(first?.bodySize).toBe(body.length)
      const sameBytes = (a: Uint8Array | null | undefined, b: Uint8Array) => a != null && Buffer.compare(a, b) === 0
      expect(sameBytes(first?.body, body.subarray(0, BODY_BYTES.start))).toBe(true)
      expect(sameBytes(first?.bodyEnd, body.subarray(-BODY_BYTES.end))).toBe(true)
      // A view would keep the whole body in memory.
      for (const part of [first?.body, first?.bodyEnd]) expect(part?.buffer.byteLength).toBe(part?.byteLength)
      expect(second?.body).toBe(first?.body)
    })

    test.each([
      ['shorter than what is shown as the end', BODY_BYTES.end - 1],
      ['as long as what is loaded', BODY_BYTES.start],
      ['a byte longer', BODY_BYTES.start + 1],
    ])('brings a body that is %s', async (_, size) => {
      const check = await g.check({}, [await g.channel()])
      const body = new Uint8Array(size).map((_byte, index) => index % 251)
      await g.ping(check, { action: 'fail', body })
      const { lastPing } = only(await g.claim())
      expect(lastPing?.bodySize).toBe(size)
      expect(lastPing?.body).toEqual(body.subarray(0, BODY_BYTES.start))
      expect(lastPing?.bodyEnd).toEqual(body.subarray(-BODY_BYTES.end))
    })

    test('returns nothing of an empty body', async () => {
      const check = await g.check({}, [await g.channel()])
      await g.ping(check, { action: 'fail', body: new Uint8Array() })
      const { lastPing } = only(await g.claim())
      expect([lastPing?.bodySize, lastPing?.body?.length ?? 0, lastPing?.bodyEnd?.length ?? 0]).toEqual([0, 0, 0])
    })

    test('shows the check with the status of the flip, although it has another now', async () => {
      const check = await downCheck()
      await g.ping(check)
      expect(only(await g.claim()).check.status).toBe('down')
      expect((await g.stored(check)).status).toBe('up')
    })

    test('is exclusive until its lease ends; then the same delivery is due again as a further attempt', async () => {
      await downCheck()
      const first = only(await g.claim())
      g.clock.set(after(59.999_999).toString())
      expect(await g.claim()).toEqual([])
      expect(await g.store.deliveries.nextAt()).toEqual(after(60))
      g.clock.set(after(60).toString())
      const second = only(await g.claim())
      expect(second.delivery).toEqual({ ...first.delivery, attempts: 2 })
    })

    /** Creates a channel with this many checks that have just gone down. */
    const queue = async (length: number) => {
      const channel = await g.channel()
      const checks = []
      for (let index = 0; index < length; index += 1) checks.push(await g.check({}, [channel]))
      await g.commit(...checks.map((check) => g.arrival(check, { action: 'fail' })))
      g.clock.advance({ seconds: 1 })
      return channel
    }
    /** Returns the channels that the store offers, without claiming anything. */
    const told = async () => {
      const heard: Recipient[] = []
      const choose = (due: readonly Recipient[]) => {
        heard.push(...due)
        return []
      }
      expect(await g.claim({ choose })).toEqual([])
      return heard
    }

    test('gets the channels with due deliveries and their hosts, longest due first', async () => {
      const [first, second, later] = [await queue(1), await queue(3), await queue(1)]
      await retry(only(await g.claim({ choose: () => [later.id] })), 60)
      expect(await told()).toEqual([
        { channelId: first.id, host: first.host },
        { channelId: second.id, host: second.host },
      ])
    })

    test('gets every channel, even behind a long queue', async () => {
      const long = await g.channel()
      // Checks that create=1 creates have all channels of the project.
      const madeByPing = (slug: string): Arrival => ({
        target: { kind: 'slug', pingKey: g.pingKey, slug, create: true },
        signal: aSignal({ action: 'fail' }),
        receivedAt: g.clock.now(),
      })
      await g.commit(...Array.from({ length: 600 }, (_, index) => madeByPing(`check-${index}`)))
      g.clock.advance({ seconds: 1 })
      const [short, other] = [await queue(1), await queue(6)]
      expect(await told()).toEqual([
        { channelId: long.id, host: long.host },
        { channelId: short.id, host: short.host },
        { channelId: other.id, host: other.host },
      ])
      await g.claim({ choose: () => [short.id] })
      expect((await told()).map(({ channelId }) => channelId)).toEqual([long.id, other.id])
    })

    test('takes the longest due delivery of a channel', async () => {
      const channel = await g.channel()
      const ids = []
      for (let index = 0; index < 3; index += 1) {
        const { id } = await g.check({}, [channel])
        ids.push(id)
        await g.ping({ id }, { action: 'fail' })
        g.clock.advance({ seconds: 1 })
      }
      for (const id of ids) expect((await g.claim()).map(({ check }) => check.id)).toEqual([id])
      expect(await g.claim({ choose: () => [channel.id] })).toEqual([])
    })

    test('leaves deliveries of a channel that is not admitted unchanged, and takes the others', async () => {
      const [held, free] = [await queue(2), await queue(1)]
      const orders = await g.claim({ admits: ({ id }) => id !== held.id })
      expect(orders.map(({ channel }) => channel.id)).toEqual([free.id])
      expect(await g.store.deliveries.nextAt()).toEqual(after(0))
      for (let left = 2; left > 0; left -= 1) expect(only(await g.claim()).delivery.attempts).toBe(1)
    })

    test('takes nothing before it is due', async () => {
      await downCheck()
      expect(await g.store.deliveries.claim(after(-0.000_001), after(60), TAKE_ALL)).toEqual([])
    })

    test('holds back a flip while an earlier one of the check to the channel is pending', async () => {
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

    test('holds back a flip while the earlier one waits for a retry, but not the flips of other checks', async () => {
      const channel = await g.channel()
      const [check, other] = [await g.check({}, [channel]), await g.check({}, [channel])]
      await g.ping(check, { action: 'fail' })
      await retry(only(await g.claim()), 3600)
      await g.ping(check)
      // A delivery that is held back does not wake the loop.
      expect(await g.store.deliveries.nextAt()).toEqual(after(3600))
      for (const action of ['success', 'fail'] as const) await g.ping(other, { action })
      expect((await g.claim()).map(({ check: { id }, flip }) => [id, flip.n])).toEqual([[other.id, 2]])
      g.clock.set(after(3600).toString())
      const again = [...(await g.claim()), ...(await g.claim())]
      expect(again.filter(({ check: { id } }) => id === check.id).map(({ flip }) => flip.n)).toEqual([1])
    })

    test('takes a flip that was held back before deliveries that were created later', async () => {
      const channel = await g.channel()
      const [check, later] = [await g.check({}, [channel]), await g.check({}, [channel])]
      await g.ping(check, { action: 'fail' })
      const first = only(await g.claim())
      g.clock.advance({ seconds: 1 })
      await g.ping(check)
      g.clock.advance({ seconds: 1 })
      await g.ping(later, { action: 'fail' })
      g.clock.advance({ seconds: 1 })
      await sent(first)
      const next = [only(await g.claim()), only(await g.claim())]
      expect(next.map((order) => [order.check.id, order.flip.n])).toEqual([
        [check.id, 2],
        [later.id, 1],
      ])
    })

    test('by two stores at the same time gives each delivery to one of them', async () => {
      const owed = 30
      for (let index = 0; index < owed; index += 1) await downCheck()
      const other = (await g.another?.()) ?? g.store
      const choose = (due: readonly Recipient[]) => TAKE_ALL.choose(due).slice(0, 20)
      const claim = (store: typeof other) => store.deliveries.claim(after(0), after(60), { ...TAKE_ALL, choose })
      const orders = (await Promise.all([claim(g.store), claim(other), claim(g.store)])).flat()
      // Concurrent claims may have left some for the next one.
      orders.push(...(await claim(other)), ...(await claim(g.store)))
      expect(orders).toHaveLength(owed)
      expect(new Set(orders.map(({ delivery }) => delivery.id)).size).toBe(owed)
    })

    test('whose failure disables the channel leaves no deliveries for later flips', async () => {
      await downCheck()
      await failed(only(await g.claim()), true, 'gone for good')
      const other = await g.check({}, [await channelNow()])
      expect((await g.commit(g.arrival(other, { action: 'fail' }))).owed).toBe(false)
    })
  })

  describe('a lease', () => {
    const renew = ({ delivery }: DeliveryOrder, endsAt: number, until: number) =>
      g.store.deliveries.renewLeases([{ delivery, endsAt: after(endsAt) }], after(until))

    test('that is renewed keeps the delivery from others until its new end', async () => {
      await downCheck()
      const order = only(await g.claim())
      await renew(order, 60, 75)
      expect(await g.store.deliveries.nextAt()).toEqual(after(75))
      await renew(order, 75, 90)
      g.clock.set(after(89.999_999).toString())
      expect(await g.claim()).toEqual([])
      g.clock.set(after(90).toString())
      expect(only(await g.claim()).delivery.attempts).toBe(2)
    })

    test('is renewed for many deliveries at once', async () => {
      for (let index = 0; index < 20; index += 1) await downCheck()
      const leases = (await g.claim()).map(({ delivery }) => ({ delivery, endsAt: after(60) }))
      await g.store.deliveries.renewLeases(leases, after(75))
      expect(await g.store.deliveries.nextAt()).toEqual(after(75))
    })

    test('that has ended can be renewed until somebody else claims the delivery', async () => {
      await downCheck()
      const order = only(await g.claim())
      g.clock.set(after(70).toString())
      await renew(order, 60, 80)
      expect(await g.claim()).toEqual([])
      g.clock.set(after(80).toString())
      only(await g.claim())
      await renew(order, 80, 1000)
      expect(await g.store.deliveries.nextAt()).toEqual(after(140))
    })

    test('is distinguished from the next one by its attempt, even if both end at the same time', async () => {
      await downCheck()
      const order = only(await g.claim())
      only(await g.store.deliveries.claim(after(60), after(60), TAKE_ALL))
      await renew(order, 60, 1000)
      expect(await g.store.deliveries.nextAt()).toEqual(after(60))
    })

    test('of an attempt that has ended is not renewed, whatever its result', async () => {
      const [first, second] = [await downCheck(), await downCheck()]
      const orders = await g.claim()
      const of = ({ id }: { id: string }) => only(orders.filter(({ check }) => check.id === id))
      await sent(of(first))
      await retry(of(second), 3600)
      for (const order of orders) await renew(order, 60, 75)
      expect(await g.store.deliveries.nextAt()).toEqual(after(3600))
    })
  })

  describe('a failure reported after a delivery was sent', () => {
    const told: LateFailure = {
      error: 'it never arrived',
      disablesChannel: false,
      sentSince: after(0),
      kinds: new Set(['webhook']),
    }
    const fail = (order: DeliveryOrder, over: Partial<LateFailure> = {}) =>
      g.store.deliveries.failSent(order.delivery.id, { ...told, ...over })
    const sentOrder = async () => {
      await downCheck()
      const order = only(await g.claim())
      await sent(order)
      return order
    }

    test('makes it a failed delivery, once', async () => {
      const order = await sentOrder()
      expect([await fail(order), await fail(order)]).toEqual([true, false])
      expect(await channelNow()).toMatchObject({ lastError: 'it never arrived', disabledReason: null })
    })

    test('disables the channel if asked to', async () => {
      expect(await fail(await sentOrder(), { disablesChannel: true })).toBe(true)
      expect((await channelNow()).disabledReason).toBe('it never arrived')
    })

    test.each<[string, Partial<LateFailure>]>([
      ['went to a channel of another kind', { kinds: new Set(['sms', 'call']) }],
      ['was sent too long ago', { sentSince: after(0.000_001) }],
    ])('does nothing to one that %s', async (_, over) => {
      expect(await fail(await sentOrder(), { ...over, disablesChannel: true })).toBe(false)
      expect(await channelNow()).toMatchObject({ lastError: null, disabledReason: null })
    })
  })

  describe('the result of an attempt', () => {
    test('sent ends the delivery and clears the last error of the channel', async () => {
      await downCheck()
      await retry(only(await g.claim()), 10)
      expect((await channelNow()).lastError).toBe('not now')
      g.clock.set(after(10).toString())
      await sent(only(await g.claim()))
      expect(await g.store.deliveries.nextAt()).toBeNull()
      expect((await channelNow()).lastError).toBeNull()
      g.clock.advance({ hours: 48 })
      expect(await g.claim()).toEqual([])
    })

    test('to be tried again makes it due at the given time, with the same id', async () => {
      await downCheck()
      const first = only(await g.claim())
      await retry(first, 10)
      expect(await g.store.deliveries.nextAt()).toEqual(after(10))
      expect(await g.claim()).toEqual([])
      g.clock.set(after(10).toString())
      expect(only(await g.claim()).delivery).toEqual({ ...first.delivery, attempts: 2 })
    })

    test('failed ends the delivery and leaves the channel in use', async () => {
      await downCheck()
      await failed(only(await g.claim()), false)
      expect(await g.store.deliveries.nextAt()).toBeNull()
      expect(await channelNow()).toMatchObject({ lastError: 'it failed', disabledReason: null })
    })

    test('failed for good disables the channel with a reason, which a later success does not clear', async () => {
      await downCheck()
      const order = only(await g.claim())
      await g.ping(order.check)
      await failed(order, true, 'gone for good')
      expect(await channelNow()).toMatchObject({ lastError: 'gone for good', disabledReason: 'gone for good' })
      await sent(only(await g.claim()))
      expect(await channelNow()).toMatchObject({ lastError: null, disabledReason: 'gone for good' })
    })

    test('of an attempt that outlived its lease is ignored', async () => {
      await downCheck()
      const late = only(await g.claim())
      g.clock.advance({ seconds: 60 })
      const newest = only(await g.claim())
      await failed(late, true, 'too late to tell')
      expect(await channelNow()).toMatchObject({ lastError: null, disabledReason: null })
      expect(await g.store.deliveries.nextAt()).toEqual(after(120))
      await sent(newest)
      await retry(late, 130)
      expect(await g.store.deliveries.nextAt()).toBeNull()
      expect((await channelNow()).lastError).toBeNull()
    })

    test('of a check that was deleted in the meantime is not an error', async () => {
      const check = await downCheck()
      const order = only(await g.claim())
      await g.store.by(anAuthor()).checks.delete(check.id)
      expect(await sent(order)).toBeUndefined()
      expect(await g.store.deliveries.nextAt()).toBeNull()
    })
  })
}
