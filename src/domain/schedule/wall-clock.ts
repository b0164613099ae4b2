/** Converts wall-clock readings to moments, including times that a zone's clock skips or repeats. */

import { Temporal } from '../../lib/time.ts'
import { nextReading } from './readings.ts'

/**
 * Behaviour at a change of a zone's offset.
 *
 * - `fixed`, the fixed-time jobs of Debian's cron(8): skipped times run once, at the first moment after the change; a repeated time runs
 *   only in the first pass.
 * - `interval`, its other jobs: skipped times do not run, repeated times run in both passes.
 * - `calendar`, OnCalendar in systemd: skipped times do not run, repeated times run only in the first pass; but a search that starts in the
 *   second pass continues in it.
 */
type ChangePolicy = 'fixed' | 'interval' | 'calendar'

/** A pattern for Croner, and how its readings are converted to moments. */
export interface ClockRule {
  readonly pattern: string
  readonly policy: ChangePolicy
}

const SECOND = 1000
const DAY = 86_400 * SECOND

/**
 * Maximum number of consecutive offset changes that a search may cross. A time is skipped at most once a year, so this is fifty years,
 * cronsim's horizon. It ends the search for a time that is always skipped (`Sun *-3~1..7 03:30` in Europe/Riga).
 */
const MAX_CHANGES = 50

/**
 * Returns the first occurrence strictly after a moment; null if there is none.
 *
 * @param after milliseconds since 1970 in whole seconds, like the result
 */
export function nextMoment(rule: ClockRule, timeZone: string, after: number): number | null {
  const span = spanAround(timeZone, after)
  const start = after + span.offset
  const reading = nextReading(rule.pattern, start)
  const isPlain = reading !== null && after >= span.settled && reading - span.offset < span.until
  if (isPlain) return reading - span.offset
  const found = search(rule, timeZone, reading, after)
  return rule.policy === 'interval' ? earliest(found, inSecondPass(rule.pattern, timeZone, start, after)) : found
}

function search({ pattern, policy }: ClockRule, timeZone: string, first: number | null, after: number): number | null {
  let reading = first
  for (let changes = 0; reading !== null && changes < MAX_CHANGES; changes++) {
    const outcome = settle(policy, timeZone, reading, after)
    if (outcome.moment !== undefined) return outcome.moment
    reading = nextReading(pattern, outcome.continueAfter)
  }
  return null
}

/** The moment at which a reading runs; if it doesn't run, the reading after which the search continues. */
type Outcome = { readonly moment: number } | { readonly moment?: undefined; readonly continueAfter: number }

function settle(policy: ChangePolicy, timeZone: string, reading: number, after: number): Outcome {
  const { earlier, later } = momentsOf(timeZone, reading)
  if (earlier === later || (earlier > after && readingAt(timeZone, earlier) === reading)) return { moment: earlier }
  const change = nextChange(timeZone, earlier)
  if (readingAt(timeZone, earlier) === reading) {
    // Repeated, and the search began in the second pass: a fixed-time job has already run, other jobs run later.
    return policy === 'fixed' ? { continueAfter: change + (reading - earlier) - SECOND } : { moment: later }
  }
  // Skipped. Continuing one second before the first reading after the change skips the whole gap at once.
  return policy === 'fixed' ? { moment: change } : { continueAfter: readingAt(timeZone, change) - SECOND }
}

/**
 * Searches the second pass. The search goes through increasing readings, but in the first pass of a repeated span, the second pass is still
 * ahead, and its readings are smaller than the current one.
 */
function inSecondPass(pattern: string, timeZone: string, start: number, after: number): number | null {
  if (momentsOf(timeZone, start).later === after) return null
  const secondPass = readingAt(timeZone, nextChange(timeZone, after))
  const reading = nextReading(pattern, secondPass - SECOND)
  if (reading === null) return null
  const moments = momentsOf(timeZone, reading)
  return moments.earlier === moments.later ? null : moments.later
}

/** Returns the last second before the second pass of a repeated span for a moment in that pass; returns any other moment unchanged. */
export function beforeSecondPass(timeZone: string, moment: number): number {
  const span = spanAround(timeZone, moment)
  if (moment >= span.settled) return moment
  const { earlier, later } = momentsOf(timeZone, moment + span.offset)
  return later === moment && earlier < later ? span.from - SECOND : moment
}

/** A span of time with one offset between readings and moments: from one change of the zone up to the next. */
interface OffsetSpan {
  readonly from: number
  /** a day after it begins: no zone has ever repeated more than a day, so each reading from then on is unique */
  readonly settled: number
  readonly until: number
  /** Milliseconds from UTC to the zone's clock. */
  readonly offset: number
}

/** The last span used in each zone: most searches stay within the current one and then need no Temporal. */
const spans = new Map<string, OffsetSpan>()

/** @throws RangeError if the zone is unknown */
export function spanAround(timeZone: string, moment: number): OffsetSpan {
  const known = spans.get(timeZone)
  if (known && known.from <= moment && moment < known.until) return known
  // One millisecond later, because "previous" means strictly before and would miss a change at this very moment.
  const here = zoned(timeZone, moment + 1)
  const from = here.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY
  const span = {
    from,
    settled: from + DAY,
    until: here.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: here.offsetNanoseconds / 1e6,
  }
  spans.set(timeZone, span)
  return span
}

function offsetAt(timeZone: string, moment: number): number {
  return zoned(timeZone, moment).offsetNanoseconds / 1e6
}

function readingAt(timeZone: string, moment: number): number {
  return moment + offsetAt(timeZone, moment)
}

function nextChange(timeZone: string, moment: number): number {
  const change = zoned(timeZone, moment).getTimeZoneTransition('next')
  if (change === null) throw new RangeError(`${timeZone} has no change of offset after ${moment}`)
  return change.epochMilliseconds
}

function zoned(timeZone: string, moment: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone)
}

/**
 * Returns Temporal's moments for a reading: the same moment twice for a unique reading, those of both passes for a repeated reading. For a
 * skipped reading, `earlier` is before the change and `later` after it.
 */
function momentsOf(timeZone: string, reading: number): { earlier: number; later: number } {
  const date = new Date(reading)
  const local = new Temporal.PlainDateTime(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  )
  return {
    earlier: local.toZonedDateTime(timeZone, { disambiguation: 'earlier' }).epochMilliseconds,
    later: local.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds,
  }
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}
