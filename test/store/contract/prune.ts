/** prune: shortens logs to their project's limit and deletes old flips. */
import { afterEach, describe, expect, test } from 'bun:test'
import { allFlips } from '../../support/lists.ts'
import {
  A_TRACE,
  after,
  anAuthor,
  bytes,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const LONG_AGO = after(-1e9)

export function pruneContract(open: OpenStore): void {
  let g: StoreFixture
  afterEach(() => g.close())

  const pingTimes = async (check: { id: string }, count: number) => {
    await g.commit(...Array.from({ length: count }, (_, index) => g.arrival(check, { body: bytes(`${index}`) })))
  }
  const kept = async (check: { id: string }) => (await g.store.pings.list(check.id, 2000)).length

  describe('pruning', () => {
    test('shortens a log that exceeds its limit to the newest entries', async () => {
      g = await storeFixture(open, { pingLogLimit: 10 })
      const check = await g.check()
      await pingTimes(check, 99)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
      await pingTimes(check, 1)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 90, bodies: 0, events: 0, more: false })
      expect((await g.store.pings.list(check.id, 2000)).map(({ n }) => n)).toEqual(
        Array.from({ length: 10 }, (_, back) => 100 - back),
      )
      expect(await g.store.pings.find(check.id, 90)).toBeNull()
      expect(await g.store.pings.find(check.id, 91)).not.toBeNull()
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
    })

    test('uses the limit of each project and leaves shorter logs alone', async () => {
      g = await storeFixture(open, { pingLogLimit: 120 })
      const other = await storeFixture(async () => ({ ...g, close: async () => {} }), { pingLogLimit: 30 })
      const [long, short] = [await g.check(), await other.check()]
      await pingTimes(long, 100)
      await pingTimes(short, 100)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ pings: 70 })
      expect([await kept(long), await kept(short)]).toEqual([100, 30])
    })

    test('finds a log that passed the mark in the middle of a batch', async () => {
      g = await storeFixture(open, { pingLogLimit: 10 })
      const check = await g.check()
      await pingTimes(check, 150)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ pings: 140 })
      expect(await kept(check)).toBe(10)
    })

    test('keeps the newest entries of logs that grow between its calls', async () => {
      g = await storeFixture(open, { pingLogLimit: 5 })
      const [a, b] = [await g.check(), await g.check()]
      for (let round = 1; round <= 4; round += 1) {
        await pingTimes(a, 100)
        await pingTimes(b, 50)
        await g.store.retention.prune(LONG_AGO, 20)
        await pingTimes(a, 2)
        await pingTimes(a, 98)
        await g.store.retention.prune(LONG_AGO, 20)
        expect((await g.store.pings.list(a.id, 2000)).map(({ n }) => n)).toEqual(
          [0, 1, 2, 3, 4].map((back) => 200 * round - back),
        )
      }
      expect((await g.store.pings.list(b.id, 2000)).map(({ n }) => n)).toEqual([200, 199, 198, 197, 196])
    })

    test('shortens a batch of logs at a time and says if there is more', async () => {
      g = await storeFixture(open, { pingLogLimit: 1 })
      for (let index = 0; index < 3; index += 1) await pingTimes(await g.check(), 100)
      expect(await g.store.retention.prune(LONG_AGO, 2)).toEqual({ pings: 198, bodies: 0, events: 0, more: true })
      expect(await g.store.retention.prune(LONG_AGO, 2)).toEqual({ pings: 99, bodies: 0, events: 0, more: false })
    })

    test('gets to every log, even if others exceed their limit again and again', async () => {
      g = await storeFixture(open, { pingLogLimit: 1 })
      const checks = [await g.check(), await g.check(), await g.check(), await g.check(), await g.check()]
      const [last, ...busy] = checks.toSorted((a, b) => (a.id < b.id ? 1 : -1))
      if (!last) throw new Error('five checks were expected')
      await pingTimes(last, 100)
      for (let round = 0; round < 3; round += 1) {
        for (const check of busy) await pingTimes(check, 100)
        await g.store.retention.prune(LONG_AGO, 2)
      }
      expect(await kept(last)).toBe(1)
    })

    test('deletes flips older than the given time, oldest first, and keeps the others', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      for (let n = 1; n <= 5; n += 1) {
        await g.ping(check, { action: n % 2 ? 'fail' : 'success' })
        g.clock.advance({ seconds: 10 })
      }
      expect(await g.store.retention.prune(after(20), 1)).toEqual({ pings: 0, bodies: 0, events: 1, more: true })
      expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([5, 4, 3, 2])
      expect(await g.store.retention.prune(after(20), 20)).toEqual({ pings: 0, bodies: 0, events: 1, more: false })
      expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([5, 4, 3])
      expect((await g.stored(check)).nEvents).toBe(5)
      expect(await g.store.pings.list(check.id, 10)).toHaveLength(5)
    })

    test('keeps a flip, however old, until its deliveries have ended', async () => {
      g = await storeFixture(open)
      const check = await g.check({}, [await g.channel()])
      for (const action of ['fail', 'success'] as const) await g.ping(check, { action })
      const later = after(1e6)
      expect(await g.store.retention.prune(later, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
      await g.store.deliveries.record([only(await g.claim()).delivery], { state: 'sent' }, A_TRACE, after(1))
      expect(await g.store.retention.prune(later, 20)).toEqual({ pings: 0, bodies: 0, events: 1, more: false })
      g.clock.advance({ seconds: 1 })
      const last = only(await g.claim())
      expect(last.flip.n).toBe(2)
      await g.store.deliveries.record(
        [last.delivery],
        { state: 'failed', error: 'no', disablesChannel: false },
        A_TRACE,
        after(1),
      )
      expect(await g.store.retention.prune(later, 20)).toEqual({ pings: 0, bodies: 0, events: 1, more: false })
      expect(await allFlips(g.store, check.id)).toEqual([])
    })

    test('removes the rows of a deleted check, once', async () => {
      g = await storeFixture(open, { pingLogLimit: 1 })
      const [check, other] = [await g.check(), await g.check()]
      await pingTimes(check, 100)
      await g.ping(check, { action: 'fail' })
      await g.ping(other)
      await g.store.by(anAuthor()).checks.delete(check.id)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 101, bodies: 0, events: 2, more: false })
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
      expect(await kept(other)).toBe(1)
    })
  })

  const pruneAll = async () => {
    let pings = 0
    for (let more = true; more; ) {
      const pruned = await g.store.retention.prune(LONG_AGO, 2)
      pings += pruned.pings
      more = pruned.more
    }
    return pings
  }

  describe('bodies that exceed the byte limit of a log', () => {
    const withRoom = (logBytes: number) => storeFixture(() => open(logBytes))
    const send = async (check: { id: string }, length: number | null) =>
      g.commit(g.arrival(check, { body: length === null ? null : new Uint8Array(length) }))
    const log = async (check: { id: string }) =>
      (await g.store.pings.list(check.id, 100)).map(({ n, hasBody, droppedBytes }) => [n, hasBody, droppedBytes])

    test('are dropped oldest first; their entries stay and tell how long they were', async () => {
      g = await withRoom(1_000)
      const check = await g.check()
      for (const length of [300, 301, 350, 650, 5_000]) await send(check, length)
      const before = await g.store.pings.find(check.id, 1)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 2, events: 0, more: false })
      expect(await log(check)).toEqual([
        [5, true, null],
        [4, true, null],
        [3, true, null],
        [2, false, 301],
        [1, false, 300],
      ])
      if (before) expect(await g.store.pings.find(check.id, 1)).toEqual({ ...before, body: null, droppedBytes: 300 })
      expect((await g.store.pings.find(check.id, 5))?.body).toHaveLength(5_000)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
    })

    test('ask for pruning at once if one is long, and with the hundredth ping if all are short', async () => {
      g = await withRoom(1_000)
      const check = await g.check()
      const asks = []
      for (const length of [null, 10, 11, 1_001]) asks.push((await send(check, length)).prunable)
      expect(asks).toEqual([false, false, true, true])
      await g.store.retention.prune(LONG_AGO, 20)
      for (let n = 5; n <= 99; n += 1) expect((await send(check, 10)).prunable).toBe(false)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ bodies: 0 })
      await send(check, 10)
      // The bodies have 1,001 and 96 times 10 bytes.
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ bodies: 1 })
    })

    test('are found in every log if a server starts with a lower limit than the last one', async () => {
      g = await withRoom(10_000)
      if (!g.another) return
      const checks = [await g.check(), await g.check(), await g.check()]
      for (const check of checks) for (const length of [100, 900, 100]) await send(check, length)
      await pruneAll()
      const dropped = async () => (await Promise.all(checks.map(log))).flat().filter(([, hasBody]) => !hasBody).length
      expect(await dropped()).toBe(0)
      for (const [logBytes, expected] of [
        [20_000, 0],
        [500, 3],
        [400, 3],
        [0, 6],
      ] as const) {
        const restarted = await g.another(logBytes)
        while ((await restarted.retention.prune(LONG_AGO, 2)).more);
        expect(await dropped()).toBe(expected)
      }
    })
  })

  describe('a log limit that is lowered', () => {
    test('shortens every log of the project, before any further ping, and no other project’s', async () => {
      g = await storeFixture(open, { pingLogLimit: 50 })
      const other = await storeFixture(async () => ({ ...g, close: async () => {} }), { pingLogLimit: 50 })
      const checks = [await g.check(), await g.check(), await g.check(), await g.check(), await g.check()]
      const foreign = await other.check()
      for (const check of [...checks, foreign]) await pingTimes(check, 40)
      expect(await pruneAll()).toBe(0)
      await g.store.by(anAuthor()).projects.edit(g.project.id, { pingLogLimit: 10 })
      expect(await pruneAll()).toBe(5 * 30)
      expect(await Promise.all(checks.map(kept))).toEqual([10, 10, 10, 10, 10])
      expect(await kept(foreign)).toBe(40)
      expect(await pruneAll()).toBe(0)
    })

    test.each([1, 2])(
      'once more after pruning has done %p of its batches shortens all to what is wanted then',
      async (batches) => {
        g = await storeFixture(open, { pingLogLimit: 50 })
        const checks = [await g.check(), await g.check(), await g.check(), await g.check(), await g.check()]
        for (const check of checks) await pingTimes(check, 40)
        await g.store.by(anAuthor()).projects.edit(g.project.id, { pingLogLimit: 20 })
        for (let batch = 0; batch < batches; batch += 1)
          expect((await g.store.retention.prune(LONG_AGO, 2)).more).toBe(true)
        await g.store.by(anAuthor()).projects.edit(g.project.id, { pingLogLimit: 10 })
        await pruneAll()
        expect(await Promise.all(checks.map(kept))).toEqual([10, 10, 10, 10, 10])
      },
    )

    test('shortens logs after a restart in between', async () => {
      g = await storeFixture(open, { pingLogLimit: 50 })
      if (!g.another) return
      const check = await g.check()
      await pingTimes(check, 40)
      await (await g.another()).by(anAuthor()).projects.edit(g.project.id, { pingLogLimit: 10 })
      expect(await (await g.another()).retention.prune(LONG_AGO, 20)).toMatchObject({ pings: 30 })
      expect(await kept(check)).toBe(10)
    })

    test('that is raised shortens nothing', async () => {
      g = await storeFixture(open, { pingLogLimit: 10 })
      const check = await g.check()
      await pingTimes(check, 40)
      await g.store.by(anAuthor()).projects.edit(g.project.id, { pingLogLimit: 20 })
      expect(await pruneAll()).toBe(0)
      expect(await kept(check)).toBe(40)
    })
  })
}
