/** prune: logs shortened to their project's limit, old flips forgotten. */
import { afterEach, describe, expect, test } from 'bun:test'
import { allFlips } from '../../support/lists.ts'
import { after, bytes, type Ground, ground, type OpenStore, only } from '../../support/store-builders.ts'

const LONG_AGO = after(-1e9)

export function pruneContract(open: OpenStore): void {
  let g: Ground
  afterEach(() => g.close())

  const pingTimes = async (check: { id: string }, count: number) => {
    await g.commit(...Array.from({ length: count }, (_, index) => g.arrival(check, { body: bytes(`${index}`) })))
  }
  const kept = async (check: { id: string }) => (await g.store.listPings(check.id, 2000)).length

  describe('pruning', () => {
    test('shortens a log that has outgrown its limit to the newest entries', async () => {
      g = await ground(open, { pingLogLimit: 10 })
      const check = await g.check()
      await pingTimes(check, 99)
      expect(await g.store.prune(LONG_AGO, 20)).toEqual({ pings: 0, flips: 0, more: false })
      await pingTimes(check, 1)
      expect(await g.store.prune(LONG_AGO, 20)).toEqual({ pings: 90, flips: 0, more: false })
      expect((await g.store.listPings(check.id, 2000)).map(({ n }) => n)).toEqual(
        Array.from({ length: 10 }, (_, back) => 100 - back),
      )
      expect(await g.store.findPing(check.id, 90)).toBeNull()
      expect(await g.store.findPing(check.id, 91)).not.toBeNull()
      expect(await g.store.prune(LONG_AGO, 20)).toEqual({ pings: 0, flips: 0, more: false })
    })

    test('goes by each project’s own limit and leaves shorter logs alone', async () => {
      g = await ground(open, { pingLogLimit: 120 })
      const other = await ground(async () => ({ ...g, close: async () => {} }), { pingLogLimit: 30 })
      const [long, short] = [await g.check(), await other.check()]
      await pingTimes(long, 100)
      await pingTimes(short, 100)
      expect(await g.store.prune(LONG_AGO, 20)).toMatchObject({ pings: 70 })
      expect([await kept(long), await kept(short)]).toEqual([100, 30])
    })

    test('finds a log that passed the mark in the middle of a batch', async () => {
      g = await ground(open, { pingLogLimit: 10 })
      const check = await g.check()
      await pingTimes(check, 150)
      expect(await g.store.prune(LONG_AGO, 20)).toMatchObject({ pings: 140 })
      expect(await kept(check)).toBe(10)
    })

    test('leaves logs that go on being written and pruned whole', async () => {
      g = await ground(open, { pingLogLimit: 5 })
      const [a, b] = [await g.check(), await g.check()]
      for (let round = 1; round <= 4; round += 1) {
        await pingTimes(a, 100)
        await pingTimes(b, 50)
        await g.store.prune(LONG_AGO, 20)
        await pingTimes(a, 2)
        await pingTimes(a, 98)
        await g.store.prune(LONG_AGO, 20)
        expect((await g.store.listPings(a.id, 2000)).map(({ n }) => n)).toEqual(
          [0, 1, 2, 3, 4].map((back) => 200 * round - back),
        )
      }
      expect((await g.store.listPings(b.id, 2000)).map(({ n }) => n)).toEqual([200, 199, 198, 197, 196])
    })

    test('does a batch of logs at a time and says when there is more', async () => {
      g = await ground(open, { pingLogLimit: 1 })
      for (let index = 0; index < 3; index += 1) await pingTimes(await g.check(), 100)
      expect(await g.store.prune(LONG_AGO, 2)).toEqual({ pings: 198, flips: 0, more: true })
      expect(await g.store.prune(LONG_AGO, 2)).toEqual({ pings: 99, flips: 0, more: false })
    })

    test('forgets flips made before the given instant, oldest first, and keeps the others', async () => {
      g = await ground(open)
      const check = await g.check()
      for (let n = 1; n <= 5; n += 1) {
        await g.ping(check, { action: n % 2 ? 'fail' : 'success' })
        g.clock.advance({ seconds: 10 })
      }
      expect(await g.store.prune(after(20), 1)).toEqual({ pings: 0, flips: 1, more: true })
      expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([5, 4, 3, 2])
      expect(await g.store.prune(after(20), 20)).toEqual({ pings: 0, flips: 1, more: false })
      expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([5, 4, 3])
      expect((await g.stored(check)).nFlips).toBe(5)
      expect(await g.store.listPings(check.id, 10)).toHaveLength(5)
    })

    test('keeps a flip, however old, until what it owes has ended', async () => {
      g = await ground(open)
      const check = await g.check({}, [await g.channel()])
      for (const action of ['fail', 'success'] as const) await g.ping(check, { action })
      const later = after(1e6)
      expect(await g.store.prune(later, 20)).toEqual({ pings: 0, flips: 0, more: false })
      await g.store.recordDelivery(only(await g.claim()).delivery, { state: 'sent' }, after(1))
      expect(await g.store.prune(later, 20)).toEqual({ pings: 0, flips: 1, more: false })
      g.clock.advance({ seconds: 1 })
      const last = only(await g.claim())
      expect(last.flip.n).toBe(2)
      await g.store.recordDelivery(last.delivery, { state: 'failed', error: 'no', disablesChannel: false }, after(1))
      expect(await g.store.prune(later, 20)).toEqual({ pings: 0, flips: 1, more: false })
      expect(await allFlips(g.store, check.id)).toEqual([])
    })

    test('of a check that was deleted meanwhile is nothing', async () => {
      g = await ground(open, { pingLogLimit: 1 })
      const check = await g.check()
      await pingTimes(check, 100)
      await g.store.deleteCheck(check.id)
      expect(await g.store.prune(LONG_AGO, 20)).toEqual({ pings: 0, flips: 0, more: false })
    })
  })
}
