/**
 * Readings of a wall clock, and Croner as the engine that finds the next one a pattern names; time zones are left to
 * `wall-clock.ts`.
 *
 * A reading is what a clock on the wall shows, as the milliseconds since 1970 at which a clock in UTC shows it. Croner
 * runs with `utcOffset: 0`, so what it does is plain calendar arithmetic and neither its own rules for offset changes
 * nor the zone of the process come into it.
 */
import { Cron } from 'croner'
import { BoundedCache } from './bounded-cache.ts'
import { runs } from './number-lists.ts'

/** Croner's fields, in its own dialect: numbers, lists, ranges, `*`, `L`, `LW`, `d#k`, `d#L`, a leading `+`. */
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
 * Croner's pattern text. Only text made here reaches Croner: it would take a text with a colon for a date, and knows
 * words (`@daily`, `?`, `15W`) which our grammars refuse.
 */
export function writePattern(fields: PatternFields): string {
  const { seconds = '0', minutes, hours, days, months, weekdays, years = '*' } = fields
  return `${seconds} ${minutes} ${hours} ${days} ${months} ${weekdays} ${years}`
}

/** Numbers in order as a list with ranges: `1-5,7`. Never a bare `*`, which has a meaning of its own in day fields. */
export function writeList(values: readonly number[]): string {
  return runs(values).join(',')
}

/** A pattern's engine, and the last stretch of time it was asked about: from `from` on, up to `next`, `next` is next. */
interface Search {
  readonly cron: Cron
  from: number
  next: number | null
}

// A Cron holds about 83 kB (a table of 10,000 years), so patterns are shared between schedules and zones, and few stay.
const searches = new BoundedCache<Search>(256)

/**
 * The first reading strictly after `after` (whole seconds), or null when the pattern has none left. A pattern without a
 * year which names no day at all is searched for 400 years, up to 80 ms: see {@link occurs}.
 */
export function nextReading(pattern: string, after: number): number | null {
  // Croner writes its defaults into the options it is given, so every Cron gets its own.
  const search = searches.get(pattern, () => ({
    cron: new Cron(pattern, { utcOffset: 0 }),
    from: Number.POSITIVE_INFINITY,
    next: null,
  }))
  // Jobs ping more often than their schedule has a next run, and rare days are the ones that take long to find.
  const isKnown = after >= search.from && (search.next === null || after < search.next)
  if (!isKnown) {
    search.next = search.cron.nextRun(new Date(after))?.getTime() ?? null
    search.from = after
  }
  return search.next
}

/** One year of each kind, leap or not, beginning on each weekday: what happens in none of them never happens. */
const YEARS_OF_EACH_KIND = '2000-2006,2008-2010,2012,2016,2020,2024'

/** Whether fields without a year ever have a reading. */
export function occurs(fields: PatternFields): boolean {
  const cron = new Cron(writePattern({ ...fields, years: YEARS_OF_EACH_KIND }), { utcOffset: 0 })
  return cron.nextRun(new Date(Date.UTC(1999, 11, 31, 23, 59, 59))) !== null
}
