/** Repeated windows: when they are in effect, also across clock changes and wherever a search begins, and which ones are refused. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { nextAfter } from '../../../src/domain/schedule/schedule.ts'
import {
  joined,
  type MaintenanceWindow,
  occurrenceFrom,
  occurrencesFrom,
} from '../../../src/domain/silence/maintenance-window.ts'
import {
  activeOccurrence,
  endSilence,
  isActive,
  nextOccurrence,
  type Silence,
} from '../../../src/domain/silence/silence.ts'
import { readSilence } from '../../../src/domain/silence/spec.ts'
import { mutedSentence, windowWords } from '../../../src/domain/silence/words.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { addSeconds, type Instant, isBefore, Temporal } from '../../../src/lib/time.ts'
import { aSilence, NOON } from '../../support/builders.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const instant = (text: string) => Temporal.Instant.from(text)
/** `2026-03-28 22:00` in a zone. */
const local = (text: string, tz: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(tz).toInstant()
const localText = (moment: Instant, tz: string) =>
  moment.toZonedDateTimeISO(tz).toPlainDateTime().toString().slice(0, 16)

const nightly: MaintenanceWindow = { schedule: '0 22 * * *', tz: 'Europe/Riga', seconds: 9 * HOUR }
const aWindow = (window: Partial<MaintenanceWindow> = {}, given: Partial<Silence> = {}) =>
  aSilence({ startsAt: instant('2026-01-01T00:00:00Z'), endsAt: null, window: { ...nightly, ...window }, ...given })

describe('a nightly window of nine hours', () => {
  const window = aWindow()
  const activeAt = (...times: string[]) => times.map((time) => isActive(window, local(time, 'Europe/Riga')))

  test('holds from 22:00 on, and no more at 7:00', () => {
    expect(activeAt('2026-01-10T21:59:59', '2026-01-10T22:00', '2026-01-11T06:59:59', '2026-01-11T07:00')).toEqual([
      ...[false, true, true, false],
    ])
  })

  test('ends at 8:00 when an hour was skipped, and at 6:00 when one was repeated', () => {
    expect(activeAt('2026-03-29T07:59:59', '2026-03-29T08:00')).toEqual([true, false])
    expect(activeAt('2026-10-25T05:59:59', '2026-10-25T06:00')).toEqual([true, false])
  })

  test('holds to the microsecond', () => {
    const end = local('2026-01-11T07:00', 'Europe/Riga')
    expect([end.subtract({ microseconds: 1 }), end].map((time) => isActive(window, time))).toEqual([true, false])
    const start = local('2026-01-11T22:00', 'Europe/Riga')
    expect([start.subtract({ microseconds: 1 }), start].map((time) => isActive(window, time))).toEqual([false, true])
  })
})

/** [zone, window, the first occurrences after the evening before the clocks change, in local time] */
const CLOCK_CHANGES: readonly (readonly [string, string, number, string, readonly string[]])[] = [
  ['Europe/Riga', '30 3 * * *', 2 * HOUR, '2026-03-28T12:00', ['29T04:00 29T06:00', '30T03:30 30T05:30']],
  ['Europe/Riga', '*-*-* 03:30', 2 * HOUR, '2026-03-28T12:00', ['30T03:30 30T05:30', '31T03:30 31T05:30']],
  ['Europe/Riga', '30 3 * * *', 2 * HOUR, '2026-10-24T12:00', ['25T03:30 25T04:30', '26T03:30 26T05:30']],
  ['Europe/Riga', '*-*-* 03:30', 2 * HOUR, '2026-10-24T12:00', ['25T03:30 25T04:30', '26T03:30 26T05:30']],
  ['America/New_York', '0 1 * * *', 2 * HOUR, '2026-03-07T12:00', ['08T01:00 08T04:00', '09T01:00 09T03:00']],
  ['America/New_York', '0 1 * * *', 2 * HOUR, '2026-10-31T12:00', ['01T01:00 01T02:00', '02T01:00 02T03:00']],
  ['Australia/Lord_Howe', '0 1 * * *', 2 * HOUR, '2026-10-03T12:00', ['04T01:00 04T03:30', '05T01:00 05T03:00']],
  ['Australia/Lord_Howe', '45 1 * * *', 2 * HOUR, '2026-04-04T12:00', ['05T01:45 05T03:15', '06T01:45 06T03:45']],
]

test.each(CLOCK_CHANGES)('in %s, "%s" for %d s from %s on', (tz, schedule, seconds, from, expected) => {
  const found = occurrencesFrom({ schedule, tz, seconds }, local(from, tz), 2)
  const texts = found.map(({ startsAt, endsAt }) =>
    [startsAt, endsAt].map((at) => localText(at, tz).slice(8)).join(' '),
  )
  expect(texts).toEqual([...expected])
})

test('a window holds once, where its hour comes twice', () => {
  const window = { schedule: '*-*-* 03:30', tz: 'Europe/Riga', seconds: 2 * HOUR }
  const first = instant('2026-10-25T00:30:00Z')
  const minutes = Array.from({ length: 6 * 60 }, (_, minute) =>
    addSeconds(instant('2026-10-24T23:00:00Z'), minute * 60),
  )
  const active = minutes.filter((now) => isActive(aWindow(window), now))
  expect([active[0], active.at(-1), active.length]).toEqual([first, addSeconds(first, 2 * HOUR - 60), 120])
})

test('a window of 23 hours pauses for one, and for none or two when the clocks change', () => {
  const window = { schedule: '0 0 * * *', tz: 'Europe/Riga', seconds: 23 * HOUR }
  const pauses = (from: string) => {
    const found = occurrencesFrom(window, local(from, 'Europe/Riga'), 3)
    return found.slice(1).map(({ startsAt }, index) => found[index]?.endsAt.until(startsAt).total('hours'))
  }
  expect(pauses('2026-01-10T01:00')).toEqual([1, 1])
  expect(pauses('2026-03-28T01:00')).toEqual([1, 0])
  expect(pauses('2026-10-24T01:00')).toEqual([1, 2])
})

test('two days that follow each other are two windows, and one stretch of time', () => {
  const window = { schedule: 'Sat,Sun', tz: 'UTC', seconds: DAY }
  const saturday = instant('2026-11-28T05:00:00Z')
  expect(occurrenceFrom(window, saturday)?.endsAt).toEqual(instant('2026-11-29T00:00:00Z'))
  expect(occurrenceFrom(window, instant('2026-11-29T00:00:00Z'))?.endsAt).toEqual(instant('2026-11-30T00:00:00Z'))
  expect(joined(occurrencesFrom(window, saturday, 4))).toEqual([
    { startsAt: instant('2026-11-28T00:00:00Z'), endsAt: instant('2026-11-30T00:00:00Z') },
    { startsAt: instant('2026-12-05T00:00:00Z'), endsAt: instant('2026-12-07T00:00:00Z') },
  ])
})

test('days that overlap are two windows, the first of which holds first, and one stretch of time', () => {
  const window = { schedule: 'Sat,Sun', tz: 'UTC', seconds: 30 * HOUR }
  expect(occurrenceFrom(window, instant('2026-11-29T05:59:59Z'))?.endsAt).toEqual(instant('2026-11-29T06:00:00Z'))
  expect(occurrenceFrom(window, instant('2026-11-29T06:00:00Z'))?.endsAt).toEqual(instant('2026-11-30T06:00:00Z'))
  expect(joined(occurrencesFrom(window, instant('2026-11-28T05:00:00Z'), 2))).toEqual([
    { startsAt: instant('2026-11-28T00:00:00Z'), endsAt: instant('2026-11-30T06:00:00Z') },
  ])
})

test.each(['30 3 * * *', '*-*-* 03:30', '*-10-25 03:30', '2026-10-25 03:30'])(
  'the answer does not depend on earlier questions: "%s"',
  (schedule) => {
    const window = { schedule, tz: 'Europe/Riga', seconds: 2 * HOUR }
    const start = instant('2026-10-24T00:00:00Z')
    const property = fc.property(fc.array(fc.integer({ min: 0, max: 12 * 24 * 4 }), { minLength: 2 }), (quarters) => {
      for (const quarter of quarters) {
        const now = addSeconds(start, quarter * 900)
        expect(occurrenceFrom(window, now)).toEqual(occurrenceFrom({ ...window }, now))
      }
    })
    fc.assert(property, { numRuns: 30 })
  },
)

describe('the silence of a window', () => {
  const evening = local('2026-01-10T23:00', 'Europe/Riga')
  const morning = local('2026-01-11T07:00', 'Europe/Riga')

  test('that is made within a window holds at once', () => {
    expect(activeOccurrence(aWindow({}, { startsAt: evening }), evening)).toEqual({
      startsAt: evening,
      endsAt: morning,
    })
  })

  test('that is ended within a window holds nothing from then on, and has no next one', () => {
    const ended = endSilence(aWindow(), evening)
    expect([isActive(ended, addSeconds(evening, -1)), isActive(ended, evening)]).toEqual([true, false])
    expect(nextOccurrence(ended, evening)).toBeNull()
    expect(nextOccurrence(ended, addSeconds(evening, -60))?.endsAt).toEqual(evening)
  })

  test('that is changed within a window holds as it is then', () => {
    const silence = aWindow()
    const shorter = { ...silence, window: { ...nightly, seconds: HOUR / 2 } }
    const longer = { ...silence, window: { ...nightly, seconds: 12 * HOUR } }
    expect(activeOccurrence(shorter, evening)).toBeNull()
    expect(activeOccurrence(longer, evening)?.endsAt).toEqual(local('2026-01-11T10:00', 'Europe/Riga'))
  })

  test('ends when it says, also within a window', () => {
    const silence = aWindow({}, { endsAt: local('2026-01-11T02:00', 'Europe/Riga') })
    expect(nextOccurrence(silence, evening)?.endsAt).toEqual(local('2026-01-11T02:00', 'Europe/Riga'))
    expect(nextOccurrence(silence, local('2026-01-11T02:00', 'Europe/Riga'))).toBeNull()
    const before = aWindow({}, { endsAt: local('2026-01-10T12:00', 'Europe/Riga') })
    expect(nextOccurrence(before, local('2026-01-10T08:00', 'Europe/Riga'))).toBeNull()
  })

  test('with a schedule or a zone that this version cannot read holds nothing', () => {
    const broken = [aWindow({ schedule: 'every full moon' }), aWindow({ tz: 'Europe/Atlantis' })]
    expect(broken.map((silence) => nextOccurrence(silence, evening))).toEqual([null, null])
  })
})

interface Vector {
  readonly expr: string
  readonly tz: string
  readonly from: string
  readonly next: readonly string[]
}

const vectors = (name: string): Vector[] =>
  readFileSync(join(import.meta.dir, '../schedule/vectors', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test.each(['cron', 'oncalendar'])('the windows of %s begin at the recorded times', (name) => {
  let compared = 0
  for (const { expr, tz, from, next } of vectors(name)) {
    // A search that begins in the second pass of a repeated hour continues in it, but windows don't begin there.
    if (name === 'oncalendar' && (/\/[A-Z]/.test(expr) || isRepeated(from, tz))) continue
    compared += 1
    const found = occurrencesFrom({ schedule: expr, tz, seconds: 1 }, addSeconds(instant(from), 1), 5)
    expect({ expr, tz, from, next: found.map(({ startsAt }) => `${startsAt}`) }).toEqual({
      expr,
      tz,
      from,
      next: [...next],
    })
  }
  expect(compared).toBeGreaterThan(450)
})

test('at any time of ten years a window holds if and only if one has begun and not ended', () => {
  const all = [...vectors('cron'), ...vectors('oncalendar')]
  let active = 0
  const property = fc.property(
    fc.constantFrom(...all),
    fc.integer({ min: 0, max: 10 * 366 * DAY * 10 }),
    fc.oneof(
      fc.integer({ min: 60, max: DAY }),
      fc.integer({ min: 1, max: 720 }).map((hours) => hours * HOUR),
    ),
    ({ expr, tz }, tenths, seconds) => {
      const now = instant('2020-01-01T00:00:00Z').add({ milliseconds: tenths * 100 })
      const window = { schedule: expr, tz, seconds }
      const expected = lastBegun(window, now)
      if (expected === undefined) return
      active += Number(expected)
      expect({
        ...window,
        now: `${now}`,
        isActive: isActive(aWindow(window, { startsAt: instant('2019-01-01T00:00:00Z') }), now),
      }).toEqual({
        ...{ ...window, now: `${now}`, isActive: expected },
      })
    },
  )
  fc.assert(property, { numRuns: 1_000 })
  expect(active).toBeGreaterThan(200)
})

const STEPS = 400

/** Whether an occurrence has begun and not ended, found by walking forwards from a day earlier; undefined if that takes too many steps. */
function lastBegun({ schedule, tz, seconds }: MaintenanceWindow, now: Instant): boolean | undefined {
  const earliest = addSeconds(now, -seconds)
  let begin = nextAfter(schedule, tz, addSeconds(earliest, -2 * DAY))
  for (let step = 0; step < STEPS && begin !== null; step++) {
    if (isBefore(now, begin)) return false
    if (isBefore(earliest, begin)) return true
    begin = nextAfter(schedule, tz, begin)
  }
  return begin === null ? false : undefined
}

function isRepeated(text: string, tz: string): boolean {
  const zoned = instant(text).toZonedDateTimeISO(tz)
  return !zoned.toPlainDateTime().toZonedDateTime(tz, { disambiguation: 'earlier' }).toInstant().equals(instant(text))
}

const SATURDAYS = { schedule: '0 22 * * 6', tz: 'Europe/Riga', duration: 2 * HOUR }
const asked = (body: object) => readSilence({ match: {}, ...body }, NOON)

describe('a request for a window', () => {
  test('has a schedule, a zone and a duration, and comes again without an end', () => {
    expect(asked(SATURDAYS)).toMatchObject({
      ...{ startsAt: NOON, endsAt: null, untilHealthy: false },
      window: { schedule: '0 22 * * 6', tz: 'Europe/Riga', seconds: 2 * HOUR },
    })
    expect(asked({ ...SATURDAYS, ends_at: '2026-12-24T00:00:00Z' })).toMatchObject({
      endsAt: instant('2026-12-24T00:00:00Z'),
    })
  })

  test('is in UTC without a zone; former names and words become those that are stored', () => {
    expect(asked({ schedule: '@daily', duration: HOUR })).toMatchObject({
      window: { schedule: '0 0 * * *', tz: 'UTC', seconds: HOUR },
    })
    expect(asked({ ...SATURDAYS, tz: 'Europe/Kiev' })).toMatchObject({ window: { tz: 'Europe/Kyiv' } })
  })

  test('with occurrences in sight of which the last is known ends with that', () => {
    expect(asked({ schedule: '2026-12-24,25 22:00', duration: HOUR })).toMatchObject({
      endsAt: instant('2026-12-25T23:00:00Z'),
    })
  })

  test('has no end if the last occurrence is too far ahead to be written', () => {
    expect(asked({ schedule: '2199-12-31 22:00', duration: 2 * HOUR })).toMatchObject({ endsAt: null })
    expect(asked({ schedule: '2199-12-31 22:00', duration: HOUR })).toMatchObject({
      endsAt: instant('2199-12-31T23:00:00Z'),
    })
  })

  test('may leave no pause for thirty days', () => {
    const days = (count: number) => asked({ schedule: `2026-5-1..${count}`, duration: DAY })
    expect(days(30)).toMatchObject({ endsAt: instant('2026-05-31T00:00:00Z') })
    expect(days(31)).toBe(NO_PAUSE)
  })

  test.each<[string, number, boolean]>([
    ['*/15 8-18 * * 1-5', 900, true],
    ['*/10 22-23,0-6 * * *', 600, true],
    ['*/2 * * * 1-5', 120, true],
    ['8..18:*:*', 60, true],
    ['0 0 * * 1-6', DAY, true],
    ['0 0 * * 1-6', 2 * DAY, false],
    ['*/7 * * * *', 600, false],
    // Its only pause is the hour by which clocks are set back on 25 October.
    ['0 0 * * *', DAY, false],
  ])('has the same answer at all times of a week: "%s" for %d s', (schedule, duration, hasPause) => {
    const answers = new Set<string>()
    for (let hours = 0; hours < 7 * 24; hours += 11) {
      const now = addSeconds(instant('2026-10-08T00:00:00Z'), hours * HOUR)
      const found = readSilence({ match: {}, schedule, duration, tz: 'Europe/Riga' }, now)
      answers.add(typeof found === 'string' ? found : 'accepted')
    }
    expect([...answers]).toEqual([hasPause ? 'accepted' : NO_PAUSE])
  })

  const NO_PAUSE =
    'duration leaves no pause between the occurrences of schedule: use a shorter one, or a schedule with fewer occurrences'

  test.each<[object, string]>([
    [{ schedule: 'x' }, 'schedule is not a cron or OnCalendar expression'],
    [{ ...SATURDAYS, tz: 'Riga' }, 'tz is not the IANA name of a time zone'],
    [{ ...SATURDAYS, duration: 59 }, 'duration is too small (60 to 2592000)'],
    [{ ...SATURDAYS, duration: 2_592_001 }, 'duration is too large (60 to 2592000)'],
    [{ schedule: '0 22 * * 6' }, 'duration is missing: say how many seconds each occurrence of schedule lasts'],
    [{ tz: 'UTC', ends_at: '2026-12-24T00:00:00Z' }, 'tz is given without schedule'],
    [{ duration: 60, ends_at: '2026-12-24T00:00:00Z' }, 'duration is given without schedule'],
    [{ ...SATURDAYS, until_healthy: true }, 'until_healthy and schedule are both given: use only one'],
    [{ ...SATURDAYS, ends_at: '2026-03-04T11:00:00Z' }, 'ends_at is in the past'],
    [{ ...SATURDAYS, ends_at: '2026-03-05T11:00:00Z' }, 'ends_at is before the first occurrence of schedule'],
    [{ schedule: '2020-1-1', duration: 60 }, 'schedule has no further occurrence'],
    [{ schedule: '*:*:*', duration: 60 }, NO_PAUSE],
    [{ schedule: '* * * * *', duration: 60 }, NO_PAUSE],
    [{ schedule: '0 0 * * *', duration: DAY }, NO_PAUSE],
  ])('that is wrong says what to change: %j', (body, problem) => {
    expect(asked(body)).toBe(problem)
  })
})

test.each<[Instant, string]>([
  [local('2026-01-10T12:00', 'Europe/Riga'), 'Muted from 22:00 until tomorrow 07:00: ‘Backup.’'],
  [local('2026-01-10T22:30', 'Europe/Riga'), 'Muted until tomorrow 07:00: ‘Backup.’'],
])('a window says when it holds, at %s', (now, words) => {
  const silence = aWindow({}, { reason: 'Backup.' })
  expect(sentenceText(mutedSentence(silence, now), { now, tz: 'Europe/Riga' })).toBe(words)
})

test('a window says in words when it comes again', () => {
  expect(windowWords({ ...nightly, schedule: '0 22 * * 6' })).toBe('at 22:00 on Saturday (Europe/Riga), for 9 hours')
  expect(windowWords({ ...nightly, schedule: 'every full moon' })).toBe('every full moon (Europe/Riga), for 9 hours')
})
