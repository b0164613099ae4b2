/**
 * Finds the next wall-clock reading that a pattern matches, with Croner. `wall-clock.ts` handles time zones.
 *
 * A reading is what a wall clock shows, as the milliseconds since 1970 at which a clock in UTC shows it. Croner runs with
 * `utcOffset: 0`, so it does plain calendar arithmetic: neither its own rules for offset changes nor the zone of the process
 * matter.
 */
import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/caches/at-most.ts'
import { NextMemo } from '../../lib/caches/next-memo.ts'
import { runs } from '../../lib/figures/number-lists.ts'

/** The fields of a Croner pattern, in its dialect: numbers, lists, ranges, `*`, `L`, `LW`, `d#k`, `d#L`, a leading `+`. */
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
 * A pattern for Croner. Only text made here reaches Croner: it would read a text with a colon as a date, and it accepts
 * words (`@daily`, `?`, `15W`) that our grammars reject.
 */
export function writePattern(fields: PatternFields): string {
  const { seconds = '0', minutes, hours, days, months, weekdays, years = '*' } = fields
  return `${seconds} ${minutes} ${hours} ${days} ${months} ${weekdays} ${years}`
}

/** Sorted numbers as a list with ranges: `1-5,7`. Never just `*`, which has a special meaning in day fields. */
export function writeList(values: readonly number[]): string {
  return runs(values).join(',')
}

interface Search {
  readonly cron: Cron
  readonly known: NextMemo
}

// A Cron takes about 83 kB (a table of 10,000 years), so schedules and zones share patterns, and few are kept.
const searches = new LRUCache<string, Search>({
  ...atMost(256),
  // Croner writes its defaults into the options object, so each Cron gets its own.
  memoMethod: (pattern) => ({ cron: new Cron(pattern, { utcOffset: 0 }), known: new NextMemo(READINGS_KEPT) }),
})

/** The doctor reads logs of months again and again. So many take less memory than the Cron. */
const READINGS_KEPT = 1_000

/**
 * The first reading strictly after `after` (whole seconds); null when there is none. A pattern without a year that matches
 * no day is searched for 400 years, which takes up to 80 ms: see {@link occurs}.
 */
export function nextReading(pattern: string, after: number): number | null {
  const { cron, known } = searches.memo(pattern)
  // Jobs ping more often than their next run changes, and rare days take the longest to find.
  const found = known.find(after)
  if (found !== undefined) return found
  const next = cron.nextRun(new Date(after))?.getTime() ?? null
  known.keep(after, next)
  return next
}

/** One year of each kind, leap or not, starting on each weekday: what is in none of them never occurs. */
const YEARS_OF_EACH_KIND = '2000-2006,2008-2010,2012,2016,2020,2024'

/** Whether fields without a year ever match. */
export function occurs(fields: PatternFields): boolean {
  // True of most schedules, and quick to find out.
  if (fields.days === '*' && fields.weekdays === '*') return true
  const cron = new Cron(writePattern({ ...fields, years: YEARS_OF_EACH_KIND }), { utcOffset: 0 })
  return cron.nextRun(new Date(Date.UTC(1999, 11, 31, 23, 59, 59))) !== null
}
