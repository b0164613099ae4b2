/** Words of pings: found, and not found any more. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Project } from '../../../src/domain/project.ts'
import { found, hitsIn, readWords, searchIn, wordsIn } from '../../support/search.ts'
import {
  after,
  anAuthor,
  aProject,
  bytes,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const LONG_AGO = after(-1e9)

export function searchContract(open: OpenStore): void {
  let g: StoreFixture
  afterEach(() => g.close())

  const say = (check: Pick<Check, 'id'>, ...texts: readonly string[]) =>
    g.commit(...texts.map((text) => g.arrival(check, { body: bytes(text) })))
  const search = (check: Pick<Check, 'id' | 'projectId'>, typed: string) => found(g.store, check, typed)
  const prune = () => g.store.retention.prune(LONG_AGO, 20)
  const read = () => readWords(g.store)
  const switchSearch = (project: Project, isSearched: boolean) =>
    g.store.by(anAuthor()).projects.edit(project.id, { isSearched })

  describe('the words of pings', () => {
    test('are found once they are read, newest ping first, by their beginnings, all of them, without accents and case', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      await say(check, 'Backup of Café finished', 'backup failed: no space', 'nothing')
      expect(await search(check, 'backup')).toEqual([])
      await read()
      expect(await search(check, 'back')).toEqual([2, 1])
      expect(await search(check, 'CAFE back')).toEqual([1])
      expect(await search(check, 'back nothing')).toEqual([])
      expect(await search(check, '"backup failed"')).toEqual([2])
      expect(await search(check, '"failed backup"')).toEqual([])
      expect(await search(check, '"back"')).toEqual([])
      expect((await g.store.search.readProgress()).unreadSince).toBeNull()
    })

    test('are found in no other scope and no other project', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      await say(check, 'backup')
      await read()
      expect(await search({ ...check, projectId: crypto.randomUUID() }, 'backup')).toEqual([])
    })

    test('are only those that came above an id', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      await say(check, 'one job', 'two jobs')
      await read()
      const newest = (await g.store.server.readTotals()).newestPingId ?? 0
      expect(await found(g.store, check, 'job', newest - 1)).toEqual([2])
      expect(await found(g.store, check, 'job', newest)).toEqual([])
    })

    test('leave with their ping, and with its body', async () => {
      g = await storeFixture(async () => open(100), { pingLogLimit: 3 })
      const check = await g.check()
      await say(
        check,
        ...Array.from({ length: 98 }, (_, index) => `job ${index + 1}`),
        'job 99',
        `job ${'x'.repeat(200)}`,
      )
      await read()
      await prune()
      expect(await search(check, 'job')).toEqual([100, 99, 98])
      await say(check, `job ${'y'.repeat(200)}`)
      await read()
      await prune()
      expect(await search(check, 'job')).toEqual([101, 99])
    })

    test('are looked at a few at a time, also those that wait for retention', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      await say(check, 'job')
      await say(check, ...Array.from({ length: 5 }, () => 'job'))
      await read()
      const at = (await g.store.server.readTotals()).newestPingId ?? 0
      const look = (below: number) => searchIn(g.store, check, 'job', { above: 0, below }, 4)
      expect(await look(Number.MAX_SAFE_INTEGER)).toEqual({ numbers: [6, 5, 4, 3], below: at - 3 })
      expect(await look(at - 3)).toEqual({ numbers: [2, 1], below: null })
      await g.store.by(anAuthor()).checks.clear(check.id)
      expect(await look(Number.MAX_SAFE_INTEGER)).toEqual({ numbers: [], below: at - 3 })
      expect(await look(at - 3)).toEqual({ numbers: [], below: null })
    })

    test('are not found beyond what the log shows, before retention has removed them', async () => {
      g = await storeFixture(open, { pingLogLimit: 2 })
      const check = await g.check()
      await say(check, 'job', 'job', 'job')
      await read()
      expect(await search(check, 'job')).toEqual([3, 2])
    })

    test('of a check that is cleared or deleted are not found at once, and a later ping with their ids is', async () => {
      g = await storeFixture(open)
      const [check, other] = [await g.check(), await g.check()]
      await say(check, 'old one', 'old two')
      await read()
      await g.store.by(anAuthor()).checks.clear(check.id)
      expect(await search(check, 'old')).toEqual([])
      await prune()
      await say(check, 'new one')
      await say(other, 'new two')
      expect((await g.store.search.findUnread())?.pings).toHaveLength(2)
      await read()
      expect(await search(check, 'old')).toEqual([])
      expect(await search(check, 'new')).toEqual([3])
      await g.store.by(anAuthor()).checks.delete(other.id)
      expect(await search(other, 'new')).toEqual([])
      await prune()
      await say(check, 'last')
      await read()
      expect(await search(check, 'last')).toEqual([4])
      expect(await search(other, 'new')).toEqual([])
    })

    test('that were read of an entry that is another one by now are not stored', async () => {
      g = await storeFixture(open)
      const [check, other] = [await g.check(), await g.check()]
      await say(check, 'first')
      const unread = await g.store.search.findUnread()
      if (unread === null) throw new Error('nothing is unread')
      await g.store.by(anAuthor()).checks.delete(check.id)
      await prune()
      await say(other, 'second')
      await g.store.search.writeWords(unread, wordsIn(unread))
      expect(await search(other, 'first')).toEqual([])
      await read()
      expect(await search(other, 'second')).toEqual([1])
    })

    test('are stored once, whichever of two readers comes first', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      await say(check, 'job')
      const unread = await g.store.search.findUnread()
      if (unread === null) throw new Error('nothing is unread')
      await read()
      await say(check, 'job')
      await g.store.search.writeWords(unread, wordsIn(unread))
      await read()
      expect(await search(check, 'job')).toEqual([2, 1])
    })

    test('of a check that is transferred are found in the other project, once they are read again, and no longer in the first', async () => {
      g = await storeFixture(open)
      const target = aProject()
      await g.store.by(anAuthor()).projects.create(target, [])
      const check = await g.check()
      await say(check, 'job')
      await read()
      expect(await g.store.search.mustRefill()).toBe(false)
      await g.store.by(anAuthor()).checks.transfer(check.id, { from: g.project.id, to: target.id }, g.clock.now())
      expect(await g.store.search.mustRefill()).toBe(true)
      expect(await search(check, 'job')).toEqual([])
      expect((await g.store.search.readProgress()).reread).toEqual(new Set([target.id]))
      await read()
      expect(await search(check, 'job')).toEqual([])
      expect(await search({ ...check, projectId: target.id }, 'job')).toEqual([1])
      expect(await g.store.search.mustRefill()).toBe(false)
      expect((await g.store.search.readProgress()).reread).toEqual(new Set())
    })

    test('leave a project that is switched off, and come back when it is switched on', async () => {
      g = await storeFixture(open)
      const checks = await Promise.all([g.check(), g.check()])
      for (const check of checks) await say(check, 'job')
      await read()
      await switchSearch(g.project, false)
      for (const check of checks) expect(await search(check, 'job')).toEqual([])
      await read()
      for (const check of checks) await say(check, 'job again')
      await read()
      for (const check of checks) expect(await search(check, 'job')).toEqual([])
      await switchSearch(g.project, true)
      for (const check of checks) expect(await search(check, 'job')).toEqual([])
      await read()
      for (const check of checks) expect(await search(check, 'job')).toEqual([2, 1])
    })

    test('of pings without a body are none, and the newest unread ping is told', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      await g.ping(check)
      expect((await g.store.search.readProgress()).unreadSince).toEqual(g.clock.now())
      expect((await g.store.search.findUnread())?.pings).toEqual([])
      await read()
      expect((await g.store.search.readProgress()).unreadSince).toBeNull()
      expect(await g.store.search.findUnread()).toBeNull()
    })

    test('are shown with the beginning of the body that has them, unless the log holds it no longer', async () => {
      g = await storeFixture(open)
      const [check, gone] = [await g.check(), await g.check()]
      await say(check, 'job one', `job ${'x'.repeat(70_000)}`)
      await say(gone, 'job two')
      await read()
      const { hits } = await hitsIn(g.store, check, 'job', { above: 0, below: Number.MAX_SAFE_INTEGER }, 50)
      const [long, short] = await g.store.search.findHitBegins(hits)
      expect([short?.scheme, short?.bodyStart, short?.bodySize]).toEqual(['http', bytes('job one'), 7])
      expect([long?.bodyStart.length, long?.bodySize]).toEqual([65_536, 70_004])
      const { hits: ofGone } = await hitsIn(g.store, gone, 'job', { above: 0, below: Number.MAX_SAFE_INTEGER }, 50)
      await g.store.by(anAuthor()).checks.delete(gone.id)
      await prune()
      const begins = await g.store.search.findHitBegins([...ofGone, ...hits])
      expect(begins.map((begin) => begin?.bodySize ?? null)).toEqual([null, 70_004, 7])
      expect(await g.store.search.findHitBegins([])).toEqual([])
    })

    test('are tidied until there is nothing to do', async () => {
      g = await storeFixture(open)
      const check = await g.check()
      for (let round = 0; round < 8; round += 1) {
        await say(check, `job ${round}`)
        await read()
      }
      let steps = 0
      while (await g.store.search.tidy()) steps += 1
      expect(steps).toBeLessThan(100)
      expect(await search(check, 'job')).toHaveLength(8)
    })
  })
}
