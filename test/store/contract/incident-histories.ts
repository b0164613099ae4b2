/** Random histories of checks with silences and people: properties of all of them. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { sendsAlerts } from '../../../src/domain/check/flip.ts'
import { pause } from '../../../src/domain/check/pause.ts'
import { endSilence } from '../../../src/domain/silence/silence.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { allFlips } from '../../support/lists.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { anAuthor, aSilenceOf, type OpenStore, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

const STEPS = 60
const SEEDS = [1, 2, 3]

export function incidentHistoriesContract(open: OpenStore): void {
  let g: StoreFixture
  let checks: readonly Check[]
  beforeEach(async () => {
    g = await storeFixture(open)
    const channel = await g.channel()
    checks = [await g.check({ tags: 'a' }, [channel]), await g.check({ tags: 'b' }, [channel])]
  })
  afterEach(() => g.close())

  const look = async () => g.store.incidents.look(await g.store.incidents.due(g.clock.now(), 100), g.rules)

  /** Effects of time, jobs and a person on the checks. */
  const actions = (random: SeededRandom) => ({
    batch: async () => {
      const arrivals = Array.from({ length: 1 + random.integer(4) }, () =>
        g.arrival(random.pick(checks), { action: random.pick(['success', 'fail']) }),
      )
      await g.commit(...arrivals)
    },
    time: async () => {
      g.clock.advance({ seconds: random.integer(150) })
      await g.judgeOverdue()
      await look()
    },
    pause: async () => {
      const decide = (check: Check) => pause(check, g.clock.now()) ?? { check }
      if (random.happens(0.3)) await g.store.by(anAuthor()).checks.change(random.pick(checks).id, decide, g.rules)
    },
  })
  const peoples = (random: SeededRandom) => ({
    silence: async () => {
      const now = g.clock.now()
      const match = random.pick([
        { checks: [], tags: [] },
        { checks: [], tags: ['a'] },
        { checks: [random.pick(checks).id], tags: [] },
      ])
      const times = { startsAt: now, endsAt: addSeconds(now, 1 + random.integer(300)), createdAt: now }
      const window = random.happens(0.3) ? { schedule: '*/2 * * * *', tz: 'UTC', seconds: 60 } : null
      const silence = aSilenceOf(g.project, { match, ...times, untilHealthy: random.happens(0.3), window })
      await g.store.by(anAuthor()).silences.create(silence, now)
    },
    end: async () => {
      const [silence] = await g.store.silences.list(g.project.id, g.clock.now())
      const now = g.clock.now()
      if (silence) await g.store.by(anAuthor()).silences.change(silence, (one) => endSilence(one, now), now)
    },
    ask: async () => {
      const silence = random.happens(0.3)
        ? 'end'
        : { seconds: 60 + random.integer(200), untilHealthy: random.happens(0.3) }
      await g.ping(random.pick(checks), { action: 'log', silence })
    },
    tag: async () => {
      const tags = random.pick(['a', 'b'])
      const edit = (check: Check) => ({ check: { ...check, tags } })
      await g.store.by(anAuthor()).checks.change(random.pick(checks).id, edit, g.rules)
    },
    take: async () => {
      const until = random.happens(0.5) ? addSeconds(g.clock.now(), 1 + random.integer(200)) : null
      const taking = { note: '', until, takesOver: true }
      for (const incident of await g.store.incidents.listOpen(g.project.id)) {
        await g.store.by(anAuthor()).incidents.acknowledge(incident, taking, g.rules)
      }
    },
    handBack: async () => {
      for (const incident of await g.store.incidents.listOpen(g.project.id)) {
        await g.store.by(anAuthor()).incidents.handBack(incident, g.rules)
      }
    },
  })
  const play = async (random: SeededRandom, moves: readonly (() => Promise<unknown>)[]) => {
    for (let step = 0; step < STEPS; step++) {
      await random.pick(moves)()
      for (const { told, acknowledgement, nextLookAt } of await g.store.incidents.listOpen(g.project.id)) {
        const isHeldForEver = acknowledgement !== null && acknowledgement.until === null
        expect(told !== null || isHeldForEver || nextLookAt !== null).toBe(true)
      }
    }
    g.clock.advance({ seconds: 1_000 })
    await g.judgeOverdue()
    await look()
  }
  /** Returns the numbers of the reported events of a check, in order. */
  const toldOf = async ({ id }: Check) =>
    (await g.store.deliveries.list(g.project.id, null, 10_000))
      .filter(({ delivery }) => delivery.checkId === id)
      .map(({ delivery }) => delivery.eventN)
      .toSorted((a, b) => a - b)

  describe('whatever happens', () => {
    test.each(SEEDS)(
      'without silences and people each flip that sends alerts is told, and no other: %p',
      async (seed) => {
        const random = new SeededRandom(seed)
        await play(random, Object.values(actions(random)))
        for (const check of checks) {
          const flips = (await allFlips(g.store, check.id)).toReversed()
          expect(await toldOf(check)).toEqual(flips.filter(sendsAlerts).map(({ n }) => n))
          expect(flips.map(({ n }) => n)).toEqual(flips.map((_, index) => index + 1))
        }
      },
    )

    test.each(SEEDS)('nothing is told twice, no recovery is left out, and none stays held: %p', async (seed) => {
      const random = new SeededRandom(seed)
      await play(random, Object.values({ ...actions(random), ...peoples(random) }))
      expect(await g.store.incidents.due(g.clock.now(), 100)).toEqual([])
      for (const check of checks) {
        const flips = new Map((await allFlips(g.store, check.id)).map((flip) => [flip.n, flip]))
        const incidents = (await g.store.incidents.list(check.id, null, 1_000)).toReversed()
        const expected: number[] = []
        const numbers = new Set(flips.keys())
        for (const incident of incidents) {
          const events = await g.store.incidents.listEvents(incident)
          for (const { n } of events) numbers.add(n)
          if (incident.told === null) continue
          expected.push(incident.n)
          const end = events.findLast(({ kind, n }) => kind === 'flip' && n > incident.n)
          const flip = end && flips.get(end.n)
          if (flip && sendsAlerts(flip)) expected.push(flip.n)
        }
        expect(await toldOf(check)).toEqual(expected)
        const { nEvents, status } = await g.stored(check)
        expect([...numbers].toSorted((a, b) => a - b)).toEqual(Array.from({ length: nEvents }, (_, index) => index + 1))
        const stillOpen = incidents.filter(({ resolvedAt }) => resolvedAt === null)
        expect(stillOpen.length).toBe(status === 'down' ? 1 : 0)
        for (const { told, acknowledgement } of stillOpen) {
          expect(told !== null || acknowledgement?.until === null).toBe(true)
        }
      }
    })
  })
}
