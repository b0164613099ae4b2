/** Jobs whose machine reads the schedule in another zone than the check. */
import { Temporal } from '../../../../src/lib/time.ts'
import type { SeededRandom } from '../../seeded-random.ts'
import { delay } from '../healthy/nightly.ts'
import type { IllHistory, IllKind } from '../kind.ts'
import { aRun, DAY, HOUR, MINUTE, slotsOf } from '../runs.ts'
import { beginning, nightly, scheduled } from '../watching.ts'
import { illHistory, set } from './job.ts'

/** Zones of people whose machines run in UTC: never at UTC's offset, at any time of year. */
const AWAY_FROM_UTC = [
  'Europe/Berlin',
  'Europe/Riga',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Australia/Sydney',
  'Pacific/Auckland',
]
const SIBLINGS = [
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'America/New_York',
  'America/St_Johns',
  'Australia/Adelaide',
]
const UNNAMED = [
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Asia/Shanghai',
]

export const WRONG_ZONES: readonly IllKind[] = [
  { name: 'cron in UTC, check in Berlin', history: (random) => inAnotherZone(random, { tz: 'Europe/Berlin' }) },
  {
    name: 'cron in UTC, check anywhere',
    history: (random) => inAnotherZone(random, { tz: random.pick(AWAY_FROM_UTC) }),
  },
  {
    name: 'cron in UTC, weekly',
    history: (random) =>
      inAnotherZone(random, { tz: random.pick(AWAY_FROM_UTC), schedule: `30 12 * * ${random.integer(6)}`, days: 90 }),
  },
  { name: 'machine in the zone of a sibling', history: inSiblingsZone },
  { name: 'machine in a zone that nobody named', history: inUnnamedZone },
  { name: 'UTC watched in London, over March', history: overMarch },
  { name: 'zone an hour or two off, every 10 minutes of business hours', history: atBusinessHours },
  { name: 'two hours off within three hours of grace, with starts', history: (random) => withinGrace(random, true) },
  {
    name: 'two hours off within three hours of grace, without starts',
    history: (random) => withinGrace(random, false),
    found: 0,
  },
]

const AN_HOUR_OR_TWO_EAST = ['Europe/Berlin', 'Europe/Madrid', 'Africa/Lagos', 'Africa/Johannesburg']

/** More than a year of a nightly job in UTC, which runs an hour or two late in the check's zone, and never misses a night. */
export function utcWatchedFrom(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const check = scheduled(nightly(random), random.pick(AN_HOUR_OR_TWO_EAST), 45 * MINUTE, createdAt)
  const until = createdAt + 372 * DAY
  const slots = slotsOf(check.schedule, 'UTC', createdAt, until)
  const right = { kind: 'zone', fix: set({ tz: 'UTC' }) } as const
  return illHistory(random, { check, slots, until, right, rates: {}, starts: random.happens(0.3) })
}

/** A job in another zone within the grace time. Without starts, it resembles a job that takes as long. */
function withinGrace(random: SeededRandom, starts: boolean): IllHistory {
  const createdAt = Date.UTC(2026, 3, 5) + random.integer(130 * DAY)
  const check = scheduled(nightly(random), 'Europe/Berlin', 3 * HOUR, createdAt)
  const until = createdAt + random.between(15, 50) * DAY
  const slots = slotsOf(check.schedule, 'UTC', createdAt, until)
  return illHistory(random, { check, slots, until, starts, right: { kind: 'zone', fix: set({ tz: 'UTC' }) } })
}

interface Elsewhere {
  readonly tz: string
  readonly machine?: string
  readonly schedule?: string
  readonly days?: number
}

function inAnotherZone(random: SeededRandom, { tz, machine = 'UTC', schedule, days = 60 }: Elsewhere): IllHistory {
  const createdAt = beginning(random)
  const check = scheduled(schedule ?? nightly(random), tz, random.pick([20, 30, 45]) * MINUTE, createdAt)
  const until = createdAt + random.between(days / 2, days) * DAY
  const slots = slotsOf(check.schedule, machine, createdAt, until)
  const right = { kind: 'zone', fix: set({ tz: machine }) } as const
  return illHistory(random, { check, slots, until, right, starts: random.happens(0.4) })
}

function inSiblingsZone(random: SeededRandom): IllHistory {
  const machine = random.pick(SIBLINGS)
  const history = inAnotherZone(random, { tz: 'Europe/Berlin', machine })
  return { ...history, siblingZones: ['Europe/Berlin', 'Europe/Berlin', machine] }
}

/** A machine in one of several zones with the same offset: nobody can know which. */
function inUnnamedZone(random: SeededRandom): IllHistory {
  return { ...inAnotherZone(random, { tz: 'Europe/Berlin', machine: random.pick(UNNAMED) }), right: { kind: 'zone' } }
}

/** A history over the end of March. In winter London is at UTC, so nothing is wrong before its clocks change. */
function overMarch(random: SeededRandom): IllHistory {
  const change = Temporal.Instant.from('2026-03-29T01:00:00Z').epochMilliseconds
  const createdAt = change - random.between(5, 60) * DAY
  const check = scheduled(
    `${random.pick([0, 20, 30])} ${4 + random.integer(6)} * * *`,
    'Europe/London',
    30 * MINUTE,
    createdAt,
  )
  const until = change + random.between(10, 40) * DAY
  const slots = slotsOf(check.schedule, 'UTC', createdAt, until)
  return illHistory(random, { check, slots, until, right: { kind: 'zone', fix: set({ tz: 'UTC' }) } })
}

function atBusinessHours(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const tz = random.pick(['Europe/Berlin', 'Africa/Johannesburg'])
  const check = scheduled('*/10 8-17 * * 1-5', tz, 15 * MINUTE, createdAt)
  const until = createdAt + random.between(8, 14) * DAY
  const slots = slotsOf(check.schedule, 'UTC', createdAt, until)
  const run = (slot: number) => aRun(slot + delay(random))
  const right = { kind: 'zone', fix: set({ tz: 'UTC' }) } as const
  return illHistory(random, { check, slots, until, run, right, rates: {} })
}
