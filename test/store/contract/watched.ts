/** Data for metrics and probes: durations of runs by bucket, the outbox, totals, size, and the write probe. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { allChecksWithRuns } from '../../support/lists.ts'
import {
  A_TRACE,
  after,
  anAuthor,
  NOON,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function watchedContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const run = async (check: { id: string }, seconds: number, end: 'success' | 'fail' = 'success') => {
    await g.ping(check, { action: 'start' })
    g.clock.advance({ microseconds: Math.round(seconds * 1_000_000) })
    await g.ping(check, { action: end })
  }
  const buckets = async (check: { id: string }) => {
    const found = (await allChecksWithRuns(g.store, g.project.id)).find((entry) => entry.check.id === check.id)
    return found?.runs.toSorted((a, b) => a.bound - b.bound)
  }

  describe('durations of runs', () => {
    test('are counted by the ping that ends a run, each in the smallest bucket that fits', async () => {
      const check = await g.check()
      await run(check, 0.4)
      await run(check, 1, 'fail')
      await run(check, 1.000_001)
      await run(check, 200_000)
      expect(await buckets(check)).toEqual([
        { bound: 1, runs: 2, total: 1_400_000 },
        { bound: 5, runs: 1, total: 1_000_001 },
        { bound: Number.POSITIVE_INFINITY, runs: 1, total: 200_000_000_000 },
      ])
    })

    test('of several runs in one batch are all counted', async () => {
      const [a, b] = [await g.check(), await g.check()]
      await g.commit(...[a, b, a].flatMap((check) => [g.arrival(check, { action: 'start' }), g.arrival(check)]))
      expect(await buckets(a)).toEqual([{ bound: 1, runs: 2, total: 0 }])
      expect(await buckets(b)).toEqual([{ bound: 1, runs: 1, total: 0 }])
    })

    test('are not counted for pings that end no run', async () => {
      const check = await g.check()
      for (const action of ['success', 'fail', 'log', 'start', 'log'] as const) await g.ping(check, { action })
      expect(await buckets(check)).toEqual([])
    })

    test('are deleted with their check', async () => {
      const [gone, kept] = [await g.check(), await g.check()]
      await run(gone, 2)
      await run(kept, 2)
      await g.store.by(anAuthor()).checks.delete(gone.id)
      await g.check({ ...gone })
      expect(await buckets(gone)).toEqual([])
      expect(await buckets(kept)).toHaveLength(1)
    })

    test('come with the checks of one project, in order of creation', async () => {
      const checks = [await g.check({ name: 'a' }), await g.check({ name: 'b' })]
      expect(await allChecksWithRuns(g.store, g.project.id)).toEqual(checks.map((check) => ({ check, runs: [] })))
      expect(await allChecksWithRuns(g.store, crypto.randomUUID())).toEqual([])
    })
  })

  describe('the outbox', () => {
    test('counts pending deliveries and tells since when, until they have ended', async () => {
      expect(await g.store.server.readOutbox()).toEqual({ pending: 0, oldestAt: null })
      const check = await g.check({}, [await g.channel(), await g.channel()])
      await g.ping(check, { action: 'fail' })
      g.clock.advance({ seconds: 5 })
      await g.ping(check)
      const full = await g.store.server.readOutbox()
      expect([full.pending, String(full.oldestAt)]).toEqual([4, String(NOON)])
      for (const { delivery } of await g.claim())
        await g.store.deliveries.record([delivery], { state: 'sent' }, A_TRACE, g.clock.now())
      const rest = await g.store.server.readOutbox()
      expect([rest.pending, String(rest.oldestAt)]).toEqual([2, String(after(5))])
    })
  })

  describe('the totals', () => {
    test('are null and 0 in an empty store', async () => {
      expect(await g.store.server.readTotals()).toEqual({ newestPingId: null, deliveries: 0, untriedEvents: 0 })
    })

    test('grow with pings, and count a flip as untried until its delivery is tried', async () => {
      const check = await g.check({}, [await g.channel(), await g.channel()])
      await g.ping(check, { action: 'fail' })
      const first = await g.store.server.readTotals()
      expect(first).toMatchObject({ deliveries: 2, untriedEvents: 1 })
      await g.ping(check, { action: 'log' })
      const claimed = await g.claim()
      const { newestPingId, ...counts } = await g.store.server.readTotals()
      expect(newestPingId).toBeGreaterThan(first.newestPingId ?? Number.POSITIVE_INFINITY)
      expect(counts).toEqual({ deliveries: 2, untriedEvents: 0 })
      expect(claimed).toHaveLength(2)
    })
  })

  test('where an answered ping is, is known of an engine that can be told otherwise', async () => {
    expect([null, 'memory', 'disk', 'standby-memory', 'standby-disk']).toContain(await g.store.server.durability())
  })

  test.each(['little', 'much'] as const)(
    'with %s of the database kept in memory everything is found',
    async (caching) => {
      const check = await g.check()
      await g.commit(...Array.from({ length: 50 }, () => g.arrival(check)))
      g.store.server.cache(caching)
      expect(only(await allChecksWithRuns(g.store, g.project.id)).check.nPings).toBe(50)
    },
  )

  describe('a write probe', () => {
    test('does not count as a sign of life', async () => {
      await g.store.server.recordAlive(NOON)
      await g.store.server.probeWrite(after(100))
      expect(String(await g.store.server.findAlive())).toBe(String(NOON))
    })
  })

  describe('the size', () => {
    test('grows with what is written, if it is on disk', async () => {
      const bytes = async () => Object.values(await g.store.server.size()).reduce((sum, part) => sum + part, 0)
      const before = await bytes()
      const check = await g.check()
      await g.commit(
        ...Array.from({ length: 50 }, () => g.arrival(check, { body: crypto.getRandomValues(new Uint8Array(10_000)) })),
      )
      const isOnDisk = before > 0
      expect((await bytes()) - before > 500_000).toBe(isOnDisk)
      expect(only(await allChecksWithRuns(g.store, g.project.id)).check.nPings).toBe(50)
    })
  })
}
