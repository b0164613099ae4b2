/** Jobs that run once a night, with any duration. */
import type { AdvisedCheck } from '../../../../src/domain/advice/facts.ts'
import type { SeededRandom } from '../../seeded-random.ts'
import { aHistory, type History } from '../history.ts'
import type { HealthyKind } from '../kind.ts'
import { withMishaps } from '../mishaps.ts'
import { aRun, DAY, HOUR, MINUTE, pingsOf, type Run, slotsOf } from '../runs.ts'
import { beginning, nightly, scheduled, surroundings, ZONES } from '../watching.ts'

/** Duration of a run, in seconds, and a suitable grace time, in milliseconds. */
interface Length {
  readonly seconds: (random: SeededRandom) => number
  readonly grace: number
}

const LENGTHS: Readonly<Record<string, (random: SeededRandom) => Length>> = {
  'a few minutes': (random) => {
    const median = random.between(2, 400)
    return { seconds: () => random.around(median, 0.3), grace: random.pick([30, 60, 60, 120]) * MINUTE }
  },
  hours: (random) => {
    const hours = random.between(0.5, 3)
    return { seconds: () => random.around(hours * 3600, 0.12), grace: Math.ceil(hours * 1.5) * HOUR }
  },
  'hours now and then': (random) => {
    const hours = random.between(0.2, 1)
    return { seconds: () => random.around(hours * 3600, 0.45), grace: Math.ceil(hours * 4) * HOUR }
  },
  'always one hour': (random) => ({
    seconds: () => 3600 + random.between(-60, 60),
    grace: random.pick([90, 120]) * MINUTE,
  }),
}

export const NIGHTLY: readonly HealthyKind[] = [
  ...Object.entries(LENGTHS).flatMap(([name, length]) =>
    [true, false].map((starts) => ({
      name: `nightly, takes ${name}, ${starts ? 'with' : 'without'} starts`,
      history: (random: SeededRandom) => aNightlyJob(random, length(random), starts),
    })),
  ),
  { name: 'nightly, the weekly full backup takes hours', history: withFullBackups },
  { name: 'nightly, grows', history: thatGrows },
  { name: 'nightly, nothing to do at weekends', history: idleAtWeekends },
]

function aNightlyJob(random: SeededRandom, { seconds, grace }: Length, starts: boolean): History {
  return nightlyHistory(random, grace, starts, (at) => aRun(at + delay(random), { seconds: seconds(random) }))
}

function withFullBackups(random: SeededRandom): History {
  const full = random.integer(6)
  const hours = random.between(1.5, 3.5)
  return nightlyHistory(random, Math.ceil(hours * 1.4) * HOUR, random.happens(0.5), (at) => {
    const seconds = weekday(at) === full ? random.around(hours * 3600, 0.08) : random.around(600, 0.1)
    return aRun(at + delay(random), { seconds })
  })
}

function thatGrows(random: SeededRandom): History {
  const minutes = random.between(10, 40)
  const daily = random.between(0.002, 0.01)
  let night = 0
  return nightlyHistory(random, 4 * HOUR, true, (at) => {
    night += 1
    return aRun(at + delay(random), { seconds: random.around(minutes * 60 * (1 + daily) ** night, 0.05) })
  })
}

function idleAtWeekends(random: SeededRandom): History {
  const minutes = random.between(20, 60)
  return nightlyHistory(random, 2 * HOUR, true, (at) => {
    const isIdle = weekday(at) === 0 || weekday(at) === 6
    return aRun(at + delay(random), { seconds: isIdle ? random.between(0.3, 2) : random.around(minutes * 60, 0.1) })
  })
}

function nightlyHistory(random: SeededRandom, grace: number, starts: boolean, run: (at: number) => Run): History {
  const tz = random.pick(ZONES)
  const check: AdvisedCheck = scheduled(nightly(random), tz, grace, beginning(random))
  const until = check.createdAt + random.between(30, 90) * DAY
  const runs = slotsOf(check.schedule, tz, check.createdAt, until).map(run)
  return aHistory({
    check,
    pings: pingsOf(withMishaps(runs, random), random, { starts }),
    until,
    ...surroundings(random, tz),
  })
}

/** Returns the delay of a scheduler after the full minute, in milliseconds. */
export function delay(random: SeededRandom): number {
  return random.between(0.2, 15) * 1000
}

function weekday(at: number): number {
  return new Date(at).getUTCDay()
}
