/**
 * Finds the next local time that matches a pattern. Croner finds the day, and arithmetic finds the time of day. `wall-clock.ts` handles
 * time zones. Local times are encoded as milliseconds since 1970 as if the zone were UTC. Croner runs with `utcOffset: 0`, so it only does
 * calendar arithmetic. Its own rules for offset changes don't matter, and neither does the process's time zone.
 */
import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/caches/at-most.ts'
import { NextEventCache } from '../../lib/caches/next-event-cache.ts'
import { runs } from '../../lib/figures/number-lists.ts'

/** A pattern's fields in Croner's dialect: numbers, lists, ranges, `*`, `L`, `LW`, `d#k`, `d#L`, and a leading `+`. */
export interface PatternFields {
  readonly seconds?: string
  readonly minutes: string
  readonly hours: string
  readonly days: string
  readonly months: string
  readonly weekdays: string
  readonly years?: string
}

/**
 * Returns a Croner pattern. Croner never gets any other strings, because it would parse a string with a colon as a date, and it accepts
 * words (`@daily`, `?`, `15W`) that Overdue's grammars reject.
 */
export function writePattern(fields: PatternFields): string {
  const { seconds = '0', minutes, hours, days, months, weekdays, years = '*' } = fields
  return `${seconds} ${minutes} ${hours} ${days} ${months} ${weekdays} ${years}`
}

/** Formats sorted numbers as a list with ranges, such as `1-5,7`. Never returns just `*`, which has a special meaning in day fields. */
export function writeList(values: readonly number[]): string {
  return runs(values).join(',')
}

/** The two parts of a pattern: the days that it matches, and the times of day. */
interface Reading {
  /** pattern that matches midnight on those days */
  readonly days: string
  /** sorted, like the other two lists */
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  readonly seconds: readonly number[]
}

const readings = new LRUCache<string, Reading>({ ...atMost(4096), memoMethod: readPattern })

function readPattern(pattern: string): Reading {
  const [seconds = '', minutes = '', hours = '', days = '*', months = '*', weekdays = '*', years] = pattern.split(' ')
  return {
    days: writePattern({ minutes: '0', hours: '0', days, months, weekdays, ...(years !== undefined && { years }) }),
    hours: readList(hours, 24),
    minutes: readList(minutes, 60),
    seconds: readList(seconds, 60),
  }
}

/** @param count number of values that `*` represents, starting at 0 */
function readList(text: string, count: number): readonly number[] {
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
  if (text === '*') return numbers(0, count - 1)
  return text.split(',').flatMap((item) => {
    const [from = 0, to = from] = item.split('-').map(Number)
    return numbers(from, to)
  })
}

interface DaySearch {
  readonly cron: Cron
  readonly known: NextEventCache
}

// A Cron object takes up about 83 kB, because it contains a table of 10,000 years. All schedules and zones with the same days share an
// object, and only a few objects are cached.
const daySearches = new LRUCache<string, DaySearch>({
  ...atMost(256),
  // Croner writes its defaults into the options object, so each Cron needs its own.
  memoMethod: (days) => ({ cron: new Cron(days, { utcOffset: 0 }), known: new NextEventCache(DAYS_KEPT) }),
})

/**
 * Number of days to cache per search. Code that gives advice reads several months of logs repeatedly, and all daily schedules share these
 * days. The cached days take less memory than the Cron object.
 */
const DAYS_KEPT = 1_000

const SECOND = 1_000
const DAY = 86_400 * SECOND

/**
 * Returns the first local time after `after`, in whole seconds; null if there is none. If a pattern has no year and matches no day, the
 * search covers 400 years and takes up to 80 ms; see {@link occurs}.
 */
export function nextReading(pattern: string, after: number): number | null {
  const reading = readings.memo(pattern)
  const today = Math.floor(after / DAY) * DAY
  const time = timeFrom(reading, (after - today) / SECOND + 1)
  if (time !== null && nextDay(reading.days, today - SECOND) === today) return today + time * SECOND
  const day = nextDay(reading.days, today)
  return day === null ? null : day + (timeFrom(reading, 0) ?? 0) * SECOND
}

/** Returns midnight of the first matching day after `after`. */
function nextDay(days: string, after: number): number | null {
  const { cron, known } = daySearches.memo(days)
  const found = known.find(after)
  if (found !== undefined) return found
  const next = cron.nextRun(new Date(after))?.getTime() ?? null
  known.keep(after, next)
  return next
}

/** Returns the first matching time of day at or after `least`. Both are in seconds since midnight. */
function timeFrom({ hours, minutes, seconds }: Reading, least: number): number | null {
  const [hour, minute, second] = [Math.floor(least / 3_600), Math.floor(least / 60) % 60, least % 60]
  const [firstMinute = 0] = minutes
  const [firstSecond = 0] = seconds
  if (hours.includes(hour)) {
    const inMinute = minutes.includes(minute) ? seconds.find((one) => one >= second) : undefined
    if (inMinute !== undefined) return hour * 3_600 + minute * 60 + inMinute
    const laterMinute = minutes.find((one) => one > minute)
    if (laterMinute !== undefined) return hour * 3_600 + laterMinute * 60 + firstSecond
  }
  const laterHour = hours.find((one) => one > hour)
  return laterHour === undefined ? null : laterHour * 3_600 + firstMinute * 60 + firstSecond
}

/**
 * Years that cover all calendars: for each weekday, a leap year and another year that start on it. A date that occurs in none of these
 * years never occurs.
 */
const YEARS_OF_EACH_KIND = '2000-2006,2008-2010,2012,2016,2020,2024'

/** Whether a pattern without a year ever matches. */
export function occurs(fields: PatternFields): boolean {
  // Most schedules take this shortcut.
  if (fields.days === '*' && fields.weekdays === '*') return true
  const cron = new Cron(writePattern({ ...fields, years: YEARS_OF_EACH_KIND }), { utcOffset: 0 })
  return cron.nextRun(new Date(Date.UTC(1999, 11, 31, 23, 59, 59))) !== null
}
