/** Jobs that run at another time, or more or less often, than their checks expect. */
import type { SeededRandom } from '../../seeded-random.ts'
import { delay } from '../healthy/nightly.ts'
import type { IllHistory, IllKind, Right } from '../kind.ts'
import { aRun, DAY, everySoOften, HOUR, MINUTE, SECOND, slotsOf } from '../runs.ts'
import { beginning, periodic, scheduled } from '../watching.ts'
import { illHistory, set } from './job.ts'

const BERLIN = 'Europe/Berlin'
const UTC = 'UTC'

export const WRONG_RHYTHMS: readonly IllKind[] = [
  { name: 'job moved from 03:00 to 05:00', history: moved },
  { name: '2 to 5 seconds early', history: early },
  { name: 'every 5 minutes, watched daily', history: (random) => oftenByPeriod(random, 5 * MINUTE, DAY) },
  { name: 'each minute, watched hourly', history: (random) => oftenByPeriod(random, MINUTE, HOUR) },
  { name: 'twice a day, watched once', history: (random) => oftenByPeriod(random, 12 * HOUR, DAY) },
  { name: 'hourly, cron says daily', history: hourlyOfDaily, found: 0.94 },
  { name: 'daily, period of an hour', history: dailyOfPeriod },
  { name: 'daily, cron says hourly', history: dailyOfHourly },
  { name: 'weekdays only, cron says daily', history: (random) => weekdays(random, true) },
  { name: 'weekdays only, period of a day', history: (random) => weekdays(random, false) },
  { name: 'business hours, period of an hour', history: businessHours },
]

function moved(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const check = scheduled('0 3 * * *', BERLIN, HOUR, createdAt)
  const movedAt = createdAt + random.between(8, 50) * DAY
  const until = movedAt + random.between(10, 30) * DAY
  const slots = [
    ...slotsOf(check.schedule, BERLIN, createdAt, movedAt),
    ...slotsOf('0 5 * * *', BERLIN, movedAt, until),
  ]
  const right = { kind: 'time', fix: set({ schedule: '0 5 * * *' }) } as const
  return illHistory(random, { check, slots, until, right, starts: random.happens(0.4) })
}

/** A job on a machine whose clock is fast. */
function early(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const hour = 2 + random.integer(4)
  const check = scheduled(`30 ${hour} * * *`, random.pick([BERLIN, UTC]), HOUR, createdAt)
  const until = createdAt + random.between(15, 60) * DAY
  const run = (slot: number) => aRun(slot - random.between(2, 5) * SECOND)
  const slots = slotsOf(check.schedule, check.tz, createdAt, until)
  return illHistory(random, {
    check,
    slots,
    until,
    run,
    right: { kind: 'time', fix: set({ schedule: `29 ${hour} * * *` }) },
  })
}

function oftenByPeriod(random: SeededRandom, distance: number, period: number): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + random.between(200, 400) * Math.min(distance, 6 * HOUR)
  const check = periodic(period, HOUR / (period === DAY ? 1 : 6), createdAt)
  const right = { kind: 'often', fix: set({ timeout: distance / SECOND }) } as const
  const run = (slot: number) => aRun(slot + random.between(0.2, 5) * SECOND)
  return illHistory(random, { check, slots: everySoOften(distance, createdAt, until), until, run, right })
}

function hourlyOfDaily(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + random.between(3, 12) * DAY
  const check = scheduled(`15 ${random.integer(23)} * * *`, UTC, HOUR, createdAt)
  const slots = everySoOften(HOUR, createdAt, until)
  return illHistory(random, { check, slots, until, right: { kind: 'often', fix: set({ schedule: '0 * * * *' }) } })
}

function dailyOfPeriod(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const check = periodic(HOUR, random.pick([10, 30, 60]) * MINUTE, createdAt)
  return daily(random, { check, tz: BERLIN, right: { kind: 'rare', fix: set({ timeout: DAY / SECOND }) } })
}

function dailyOfHourly(random: SeededRandom): IllHistory {
  const check = scheduled('0 * * * *', BERLIN, random.pick([10, 30, 50]) * MINUTE, beginning(random))
  return daily(random, { check, tz: BERLIN, right: { kind: 'rare' } })
}

interface Daily {
  readonly check: ReturnType<typeof scheduled>
  readonly tz: string
  readonly right: Right
}

function daily(random: SeededRandom, { check, tz, right }: Daily): IllHistory {
  const until = check.createdAt + random.between(10, 40) * DAY
  const schedule = `${random.pick([0, 10, 30, 40])} ${random.integer(23)} * * *`
  return illHistory(random, { check, slots: slotsOf(schedule, tz, check.createdAt, until), until, right })
}

function weekdays(random: SeededRandom, isScheduled: boolean): IllHistory {
  const hour = random.integer(6)
  const createdAt = beginning(random)
  const schedule = `0 ${hour} * * 1-5`
  const check = isScheduled ? scheduled(`0 ${hour} * * *`, BERLIN, HOUR, createdAt) : periodic(DAY, HOUR, createdAt)
  const until = createdAt + random.between(30, 80) * DAY
  const right = { kind: 'rare', fix: set({ schedule }) } as const
  return inBerlin(
    illHistory(random, {
      check,
      slots: slotsOf(schedule, BERLIN, createdAt, until),
      until,
      right,
      rates: { fails: 0.01 },
    }),
  )
}

function businessHours(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const check = periodic(HOUR, 15 * MINUTE, createdAt)
  const until = createdAt + random.between(20, 40) * DAY
  const schedule = '0 8-17 * * 1-5'
  const run = (slot: number) => aRun(slot + delay(random))
  const right = { kind: 'rare', fix: set({ schedule, tz: BERLIN }) } as const
  return inBerlin(
    illHistory(random, { check, slots: slotsOf(schedule, BERLIN, createdAt, until), until, run, right, rates: {} }),
  )
}

function inBerlin(history: IllHistory): IllHistory {
  return { ...history, siblingZones: [BERLIN], accountZone: BERLIN }
}
