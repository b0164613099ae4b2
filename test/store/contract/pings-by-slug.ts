/** Pings that name their check by slug, and invalid requests. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { storedKey } from '../../../src/domain/project.ts'
import type { Arrival } from '../../../src/store/store.ts'
import { allChecks } from '../../support/lists.ts'
import {
  after,
  anAuthor,
  aProject,
  type OpenStore,
  SECRET,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function pingsBySlugContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const bySlug = (slug: string, create = false, pingKey = g.pingKey): Arrival => ({
    ...g.arrival({ id: '' }),
    target: { kind: 'slug', pingKey, slug, create },
  })
  const log = async (check: { id: string }) => (await g.store.pings.list(check.id, 100)).toReversed()

  describe('a ping that names its check by slug', () => {
    test('finds it with the ping key of its project only', async () => {
      const check = await g.check({ slug: 'backup' })
      const { outcomes } = await g.commit(bySlug('backup'), bySlug('backup', true, 'x'.repeat(22)), bySlug('Backup'))
      expect(outcomes).toEqual(['ok', 'not-found', 'not-found'])
      expect((await g.stored(check)).nPings).toBe(1)
    })

    test('does not find a check of another project', async () => {
      const other = await storeFixture(async () => ({ ...g, close: async () => {} }))
      await other.check({ slug: 'theirs' })
      expect((await g.commit(bySlug('theirs'))).outcomes).toEqual(['not-found'])
      expect((await g.commit(bySlug('theirs', false, other.pingKey))).outcomes).toEqual(['ok'])
    })

    test('is not found with an API key', async () => {
      const project = aProject()
      const key = { ...storedKey(project, 'read-write', 'odw_1', 'secret', after(0)), lookup: 'hash' }
      await g.store.by(anAuthor()).projects.create(project, [key])
      expect((await g.commit(bySlug('a', true, 'hash'))).outcomes).toEqual(['not-found'])
    })

    test('with create=1 makes one check, however often the batch names it', async () => {
      const { outcomes } = await g.commit(
        bySlug('new', true),
        bySlug('new', true),
        bySlug('new'),
        bySlug('other', true),
      )
      expect(outcomes).toEqual(['created', 'ok', 'ok', 'created'])
      const listed = await allChecks(g.store, g.project.id)
      expect(listed.map(({ check }) => [check.slug, check.name, check.nPings, check.status])).toEqual([
        ['new', 'new', 3, 'up'],
        ['other', 'other', 1, 'up'],
      ])
    })

    test('with create=1 assigns every channel of the project and no other', async () => {
      const channels = [await g.channel(), await g.channel()]
      const stranger = await storeFixture(async () => ({ ...g, close: async () => {} }))
      await stranger.channel()
      await g.commit(bySlug('new', true))
      const [created] = await allChecks(g.store, g.project.id)
      expect(created?.channelIds.toSorted()).toEqual(channels.map(({ id }) => id).toSorted())
    })

    test('whose check create=1 creates makes the loop look at it', async () => {
      await g.commit(bySlug('new', true))
      expect(await g.store.flips.nextLookAt()).toEqual(after(86_400 + 3_600))
    })
  })

  describe('looking up a target before the ping', () => {
    const find = (arrival: Arrival) => g.store.pings.findTarget(arrival.target)

    test('finds it by id or by ping key and slug', async () => {
      const check = await g.check({ slug: 'backup' })
      expect([await find(g.arrival(check)), await find(bySlug('backup'))]).toEqual([
        { filtersMail: false },
        { filtersMail: false },
      ])
    })

    test('tells whether the check searches subject or text of emails', async () => {
      const checks = [await g.check({ filterSubject: true }), await g.check({ filterBody: true })]
      checks.push(await g.check({ filterHttpBody: true }))
      const found = await Promise.all(checks.map((check) => find(g.arrival(check))))
      expect(found).toEqual([{ filtersMail: true }, { filtersMail: true }, { filtersMail: false }])
    })

    test('finds nothing if there is no such check, key or slug in this project', async () => {
      const other = await storeFixture(async () => ({ ...g, close: async () => {} }))
      await other.check({ slug: 'theirs' })
      const targets = [
        g.arrival({ id: crypto.randomUUID() }),
        bySlug('theirs'),
        bySlug('theirs', false, 'x'.repeat(22)),
      ]
      for (const target of targets) expect(await find(target)).toBe('not-found')
    })

    test('is ambiguous if several checks share the slug', async () => {
      await g.check({ slug: 'twice' })
      await g.check({ slug: 'twice' })
      expect(await find(bySlug('twice'))).toBe('ambiguous')
    })

    test('finds a ping key in any letter case, but not one of two that differ in nothing else', async () => {
      const keep = (key: string, kind: 'ping' | 'read-only' = 'ping') =>
        g.store.by(anAuthor()).keys.create({ ...storedKey(g.project, kind, key, SECRET, after(0)), lookup: key })
      await keep('aB-Cdefgh')
      await keep('aB-CdefghI')
      await keep('xB-Cdefgh', 'read-only')
      expect(await g.store.keys.findPing('ab-cdefgh')).toBe('aB-Cdefgh')
      expect(await g.store.keys.findPing('AB-CDEFGH')).toBe('aB-Cdefgh')
      for (const none of ['ab-cdefg', 'xb-cdefgh', '', 'a%', 'é']) expect(await g.store.keys.findPing(none)).toBeNull()
      await keep('Ab-Cdefgh')
      expect(await g.store.keys.findPing('ab-cdefgh')).toBeNull()
      expect(await g.store.keys.findPing('Ab-Cdefgh')).toBe('Ab-Cdefgh')
    })

    test('creates no check', async () => {
      expect(await find(bySlug('new', true))).toBe('not-found')
      expect(await allChecks(g.store, g.project.id)).toEqual([])
    })
  })

  describe('an invalid request', () => {
    const rejected = (arrival: Arrival) => ({ ...arrival, signal: null })

    test('is told first if its target does not exist or is ambiguous', async () => {
      await g.check({ slug: 'twice' })
      await g.check({ slug: 'twice' })
      const unknown = rejected(g.arrival({ id: crypto.randomUUID() }))
      const { outcomes } = await g.commit(unknown, rejected(bySlug('none')), rejected(bySlug('twice')))
      expect(outcomes).toEqual(['not-found', 'not-found', 'ambiguous'])
    })

    test('writes nothing, not even the check that create=1 would create', async () => {
      const check = await g.check()
      const { outcomes } = await g.commit(rejected(g.arrival(check)), rejected(bySlug('new', true)))
      expect(outcomes).toEqual(['rejected', 'rejected'])
      expect(await allChecks(g.store, g.project.id)).toEqual([{ check, channelIds: [] }])
      expect(await log(check)).toEqual([])
    })
  })
}
