/** Signs of life, outages, and a clock that was set back. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  after,
  anAuthor,
  NOON,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function aliveContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())
  const at = (seconds: number) => g.clock.set(after(seconds).toString())

  describe('backups', () => {
    test('are remembered by the last that succeeded and the last that failed', async () => {
      const { server } = g.store
      const usedSince = g.project.createdAt
      expect(await server.findBackups()).toEqual({ newest: null, failure: null, usedSince })
      const failure = { at: after(20), reason: 'the disk is full' }
      await server.recordBackupFailure({ at: after(1), reason: 'an earlier one' })
      await server.recordBackupFailure(failure)
      expect(await server.findBackups()).toEqual({ newest: null, failure, usedSince })
      const newest = { at: after(10.000_001), bytes: 2 ** 40, seconds: 2.5, file: '/b/ü "o".db' }
      await server.recordBackup({ ...newest, at: NOON, seconds: null })
      await server.recordBackup(newest)
      expect(await server.findBackups()).toEqual({ newest, failure, usedSince: null })
    })
  })

  describe('signs of life', () => {
    test('are null before the first, and then the latest one', async () => {
      expect([await g.store.server.findAlive(), await g.store.server.findOutage()]).toEqual([null, null])
      for (const [seconds, latest] of [
        [10.000_001, 10.000_001],
        [5, 10.000_001],
        [90, 90],
        [30, 90],
      ] as const) {
        await g.store.server.recordAlive(after(seconds))
        expect(String(await g.store.server.findAlive())).toBe(String(after(latest)))
      }
      expect(await g.store.server.findOutage()).toBeNull()
    })

    test('are earlier than before once the clock was set back by more than a minute', async () => {
      await g.store.server.recordAlive(after(90))
      await g.store.server.recordAlive(after(29))
      expect(String(await g.store.server.findAlive())).toBe(String(after(29)))
    })

    test('keep the last outage until there is another one', async () => {
      const outages = [
        { from: NOON, until: after(100) },
        { from: after(200), until: after(300.000_001) },
      ]
      for (const outage of outages) {
        await g.store.server.recordAlive(outage.until, outage)
        await g.store.server.recordAlive(after(1000))
        expect(await g.store.server.findOutage()).toEqual(outage)
      }
    })
  })

  describe('a clock that was set back', () => {
    test('leaves no time of a check in the future, and all others unchanged', async () => {
      const [before, ahead, spared] = [await g.check(), await g.check(), await g.check()]
      await g.ping(before)
      await g.store
        .by(anAuthor())
        .checks.change(spared.id, (check) => ({ check: { ...check, sparedUntil: after(9_000) } }), g.rules)
      at(5_000)
      await g.ping(ahead)
      await g.ping(ahead, { action: 'start' })
      const untouched = await g.stored(before)
      expect(await g.store.server.pullBack(after(10))).toBe(2)
      expect(await g.stored(before)).toEqual(untouched)
      const now = after(10)
      expect(await g.stored(ahead)).toMatchObject({ lastPingAt: now, lastSuccessAt: now, lastStartAt: now })
      expect((await g.stored(spared)).sparedUntil).toEqual(after(70))
      expect(await g.store.server.pullBack(after(10))).toBe(0)
    })

    test('makes the loop look at once at a check whose deadline lay ahead', async () => {
      at(5_000)
      await g.ping(await g.check())
      await g.store.server.pullBack(after(10))
      expect(String(await g.store.flips.nextLookAt())).toBe(String(after(10)))
    })

    test('leaves no check without a look for longer than a day, which is the longest pause between two', async () => {
      for (const look of [200_000, 50_000]) {
        const { id } = await g.check()
        await g.store.advice.claimLook(id, after(look))
      }
      await g.store.server.pullBack(after(10))
      expect(String(await g.store.advice.nextLookAt())).toBe(String(after(50_000)))
      const due = (seconds: number) => g.store.advice.claimLooks(after(seconds), after(900_000), 10)
      expect([(await due(86_409)).length, (await due(86_410)).length]).toEqual([1, 1])
    })

    test('makes a delivery that waits for a retry due', async () => {
      const check = await g.check({}, [await g.channel()])
      at(5_000)
      await g.ping(check, { action: 'fail' })
      await g.claim()
      await g.store.server.pullBack(after(10))
      expect(String(await g.store.deliveries.nextAt())).toBe(String(after(10)))
    })

    test('limits a reminder to one period from now, and makes a mailing that waits for a retry due', async () => {
      const channel = await g.channel({ kind: 'email', settings: 'ops@example.org' })
      await g.ping(await g.check(), { action: 'fail' })
      const reminder = { periodSeconds: 3_600, firstAt: after(90_000) }
      await g.store.channels.change(channel.id, (stored) => ({ channel: stored, mailings: { reminder } }))
      await g.store.server.pullBack(after(10))
      expect(String(await g.store.mailings.nextAt())).toBe(String(after(3_610)))

      const reports = await g.channel({ kind: 'email', settings: 'boss@example.org' })
      const report = () => after(5)
      await g.store.channels.change(reports.id, (stored) => ({ channel: stored, mailings: { report } }))
      const { mailing } = only(await g.store.mailings.claim(after(8), after(60), 10))
      const failed = { state: 'pending', error: 'not now', nextAttemptAt: after(9_000) } as const
      await g.store.mailings.record(mailing, failed)
      await g.store.server.pullBack(after(10))
      expect(String(await g.store.mailings.nextAt())).toBe(String(after(10)))
    })
  })
}
