/** Events that did not count: ignored pings, and refused requests. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { SignalTarget } from '../../../src/domain/ping/signal.ts'
import type { NotedRefusal } from '../../../src/store/store.ts'
import { after, anAuthor, type OpenStore, only, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

const DAY = 86_400

export function uncountedContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const at = (seconds: number) => g.clock.set(after(seconds).toString())
  const uncounted = async (check: Pick<Check, 'id'>, until = g.clock.now()) =>
    (await g.store.uncounted.list([check.id], until)).get(check.id) ?? null
  /** Returns the counts that are not 0. */
  const counts = async (check: Pick<Check, 'id'>, until = g.clock.now()) =>
    Object.fromEntries(Object.entries((await uncounted(check, until))?.counts ?? {}).filter(([, count]) => count > 0))

  describe('pings that did not count', () => {
    const postOnly = () => g.check({ methods: 'POST', filterHttpBody: true, successKw: 'done' })
    const done = { method: 'POST', searched: new TextEncoder().encode('done') }

    test('are counted by reason since the last one that did', async () => {
      const check = await postOnly()
      expect(await uncounted(check)).toBeNull()
      await g.ping(check)
      await g.ping(check, done)
      expect(await uncounted(check)).toBeNull()
      at(10)
      await g.ping(check)
      await g.ping(check, { method: 'HEAD' })
      await g.ping(check, { method: 'POST', action: 'fail' })
      at(20)
      await g.ping(check)
      expect(await uncounted(check)).toEqual({
        counts: { 'no-keyword': 1, method: 3, pause: 0, log: 0, unknown: 0 },
        method: null,
        lastAt: after(20),
      })
    })

    test('are counted since a start or a failure, too, over log entries, with their method', async () => {
      for (const action of ['start', 'fail'] as const) {
        const check = await g.check({ methods: 'POST' })
        await g.ping(check)
        await g.ping(check, { method: 'POST', action })
        await g.ping(check)
        await g.ping(check, { method: 'POST', action: 'log' })
        await g.ping(check)
        expect(await counts(check)).toEqual({ method: 2, log: 1 })
        expect((await uncounted(check))?.method).toBe('GET')
      }
    })

    test('until then are those that came before it', async () => {
      const check = await g.check({ methods: 'POST' })
      await g.ping(check)
      at(10)
      await g.ping(check)
      at(20)
      await g.ping(check, { method: 'POST' })
      await g.ping(check)
      expect(await counts(check, after(9))).toEqual({ method: 1 })
      expect(await counts(check, after(10))).toEqual({ method: 2 })
      expect(await counts(check, after(20))).toEqual({ method: 1 })
    })

    test('are looked for among the newest hundred', async () => {
      const check = await g.check({ methods: 'POST' })
      await g.commit(...Array.from({ length: 130 }, () => g.arrival(check)))
      expect(await counts(check)).toEqual({ method: 100 })
    })

    test('are told apart by check, and gone when it is cleared', async () => {
      const [one, two, none] = [await g.check({ methods: 'POST' }), await g.check({ methods: 'POST' }), await g.check()]
      await g.ping(one)
      await g.commit(g.arrival(two), g.arrival(two), g.arrival(none))
      const found = await g.store.uncounted.list([two.id, none.id, crypto.randomUUID(), one.id], g.clock.now())
      expect([...found].map(([id, { counts: of }]) => [id, of.method])).toEqual([
        [two.id, 2],
        [one.id, 1],
      ])
      await g.store.by(anAuthor()).checks.clear(two.id)
      expect(await uncounted(two)).toBeNull()
    })
  })

  describe('requests that were refused', () => {
    const byId = (check: Pick<Check, 'id'>): SignalTarget => ({ kind: 'id', id: check.id })
    const bySlug = (slug: string, pingKey = g.pingKey): SignalTarget => ({ kind: 'slug', pingKey, slug, create: true })
    const noted = (target: SignalTarget, lastTail = '/-1', over: Partial<NotedRefusal> = {}): NotedRefusal => ({
      target,
      n: 1,
      lastTail,
      lastAt: g.clock.now(),
      ...over,
    })
    const add = (...all: readonly NotedRefusal[]) => g.store.uncounted.addRefused(all, g.clock.now())
    const refused = async (check: Pick<Check, 'id'>) =>
      (await g.store.uncounted.listRefused([check.id], g.clock.now())).get(check.id) ?? null

    test('are added up, and the last one is kept', async () => {
      const check = await g.check()
      await add(noted(byId(check), '/-1', { n: 3 }))
      at(10)
      await add(noted(byId(check), '/FAIL'))
      // Another instance later writes a refusal that it recorded before.
      await add(noted(byId(check), '/256', { lastAt: after(5) }))
      expect(await refused(check)).toEqual({ n: 5, lastTail: '/FAIL', lastAt: after(10) })
    })

    test('of several targets that name the same check belong together', async () => {
      const check = await g.check({ slug: 'backup' })
      await add(noted(byId(check)), noted(bySlug('backup'), '/FAIL', { n: 2 }))
      expect(await refused(check)).toMatchObject({ n: 3, lastTail: '/FAIL' })
    })

    test('of a slug that checks share belong to each of them', async () => {
      const [one, other, third] = [await g.check({ slug: 'twin' }), await g.check({ slug: 'twin' }), await g.check()]
      await add(noted(bySlug('twin'), 'twin', { n: 2 }), noted(byId(other), '/FAIL'))
      expect(await refused(one)).toMatchObject({ n: 2, lastTail: 'twin' })
      expect(await refused(other)).toMatchObject({ n: 3 })
      expect(await refused(third)).toBeNull()
    })

    test('of nobody and of somebody else write nothing', async () => {
      const check = await g.check({ slug: 'twin' })
      const deleted = await g.check()
      await g.store.by(anAuthor()).checks.delete(deleted.id)
      const foreign = [noted(bySlug('twin', 'x'.repeat(22))), noted(bySlug('nothing'))]
      await add(...foreign, noted(byId(deleted)), noted(byId({ id: crypto.randomUUID() })))
      expect((await g.store.uncounted.listRefused([check.id, deleted.id], g.clock.now())).size).toBe(0)
      await add()
    })

    test('are shown for a day after the last one, then removed, and counted anew', async () => {
      const check = await g.check()
      await add(noted(byId(check), '/-1', { n: 7 }))
      at(DAY - 1)
      expect(await refused(check)).toMatchObject({ n: 7 })
      at(DAY)
      expect(await refused(check)).toBeNull()
      await add(noted(byId(check), '/-2'))
      expect(await refused(check)).toMatchObject({ n: 1, lastTail: '/-2' })
      await g.store.retention.removeExpired(after(2 * DAY - 1))
      expect(await refused(check)).toMatchObject({ n: 1 })
      await g.store.retention.removeExpired(after(2 * DAY))
      expect(await refused(check)).toBeNull()
    })

    test('are forgotten when the check is cleared, and go with it', async () => {
      const [cleared, deleted] = [await g.check(), await g.check()]
      await add(noted(byId(cleared)), noted(byId(deleted)))
      await g.store.by(anAuthor()).checks.clear(cleared.id)
      await g.store.by(anAuthor()).checks.delete(deleted.id)
      expect((await g.store.uncounted.listRefused([cleared.id, deleted.id], g.clock.now())).size).toBe(0)
    })

    test('are told in an alert, with what was ignored until the check went down', async () => {
      const check = await g.check({ methods: 'POST' }, [await g.channel()])
      await g.ping(check, { method: 'POST' })
      at(30)
      await g.ping(check)
      await add(noted(byId(check)))
      at(200)
      await g.ping(check)
      await g.judgeOverdue()
      const { uncounted: told } = only(await g.claim())
      expect([told.pings?.counts.method, told.refused?.lastTail]).toEqual([1, '/-1'])
    })
  })
}
