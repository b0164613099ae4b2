import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Check, StoredStatus } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import {
  type CalendarUnit,
  createDowntimeTally,
  type Downtime,
  latestPeriods,
  type Period,
  uptimePercent,
  upWords,
} from '../../../src/domain/run/downtime.ts'
import { type Instant, Temporal } from '../../../src/lib/time.ts'
import { aCheck, aFlip } from '../../support/builders.ts'

const instant = (text: string): Instant => Temporal.Instant.from(text)
const HOUR = 3_600_000_000

const spans = (periods: readonly Period[]) => periods.map(({ from, until }) => [from.toString(), until.toString()])
const hours = ({ from, until }: Period) => from.until(until).total('hours')

describe('the latest periods', () => {
  const now = instant('2026-03-04T12:00:00Z')

  test('are days, ISO weeks and months, oldest first, with the current one last', () => {
    expect(spans(latestPeriods('day', 3, 'UTC', now))).toEqual([
      ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'],
      ['2026-03-03T00:00:00Z', '2026-03-04T00:00:00Z'],
      ['2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z'],
    ])
    expect(spans(latestPeriods('week', 2, 'UTC', now))).toEqual([
      ['2026-02-23T00:00:00Z', '2026-03-02T00:00:00Z'],
      ['2026-03-02T00:00:00Z', '2026-03-09T00:00:00Z'],
    ])
    expect(spans(latestPeriods('month', 3, 'UTC', now))).toEqual([
      ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
      ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
      ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'],
    ])
  })

  test('include the moment of their first midnight', () => {
    const months = (text: string) => spans(latestPeriods('month', 1, 'Asia/Tokyo', instant(text)))
    expect(months('2026-01-31T15:00:00Z')).toEqual([['2026-01-31T15:00:00Z', '2026-02-28T15:00:00Z']])
    expect(months('2026-01-31T14:59:59.999999Z')).toEqual([['2025-12-31T15:00:00Z', '2026-01-31T15:00:00Z']])
  })

  test.each([
    ['Europe/Riga', '2026-04-02T00:00:00Z', 743],
    ['Europe/Riga', '2026-11-02T00:00:00Z', 745],
    ['America/New_York', '2026-04-02T12:00:00Z', 743],
    ['America/New_York', '2026-12-02T12:00:00Z', 721],
    ['Australia/Lord_Howe', '2026-11-02T00:00:00Z', 743.5],
    ['Australia/Lord_Howe', '2026-05-02T00:00:00Z', 720.5],
    ['UTC', '2026-04-02T00:00:00Z', 744],
  ])('in %s are as long as their real time: the month before %s has %d hours', (tz, at, length) => {
    expect(latestPeriods('month', 2, tz, instant(at)).map(hours)[0]).toBe(length)
  })

  test('begin at the first moment of the day where the clock skips midnight', () => {
    const [day] = latestPeriods('day', 1, 'Asia/Beirut', instant('2024-03-31T12:00:00Z'))
    expect(day && [day.from.toString(), hours(day)]).toEqual(['2024-03-30T22:00:00Z', 23])
  })
})

interface History {
  readonly check: Check
  /** newest first */
  readonly flips: readonly Flip[]
}

/** Adds flips page by page, until the tally needs no more. */
function downtimes({ check, flips }: History, periods: readonly Period[], now: Instant, page = 2): (Downtime | null)[] {
  const tally = createDowntimeTally(check, periods, now)
  for (let done = 0; done < flips.length; done += page) if (!tally.add(flips.slice(done, done + page))) break
  return tally.downtimes()
}

interface Change {
  readonly at: Instant
  readonly to: StoredStatus
}

/** Creates a check that was new and then changed its status several times. */
function history(createdAt: Instant, changes: readonly Change[]): History {
  let status: StoredStatus = 'new'
  const flips: Flip[] = []
  for (const { at, to } of changes) {
    flips.unshift(aFlip({ n: flips.length + 1, createdAt: at, oldStatus: status, newStatus: to, reason: '' }))
    status = to
  }
  return { check: aCheck({ createdAt, status }), flips }
}

const told = (text: string): Change[] =>
  text.split(', ').map((change) => {
    const [at = '', to = 'new'] = change.split(' ')
    return { at: instant(`2026-${at}:00Z`), to: to as StoredStatus }
  })

describe('the downtimes of a check', () => {
  const now = instant('2026-03-04T12:00:00Z')
  const days = latestPeriods('day', 3, 'UTC', now)
  const created = instant('2026-01-01T00:00:00Z')
  const of = (text: string, createdAt = created) =>
    downtimes(history(createdAt, told(text)), days, now).map((it) => it && [it.count, it.microseconds / HOUR])

  test('are split at midnight and counted in each day that they touch', () => {
    expect(of('03-02T22:00 down, 03-04T03:00 up')).toEqual([
      [1, 2],
      [1, 24],
      [1, 3],
    ])
  })

  test('are summed within a day', () => {
    expect(of('03-01T00:00 up, 03-03T01:00 down, 03-03T02:00 up, 03-03T05:00 down, 03-03T05:30 up')).toEqual([
      [0, 0],
      [2, 1.5],
      [0, 0],
    ])
  })

  test('that end at midnight touch only the day before', () => {
    expect(of('03-02T23:00 down, 03-03T00:00 up')).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
    ])
  })

  test('go on until now', () => {
    expect(of('03-04T11:00 down').at(-1)).toEqual([1, 1])
  })

  test('exclude the time in which the check was paused', () => {
    expect(of('03-03T01:00 down, 03-03T02:00 paused, 03-03T08:00 new, 03-03T09:00 down, 03-03T11:00 up')[1]).toEqual([
      2, 3,
    ])
  })

  test('are exact to the microsecond', () => {
    const at = instant('2026-03-02T23:59:59.999999Z')
    const changes = [{ at, to: 'down' } as const, { at: at.add({ microseconds: 2 }), to: 'up' } as const]
    expect(downtimes(history(created, changes), days, now)).toEqual([
      { count: 1, microseconds: 1, watched: 1, since: at },
      { count: 1, microseconds: 1, watched: 24 * HOUR, since: null },
      { count: 0, microseconds: 0, watched: 12 * HOUR, since: null },
    ])
  })

  test.each([
    ['03-03T06:00 up', [null, 18, 12]],
    ['03-03T06:00 down, 03-03T07:00 up', [null, 18, 12]],
    ['03-02T06:00 paused, 03-02T07:00 new, 03-02T08:00 paused, 03-03T06:00 new, 03-04T00:00 up', [null, null, 12]],
    ['02-02T06:00 paused, 03-03T06:00 new, 03-03T18:00 up, 03-03T20:00 paused, 03-04T00:00 new', [null, 6, 12]],
    ['02-02T06:00 up, 02-02T07:00 paused, 03-03T06:00 new, 03-04T00:00 up', [24, 24, 12]],
    ['03-03T06:00 paused', [null, null, null]],
  ])('watch a check from its first ping on, also after pauses: %s', (text, watched) => {
    const found = downtimes(history(created, told(text)), days, now)
    expect(found.map((it) => it && it.watched / HOUR)).toEqual(watched)
  })

  test("without a stored flip follow the check's status", () => {
    const down = { check: aCheck({ createdAt: created, status: 'down' }), flips: [] }
    expect(downtimes(down, days, now).map((it) => it && it.microseconds / HOUR)).toEqual([24, 24, 12])
    const up = { check: aCheck({ createdAt: created, status: 'up' }), flips: [] }
    expect(downtimes(up, days, now).map((it) => it?.count)).toEqual([0, 0, 0])
  })

  test('before the oldest stored flip follow its old status', () => {
    const flips = [aFlip({ createdAt: instant('2026-03-03T06:00:00Z'), oldStatus: 'down', newStatus: 'up' })]
    const cut = { check: aCheck({ createdAt: created, status: 'up' }), flips }
    expect(downtimes(cut, days, now).map((it) => it && it.microseconds / HOUR)).toEqual([24, 6, 0])
  })

  test('are never negative after a clock was set back', () => {
    expect(of('03-01T00:00 up, 03-03T02:00 down, 03-03T01:00 up, 03-09T00:00 down')).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ])
  })
})

describe('a tally', () => {
  const now = instant('2026-03-04T12:00:00Z')
  const yesterday = latestPeriods('day', 2, 'UTC', now).slice(0, 1)
  const { check, flips } = history(
    instant('2026-01-01T00:00:00Z'),
    told('03-01T10:00 down, 03-02T22:00 up, 03-03T00:00 down, 03-03T06:00 up'),
  )

  test('asks for older flips as long as one of them can touch a period', () => {
    const tally = createDowntimeTally(check, yesterday, now)
    expect(flips.map((flip) => tally.add([flip]))).toEqual([true, false, false, false])
    expect(tally.downtimes()).toEqual([{ count: 1, microseconds: 6 * HOUR, watched: 24 * HOUR, since: null }])
  })

  test('does not change with extra flips or a second read', () => {
    const tally = createDowntimeTally(check, yesterday, now)
    tally.add(flips)
    expect(tally.downtimes()).toEqual([{ count: 1, microseconds: 6 * HOUR, watched: 24 * HOUR, since: null }])
    expect(tally.downtimes()).toEqual([{ count: 1, microseconds: 6 * HOUR, watched: 24 * HOUR, since: null }])
  })

  test('ignores what happened after its now', () => {
    const tally = createDowntimeTally(check, yesterday, instant('2026-03-03T02:00:00Z'))
    tally.add(flips)
    expect(tally.downtimes()).toEqual([{ count: 1, microseconds: 2 * HOUR, watched: 2 * HOUR, since: null }])
  })
})

test.each([
  [24, 0, '100.00'],
  [24, 1, '99.99'],
  [24, 24 * HOUR, '0.00'],
  [24, 12 * HOUR, '50.00'],
  [24, 0.0024 * HOUR, '99.99'],
  [24, 0.0024 * HOUR + 1, '99.98'],
  [743, 743 * HOUR, '0.00'],
  [743, 7.43 * HOUR, '99.00'],
])('uptime is cut after two decimals, never rounded up (%#)', (hours, microseconds, percent) => {
  expect(uptimePercent({ microseconds, watched: hours * HOUR })).toBe(percent)
})

describe('availability in words', () => {
  const now = instant('2026-03-04T12:00:00Z')
  const wordsOf = (unit: CalendarUnit, firstPing: string, tz = 'UTC') => {
    const check = history(instant('2026-01-01T00:00:00Z'), told(`${firstPing} up`))
    return downtimes(check, latestPeriods(unit, 3, tz, now), now).map((it) => it && upWords(it, tz))
  }

  test('says since when a check was watched, in the period in which that began', () => {
    expect(wordsOf('month', '02-20T14:05')).toEqual([null, '100.00 % up since 20 Feb', '100.00 % up'])
    expect(wordsOf('week', '02-19T20:05', 'Asia/Tokyo')[0]).toBe('100.00 % up since 20 Feb')
  })

  test('says the time of day, for less than a day', () => {
    expect(wordsOf('day', '03-03T14:05')).toEqual([null, '100.00 % up since Tue 14:05', '100.00 % up'])
    expect(wordsOf('month', '03-04T01:30', 'Europe/Riga')[2]).toBe('100.00 % up since Wed 03:30')
  })

  test('takes a month whose first ping came on its first day for a whole one', () => {
    expect(wordsOf('month', '02-01T02:30')).toEqual([null, '100.00 % up', '100.00 % up'])
    expect(wordsOf('month', '02-02T00:00')[1]).toBe('100.00 % up since 2 Feb')
  })
})

/** Half-hour steps over 130 days, which include two clock changes in most zones. Each step knows its day, week and month. */
const STEP_MINUTES = 30
const STEPS = 130 * 48
const START = instant('2025-10-10T00:00:00Z')
const ZONES = ['UTC', 'Europe/Riga', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Casablanca']
const UNITS: readonly CalendarUnit[] = ['day', 'week', 'month']

const stepAt = (step: number) => START.add({ minutes: step * STEP_MINUTES })

const named = new Map(
  ZONES.map((tz) => {
    const names = Array.from({ length: STEPS }, (_, step) => {
      const { year, month, day, yearOfWeek, weekOfYear } = stepAt(step).toZonedDateTimeISO(tz)
      return { day: `${year}-${month}-${day}`, week: `${yearOfWeek}-${weekOfYear}`, month: `${year}-${month}` }
    })
    return [tz, names] as const
  }),
)

interface Story {
  readonly tz: string
  readonly unit: CalendarUnit
  readonly count: number
  readonly now: number
  readonly created: number
  /** number of flips that are added at once */
  readonly page: number
  /** step → status */
  readonly changes: readonly (readonly [number, StoredStatus])[]
}

/** Counts downtime step by step. */
function model({ tz, unit, count, now, created, changes }: Story) {
  const names = (named.get(tz) ?? []).slice(0, now + 1).map((name) => name[unit])
  const shown = [...new Set(names)].slice(-count)
  const stretches = new Map(shown.map((name) => [name, { steps: 0, watched: 0, ids: new Set<number>() }]))
  const byStep = new Map(changes)
  let status: StoredStatus = 'new'
  let id = 0
  let isWatched = false
  for (let step = created; step < now; step += 1) {
    const change = byStep.get(step)
    if (change) [status, id] = [change, id + 1]
    isWatched ||= status === 'up' || status === 'down'
    const period = stretches.get(names[step] ?? '')
    if (isWatched && period) period.watched += 1
    if (status !== 'down' || !period) continue
    period.steps += 1
    period.ids.add(id)
  }
  const time = (steps: number) => (steps * STEP_MINUTES * HOUR) / 60
  return shown.map((name) => {
    const { steps, watched, ids } = stretches.get(name) ?? { steps: 0, watched: 0, ids: new Set() }
    return watched === 0 ? null : [ids.size, time(steps), time(watched)]
  })
}

const statuses = fc.constantFrom<StoredStatus>('up', 'down', 'paused', 'new')
const story: fc.Arbitrary<Story> = fc
  .record({
    tz: fc.constantFrom(...ZONES),
    unit: fc.constantFrom(...UNITS),
    count: fc.integer({ min: 1, max: 3 }),
    now: fc.integer({ min: 100 * 48, max: STEPS - 1 }),
    age: fc.integer({ min: 0, max: 100 * 48 }),
    page: fc.integer({ min: 1, max: 5 }),
    changes: fc.array(fc.tuple(fc.nat({ max: 100 * 48 }), statuses), { maxLength: 30 }),
  })
  .map(({ age, changes, ...rest }) => {
    const created = rest.now - age
    const sorted = [...new Map(changes.map(([ago, to]) => [rest.now - Math.min(ago, age), to]))].sort(
      ([a], [b]) => a - b,
    )
    const before = (index: number) => (index === 0 ? 'new' : sorted[index - 1]?.[1])
    return { ...rest, created, changes: sorted.filter(([, to], index) => to !== before(index)) }
  })

test('downtimes match a count of every half hour, in any zone', () => {
  fc.assert(
    fc.property(story, (given) => {
      const { tz, unit, count, now, created, changes, page } = given
      const periods = latestPeriods(unit, count, tz, stepAt(now))
      const past = history(
        stepAt(created),
        changes.map(([step, to]) => ({ at: stepAt(step), to })),
      )
      const found = downtimes(past, periods, stepAt(now), page)
      expect(found.map((it) => it && [it.count, it.microseconds, it.watched])).toEqual(model(given))
    }),
    { numRuns: 300 },
  )
})
