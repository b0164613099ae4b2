/** commitPings: writes checks, log entries, flips and deliveries of a batch, all or nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { runMarks } from '../../../src/domain/check/run-history.ts'
import type { Arrival, Rules } from '../../../src/store/store.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import {
  A_TRACE,
  after,
  anAuthor,
  bytes,
  type OpenStore,
  rejection,
  type StoreFixture,
  storeFixture,
  webhook,
} from '../../support/store-builders.ts'

export function pingsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const bySlug = (slug: string, create = false, pingKey = g.pingKey): Arrival => ({
    ...g.arrival({ id: '' }),
    target: { kind: 'slug', pingKey, slug, create },
  })
  const log = async (check: { id: string }) => (await g.store.pings.list(check.id, 100)).toReversed()

  describe('a batch of pings', () => {
    test('is processed in order, also with several pings of one check', async () => {
      const [a, b] = [await g.check(), await g.check()]
      const { outcomes } = await g.commit(
        g.arrival(a, { ua: 'a1', action: 'start' }),
        g.arrival(b, { ua: 'b1' }),
        g.arrival(a, { ua: 'a2', action: 'fail' }),
        g.arrival(a, { ua: 'a3' }),
        g.arrival(b, { ua: 'b2', action: 'log' }),
      )
      expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
      expect((await log(a)).map(({ n, ua, kind }) => [n, ua, kind])).toEqual([
        [1, 'a1', 'start'],
        [2, 'a2', 'fail'],
        [3, 'a3', 'success'],
      ])
      expect((await log(b)).map(({ n, ua }) => [n, ua])).toEqual([
        [1, 'b1'],
        [2, 'b2'],
      ])
      expect(await g.stored(a)).toMatchObject({
        nPings: 3,
        nEvents: 2,
        status: 'up',
        lastStartAt: null,
        lastDuration: null,
      })
      expect((await allFlips(g.store, a.id)).map(({ n, newStatus }) => [n, newStatus])).toEqual([
        [2, 'up'],
        [1, 'down'],
      ])
    })

    test('records each run that it ends, and what is missing since the last one, in one batch or in several', async () => {
      const [a, b] = [await g.check(), await g.check()]
      await g.commit(g.arrival(a), g.arrival(b, { action: 'start' }), g.arrival(b, { action: 'fail' }))
      g.clock.advance({ seconds: 150 })
      await g.commit(g.arrival(a, { action: 'fail' }), g.arrival(a), g.arrival(b, { action: 'log' }))
      const kinds = async (check: Check) => runMarks((await g.stored(check)).runs).map(({ kind }) => kind)
      expect(await kinds(a)).toEqual(['ok', 'missing', 'failed', 'ok'])
      expect(await kinds(b)).toEqual(['failed'])
    })

    test('continues the numbers of the previous batch', async () => {
      const check = await g.check()
      for (const count of [1, 3, 2]) await g.commit(...Array.from({ length: count }, () => g.arrival(check)))
      expect((await log(check)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6])
      expect((await g.stored(check)).nPings).toBe(6)
    })

    test('keeps every field of a ping, including a body that is not text', async () => {
      const check = await g.check()
      const signal = {
        action: 'fail',
        exitStatus: 255,
        occurredAt: after(-3_600.000_001),
        rid: crypto.randomUUID(),
        scheme: 'https',
        method: 'POST',
        ua: 'ä '.repeat(100),
        remoteAddr: '2001:db8::1',
        body: Uint8Array.of(0, 255, 10, 0),
        contentType: 'text/plain; charset=latin1',
      } as const
      g.clock.advance({ microseconds: 1 })
      await g.ping(check, signal)
      const { action: kind, ...kept } = signal
      const ping = await g.store.pings.find(check.id, 1)
      expect(ping).toEqual({
        ...kept,
        kind,
        checkId: check.id,
        n: 1,
        receivedAt: after(0.000_001),
        ignoredBy: null,
        droppedBytes: null,
      })
    })

    test('keeps when a late start happened until its run ends', async () => {
      const check = await g.check()
      const state = async () => (await g.store.checks.find(check.id))?.check
      await g.ping(check, { action: 'start', occurredAt: after(-60) })
      expect(await state()).toMatchObject({ lastStartAt: after(0), lastStartOccurredAt: after(-60) })
      await g.ping(check, { occurredAt: after(-20) })
      expect(await state()).toMatchObject({ lastStartAt: null, lastStartOccurredAt: null, lastDuration: 40_000_000 })
      const [log] = await g.store.pings.readLogsSince([{ checkId: check.id, upTo: 0 }], after(0))
      expect(log?.map(({ occurredAt }) => occurredAt)).toEqual([after(-20), after(-60)])
      const pings = await g.store.pings.list(check.id, 10)
      expect(pings.map(({ occurredAt }) => occurredAt)).toEqual([after(-20), after(-60)])
      expect(await g.store.pings.findLastGood(check.id, 3)).toMatchObject({ n: 2, occurredAt: after(-20) })
      await g.ping(check, { action: 'fail', occurredAt: after(-10) })
      const trouble = (await g.store.overview.listTroubles([check.id])).get(check.id)
      expect(trouble).toMatchObject({ since: after(0), failure: { happenedAt: after(-10) } })
    })

    test('creates a check with the timing of the ping, and none without one that can be used', async () => {
      const timing = { kind: 'cron', schedule: '0 3 * * *', tz: 'Europe/Riga', graceSeconds: 1_800 } as const
      const target = { kind: 'slug', pingKey: g.pingKey, create: true } as const
      const { outcomes } = await g.commit(
        { ...g.arrival({ id: '' }), target: { ...target, slug: 'made', timing } },
        { ...g.arrival({ id: '' }), target: { ...target, slug: 'made', timing: 'unusable' } },
        { ...g.arrival({ id: '' }), target: { ...target, slug: 'none', timing: 'unusable' } },
      )
      expect(outcomes).toEqual(['created', 'rejected', 'rejected'])
      const checks = await allChecks(g.store, g.project.id)
      expect(checks.map(({ check }) => check)).toMatchObject([{ slug: 'made', ...timing }])
      const again = await g.commit({
        ...g.arrival({ id: '' }),
        target: { ...target, slug: 'made', timing: 'unusable' },
      })
      expect(again.outcomes).toEqual(['ok'])
    })

    test('keeps the rule by which a ping was ignored', async () => {
      const check = await g.check({ methods: 'POST' })
      await g.ping(check)
      expect(await g.store.pings.list(check.id, 1)).toMatchObject([{ kind: 'ign', ignoredBy: 'method' }])
    })

    test('keeps a ping without address, body and run id', async () => {
      const check = await g.check()
      await g.ping(check, { remoteAddr: null, ua: '' })
      expect(await g.store.pings.find(check.id, 1)).toMatchObject({
        remoteAddr: null,
        body: null,
        rid: null,
        exitStatus: null,
      })
    })

    test('that is empty does nothing', async () => {
      expect(await g.commit()).toEqual({ outcomes: [], owed: false, prunable: false })
    })

    test('returns an outcome for each ping, and a failed one does not affect the others', async () => {
      const check = await g.check()
      await g.check({ slug: 'twice' })
      await g.check({ slug: 'twice' })
      const { outcomes } = await g.commit(
        g.arrival({ id: crypto.randomUUID() }),
        g.arrival(check),
        bySlug('twice'),
        { ...g.arrival(check), signal: null },
        bySlug('none'),
        bySlug('twice', true),
        g.arrival(check),
      )
      expect(outcomes).toEqual(['not-found', 'ok', 'ambiguous', 'rejected', 'not-found', 'ambiguous', 'ok'])
      expect((await g.stored(check)).nPings).toBe(2)
      expect(await allChecks(g.store, g.project.id)).toHaveLength(3)
    })

    test('that cannot be committed leaves no ping', async () => {
      const [a, b] = [await g.check(), await g.check()]
      const channel = await g.channel()
      await g.store.by(anAuthor()).checks.change(a.id, (check) => ({ check, channelIds: [channel.id] }), g.rules)
      const failing: Rules = {
        ...g.rules,
        receive: (check, signal, now) => {
          if (check.id === b.id) throw new Error('poison')
          return g.rules.receive(check, signal, now)
        },
      }
      const before = await allChecks(g.store, g.project.id)
      const batch = [g.arrival(a, { action: 'fail' }), bySlug('fresh', true), g.arrival(b)]
      expect(await rejection(g.store.pings.commit(batch, failing))).toHaveProperty('message', 'poison')
      expect(await allChecks(g.store, g.project.id)).toEqual(before)
      expect(await log(a)).toEqual([])
      expect(await allFlips(g.store, a.id)).toEqual([])
      expect(await g.store.deliveries.nextAt()).toBeNull()
      expect(await g.ping(a)).toBe('ok')
    })
  })

  describe('the deliveries of a ping', () => {
    test('are written with it, or neither is', async () => {
      const check = await g.check({}, [await g.channel()])
      const failing: Rules = {
        ...g.rules,
        deliveriesFor() {
          throw new Error('poison')
        },
      }
      const fail = g.arrival(check, { action: 'fail' })
      expect(await rejection(g.store.pings.commit([fail], failing))).toHaveProperty('message', 'poison')
      expect(await log(check)).toEqual([])
      expect((await g.stored(check)).status).toBe('new')
      expect((await g.commit(fail)).owed).toBe(true)
    })

    test('are written with the flip, one for each channel, due at once', async () => {
      const channels = [await g.channel(), await g.channel()]
      const check = await g.check({}, channels)
      expect((await g.commit(g.arrival(check, { action: 'fail' }))).owed).toBe(true)
      expect(await g.store.deliveries.nextAt()).toEqual(after(0))
      const orders = await g.claim()
      expect(orders.map(({ channel }) => channel.id).toSorted()).toEqual(channels.map(({ id }) => id).toSorted())
      expect(orders.map(({ flip }) => [flip.n, flip.newStatus, flip.reason])).toEqual([
        [1, 'down', 'fail'],
        [1, 'down', 'fail'],
      ])
    })

    test('are none while the status stays, and none for a flip that sends no alert', async () => {
      const check = await g.check({}, [await g.channel()])
      const owed = []
      for (const action of ['success', 'success', 'start', 'log'] as const) {
        owed.push((await g.commit(g.arrival(check, { action }))).owed)
      }
      expect(owed).toEqual([false, false, false, false])
      expect(await allFlips(g.store, check.id)).toHaveLength(1)
      expect(await g.store.deliveries.nextAt()).toBeNull()
    })

    test('are two if one batch turns a check down and up again', async () => {
      const check = await g.check({}, [await g.channel()])
      await g.commit(g.arrival(check, { action: 'fail' }), g.arrival(check))
      const [down] = await g.claim()
      if (!down) throw new Error('nothing was claimed')
      await g.store.deliveries.record([down.delivery], { state: 'sent' }, A_TRACE, after(0))
      expect((await g.claim()).map(({ flip }) => flip.newStatus)).toEqual(['up'])
    })

    test('skip channels that want no alert for this flip, are disabled, or are not assigned', async () => {
      const quiet = await g.channel({ settings: webhook('') })
      const disabled = await g.channel({ disabledReason: 'gone' })
      await g.channel()
      const check = await g.check({}, [quiet, disabled])
      expect((await g.commit(g.arrival(check, { action: 'fail' }))).owed).toBe(false)
      expect(await g.store.deliveries.nextAt()).toBeNull()
      expect((await g.commit(g.arrival(check))).owed).toBe(true)
      expect((await g.claim()).map(({ channel }) => channel.id)).toEqual([quiet.id])
    })
  })

  describe('the loop’s index', () => {
    test('stays where it is while pings move the deadline away, and is moved on by the loop', async () => {
      const check = await g.check()
      await g.ping(check)
      for (let minute = 1; minute <= 3; minute += 1) {
        g.clock.advance({ seconds: 20 })
        await g.ping(check)
        expect(await g.store.flips.nextLookAt()).toEqual(after(120))
      }
      g.clock.set(after(120).toString())
      expect(await g.judgeOverdue()).toEqual({ flips: [], owed: false, nextLookAt: after(180) })
    })

    test('moves earlier with an earlier deadline', async () => {
      const check = await g.check({ timeoutSeconds: 3600 })
      await g.ping(check)
      expect(await g.store.flips.nextLookAt()).toEqual(after(3660))
      g.clock.advance({ seconds: 10 })
      await g.ping(check, { action: 'start' })
      expect(await g.store.flips.nextLookAt()).toEqual(after(70))
    })

    test('drops a check that a failure has turned down', async () => {
      const check = await g.check()
      await g.ping(check)
      await g.ping(check, { action: 'fail' })
      expect(await g.store.flips.nextLookAt()).toBeNull()
      await g.ping(check, { action: 'start', body: bytes('again') })
      expect(await g.store.flips.nextLookAt()).toBeNull()
    })
  })
}
