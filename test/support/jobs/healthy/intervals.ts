/** Jobs with a fixed interval, watched by a schedule or a period. */
import type { SeededRandom } from '../../seeded-random.ts'
import { aHistory, type History } from '../history.ts'
import type { HealthyKind } from '../kind.ts'
import { type Rates, withMishaps } from '../mishaps.ts'
import { aRun, DAY, everySoOften, HOUR, MINUTE, pingsOf, type Run, SECOND, slotsOf } from '../runs.ts'
import { beginning, periodic, scheduled, surroundings, ZONES } from '../watching.ts'
import { delay } from './nightly.ts'

/** Rates of frequent jobs. They are tried by hand less often, and miss a run more rarely. */
const OFTEN: Rates = { fails: 0.004, lost: 0.002, outage: 0.3 }

interface Interval {
  readonly name: string
  readonly schedule: string
  readonly distance: number
  readonly graces: readonly number[]
}

const INTERVALS: readonly Interval[] = [
  { name: 'each minute', schedule: '* * * * *', distance: MINUTE, graces: [2 * MINUTE, 5 * MINUTE] },
  { name: 'each 5 minutes', schedule: '*/5 * * * *', distance: 5 * MINUTE, graces: [3 * MINUTE, 5 * MINUTE] },
  { name: 'each 10 minutes', schedule: '*/10 * * * *', distance: 10 * MINUTE, graces: [5 * MINUTE, 10 * MINUTE] },
  { name: 'each 15 minutes', schedule: '*/15 * * * *', distance: 15 * MINUTE, graces: [5 * MINUTE, 15 * MINUTE] },
  { name: 'each half hour', schedule: '*/30 * * * *', distance: 30 * MINUTE, graces: [10 * MINUTE, 20 * MINUTE] },
  { name: 'hourly', schedule: '0 * * * *', distance: HOUR, graces: [10 * MINUTE, 30 * MINUTE] },
  { name: 'each 4 hours', schedule: '0 */4 * * *', distance: 4 * HOUR, graces: [30 * MINUTE, HOUR] },
  { name: 'each 6 hours', schedule: '0 */6 * * *', distance: 6 * HOUR, graces: [30 * MINUTE, HOUR] },
  { name: 'each 12 hours', schedule: '0 */12 * * *', distance: 12 * HOUR, graces: [HOUR, 2 * HOUR] },
]

export const INTERVAL: readonly HealthyKind[] = [
  ...INTERVALS.map((interval) => ({
    name: interval.name,
    history: (random: SeededRandom) => onTheMinute(random, interval),
  })),
  { name: 'weekly', history: weekly },
  { name: 'monthly', history: monthly },
  {
    name: 'business hours, cron',
    history: (random) => atBusinessHours(random, random.pick(['0 8-17 * * 1-5', '*/30 9-16 * * 1-5'])),
  },
  { name: 'business hours, OnCalendar', history: (random) => atBusinessHours(random, 'Mon..Fri *-*-* 08..17:00') },
  { name: 'a loop that sleeps after its work', history: aLoop },
  { name: 'half the period on purpose', history: halfThePeriod },
  { name: 'a grace time as long as the period', history: graceAsPeriod },
  { name: 'clock a second off', history: clockOff },
]

function onTheMinute(random: SeededRandom, { schedule, distance, graces }: Interval): History {
  const createdAt = beginning(random)
  const grace = random.pick(graces)
  const tz = random.pick(ZONES)
  const until = createdAt + lasting(random, distance)
  const slots = distance < HOUR ? everySoOften(distance, createdAt, until) : slotsOf(schedule, tz, createdAt, until)
  const seconds = random.between(0, Math.min(120, distance / SECOND / 10))
  const runs = slots.map((at) => aRun(at + random.between(0.2, 8) * SECOND, { seconds: random.around(seconds, 0.1) }))
  const isScheduled = random.happens(0.5)
  return history(random, runs, until, {
    check: isScheduled ? scheduled(schedule, tz, grace, createdAt) : periodic(distance, grace, createdAt),
    rates: OFTEN,
    starts: random.happens(0.3),
  })
}

function weekly(random: SeededRandom): History {
  const schedule = `30 4 * * ${random.integer(6)}`
  return everyFewDays(random, schedule, 7 * DAY, random.pick([3 * HOUR, 12 * HOUR]))
}

function monthly(random: SeededRandom): History {
  return everyFewDays(random, `0 3 ${1 + random.integer(27)} * *`, 31 * DAY, random.pick([6 * HOUR, DAY]))
}

/** @param period longest interval of the runs */
function everyFewDays(random: SeededRandom, schedule: string, period: number, grace: number): History {
  const createdAt = beginning(random)
  const tz = random.pick(ZONES)
  const until = createdAt + 90 * DAY
  const minutes = random.between(1, 60)
  const runs = slotsOf(schedule, tz, createdAt, until).map((at) =>
    aRun(at + delay(random), { seconds: random.around(minutes * 60, 0.1) }),
  )
  const check = random.happens(0.7) ? scheduled(schedule, tz, grace, createdAt) : periodic(period, DAY, createdAt)
  return history(random, runs, until, { check, rates: { fails: 0.01 }, starts: random.happens(0.5) })
}

function atBusinessHours(random: SeededRandom, schedule: string): History {
  const createdAt = beginning(random)
  const tz = random.pick(ZONES)
  const until = createdAt + random.between(20, 60) * DAY
  const runs = slotsOf(schedule, tz, createdAt, until).map((at) =>
    aRun(at + delay(random), { seconds: random.between(1, 60) }),
  )
  const check = scheduled(schedule, tz, random.pick([10, 15, 30]) * MINUTE, createdAt)
  return history(random, runs, until, { check, rates: OFTEN, starts: random.happens(0.4) })
}

function aLoop(random: SeededRandom): History {
  const period = random.pick([5 * MINUTE, 30 * MINUTE, HOUR])
  const createdAt = beginning(random)
  const until = createdAt + lasting(random, period)
  const work = random.between(1, 0.04 * (period / SECOND))
  const runs: Run[] = []
  for (let at = createdAt + random.between(1, 60) * MINUTE; at < until; at += period) {
    const seconds = random.around(work, 0.3)
    runs.push(aRun(at, { seconds }))
    at += seconds * SECOND
  }
  const check = periodic(period, period / 3, createdAt)
  return history(random, runs, until, { check, rates: OFTEN, starts: random.happens(0.3) })
}

function halfThePeriod(random: SeededRandom): History {
  const distance = random.pick([5 * MINUTE, 10 * MINUTE, 15 * MINUTE])
  const period = distance * random.pick([2, 3])
  return byPeriod(random, distance, periodic(period, random.pick([5, 10]) * MINUTE, beginning(random)))
}

function graceAsPeriod(random: SeededRandom): History {
  const period = random.pick([MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE])
  return byPeriod(random, period, periodic(period, period, beginning(random)))
}

function clockOff(random: SeededRandom): History {
  const period = random.pick([5 * MINUTE, 15 * MINUTE, HOUR])
  return byPeriod(random, period, periodic(period, period / 3, beginning(random)), () => random.between(-1, 1) * SECOND)
}

function byPeriod(
  random: SeededRandom,
  distance: number,
  check: History['check'],
  late = () => random.between(0.2, 12) * SECOND,
): History {
  const until = check.createdAt + lasting(random, distance)
  const runs = everySoOften(distance, check.createdAt, until).map((at) => aRun(at + late(), { seconds: 0.5 }))
  return history(random, runs, until, { check, rates: OFTEN })
}

interface Given {
  readonly check: History['check']
  readonly rates: Rates
  readonly starts?: boolean
}

function history(
  random: SeededRandom,
  runs: readonly Run[],
  until: number,
  { check, rates, starts = false }: Given,
): History {
  const pings = pingsOf(withMishaps(runs, random, rates), random, { starts })
  return aHistory({ check, pings, until, ...surroundings(random, check.tz) })
}

/** Returns the length of a history: up to 90 days, for fast jobs 1 to 20. */
function lasting(random: SeededRandom, distance: number): number {
  if (distance >= 4 * HOUR) return random.between(30, 90) * DAY
  if (distance >= 30 * MINUTE) return random.between(5, 20) * DAY
  return random.between(1, Math.min(20, (1_500 * distance) / DAY + 1)) * DAY
}
