/** Jobs that need a longer grace time than their checks have, or a much shorter one. */
import type { SeededRandom } from '../../seeded-random.ts'
import { delay } from '../healthy/nightly.ts'
import type { IllHistory, IllKind } from '../kind.ts'
import { aRun, DAY, everySoOften, HOUR, MINUTE, SECOND, slotsOf } from '../runs.ts'
import { beginning, periodic, scheduled } from '../watching.ts'
import { illHistory, set } from './job.ts'

export const WRONG_GRACES: readonly IllKind[] = [
  { name: 'takes 65 to 85 minutes, grace of an hour, with starts', history: (random) => longRuns(random, true) },
  { name: 'takes 65 to 85 minutes, grace of an hour, without starts', history: (random) => longRuns(random, false) },
  { name: '12 minutes late hourly, grace of 10 minutes', history: lateHourly },
  { name: 'a third of the runs above the grace time', history: aThird },
  { name: 'the weekly full backup is above the grace time', history: fullBackups },
  { name: 'day and day, punctual', history: dayAndDay },
]

function nights(
  random: SeededRandom,
  schedule: string,
  seconds: (slot: number) => number,
  starts: boolean,
): IllHistory {
  const createdAt = beginning(random)
  const check = scheduled(schedule, random.pick(['UTC', 'Europe/Riga']), HOUR, createdAt)
  const until = createdAt + random.between(40, 90) * DAY
  const run = (slot: number) => aRun(slot + delay(random), { seconds: seconds(slot) })
  const slots = slotsOf(schedule, check.tz, createdAt, until)
  return {
    ...illHistory(random, { check, slots, until, run, starts, right: { kind: 'grace' } }),
    siblingZones: [check.tz],
  }
}

function longRuns(random: SeededRandom, starts: boolean): IllHistory {
  return nights(random, '0 3 * * *', () => random.between(65, 85) * 60, starts)
}

function lateHourly(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const check = scheduled('0 * * * *', 'UTC', 10 * MINUTE, createdAt)
  const until = createdAt + random.between(3, 12) * DAY
  const run = (slot: number) => aRun(slot + 12 * MINUTE + random.between(0, 20) * SECOND)
  const right = { kind: 'grace', fix: set({ grace: 900 }) } as const
  return illHistory(random, { check, slots: everySoOften(HOUR, createdAt, until), until, run, right })
}

function aThird(random: SeededRandom): IllHistory {
  const seconds = () => (random.happens(1 / 3) ? random.between(65, 90) : random.between(20, 50)) * 60
  return nights(random, '0 1 * * *', seconds, random.happens(0.7))
}

function fullBackups(random: SeededRandom): IllHistory {
  const full = random.integer(6)
  const seconds = (slot: number) =>
    (new Date(slot).getUTCDay() === full ? random.between(170, 210) : random.between(9, 12)) * 60
  return nights(random, '0 1 * * *', seconds, true)
}

function dayAndDay(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + random.between(20, 60) * DAY
  const check = periodic(DAY, DAY, createdAt)
  const minutes = random.between(0, 30)
  const run = (slot: number) => aRun(slot + random.between(0.2, 1 + minutes) * MINUTE)
  const slots = slotsOf('0 3 * * *', 'UTC', createdAt, until)
  return illHistory(random, { check, slots, until, run, right: { kind: 'lax' }, rates: {} })
}
