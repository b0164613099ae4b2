/** Upserts and changes of checks, decided inside the transaction. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check, UniqueField } from '../../../src/domain/check/check.ts'
import { flipTo } from '../../../src/domain/check/flip.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import {
  aCheck,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  rejection,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function checkChangesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const names = async (filter = {}) => (await allChecks(g.store, g.project.id, filter)).map(({ check }) => check.name)
  const upsert = (criteria: readonly (readonly [UniqueField, string | number])[], over: Partial<Check>) =>
    g.store
      .by(anAuthor())
      .checks.upsert(
        aCheck(g.project, { createdAt: g.clock.now() }),
        new Map(criteria),
        (check) => ({ check: { ...check, ...over } }),
        g.rules,
      )

  describe('upsert', () => {
    test('creates a check without criteria, even beside an equal one', async () => {
      await g.check({ name: 'twin' })
      await g.check({ name: 'twin' })
      expect(await names()).toEqual(['twin', 'twin'])
    })

    test('returns what it has stored, also if the time of creation had to be moved', async () => {
      await g.check()
      const created = await g.check({ name: 'second' })
      expect(created).toEqual(await g.stored(created))
    })

    test('changes the oldest check that matches all criteria and leaves the others alone', async () => {
      const [first] = [await g.check({ name: 'a', tags: 't' }), await g.check({ name: 'a', tags: 't' })]
      await g.check({ name: 'a', tags: 'T' })
      const changed = await upsert(
        [
          ['name', 'a'],
          ['tags', 't'],
        ],
        { desc: 'changed' },
      )
      expect(changed).toMatchObject({ created: false, check: { id: first.id, desc: 'changed' } })
      const listed = await allChecks(g.store, g.project.id)
      expect(listed.map(({ check }) => check.desc)).toEqual(['changed', '', ''])
    })

    test.each([
      ['name', 'n', 'N'],
      ['slug', 's', 't'],
      ['tags', 'a b', 'b a'],
      ['timeout', 120, 121],
      ['grace', 180, 181],
    ] as const)('compares %s exactly', async (field, same, other) => {
      const check = await g.check({ name: 'n', slug: 's', tags: 'a b', timeoutSeconds: 120, graceSeconds: 180 })
      expect(await upsert([[field, same]], {})).toMatchObject({ created: false, check: { id: check.id } })
      const fresh = await upsert([[field, other]], {})
      expect(fresh.created).toBe(true)
      expect(fresh.check.id).not.toBe(check.id)
    })

    test('never matches a check of another project', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      await g.store.by(anAuthor()).checks.upsert(aCheck(other, { name: 'a' }), null, (check) => ({ check }), g.rules)
      expect((await upsert([['name', 'a']], { name: 'a' })).created).toBe(true)
    })

    test('called twice at once creates one check', async () => {
      const both = [upsert([['slug', 's']], { slug: 's' }), upsert([['slug', 's']], { slug: 's' })]
      expect((await Promise.all(both)).map(({ created }) => created).toSorted()).toEqual([false, true])
    })

    test('whose decision throws writes nothing, neither a new check nor a change', async () => {
      const check = await g.check({ name: 'a' })
      const decide = () => {
        throw new Refusal('invalid', 'no')
      }
      const criteria = new Map<UniqueField, string>([['name', 'a']])
      expect(
        await rejection(g.store.by(anAuthor()).checks.upsert(aCheck(g.project), null, decide, g.rules)),
      ).toHaveProperty('message', 'no')
      expect(
        await rejection(g.store.by(anAuthor()).checks.upsert(aCheck(g.project), criteria, decide, g.rules)),
      ).toBeInstanceOf(Refusal)
      expect(await allChecks(g.store, g.project.id)).toEqual([{ check, channelIds: [] }])
    })
  })

  describe('a change', () => {
    test('is decided about the check as it is, with the channels of its project in order of creation', async () => {
      const channels = [await g.channel({ name: 'a' }), await g.channel({ name: 'b' })]
      const check = await g.check()
      await g.ping(check)
      await g.store.by(anAuthor()).checks.change(
        check.id,
        (seen, available) => {
          expect(seen.nPings).toBe(1)
          expect(available.map(({ id }) => id)).toEqual(channels.map(({ id }) => id))
          return { check: seen }
        },
        g.rules,
      )
      expect.assertions(2)
    })

    test('replaces the channels if it gives any, otherwise keeps them', async () => {
      const [a, b] = [await g.channel(), await g.channel()]
      const check = await g.check({}, [a])
      const assigned = async (channelIds?: readonly string[]) => {
        await g.store
          .by(anAuthor())
          .checks.change(check.id, (seen) => ({ check: seen, ...(channelIds ? { channelIds } : {}) }), g.rules)
        return (await g.store.checks.find(check.id))?.channelIds
      }
      expect(await assigned()).toEqual([a.id])
      expect(await assigned([b.id])).toEqual([b.id])
      expect((await assigned([b.id, a.id]))?.toSorted()).toEqual([a.id, b.id].toSorted())
      expect(await assigned([])).toEqual([])
    })

    test('returns the check and its channels as they are now', async () => {
      const channel = await g.channel()
      const check = await g.check({}, [channel])
      const changed = await g.store
        .by(anAuthor())
        .checks.change(check.id, (seen) => ({ check: { ...seen, name: 'new' } }), g.rules)
      expect(changed).toEqual({ check: { ...check, name: 'new' }, channelIds: [channel.id] })
      expect(await g.store.checks.find(check.id)).toEqual(changed)
    })

    test('with a flip writes the flip and makes the loop look at the new deadline', async () => {
      const check = await g.check()
      await g.ping(check)
      expect(await g.store.flips.nextLookAt()).toEqual(after(120))
      await g.store.by(anAuthor()).checks.change(check.id, (seen) => flipTo(seen, 'paused', '', after(5)), g.rules)
      expect(await g.store.flips.nextLookAt()).toBeNull()
      const [flip] = await allFlips(g.store, check.id)
      expect(flip).toEqual({
        checkId: check.id,
        n: 2,
        createdAt: after(5),
        oldStatus: 'up',
        newStatus: 'paused',
        reason: '',
      })
    })

    test('of the timing makes the loop look earlier or later', async () => {
      const check = await g.check()
      await g.ping(check)
      for (const timeoutSeconds of [600, 60]) {
        await g.store
          .by(anAuthor())
          .checks.change(check.id, (seen) => ({ check: { ...seen, timeoutSeconds } }), g.rules)
        expect(await g.store.flips.nextLookAt()).toEqual(addSeconds(after(60), timeoutSeconds))
      }
    })

    test('whose decision throws leaves the check and its channels unchanged', async () => {
      const channel = await g.channel()
      const check = await g.check({ name: 'before' }, [channel])
      const refusal = new Refusal('check-not-paused', 'no')
      const decide = () => {
        throw refusal
      }
      expect(await rejection(g.store.by(anAuthor()).checks.change(check.id, decide, g.rules))).toBe(refusal)
      expect(await g.store.checks.find(check.id)).toEqual({ check, channelIds: [channel.id] })
    })

    test('with a channel that does not exist writes nothing', async () => {
      const check = await g.check({ name: 'before' })
      const unknown = [crypto.randomUUID()]
      const decide = (seen: Check) => ({ check: { ...seen, name: 'after' }, channelIds: unknown })
      await rejection(g.store.by(anAuthor()).checks.change(check.id, decide, g.rules))
      expect(await g.store.checks.find(check.id)).toEqual({ check, channelIds: [] })
    })
  })
}
