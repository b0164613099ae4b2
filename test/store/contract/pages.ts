/** Long lists, read in short pages. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Page, PageMark } from '../../../src/store/store.ts'
import { allBadgeChecks, allChecks, allChecksWithRuns, allFlips } from '../../support/lists.ts'
import { anAuthor, type OpenStore, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

/** More than two pages of any of the lists of checks. */
const CHECKS = 1_100

export function pagesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const named = async (count: number, over: Partial<Check> = {}) => {
    for (let n = 0; n < count; n += 1) await g.check({ name: String(n), ...over })
    return Array.from({ length: count }, (_, n) => String(n))
  }

  describe('a list of many checks', () => {
    test('has each check once, in order of creation, with its channels and runs', async () => {
      const channels = [await g.channel(), await g.channel()]
      const names = await named(CHECKS - 1)
      const last = await g.check({ name: 'last' }, channels)
      await g.ping(last, { action: 'start' })
      g.clock.advance({ seconds: 3 })
      await g.ping(last)
      const expected = [...names, 'last']
      const listed = await allChecks(g.store, g.project.id)
      expect(listed.map(({ check }) => check.name)).toEqual(expected)
      expect(listed.at(-1)?.channelIds).toEqual(channels.map(({ id }) => id).toSorted())
      const withRuns = await allChecksWithRuns(g.store, g.project.id)
      expect(withRuns.map(({ check }) => check.name)).toEqual(expected)
      expect(withRuns.at(-1)?.runs).toEqual([{ bound: 5, runs: 1, total: 3_000_000 }])
      expect((await allBadgeChecks(g.store, g.project.badgeKey)).map(({ name }) => name)).toEqual(expected)
    })

    test('comes in pages, even if a filter leaves some of them empty', async () => {
      await named(200, { tags: 'other' })
      await g.check({ name: 'wanted', tags: 'wanted' })
      const sizes: number[] = []
      let after: PageMark | null = null
      do {
        const page: Page<unknown> = await g.store.checks.list(g.project.id, { tags: ['wanted'] }, after)
        sizes.push(page.items.length)
        after = page.next
      } while (after !== null)
      expect(sizes.length).toBeGreaterThan(2)
      expect(sizes).toEqual([...Array(sizes.length - 1).fill(0), 1])
    })

    test('of one slug has every check of that slug', async () => {
      const names = await named(120, { slug: 'same' })
      await g.check({ name: 'not this', slug: 'another' })
      expect((await allChecks(g.store, g.project.id, { slug: 'same' })).map(({ check }) => check.name)).toEqual(names)
    })

    test('that changes between two pages has every unchanged check once', async () => {
      const names = await named(150)
      const first = await g.store.checks.list(g.project.id, {}, null)
      await g.store.by(anAuthor()).checks.delete(first.items.at(-1)?.check.id ?? '')
      await g.check({ name: 'made meanwhile' })
      const rest: string[] = []
      for (let after = first.next; after !== null; ) {
        const page = await g.store.checks.list(g.project.id, {}, after)
        rest.push(...page.items.map(({ check }) => check.name))
        after = page.next
      }
      expect([...first.items.map(({ check }) => check.name), ...rest]).toEqual([...names, 'made meanwhile'])
    })
  })

  test('a check has the ids of its channels in ascending order, or none', async () => {
    const channels = await Promise.all(Array.from({ length: 5 }, () => g.channel()))
    await g.check()
    await g.check({}, channels)
    const ids = channels.map(({ id }) => id).toSorted()
    expect((await allChecks(g.store, g.project.id)).map(({ channelIds }) => channelIds)).toEqual([[], ids])
  })

  test('the tags of a project come as they were written, check by check', async () => {
    for (const tags of ['a b', '', 'b  c']) await g.check({ tags })
    expect(await g.store.checks.listTags(g.project.id, null)).toEqual({ items: ['a b', '', 'b  c'], next: null })
  })

  test('more flips than a page holds are all listed, newest first', async () => {
    const check = await g.check()
    const flips = 1_200
    for (let n = 0; n < flips; n += 1) await g.ping(check, { action: n % 2 ? 'fail' : 'success' })
    const listed = await allFlips(g.store, check.id)
    expect(listed.map(({ n }) => n)).toEqual(Array.from({ length: flips }, (_, index) => flips - index))
    expect((await g.store.flips.list(check.id, {}, null)).next).not.toBeNull()
    expect((await g.store.flips.list(check.id, {}, null, 2)).items).toHaveLength(2)
  })
}
