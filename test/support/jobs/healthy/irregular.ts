/** Jobs whose times vary: laptops, intentional delays, events, retries, clock changes, moves. */
import type { SeededRandom } from '../../seeded-random.ts'
import { aHistory, type History } from '../history.ts'
import type { HealthyKind } from '../kind.ts'
import { ORDINARY, withMishaps } from '../mishaps.ts'
import { aRun, DAY, HOUR, MINUTE, pingsOf, type Run, SECOND, slotsOf } from '../runs.ts'
import { beginning, nightly, periodic, scheduled, surroundings, ZONES } from '../watching.ts'
import { delay } from './nightly.ts'

export const IRREGULAR: readonly HealthyKind[] = [
  { name: 'a laptop', history: aLaptop },
  { name: 'events at any time', history: events },
  { name: 'delayed by up to an hour', history: (random) => delayed(random, 1) },
  { name: 'delayed by up to six hours', history: (random) => delayed(random, 6) },
  { name: 'retries', history: retries },
  { name: 'over a change of clocks in the north', history: (random) => overAChange(random, NORTH) },
  { name: 'over a change of clocks in the south', history: (random) => overAChange(random, SOUTH) },
  { name: 'moved together with its check', history: moved },
]

function aLaptop(random: SeededRandom): History {
  const createdAt = beginning(random)
  const until = createdAt + random.between(30, 90) * DAY
  const runs: Run[] = []
  for (let day = createdAt; day < until; day += DAY) {
    if (random.happens(0.9)) runs.push(aRun(day + random.between(0, 14) * HOUR, { seconds: random.between(5, 300) }))
  }
  const check = periodic(DAY, 2 * DAY, createdAt)
  return aHistory({ check, pings: pingsOf(runs, random, { starts: random.happens(0.3) }), until })
}

function events(random: SeededRandom): History {
  const createdAt = beginning(random)
  const distance = random.between(10, 90) * MINUTE
  const until = createdAt + random.between(3, 12) * DAY
  const runs: Run[] = []
  for (let at = createdAt; at < until; at += exponential(random) * distance) runs.push(aRun(at))
  return aHistory({ check: periodic(DAY, random.pick([1, 6]) * HOUR, createdAt), pings: pingsOf(runs, random), until })
}

/** Returns the distance of events at random times; 1 on average. */
function exponential(random: SeededRandom): number {
  return -Math.log(1 - random.fraction())
}

function delayed(random: SeededRandom, hours: number): History {
  const tz = random.pick(ZONES)
  const createdAt = beginning(random)
  const until = createdAt + random.between(30, 90) * DAY
  const schedule = random.pick(['*-*-* 00:00', 'Mon..Sun 01:30', '0 0 * * *', '30 1 * * *'])
  const runs = slotsOf(schedule, tz, createdAt, until).map((at) =>
    aRun(at + random.between(0, hours) * HOUR, { seconds: random.around(120, 0.3) }),
  )
  const check = scheduled(schedule, tz, (hours + 0.5) * HOUR, createdAt)
  const pings = pingsOf(withMishaps(runs, random), random, { starts: random.happens(0.5) })
  return aHistory({ check, pings, until, ...surroundings(random, tz) })
}

/** A job that is retried after a failure, up to three times, after a minute or more. */
function retries(random: SeededRandom): History {
  const tz = random.pick(ZONES)
  const createdAt = beginning(random)
  const until = createdAt + random.between(30, 90) * DAY
  const schedule = random.pick([nightly(random), '0 */6 * * *'])
  const wait = random.pick([1, 2, 5, 10]) * MINUTE
  const runs = slotsOf(schedule, tz, createdAt, until).flatMap((slot) => {
    const tries: Run[] = []
    for (let at = slot + delay(random); tries.length < 4; at += wait) {
      const outcome = random.happens(tries.length === 0 ? 0.03 : 0.4) ? 'fail' : 'success'
      tries.push(aRun(at, { seconds: random.between(5, 50), outcome }))
      if (outcome === 'success') break
    }
    return tries
  })
  const pings = pingsOf(withMishaps(runs, random, { ...ORDINARY, fails: 0 }), random, { starts: random.happens(0.5) })
  return aHistory({ check: scheduled(schedule, tz, HOUR, createdAt), pings, until, ...surroundings(random, tz) })
}

/** Zones whose clocks change in the middle of a history that begins two months before. */
interface Change {
  readonly zones: readonly string[]
  readonly nights: readonly number[]
}

const NORTH: Change = {
  zones: ['Europe/Berlin', 'Europe/London', 'Europe/Riga', 'America/New_York', 'America/Los_Angeles'],
  nights: [Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25), Date.UTC(2026, 2, 8), Date.UTC(2026, 10, 1)],
}
const SOUTH: Change = {
  zones: ['Australia/Sydney', 'Pacific/Auckland', 'Australia/Adelaide', 'America/Santiago'],
  nights: [Date.UTC(2026, 3, 5), Date.UTC(2026, 9, 4), Date.UTC(2026, 8, 27), Date.UTC(2026, 8, 6)],
}

/** A history over a clock change. In that night a scheduler may skip the run, run it an hour earlier or later, or twice. */
function overAChange(random: SeededRandom, { zones, nights }: Change): History {
  const tz = random.pick(zones)
  const night = random.pick(nights)
  const createdAt = night - random.between(10, 60) * DAY
  const until = night + random.between(10, 30) * DAY
  const schedule = `${random.pick([0, 15, 30, 45])} ${random.pick([0, 1, 2, 3, 4])} * * *`
  const runs = slotsOf(schedule, tz, createdAt, until).flatMap((slot) => {
    const run = aRun(slot + delay(random), { seconds: random.between(1, 100) })
    if (Math.abs(slot - night) > 18 * HOUR) return [run]
    const other = { ...run, at: run.at + random.pick([-1, 1]) * HOUR }
    return random.pick([[run], [], [other], [run, other]])
  })
  const check = scheduled(schedule, tz, random.pick([30, 60]) * MINUTE, createdAt)
  const pings = pingsOf(withMishaps(runs, random), random, { starts: random.happens(0.5) })
  return aHistory({ check, pings, until, ...surroundings(random, tz) })
}

/** A person edits the crontab and the check on the same day. */
function moved(random: SeededRandom): History {
  const tz = random.pick(ZONES)
  const createdAt = beginning(random)
  const movedAt = createdAt + random.between(5, 60) * DAY
  const until = movedAt + random.between(10, 30) * DAY
  const [before, after] = [`0 ${random.integer(4)} * * *`, `${random.pick([0, 30])} ${5 + random.integer(15)} * * *`]
  const slots = [...slotsOf(before, tz, createdAt, movedAt), ...slotsOf(after, tz, movedAt, until)]
  const runs = slots.map((at) => aRun(at + delay(random), { seconds: random.between(1, 300) }))
  const grace = random.pick([30, 60]) * MINUTE
  const changedAt = movedAt + random.between(-30, 30) * SECOND
  return aHistory({
    check: { ...scheduled(after, tz, grace, createdAt), changedAt },
    before: scheduled(before, tz, grace, createdAt),
    pings: pingsOf(withMishaps(runs, random), random, { starts: random.happens(0.5) }),
    until,
    ...surroundings(random, tz),
  })
}
