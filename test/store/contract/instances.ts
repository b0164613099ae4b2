/** The running servers, and work that only one of them does at a time. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Instance, Store } from '../../../src/store/store.ts'
import { after, NOON, type OpenStore, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

export function instancesContract(open: OpenStore): void {
  let g: StoreFixture
  let other: Store
  beforeEach(async () => {
    g = await storeFixture(open)
    other = (await g.another?.()) ?? g.store
  })
  afterEach(() => g.close())

  const instance: Instance = {
    id: 'a',
    name: 'Büro',
    version: '1.2.3',
    startedAt: NOON,
    seenAt: after(10),
    clockAhead: -1.5,
    load: { pingsPerSecond: 12.5, commitMilliseconds: null, processorShare: 0.25, memoryMegabytes: 80 },
  }

  describe('instances', () => {
    test('are those that gave a sign of life, by start, each as it was last', async () => {
      const later = { ...instance, id: 'b', startedAt: after(1) }
      await g.store.server.recordAlive(after(20), undefined, later)
      await other.server.recordAlive(after(20), undefined, instance)
      const now = { ...instance, seenAt: after(30), clockAhead: 0, load: { ...instance.load, pingsPerSecond: 0 } }
      await other.server.recordAlive(after(30), undefined, now)
      expect(await g.store.instances.list()).toEqual([now, later])
      expect(String(await g.store.server.findAlive())).toBe(String(after(30)))
    })

    test('are gone when they stop, or when they were last seen long ago', async () => {
      for (const [id, seconds] of [
        ['stopped', 50],
        ['killed', 40],
        ['silent', 49.999_999],
        ['lives', 50],
      ] as const) {
        await g.store.server.recordAlive(after(60), undefined, { ...instance, id, seenAt: after(seconds) })
      }
      await other.server.recordStop(after(70), 'stopped')
      await g.store.instances.remove(after(50))
      expect((await g.store.instances.list()).map(({ id }) => id)).toEqual(['lives'])
      expect(String(await g.store.server.findAlive())).toBe(String(after(70)))
    })
  })

  describe('the clock of the database', () => {
    test('goes on', async () => {
      const first = await g.store.server.readClock()
      const second = await other.server.readClock()
      expect(second.epochMilliseconds).toBeGreaterThanOrEqual(first.epochMilliseconds)
      expect(Math.abs(second.epochMilliseconds - Date.now())).toBeLessThan(60_000)
    })
  })

  describe('a lease', () => {
    test('has one holder, who may renew it, and tells others how long it lasts', async () => {
      expect(await g.store.server.takeLease('search', 'a', 60)).toEqual({ isHolder: true, seconds: 60 })
      expect(await g.store.server.takeLease('search', 'a', 90)).toEqual({ isHolder: true, seconds: 90 })
      const { isHolder, seconds } = await other.server.takeLease('search', 'b', 60)
      expect(isHolder).toBe(false)
      expect(seconds).toBeWithin(60, 90.001)
      expect(await other.server.takeLease('retention', 'b', 60)).toMatchObject({ isHolder: true })
    })

    test('goes to another one when it has ended', async () => {
      await g.store.server.takeLease('search', 'a', 0)
      expect(await other.server.takeLease('search', 'b', 60)).toMatchObject({ isHolder: true })
      expect(await g.store.server.takeLease('search', 'a', 60)).toMatchObject({ isHolder: false })
    })

    test('ends when its holder stops, and the leases of others do not', async () => {
      await g.store.server.takeLease('search', 'a', 60)
      await g.store.server.takeLease('retention', 'b', 60)
      await g.store.server.recordStop(NOON, 'a')
      expect(await other.server.takeLease('search', 'b', 60)).toMatchObject({ isHolder: true })
      expect(await other.server.takeLease('retention', 'a', 60)).toMatchObject({ isHolder: false })
    })

    test('goes to one of those who ask at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const asked = Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? g.store : other).server.takeLease(`lease ${round}`, `instance ${index}`, 60),
        )
        expect((await Promise.all(asked)).filter(({ isHolder }) => isHolder)).toHaveLength(1)
      }
    })
  })
}
