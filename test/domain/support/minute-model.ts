/**
 * An independent model of schedules for tests. It reads each minute around a clock change from Temporal, and creates matchers together with
 * their texts. It shares no code with the real implementation.
 */
import fc from 'fast-check'
import { Temporal } from '../../../src/lib/time.ts'

/** The reading of a clock; `weekday` 0 is Sunday. */
interface Local {
  readonly minute: number
  readonly hour: number
  readonly day: number
  readonly month: number
  readonly weekday: number
  readonly daysInMonth: number
}

/** A real minute, and the reading of the zone's clock. */
interface Minute {
  readonly moment: number
  readonly local: Local
  /** whether the clock has shown this reading before */
  readonly repeated: boolean
  /** readings that the clock skipped just before */
  readonly skipped: readonly Local[]
}

export interface Window {
  readonly timeZone: string
  readonly start: number
  readonly end: number
  readonly minutes: readonly Minute[]
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Returns 36 hours before and after the first change of the zone's offset after `since`. */
export function windowAround(timeZone: string, since: string): Window {
  const change = Temporal.Instant.from(since).toZonedDateTimeISO(timeZone).getTimeZoneTransition('next')
  if (!change) throw new Error(`${timeZone} does not change after ${since}`)
  const start = change.epochMilliseconds - 36 * HOUR
  const end = change.epochMilliseconds + 36 * HOUR
  const minutes: Minute[] = []
  let latest: Temporal.PlainDateTime | null = null
  for (let moment = start; moment <= end; moment += MINUTE) {
    const reading: Temporal.PlainDateTime = Temporal.Instant.fromEpochMilliseconds(moment)
      .toZonedDateTimeISO(timeZone)
      .toPlainDateTime()
    const order: number = latest ? Temporal.PlainDateTime.compare(reading, latest) : 1
    const skipped: Local[] = []
    if (latest && order > 0) {
      for (
        let gone: Temporal.PlainDateTime = latest.add({ minutes: 1 });
        !gone.equals(reading);
        gone = gone.add({ minutes: 1 })
      ) {
        skipped.push(localOf(gone))
      }
    }
    minutes.push({ moment, local: localOf(reading), repeated: order <= 0, skipped })
    if (order > 0) latest = reading
  }
  return { timeZone, start, end, minutes }
}

function localOf({ minute, hour, day, month, dayOfWeek, daysInMonth }: Temporal.PlainDateTime): Local {
  return { minute, hour, day, month, weekday: dayOfWeek % 7, daysInMonth }
}

/** A text and its meaning. */
interface Matcher {
  readonly text: string
  readonly matches: (local: Local) => boolean
}

interface ModelCron extends Matcher {
  readonly fixedTime: boolean
}

type Item = { readonly text: string; readonly has: (value: number) => boolean }

/** Makes one item of a list. `between` is the sign of a range; a star has a step only where `starStep` is set. */
function itemOf(min: number, max: number, between: string, starStep: boolean): fc.Arbitrary<Item> {
  const value = fc.integer({ min, max })
  const step = fc.integer({ min: 1, max: 20 })
  const range = fc.tuple(value, value).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  const single = value.map((a) => ({ text: `${a}`, has: (v: number) => v === a }))
  const plainRange = range.map(([a, b]) => ({ text: `${a}${between}${b}`, has: (v: number) => v >= a && v <= b }))
  const open = fc
    .tuple(value, step)
    .map(([a, n]) => ({ text: `${a}/${n}`, has: (v: number) => v >= a && (v - a) % n === 0 }))
  const stepped = fc
    .tuple(range, step)
    .filter(([[a, b]]) => a < b)
    .map(([[a, b], n]) => ({
      text: `${a}${between}${b}/${n}`,
      has: (v: number) => v >= a && v <= b && (v - a) % n === 0,
    }))
  const star = step.map((n) => ({ text: `*/${n}`, has: (v: number) => (v - min) % n === 0 }))
  return fc.oneof(single, plainRange, open, stepped, ...(starStep ? [star] : []))
}

function listOf(item: fc.Arbitrary<Item>, star: fc.Arbitrary<Item>): fc.Arbitrary<Item> {
  const list = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({
    text: items.map(({ text }) => text).join(','),
    has: (value: number) => items.some(({ has }) => has(value)),
  }))
  return fc.oneof({ weight: 2, arbitrary: list }, { weight: 1, arbitrary: star })
}

const star = fc.constant<Item>({ text: '*', has: () => true })
const cronField = (min: number, max: number) => listOf(itemOf(min, max, '-', true), star)

type DayItem = { readonly text: string; readonly has: (local: Local) => boolean }

const cronDay: fc.Arbitrary<DayItem> = fc.oneof(
  { weight: 4, arbitrary: cronField(1, 31).map(({ text, has }) => ({ text, has: ({ day }: Local) => has(day) })) },
  { weight: 1, arbitrary: fc.constant({ text: 'L', has: ({ day, daysInMonth }: Local) => day === daysInMonth }) },
  {
    weight: 1,
    arbitrary: fc.constant({ text: '3,LW', has: (local: Local) => local.day === 3 || isLastWorkday(local) }),
  },
)

function isLastWorkday({ day, daysInMonth, weekday }: Local): boolean {
  if (weekday === 0 || weekday === 6) return false
  return day === daysInMonth || (weekday === 5 && day >= daysInMonth - 2)
}

const weekdayNumber = fc.integer({ min: 0, max: 7 })
const cronWeekday: fc.Arbitrary<DayItem> = fc.oneof(
  {
    weight: 4,
    arbitrary: cronField(0, 7).map(({ text, has }) => ({
      text,
      has: ({ weekday }: Local) => has(weekday) || (weekday === 0 && has(7)),
    })),
  },
  {
    weight: 1,
    arbitrary: weekdayNumber.map((number) => ({
      text: `${number}L`,
      has: ({ weekday, day, daysInMonth }: Local) => weekday === number % 7 && day + 7 > daysInMonth,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(weekdayNumber, fc.integer({ min: 1, max: 5 })).map(([number, nth]) => ({
      text: `${number}#${nth}`,
      has: ({ weekday, day }: Local) => weekday === number % 7 && Math.ceil(day / 7) === nth,
    })),
  },
)

export const modelCron: fc.Arbitrary<ModelCron> = fc
  .tuple(cronField(0, 59), cronField(0, 23), cronDay, cronWeekday)
  .map(([minute, hour, day, weekday]) => {
    const both = day.text.startsWith('*') || weekday.text.startsWith('*')
    return {
      text: `${minute.text} ${hour.text} ${day.text} * ${weekday.text}`,
      fixedTime: !minute.text.startsWith('*') && !hour.text.startsWith('*'),
      matches: (local) =>
        minute.has(local.minute) &&
        hour.has(local.hour) &&
        (both ? day.has(local) && weekday.has(local) : day.has(local) || weekday.has(local)),
    }
  })

const calendarField = (min: number, max: number) => listOf(itemOf(min, max, '..', false), star)
const calendarDay: fc.Arbitrary<DayItem> = fc.oneof(
  fc.constant({ text: '*-*-*', has: () => true }),
  calendarField(1, 31).map(({ text, has }) => ({ text: `*-${text}`, has: ({ day }: Local) => has(day) })),
  fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { minLength: 1, maxLength: 6 }).map((days) => ({
    text: `*~${days.join(',')}`,
    has: ({ day, daysInMonth }: Local) => days.includes(daysInMonth + 1 - day),
  })),
)

export const modelCalendar: fc.Arbitrary<Matcher> = fc
  .tuple(calendarField(0, 59), calendarField(0, 23), calendarDay)
  .map(([minute, hour, day]) => ({
    text: `${day.text} ${hour.text}:${minute.text}`,
    matches: (local) => minute.has(local.minute) && hour.has(local.hour) && day.has(local),
  }))

/** Returns the moments at which a cron job runs within the window. */
export function cronRuns({ minutes }: Window, { matches, fixedTime }: ModelCron): number[] {
  const runs = minutes.filter(({ local, repeated, skipped }) =>
    fixedTime ? (!repeated && matches(local)) || skipped.some(matches) : matches(local),
  )
  return runs.map(({ moment }) => moment)
}

/** Returns the moments at which a calendar event elapses after `after`: in the second pass only when the search begins there. */
export function calendarRuns({ minutes }: Window, { matches }: Matcher, after: number): number[] {
  const begin = minutes.findLast(({ moment }) => moment <= after)
  const runs: number[] = []
  let inSecondPass = begin?.repeated ?? false
  for (const { moment, local, repeated } of minutes) {
    if (moment <= after) continue
    inSecondPass &&= repeated
    if (matches(local) && (!repeated || inSecondPass)) runs.push(moment)
  }
  return runs
}
