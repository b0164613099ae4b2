/** Checks: found, listed, created, changed, deleted. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { OTHER_SETTINGS } from '../../support/builders.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import {
  aCheck,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function checksContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const names = async (filter = {}) => (await allChecks(g.store, g.project.id, filter)).map(({ check }) => check.name)

  describe('a check', () => {
    test('comes back with every field as it was stored', async () => {
      const every: Partial<Check> = {
        ...OTHER_SETTINGS,
        name: 'Näme "1"',
        tags: ' a  b ',
        desc: 'd'.repeat(5000),
        graceSeconds: 31_536_000,
        status: 'down',
        nPings: 9_000_000_000,
        nEvents: 7,
        lastPingAt: after(0.000_001),
        lastSuccessAt: after(0.000_002),
        lastStartAt: after(-1),
        lastStartRid: crypto.randomUUID(),
        lastDuration: 123_456_789_012,
        sparedUntil: after(1),
        runs: Uint8Array.of(0, 1, 255),
      }
      const check = await g.check(every)
      expect(await g.stored(check)).toEqual({ ...check, ...every })
      const opposite = {
        ...check,
        filterBody: false,
        filterSubject: false,
        manualResume: false,
        runs: new Uint8Array(0),
      }
      await g.store.by(anAuthor()).checks.change(check.id, () => ({ check: opposite }), g.rules)
      expect(await g.stored(check)).toEqual(opposite)
    })

    test('is found by its unique key, within its project only', async () => {
      const check = await g.check()
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      const key = uniqueKey(check.id)
      expect((await g.store.checks.findByUniqueKey(g.project.id, key))?.check.id).toBe(check.id)
      expect(await g.store.checks.findByUniqueKey(other.id, key)).toBeNull()
      expect(await g.store.checks.findByUniqueKey(g.project.id, uniqueKey(crypto.randomUUID()))).toBeNull()
    })

    test('has a place by its unique key, without the name of its project', async () => {
      const check = await g.check()
      const { projectId, publicId } = check
      expect(await g.store.checks.listPlaces(uniqueKey(check.id))).toEqual([{ projectId, publicId }])
      expect(await g.store.checks.listPlaces(uniqueKey(crypto.randomUUID()))).toEqual([])
    })

    test('has a place by its public id, in any project', async () => {
      const { projectId, publicId } = await g.check()
      expect(await g.store.checks.findPlace(publicId)).toEqual({ projectId, publicId })
      expect(await g.store.checks.findPlace('zzzzzzzz')).toBeNull()
    })

    test('is found by its public id, within its project only', async () => {
      const check = await g.check()
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      expect((await g.store.checks.findByPublicId(g.project.id, check.publicId))?.check.id).toBe(check.id)
      expect(await g.store.checks.findByPublicId(other.id, check.publicId)).toBeNull()
      expect(await g.store.checks.findByPublicId(g.project.id, 'zzzzzzzz')).toBeNull()
    })

    test('that does not exist gives null when found, changed or deleted', async () => {
      const id = crypto.randomUUID()
      expect(await g.store.checks.find(id)).toBeNull()
      expect(await g.store.by(anAuthor()).checks.change(id, (check) => ({ check }), g.rules)).toBeNull()
      expect(await g.store.by(anAuthor()).checks.delete(id)).toBeNull()
    })
  })

  describe('the list of checks', () => {
    test('keeps the order of creation, also of checks created in the same microsecond or while the clock ran back', async () => {
      const wanted = Array.from({ length: 12 }, (_, index) => `check ${index}`)
      for (const [index, name] of wanted.entries()) {
        await g.check({ name, createdAt: index === 6 ? after(-3600) : after(0) })
      }
      expect(await names()).toEqual(wanted)
    })

    test('keeps that order for checks that one batch of pings has created', async () => {
      const target = (slug: string) => ({ kind: 'slug', pingKey: g.pingKey, slug, create: true }) as const
      const slugs = ['z', 'm', 'a', 'q']
      await g.commit(...slugs.map((slug) => ({ ...g.arrival({ id: '' }), target: target(slug) })))
      expect(await names()).toEqual(slugs)
    })

    test('is filtered by slug and by whole tags, all of them, and holds no other project', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      await g.store
        .by(anAuthor())
        .checks.upsert(aCheck(other, { name: 'foreign', slug: 'x' }), null, (check) => ({ check }), g.rules)
      await g.check({ name: 'one', slug: 'x', tags: 'prod db' })
      await g.check({ name: 'two', slug: 'y', tags: 'prod' })
      await g.check({ name: 'three', slug: 'x', tags: 'production' })
      expect(await names()).toEqual(['one', 'two', 'three'])
      expect(await names({ slug: 'x' })).toEqual(['one', 'three'])
      expect(await names({ tags: ['prod'] })).toEqual(['one', 'two'])
      expect(await names({ tags: ['db', 'prod'] })).toEqual(['one'])
      expect(await names({ slug: 'y', tags: ['db'] })).toEqual([])
    })

    test('names the channels of each check', async () => {
      const [a, b] = [await g.channel(), await g.channel()]
      await g.check({ name: 'both' }, [a, b])
      await g.check({ name: 'none' })
      await g.check({ name: 'b' }, [b])
      const listed = await allChecks(g.store, g.project.id)
      expect(listed.map(({ channelIds }) => channelIds.toSorted())).toEqual([[a.id, b.id].toSorted(), [], [b.id]])
    })
  })

  test('a check whose public id is taken gets the next free one, also in another project', async () => {
    const other = aProject()
    await g.store.by(anAuthor()).projects.create(other, [])
    const publicIds = []
    for (const projectId of [g.project.id, other.id, g.project.id]) {
      publicIds.push((await g.check({ publicId: 'aaaaaaaz', projectId })).publicId)
    }
    expect(publicIds).toEqual(['aaaaaaaz', 'aaaaaab0', 'aaaaaab1'])
  })

  describe('deleting a check', () => {
    test('returns it as it was, and deletes its pings, flips and deliveries', async () => {
      const channel = await g.channel()
      const check = await g.check({}, [channel])
      await g.ping(check, { action: 'fail' })
      const before = await g.store.checks.find(check.id)
      expect(await g.store.by(anAuthor()).checks.delete(check.id)).toEqual(before)
      expect(before?.channelIds).toEqual([channel.id])
      expect(await g.store.checks.find(check.id)).toBeNull()
      expect(await g.store.pings.list(check.id, 100)).toEqual([])
      expect(await allFlips(g.store, check.id)).toEqual([])
      expect(await g.store.deliveries.nextAt()).toBeNull()
      expect(await g.ping(check)).toBe('not-found')
    })

    test('leaves other checks and the channel unchanged', async () => {
      const channel = await g.channel()
      const [check, other] = [await g.check({}, [channel]), await g.check({}, [channel])]
      await g.ping(other, { action: 'fail' })
      await g.store.by(anAuthor()).checks.delete(check.id)
      expect((await g.store.checks.find(other.id))?.channelIds).toEqual([channel.id])
      expect(await g.store.pings.list(other.id, 100)).toHaveLength(1)
      expect(await g.store.channels.list(g.project.id)).toHaveLength(1)
      expect(await g.claim()).toHaveLength(1)
    })
  })
}
