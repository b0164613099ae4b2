/** Schedules as callers see them: the recorded vectors, kinds, validity, cost, and independence from the host. */
import { describe as about, expect, spyOn, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cron } from 'croner'
import fc from 'fast-check'
import { nextReading } from '../../../src/domain/schedule/readings.ts'
import {
  describe,
  nextAfter,
  nextMilliseconds,
  parseSchedule,
  preview,
  ScheduleError,
  scheduleKind,
} from '../../../src/domain/schedule/schedule.ts'
import { Temporal } from '../../../src/lib/time.ts'

interface Vector {
  readonly kind: 'cron' | 'oncalendar'
  readonly expr: string
  readonly tz: string
  readonly from: string
  readonly next: string[]
}

function vectors(name: string): Vector[] {
  const lines = readFileSync(join(import.meta.dir, 'vectors', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Vector)
}

const instant = (text: string) => Temporal.Instant.from(text)
const nextText = (text: string, timeZone: string, after: string) =>
  nextAfter(text, timeZone, instant(after))?.toString() ?? null

about('recorded vectors', () => {
  test.each([
    ['cron', 650],
    ['oncalendar', 600],
  ])('every %s vector runs at the recorded times', (name, count) => {
    const all = vectors(name)
    expect(all).toHaveLength(count)
    for (const vector of all) {
      const occurrences = preview(vector.expr, vector.tz, instant(vector.from), 5).map(String)
      expect({ ...vector, next: occurrences }).toEqual(vector)
      expect(parseSchedule(vector.expr, vector.tz).kind).toBe(vector.kind)
    }
  })

  test('every invalid vector is refused, with a place in the text', () => {
    const all = vectors('invalid')
    expect(all).toHaveLength(255)
    for (const { kind, expr } of all) {
      expect(scheduleKind(expr)).toBe(kind)
      const error = refusalOf(expr)
      expect({ expr, refused: error instanceof ScheduleError }).toEqual({ expr, refused: true })
      expect(error?.position).toBeGreaterThanOrEqual(0)
      expect(error?.position).toBeLessThanOrEqual(expr.length)
      expect(error?.length).toBeGreaterThanOrEqual(1)
    }
  })
})

function refusalOf(text: string): ScheduleError | null {
  try {
    parseSchedule(text, 'UTC')
    return null
  } catch (error) {
    if (error instanceof ScheduleError) return error
    throw error
  }
}

about('scheduleKind', () => {
  test('five words on one line are cron', () => {
    for (const text of ['* * * * *', ' 0\t0 * * 1 ', 'a b c d e', 'Mon 2026-01-01 12:00 UTC x']) {
      expect(scheduleKind(text)).toBe('cron')
    }
  })

  test('everything else is OnCalendar', () => {
    for (const text of ['', 'daily', '@daily', '0 0 * *', '0 0 0 * * *', '* * * * *\n12:00', '1 2\n3 4 5']) {
      expect(scheduleKind(text)).toBe('oncalendar')
    }
  })

  test('text of five words never falls back to OnCalendar', () => {
    expect(refusalOf('Mon 2026-01-01 12:00 UTC x')).toBeInstanceOf(ScheduleError)
  })
})

about('validity', () => {
  test('a schedule whose last occurrence is past is valid and has no next', () => {
    expect(parseSchedule('2010-01-01', 'UTC').next(instant('2026-01-01T00:00:00Z'))).toBeNull()
  })

  test('a schedule without an occurrence after 2000-01-01 is refused as a whole', () => {
    for (const text of ['1999-1-1', '2000-1-1', '*-2-30', '2019-02-30', '* * */20 * 1L', '0 0 31 2 *']) {
      expect({ text, refused: refusalOf(text) !== null }).toEqual({ text, refused: true })
    }
    expect(refusalOf('2000-1-1')).toMatchObject({ position: 0, length: 8 })
  })

  test('validity does not depend on the zone of the check', () => {
    // In Riga, there is never a 03:30 on the last Sunday of March, and the search must end.
    const always = 'Sun *-3~1..7 3:30'
    expect(parseSchedule(always, 'Europe/Riga').next(instant('2026-01-01T00:00:00Z'))).toBeNull()
    expect(refusalOf(always)).toBeNull()
  })

  test("an unknown zone is the caller's error, not the schedule's", () => {
    for (const zone of ['utc', '+03:00', 'Europe/riga', 'Nowhere', '']) {
      expect(() => parseSchedule('* * * * *', zone)).toThrow(RangeError)
    }
  })
})

about('next', () => {
  test('the start is rounded down to a second and is not an occurrence', () => {
    expect(nextText('* * * * *', 'UTC', '2026-01-01T00:00:59.999999Z')).toBe('2026-01-01T00:01:00Z')
    expect(nextText('* * * * *', 'UTC', '2026-01-01T00:01:00Z')).toBe('2026-01-01T00:02:00Z')
    expect(nextText('*:*:*', 'UTC', '2026-01-01T00:00:01.9Z')).toBe('2026-01-01T00:00:02Z')
  })

  test('lines of OnCalendar form one schedule without repeated moments', () => {
    const moments = preview('12:00\nMon 12:00\n10:00 Asia/Tokyo', 'UTC', instant('2026-01-05T00:00:00Z'), 3)
    expect(moments.map(String)).toEqual(['2026-01-05T01:00:00Z', '2026-01-05T12:00:00Z', '2026-01-06T01:00:00Z'])
  })

  test('a preview ends with the schedule', () => {
    const moments = preview('2026..2027-01-01', 'Europe/Riga', instant('2026-06-01T00:00:00Z'), 5)
    expect(moments.map(String)).toEqual(['2026-12-31T22:00:00Z'])
    expect(preview('daily', 'UTC', instant('2026-06-01T00:00:00Z'), 0)).toEqual([])
  })

  test('occurrences strictly increase, from any start in any zone', () => {
    const texts = vectors('cron').concat(vectors('oncalendar'))
    const starts = fc.integer({ min: Date.UTC(2014, 0, 1), max: Date.UTC(2040, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.constantFrom(...texts), starts, ({ expr }, { tz }, start) => {
        const from = Temporal.Instant.fromEpochMilliseconds(start)
        const moments = [from, ...preview(expr, tz, from, 6)].map((moment) => moment.epochMilliseconds)
        for (const [index, moment] of moments.slice(1).entries()) expect(moment).toBeGreaterThan(moments[index] ?? 0)
      }),
      { numRuns: 500 },
    )
  })
})

about('the host', () => {
  test('its time zone has no influence', () => {
    const module = JSON.stringify(join(import.meta.dir, '../../../src/domain/schedule/schedule.ts'))
    const time = JSON.stringify(join(import.meta.dir, '../../../src/lib/time.ts'))
    const script = `
      import { preview } from ${module}
      import { Temporal } from ${time}
      for (const zone of ['UTC', 'Europe/Riga'])
        for (const text of ['30 2 * * *', '*/30 * * * *', '0 0 1 * *', '02:30', 'hourly', '*-*~2 23:59'])
          console.log(preview(text, zone, Temporal.Instant.from('2026-03-07T12:00:00Z'), 50).join())`
    const outputs = ['UTC', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe'].map((TZ) => {
      const run = Bun.spawnSync([process.execPath, '-e', script], { env: { ...process.env, TZ } })
      expect(run.stderr.toString()).toBe('')
      return run.stdout.toString()
    })
    expect(outputs[0]?.split('\n')).toHaveLength(13)
    expect(new Set(outputs).size).toBe(1)
  })
})

about('cost', () => {
  /** Makes as many lines as a schedule may have characters. */
  const lines = (line: (index: number) => string) => {
    const all = Array.from({ length: 100 }, (_, index) => line(index))
    return all.filter((_, index) => all.slice(0, index + 1).join('\n').length <= 100).join('\n')
  }
  /** Counts the steps of a search. Croner calls `Date.UTC` for the calendar, and the number of calls is the same on every machine. */
  const workOf = (run: () => unknown) => {
    const spies = { searches: spyOn(Cron.prototype, 'nextRun'), lookups: spyOn(Date, 'UTC') }
    try {
      const result = run()
      return { result, searches: spies.searches.mock.calls.length, lookups: spies.lookups.mock.calls.length }
    } finally {
      for (const spy of Object.values(spies)) spy.mockRestore()
    }
  }
  const nextOf = (text: string) => {
    try {
      return nextText(text, 'Europe/Riga', '2026-01-01T00:00:00Z')
    } catch (error) {
      if (error instanceof ScheduleError) return error.message
      throw error
    }
  }
  const NEVER = expect.stringMatching(/^The schedule has no occurrence after 2000-01-01: /)
  const minutes = Array.from({ length: 34 }, (_, minute) => minute).join()

  // Each limit is about twice the work that the search needs. Without the check for expressions that never occur, it would need ten times
  // as much.
  test.each<[what: string, text: string, next: unknown, searches: number, lookups: number]>([
    ['days that never meet', '* * */20 * 1L,2L,3L,4L,5L,6L,0L', NEVER, 2, 250_000],
    ['a last workday which is never a weekend day', '0 0 */30,LW * */6', '2026-01-30T22:00:00Z', 8, 75_000],
    ['rare leap days', '0 0 29 2 1#5', '2028-02-28T22:00:00Z', 6, 1_000],
    ['a hundred patterns', lines((index) => `*~${(index % 8) + 2}`), '2026-01-22T22:00:00Z', 66, 330],
    ['dates that do not exist', lines((index) => `2-30 ${index}:0`), NEVER, 0, 0],
    ['leap days in common years', lines((index) => `Mon 1/2-2-29 ${index}:0`), NEVER, 10, 100_000],
    ['times which are always skipped', lines((index) => `Sun 3~1..7 3:${index}`), null, 600, 85_000],
    ['cron times which are always skipped', '*/10 3 25-31 3 */7', null, 110, 15_000],
    ['a list as long as can be', `${minutes} * * * *`, '2026-01-01T00:01:00Z', 6, 100],
  ])('a short search is enough for %s', (_, text, next, searches, lookups) => {
    expect(text.length).toBeLessThanOrEqual(100)
    const work = workOf(() => nextOf(text))
    expect(work.result).toEqual(next)
    expect(work.searches).toBeLessThanOrEqual(searches)
    expect(work.lookups).toBeLessThanOrEqual(lookups)
  })

  test('is counted: a search of 400 years looks at the calendar in each of them', () => {
    const work = workOf(() => nextReading('0 0 0 30 2 * *', Date.UTC(2026, 0, 1)))
    expect(work).toMatchObject({ result: null, searches: 1 })
    expect(work.lookups).toBeGreaterThan(400)
  })
})

test('describe speaks of both kinds', () => {
  expect(describe('30 3 * * *', 'Europe/Riga')).toBe('At 03:30 every day (Europe/Riga)')
  expect(describe('hourly', 'UTC')).toBe('Every hour (UTC)')
  expect(() => describe('never', 'UTC')).toThrow(ScheduleError)
})

test('earlier questions never change the next run of a cron expression, in any order, also where the clock changes', () => {
  const schedules = fc.constantFrom(
    '30 3 * * *',
    '*/20 * * * *',
    '5 2-4 * * *',
    '0 */2 * * 0',
    '30 1 29 2 *',
    '0 3 L * *',
  )
  const zones = fc.constantFrom('UTC', 'Europe/Riga', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia')
  const HOUR = 3_600_000
  const changes = [
    '2026-03-08T07:00Z',
    '2026-03-29T01:00Z',
    '2026-10-25T01:00Z',
    '2026-11-01T06:00Z',
    '2026-04-04T15:00Z',
  ]
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -4 * HOUR, max: 4 * HOUR }))
    .map(([change, later]) => Date.parse(change) + later)
  const moments = fc.oneof(nearChange, fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }))
  let spaces = 0
  const property = fc.property(
    schedules,
    zones,
    fc.array(moments, { minLength: 2, maxLength: 30 }),
    (text, tz, asked) => {
      for (const moment of asked) {
        // A different text for the same expression, so that no answer is cached.
        spaces += 1
        const fresh = text.replace(' ', ' '.repeat((spaces % 5_000) + 2))
        expect(nextMilliseconds(text, tz, moment)).toBe(nextMilliseconds(fresh, tz, moment))
      }
    },
  )
  fc.assert(property, { numRuns: 200 })
})
