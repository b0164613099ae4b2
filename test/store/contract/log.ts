/** The log of a check: a chain that returns its own pings and nothing else. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { NOON } from '../../support/builders.ts'
import {
  after,
  anAuthor,
  bytes,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function logContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const numbers = async (check: { id: string }, limit: number) =>
    (await g.store.pings.list(check.id, limit)).map(({ n }) => n)

  describe('the log', () => {
    test('is listed newest first, up to the limit', async () => {
      const check = await g.check()
      for (let n = 1; n <= 5; n += 1) await g.ping(check)
      expect(await numbers(check, 1)).toEqual([5])
      expect(await numbers(check, 4)).toEqual([5, 4, 3, 2])
      expect(await numbers(check, 5)).toEqual([5, 4, 3, 2, 1])
      expect(await numbers(check, 1000)).toEqual([5, 4, 3, 2, 1])
    })

    test('is empty for a check that was never pinged and for one that does not exist', async () => {
      expect(await numbers(await g.check(), 10)).toEqual([])
      expect(await numbers({ id: crypto.randomUUID() }, 10)).toEqual([])
    })

    test('says which pings have a body without reading it', async () => {
      const check = await g.check()
      await g.ping(check, { body: bytes('x') })
      await g.ping(check)
      const listed = await g.store.pings.list(check.id, 10)
      expect(listed.map(({ hasBody }) => hasBody)).toEqual([false, true])
      expect(listed.some((ping) => 'body' in ping)).toBe(false)
    })

    test('returns a ping by its number, and null for a number it does not hold', async () => {
      const check = await g.check()
      for (let n = 1; n <= 5; n += 1) await g.ping(check, { body: bytes(`body ${n}`) })
      for (const n of [1, 3, 5]) expect((await g.store.pings.find(check.id, n))?.body).toEqual(bytes(`body ${n}`))
      for (const n of [0, 6, -1, 1e15]) expect(await g.store.pings.find(check.id, n)).toBeNull()
      expect(await g.store.pings.find(crypto.randomUUID(), 1)).toBeNull()
    })

    test('is read back to the last run before a time, for several checks at once', async () => {
      const [often, once, never] = [await g.check(), await g.check(), await g.check()]
      for (const action of ['success', 'fail', 'start', 'log'] as const) {
        await g.ping(often, { action, rid: 'one' })
        g.clock.advance({ seconds: 1 })
      }
      const since = g.clock.now()
      await g.ping(often, { remoteAddr: null })
      await g.ping(once)
      const read = async (at: typeof since, upTo = 0) => {
        const logs = [often, once, never, { id: crypto.randomUUID() }].map(({ id }) => ({ checkId: id, upTo }))
        return (await g.store.pings.readLogsSince(logs, at)).map((log) => log.map(({ n }) => n))
      }
      expect(await read(since)).toEqual([[5, 4, 3, 2], [1], [], []])
      expect(await read(g.clock.now(), 3)).toEqual([[5, 4], [], [], []])
      expect(await read(NOON)).toEqual([[5, 4, 3, 2, 1], [1], [], []])
      const [log] = await g.store.pings.readLogsSince([{ checkId: often.id, upTo: 2 }], since)
      expect(log?.[2]).toEqual({
        n: 3,
        receivedAt: after(2),
        occurredAt: null,
        kind: 'start',
        rid: 'one',
        remoteAddr: '192.0.2.1',
      })
      expect(log?.[0]?.remoteAddr).toBeNull()
    })

    test('returns the beginning of a body with the size of the whole', async () => {
      const check = await g.check()
      await g.ping(check, { body: bytes('0123456789') })
      await g.ping(check)
      const start = (n: number, length: number) => g.store.pings.findStart(check.id, n, length)
      expect(await start(1, 4)).toMatchObject({ n: 1, bodyStart: bytes('0123'), bodySize: 10, droppedBytes: null })
      expect((await start(1, 10))?.bodyStart).toEqual(bytes('0123456789'))
      expect(await start(2, 4)).toMatchObject({ bodyStart: null, bodySize: 0 })
      expect(await start(3, 4)).toBeNull()
    })

    test('returns the ends of the bodies that are asked for, and of emails the beginning', async () => {
      const [check, other] = [await g.check(), await g.check()]
      const long = bytes(`${'x'.repeat(5_000)}end`)
      for (let n = 1; n <= 60; n += 1) await g.ping(check, { body: bytes(`body ${n}`) })
      await g.ping(check, { body: long })
      await g.ping(check, { body: bytes(`Subject: Done\r\n\r\n${'x'.repeat(5_000)}`), scheme: 'email' })
      await g.ping(check)
      await g.ping(other, { body: bytes('of another') })
      const ends = await g.store.pings.readBodyEnds(check.id, [
        63,
        62,
        61,
        64,
        ...Array.from({ length: 60 }, (_, n) => n + 1),
      ])
      const found = new Map(ends.map((end) => [end.n, end]))
      expect([...found.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 62 }, (_, n) => n + 1))
      expect(found.get(7)).toEqual({ n: 7, scheme: 'http', contentType: null, bytes: bytes('body 7'), size: 6 })
      expect(found.get(61)).toMatchObject({ bytes: long.subarray(-1_024), size: 5_003 })
      expect(found.get(62)?.bytes).toHaveLength(4_096)
      expect(new TextDecoder().decode(found.get(62)?.bytes)).toStartWith('Subject: Done')
      expect(await g.store.pings.readBodyEnds(crypto.randomUUID(), [1])).toEqual([])
    })

    test('finds the newest success before a ping that has a body, or else the newest', async () => {
      const [check, other] = [await g.check(), await g.check()]
      const good = (n: number) => g.store.pings.findLastGood(check.id, n)
      await g.ping(check)
      const receivedAt = g.clock.now()
      g.clock.advance({ seconds: 1 })
      await g.ping(check, { action: 'fail', body: bytes('broken') })
      await g.ping(other, { body: bytes('of another') })
      expect(await good(2)).toEqual({ n: 1, receivedAt, occurredAt: null, hasBody: false })
      await g.ping(check, { body: bytes('fine') })
      await g.ping(check, { action: 'log', body: bytes('a note') })
      await g.ping(check, { body: bytes('') })
      await g.ping(check, { action: 'fail' })
      expect(await good(6)).toMatchObject({ n: 3, hasBody: true })
      expect(await good(3)).toMatchObject({ n: 1, hasBody: false })
      for (const n of [1, 0, -1]) expect(await good(n)).toBeNull()
      expect(await g.store.pings.findLastGood(crypto.randomUUID(), 6)).toBeNull()
    })

    test('is searched for a success as far as five hundred pings before', async () => {
      const check = await g.check()
      await g.ping(check, { body: bytes('fine') })
      await g.commit(...Array.from({ length: 501 }, () => g.arrival(check, { action: 'fail' })))
      expect(await g.store.pings.findLastGood(check.id, 501)).toMatchObject({ n: 1 })
      expect(await g.store.pings.findLastGood(check.id, 502)).toBeNull()
    })

    test('holds the pings of its own check only, however they arrived', async () => {
      const checks = [await g.check(), await g.check(), await g.check()]
      for (let round = 0; round < 10; round += 1) {
        await g.commit(
          ...checks.flatMap((check, index) =>
            Array.from({ length: index + 1 }, () => g.arrival(check, { ua: check.id })),
          ),
        )
      }
      for (const [index, check] of checks.entries()) {
        const log = await g.store.pings.list(check.id, 1000)
        expect(log.map(({ n }) => n)).toEqual(
          Array.from({ length: 10 * (index + 1) }, (_, back) => 10 * (index + 1) - back),
        )
        expect(new Set(log.map(({ ua, checkId }) => `${ua} ${checkId}`))).toEqual(new Set([`${check.id} ${check.id}`]))
      }
    })

    test('stays intact when other checks are deleted, also those with the newest pings, and new ones follow', async () => {
      const kept = await g.check()
      const ping = async (ua: string) => expect(await g.ping(kept, { ua })).toBe('ok')
      for (let round = 0; round < 6; round += 1) {
        const [early, late] = [await g.check(), await g.check()]
        await g.ping(early)
        await ping(`kept ${2 * round + 1}`)
        await g.ping(late)
        await ping(`kept ${2 * round + 2}`)
        for (let n = 0; n < 3; n += 1) await g.ping(late)
        await g.store.by(anAuthor()).checks.delete(early.id)
        await g.store.by(anAuthor()).checks.delete(late.id)
      }
      const log = await g.store.pings.list(kept.id, 100)
      expect(log.map(({ n, ua }) => `${n} ${ua}`)).toEqual(
        Array.from({ length: 12 }, (_, back) => `${12 - back} kept ${12 - back}`),
      )
    })

    test('of a new check starts empty although its predecessor’s pings are gone', async () => {
      const gone = await g.check({ slug: 's' })
      for (let n = 0; n < 3; n += 1) await g.ping(gone)
      await g.store.by(anAuthor()).checks.delete(gone.id)
      const next = await g.check({ slug: 's' })
      await g.ping(next, { ua: 'mine' })
      expect((await g.store.pings.list(next.id, 100)).map(({ ua }) => ua)).toEqual(['mine'])
    })
  })

  describe('the last ping of an alert', () => {
    const lastPingOfAlert = async () => (await g.claim()).at(0)?.lastPing?.ua

    test('is the newest that is not later than the flip, even when more have come since', async () => {
      const check = await g.check({}, [await g.channel()])
      await g.ping(check, { ua: 'before' })
      g.clock.advance({ seconds: 1 })
      await g.ping(check, { ua: 'cause', action: 'fail' })
      g.clock.advance({ microseconds: 1 })
      await g.ping(check, { ua: 'later', action: 'log' })
      expect(await lastPingOfAlert()).toBe('cause')
    })

    test('is the last before the deadline when silence was the cause', async () => {
      const check = await g.check({}, [await g.channel()])
      await g.ping(check, { ua: 'last sign' })
      g.clock.advance({ seconds: 300 })
      await g.judgeOverdue()
      await g.ping(check, { ua: 'too late', action: 'log' })
      expect(await lastPingOfAlert()).toBe('last sign')
    })

    test('is null if the log does not go back that far', async () => {
      const check = await g.check({ status: 'up', lastPingAt: g.clock.now() }, [await g.channel()])
      g.clock.advance({ seconds: 300 })
      await g.judgeOverdue()
      await g.ping(check, { action: 'log' })
      expect((await g.claim()).map(({ lastPing }) => lastPing)).toEqual([null])
    })
  })
}
