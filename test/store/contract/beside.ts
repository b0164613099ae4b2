/** Two stores on one database, like two processes: concurrent work loses and duplicates nothing. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Refusal } from '../../../src/domain/errors.ts'
import { endSilence, type Silence } from '../../../src/domain/silence/silence.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import type { Store } from '../../../src/store/store.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import {
  aChannel,
  aCheck,
  anAuthor,
  aProject,
  aSignal,
  aSilenceOf,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function besideContract(open: OpenStore): void {
  let g: StoreFixture
  let stores: readonly Store[]
  beforeEach(async () => {
    g = await storeFixture(open)
    stores = [g.store, (await g.another?.()) ?? g.store]
  })
  afterEach(() => g.close())

  /** Runs the same work so many times, by turns on each of the stores, all at once. */
  const atOnce = <Result>(times: number, work: (store: Store, index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: times }, (_, index) => work(stores[index % 2] ?? g.store, index)))

  test('pings of the same checks are all counted, logged under numbers of their own, and their flips follow each other', async () => {
    const checks = [await g.check({}, [await g.channel()]), await g.check()]
    await atOnce(10, (store, index) =>
      store.pings.commit(
        // Half of them name the checks in the other order.
        (index % 4 < 2 ? checks : checks.toReversed()).map((check) =>
          g.arrival(check, { action: index % 3 === 0 ? 'fail' : 'success' }),
        ),
        g.rules,
      ),
    )
    for (const check of checks) {
      expect((await g.stored(check)).nPings).toBe(10)
      const numbers = (await g.store.pings.list(check.id, 100)).map(({ n }) => n)
      expect(numbers).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
      const flips = (await allFlips(g.store, check.id)).toReversed()
      for (const [index, flip] of flips.entries()) expect(flip.oldStatus).toBe(flips[index - 1]?.newStatus ?? 'new')
      expect((await g.stored(check)).nEvents).toBe(flips.length)
    }
  })

  test('create=1 with one slug on both creates one check', async () => {
    const target = { kind: 'slug', pingKey: g.pingKey, slug: 'new', create: true } as const
    const results = await atOnce(6, (store) =>
      store.pings.commit([{ target, signal: aSignal(), receivedAt: g.clock.now() }], g.rules),
    )
    expect(results.flatMap(({ outcomes }) => outcomes).toSorted()).toEqual(['created', 'ok', 'ok', 'ok', 'ok', 'ok'])
    expect((await allChecks(g.store, g.project.id)).map(({ check }) => check.nPings)).toEqual([6])
  })

  test('checks and channels that are created on both all exist, in order', async () => {
    await atOnce(8, (store) =>
      store.by(anAuthor()).checks.upsert(aCheck(g.project), null, (check) => ({ check }), g.rules),
    )
    await atOnce(8, (store) => store.by(anAuthor()).channels.create(aChannel(g.project)))
    const times = (await allChecks(g.store, g.project.id)).map(({ check }) => String(check.createdAt))
    expect(new Set(times).size).toBe(8)
    expect(new Set((await g.store.channels.list(g.project.id)).map(({ createdAt }) => String(createdAt))).size).toBe(8)
  })

  test('an upsert on both makes one check', async () => {
    const criteria = new Map([['name', 'one']] as const)
    const made = await atOnce(6, (store) =>
      store.by(anAuthor()).checks.upsert(aCheck(g.project, { name: 'one' }), criteria, (check) => ({ check }), g.rules),
    )
    expect(made.filter(({ created }) => created)).toHaveLength(1)
    expect(await allChecks(g.store, g.project.id)).toHaveLength(1)
  })

  test('each change of one check applies to the result of the others, also while it is pinged', async () => {
    const check = await g.check({ name: '' })
    await atOnce(12, async (store, index) => {
      if (index % 3 === 0) return store.pings.commit([g.arrival(check)], g.rules)
      return store
        .by(anAuthor())
        .checks.change(check.id, (seen) => ({ check: { ...seen, name: `${seen.name}x` } }), g.rules)
    })
    expect(await g.stored(check)).toMatchObject({ name: 'xxxxxxxx', nPings: 4 })
  })

  test('a check that is deleted while it is pinged is gone, and every ping gets its outcome', async () => {
    const check = await g.check({}, [await g.channel()])
    const results = await atOnce(6, async (store, index) => {
      if (index === 3) return (await store.by(anAuthor()).checks.delete(check.id)) === null ? 'not-found' : 'deleted'
      return (await store.pings.commit([g.arrival(check, { action: 'fail' })], g.rules)).outcomes[0]
    })
    expect(results.filter((result) => result === 'deleted')).toHaveLength(1)
    expect(new Set(results)).toEqual(
      new Set([...results].filter((result) => ['deleted', 'ok', 'not-found'].includes(result ?? ''))),
    )
    expect(await g.store.checks.find(check.id)).toBeNull()
    expect(await g.store.deliveries.nextAt()).toBeNull()
  })

  test('a project name is created once', async () => {
    const made = await atOnce(4, (store) =>
      store
        .by(anAuthor())
        .projects.create(aProject({ name: 'Twin' }), [])
        .then(
          () => 'made',
          (error: unknown) => (error instanceof Refusal ? error.code : error),
        ),
    )
    expect(made.toSorted()).toEqual(['made', 'project-name-taken', 'project-name-taken', 'project-name-taken'])
  })

  test('checks that go down on one while their silence is ended on the other are told, each once', async () => {
    const checks = await Promise.all(Array.from({ length: 5 }, async () => g.check({}, [await g.channel()])))
    for (let round = 1; round <= 5; round += 1) {
      const now = g.clock.now()
      const silence = aSilenceOf(g.project, { startsAt: now, endsAt: addSeconds(now, 3_600), createdAt: now })
      await g.store.by(anAuthor()).silences.create(silence, now)
      g.clock.advance({ seconds: 1 })
      const end = (one: Silence) => endSilence(one, g.clock.now())
      await atOnce(6, async (store, index) => {
        const check = checks[index]
        if (check) await store.pings.commit([g.arrival(check, { action: 'fail' })], g.rules)
        else await store.by(anAuthor()).silences.change(silence, end, g.clock.now())
      })
      const due = await g.store.incidents.due(g.clock.now(), 100)
      await atOnce(4, (store) => store.incidents.look(due, g.rules))
      const told = await g.store.deliveries.list(g.project.id, null, 100)
      for (const { id } of checks) {
        expect(told.filter(({ delivery, status }) => delivery.checkId === id && status === 'down')).toHaveLength(round)
      }
      await g.commit(...checks.map((check) => g.arrival(check)))
    }
  })

  test('reminders run if one check goes down while another one recovers', async () => {
    const channel = await g.channel({ kind: 'email', settings: 'ops@example.org' })
    const reminder = { periodSeconds: 3_600, firstAt: g.clock.now() }
    await g.store.channels.change(channel.id, (stored) => ({ channel: stored, mailings: { reminder } }))
    const [one, two] = [await g.check(), await g.check()]
    await g.ping(one, { action: 'fail' })
    for (let round = 0; round < 5; round += 1) {
      const [down, up] = round % 2 === 0 ? [two, one] : [one, two]
      await atOnce(2, (store, index) =>
        store.pings.commit([g.arrival(index === 0 ? down : up, { action: index === 0 ? 'fail' : 'success' })], g.rules),
      )
      expect(await g.store.mailings.nextAt()).not.toBeNull()
    }
  })
}
