/** The timing that is proposed for the pings of a check. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ReplayEvent, ReplayTiming } from '../../../src/domain/preview/replay.ts'
import { suggestTiming } from '../../../src/domain/preview/rhythm.ts'
import { nextMilliseconds } from '../../../src/domain/schedule/schedule.ts'
import { Temporal } from '../../../src/lib/time.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const timing = (given: Partial<ReplayTiming>): ReplayTiming => ({
  kind: 'simple',
  timeoutSeconds: 86_400,
  schedule: '* * * * *',
  tz: 'UTC',
  graceSeconds: 3_600,
  ...given,
})
const byCron = (schedule: string, tz = 'UTC', graceSeconds = 3_600) =>
  timing({ kind: 'cron', schedule, tz, graceSeconds })

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(Math.round(milliseconds))
const pings = (times: readonly number[]): readonly ReplayEvent[] =>
  times.map((time, index) => ({ kind: 'success', rid: null, n: index + 1, at: instant(time) }))

/** The runs of a schedule from a moment on. */
function occurrences(schedule: string, tz: string, from: number, count: number): number[] {
  const found: number[] = []
  for (let next = nextMilliseconds(schedule, tz, from); next !== null && found.length < count; ) {
    found.push(next)
    next = nextMilliseconds(schedule, tz, next)
  }
  return found
}

const suggest = (current: ReplayTiming, times: readonly number[], zones: readonly string[] = []) =>
  suggestTiming(current, pings(times), zones, instant((times.at(-1) ?? 0) + MINUTE))
const every = (distance: number, count: number, from = ms('2026-03-02T00:10:00Z')) =>
  Array.from({ length: count }, (_, index) => from + index * distance)

/** Deterministic, from 0 to 1. */
const wobble = (index: number) => ((index * 7_919) % 101) / 101

describe('a rhythm is proposed', () => {
  test('when pings come more often than the period', () => {
    const found = suggest(timing({}), every(30 * MINUTE, 40))
    expect(found).toMatchObject({ words: 'Every 30 minutes', fits: 30, of: 30 })
    expect(found?.timing).toEqual(timing({ timeoutSeconds: 1_800, graceSeconds: 600 }))
  })

  test('when they come less often', () => {
    expect(suggest(timing({ timeoutSeconds: 600, graceSeconds: 60 }), every(HOUR, 20))?.words).toBe('Every hour')
  })

  test('of a loop that sleeps, whose distances are a little longer', () => {
    const loop = every(30 * MINUTE + 41 * SECOND, 40).map((time, index) => time + wobble(index) * 20 * SECOND)
    expect(suggest(timing({}), loop)?.words).toBe('Every 30 minutes')
    expect(suggest(byCron('0 2 * * *'), loop)?.words).toBe('Every 30 minutes')
  })

  test('in the zone of the check, where runs at one time of the day fit into several', () => {
    const nights = occurrences('0 2 * * *', 'UTC', ms('2026-06-01T00:00:00Z'), 20)
    expect(suggest(byCron('0 9 * * *', 'Europe/Riga'), nights, ['America/New_York'])).toMatchObject({
      words: 'Daily at 05:00',
      timing: { tz: 'Europe/Riga' },
    })
  })

  test('in the zone whose clocks the job follows', () => {
    const nights = occurrences('30 3 * * *', 'Europe/Riga', ms('2026-03-10T00:00:00Z'), 30)
    expect(suggest(byCron('30 1 * * *'), nights, ['Europe/Riga'])).toMatchObject({
      words: 'Daily at 03:30',
      timing: { tz: 'Europe/Riga' },
      fits: 30,
    })
  })

  test('with a grace time that spares long runs, and failed ones', () => {
    const events = every(HOUR, 30).flatMap((time, index): ReplayEvent[] => [
      { kind: 'start', rid: null, n: 2 * index + 1, at: instant(time) },
      { kind: index % 7 === 3 ? 'fail' : 'success', rid: null, n: 2 * index + 2, at: instant(time + 25 * MINUTE) },
    ])
    const found = suggestTiming(timing({}), events, [], instant(ms('2026-03-03T06:00:00Z')))
    expect(found).toMatchObject({ words: 'Every hour', timing: { graceSeconds: 2_700 }, fits: 30 })
  })

  test('with the grace time that was chosen, if it suits the runs and is shorter than the distance between them', () => {
    const nights = occurrences('0 2 * * *', 'UTC', ms('2026-06-01T00:00:00Z'), 28)
    const graceOf = (graceSeconds: number, late = 0) =>
      suggest(
        byCron('0 9 * * *', 'UTC', graceSeconds),
        nights.map((time, index) => time + wobble(index) * late),
      )?.timing.graceSeconds
    expect(graceOf(2_700)).toBe(2_700)
    expect(graceOf(900, 9 * MINUTE)).toBe(900)
    expect(graceOf(60, 9 * MINUTE)).toBe(3_600)
    const halfHours = (graceSeconds: number) => suggest(timing({ graceSeconds }), every(30 * MINUTE, 40))
    expect(halfHours(1_200)?.timing.graceSeconds).toBe(1_200)
    expect(halfHours(1_800)?.timing.graceSeconds).toBe(600)
  })

  test('of the newest runs, when the job has changed', () => {
    const before = occurrences('0 2 * * *', 'UTC', ms('2026-01-01T00:00:00Z'), 60)
    const since = occurrences('0 14 * * 1-5', 'UTC', ms('2026-03-02T00:00:00Z'), 45)
    expect(suggest(byCron('0 2 * * *'), [...before, ...since])?.words).toBe('Weekdays at 14:00')
  })

  test('of working hours', () => {
    const hours = occurrences('15 9-17 * * 1-5', 'Europe/Riga', ms('2026-03-20T00:00:00Z'), 120)
    expect(suggest(timing({}), hours, ['Europe/Riga'])?.timing).toMatchObject({
      schedule: '15 9-17 * * 1-5',
      tz: 'Europe/Riga',
    })
  })

  test('of dates and of last days of months', () => {
    const dates = occurrences('0 6 1,15 * *', 'UTC', ms('2025-01-10T00:00:00Z'), 20)
    expect(suggest(timing({ timeoutSeconds: 86_400 * 40 }), dates)?.words).toBe('1st and 15th of the month at 06:00')
    const ends = occurrences('0 6 L * *', 'UTC', ms('2025-01-10T00:00:00Z'), 14)
    expect(suggest(timing({}), ends)?.words).toBe('Last day of the month at 06:00')
  })
})

describe('nothing is proposed', () => {
  test('for few runs', () => {
    expect(suggest(timing({}), every(30 * MINUTE, 7))).toBeNull()
    expect(suggestTiming(timing({}), [], [], instant(0))).toBeNull()
  })

  test('when the timing suits', () => {
    expect(suggest(timing({ timeoutSeconds: 1_800, graceSeconds: 600 }), every(30 * MINUTE, 40))).toBeNull()
    expect(suggest(byCron('*/30 * * * *'), every(30 * MINUTE, 40, ms('2026-03-02T00:00:05Z')))).toBeNull()
    const nights = occurrences('30 3 * * 1-5', 'Europe/Riga', ms('2026-03-10T00:00:00Z'), 30)
    expect(suggest(byCron('30 3 * * MON-FRI', 'Europe/Riga'), nights, ['America/New_York'])).toBeNull()
    expect(suggest(timing({ kind: 'oncalendar', schedule: 'Mon..Fri 3:30', tz: 'Europe/Riga' }), nights)).toBeNull()
  })

  test('when only the grace time is too short', () => {
    const late = every(HOUR, 30, ms('2026-03-02T00:00:00Z')).map((time, index) => time + wobble(index) * 9 * MINUTE)
    expect(suggest(byCron('0 * * * *', 'UTC', 60), late)).toBeNull()
  })

  test('for a few pings of one day', () => {
    const gaps = [39_608, 10_791, 3_274, 40_301, 13_199, 60, 360, 3_179]
    const times = gaps.map(
      (_, index) => ms('2026-03-05T00:00:00Z') + SECOND * gaps.slice(0, index + 1).reduce((a, b) => a + b),
    )
    expect(suggest(timing({}), times)).toBeNull()
  })

  test('for nights of which half are missing', () => {
    const some = every(DAY, 60).filter((_, index) => wobble(index) < 0.5)
    expect(suggest(timing({ timeoutSeconds: 600 }), some)).toBeNull()
  })
})

/** Each with the beginning of a log in which clocks change, if they do. */
const ZONES: readonly (readonly [zone: string, from: string])[] = [
  ['UTC', '2026-03-05T00:00:00Z'],
  ['Europe/Riga', '2026-03-12T00:00:00Z'],
  ['America/New_York', '2026-10-14T00:00:00Z'],
  ['Australia/Lord_Howe', '2026-03-20T00:00:00Z'],
  ['America/Santiago', '2026-08-20T00:00:00Z'],
  ['Asia/Kathmandu', '2026-03-05T00:00:00Z'],
  ['Africa/Casablanca', '2026-02-01T00:00:00Z'],
  ['Pacific/Apia', '2026-03-05T00:00:00Z'],
]

/** Numbers from 0 to 1, evenly spread. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Rhythm {
  readonly schedule: string
  readonly runs: number
  readonly days: number
}

// Long enough for a change of clocks to be far from both ends.
const rhythms: fc.Arbitrary<Rhythm> = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 5, 20, 30, 45) })
  .chain(({ hour, minute }) =>
    fc.constantFrom<Rhythm>(
      { schedule: `${minute} ${hour} * * *`, runs: 60, days: 0 },
      { schedule: `${minute} ${hour} * * 1-5`, runs: 50, days: 0 },
      { schedule: `${minute} ${hour} * * 2`, runs: 40, days: -100 },
      { schedule: `${minute} ${hour} 3 * *`, runs: 30, days: -300 },
      { schedule: `${minute} */6 * * *`, runs: 160, days: 0 },
      { schedule: `${minute} 6,18 * * *`, runs: 90, days: 0 },
      { schedule: `${minute} * * * *`, runs: 150, days: 15 },
      { schedule: minute % 15 === 0 ? '*/15 * * * *' : `${minute % 10}-59/10 * * * *`, runs: 180, days: 16 },
    ),
  )

/** Whether runs that are missing, all but one of them on the same day of the week, look like a job that does not run on it. */
function isRule(missing: readonly number[]): boolean {
  const days = missing.map((slot) => new Date(slot).getUTCDay())
  const most = Math.max(...days.map((day) => days.filter((other) => other === day).length))
  return missing.length > 3 && most >= missing.length - 1
}

test('the rhythm of a job is proposed in eight zones across clock changes, with jitter and missing runs', () => {
  let proposals = 0
  const property = fc.property(
    fc.constantFrom(...ZONES),
    rhythms,
    fc.constantFrom(20 * SECOND, 100 * SECOND),
    fc.constantFrom(0, 0.05, 0.3),
    fc.nat(),
    ([tz, from], { schedule, runs, days }, jitter, missing, seed) => {
      const chance = randomFrom(seed)
      const slots = occurrences(schedule, tz, ms(from) + days * DAY, runs)
      // Without its two runs of a Ramadan, a log of months does not tell that of Casablanca from UTC.
      const isMonthly = schedule.endsWith(' 3 * *')
      let inARow = 0
      // Never so many that a quarter of thirty is missing.
      const came = slots.filter(() => {
        inARow = inARow > 5 && chance() < missing && !isMonthly ? 0 : inARow + 1
        return inARow > 0
      })
      fc.pre(!isRule(slots.filter((slot) => !came.includes(slot))))
      const times = came.map((slot) => slot + chance() * jitter)
      const found = suggest(byCron('17 11 * * 3,6'), times, [tz])
      const proposed = found && occurrences(found.timing.schedule, found.timing.tz, ms(from) + days * DAY, runs)
      // The zone is told by clock changes alone.
      expect({ found, proposed }).toEqual({ found, proposed: slots })
      proposals += 1
    },
  )
  fc.assert(property, { numRuns: 150 })
  expect(proposals).toBeGreaterThan(100)
})

test('none is proposed for irregular pings', () => {
  const gaps = fc.oneof(
    // Exponential, log-uniform and uniform distances.
    fc.double({ min: 1e-6, max: 1, noNaN: true }).map((chance) => -Math.log(chance) * HOUR),
    fc.double({ min: Math.log(MINUTE), max: Math.log(3 * DAY), noNaN: true }).map(Math.exp),
    fc.double({ min: MINUTE, max: 2 * DAY, noNaN: true }),
  )
  const currents = fc.constantFrom(
    timing({}),
    timing({ timeoutSeconds: 60, graceSeconds: 60 }),
    timing({ timeoutSeconds: 86_400 * 30 }),
    byCron('*/5 * * * *'),
    byCron('0 2 * * 1-5', 'Europe/Riga'),
  )
  const logs = fc.array(gaps, { minLength: 8, maxLength: 100, size: 'max' })
  const property = fc.property(logs, currents, fc.constantFrom(...ZONES), (distances, current, [tz, from]) => {
    let time = ms(from)
    const times = distances.map((distance) => {
      time += distance
      return time
    })
    expect(suggest(current, times, [tz])).toBeNull()
  })
  fc.assert(property, { numRuns: 300 })
})
