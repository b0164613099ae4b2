/** Bodies that are written in pieces before their ping. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { after, bytes, type OpenStore, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

/** A body whose pieces all differ, even in their first and last bytes. */
const BODY = bytes(Array.from({ length: 300_000 }, (_, n) => String(n).padStart(8)).join(''))
const BEGINNING = BODY.subarray(0, 1_000_000)

export function longBodiesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const keep = () => {
    const pieces = [BODY.subarray(1_000_000, 1_500_000), BODY.subarray(1_500_000, 2_000_000), BODY.subarray(2_000_000)]
    return g.store.pings.keepRest(crypto.randomUUID(), pieces, g.clock.now())
  }
  const pingWith = async (check: { id: string }, rest: Awaited<ReturnType<typeof keep>>) => {
    const arrival = g.arrival(check, { body: BEGINNING, scheme: 'email' })
    return (await g.commit({ ...arrival, rest })).outcomes
  }

  describe('a long body', () => {
    test('is read as it came, whole and in part', async () => {
      const check = await g.check()
      await g.ping(check, { body: bytes('short') })
      const kept = await keep()
      expect(kept.bytes).toBe(BODY.length - BEGINNING.length)
      expect(await pingWith(check, kept)).toEqual(['ok'])
      await g.ping(check, { body: bytes('short') })
      const { pings } = g.store
      expect(Buffer.from((await pings.find(check.id, 2))?.body ?? []).equals(BODY)).toBe(true)
      expect(await pings.findStart(check.id, 2, 10)).toMatchObject({
        bodyStart: BODY.subarray(0, 10),
        bodySize: BODY.length,
      })
      const more = BEGINNING.length + 5
      expect((await pings.findStart(check.id, 2, more))?.bodyStart).toEqual(BODY.subarray(0, more))
      const lines = await pings.readLog(check.id, null, 10, Number.MAX_SAFE_INTEGER)
      expect(lines.map(({ bodyStart }) => bodyStart?.length)).toEqual([5, BODY.length, 5])
      expect(await pings.readBodyEnds(check.id, [2])).toEqual([
        { n: 2, scheme: 'email', contentType: null, bytes: BODY.subarray(0, 4_096), size: BODY.length },
      ])
      expect((await pings.find(check.id, 3))?.body).toEqual(bytes('short'))
    })

    test('counts with its whole size for the limit of a log, and says it when it is dropped', async () => {
      const limited = await storeFixture((logBytes = BODY.length - 1) => open(logBytes))
      await g.close()
      g = limited
      const check = await g.check()
      await pingWith(check, await keep())
      await g.ping(check)
      expect(await g.store.retention.prune(after(-1e9), 20)).toMatchObject({ bodies: 1 })
      expect(await g.store.pings.find(check.id, 1)).toMatchObject({ body: null, droppedBytes: BODY.length })
    })

    test('without a ping is removed after an hour', async () => {
      const [early, late] = [await keep(), await keep()]
      g.clock.advance({ minutes: 59 })
      await g.store.retention.removeExpired(g.clock.now())
      const check = await g.check()
      await pingWith(check, early)
      g.clock.advance({ minutes: 2 })
      await g.store.retention.removeExpired(g.clock.now())
      await expect(pingWith(check, late)).rejects.toThrow('pieces of the body of a ping are missing')
      expect((await g.store.pings.list(check.id, 10)).map(({ n }) => n)).toEqual([1])
      expect((await g.store.pings.findStart(check.id, 1, 1))?.bodySize).toBe(BODY.length)
    })

    test('without a ping can be removed at once, but not from its ping', async () => {
      const [kept, dropped] = [await keep(), await keep()]
      const check = await g.check()
      await pingWith(check, kept)
      for (const { id } of [kept, dropped]) await g.store.pings.dropRest(id)
      await expect(pingWith(check, dropped)).rejects.toThrow('are missing')
      expect((await g.store.pings.find(check.id, 1))?.body).toEqual(BODY)
    })
  })
}
