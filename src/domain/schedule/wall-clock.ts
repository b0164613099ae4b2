/** Converts local times to instants, including local times that a zone's clocks skip or repeat. */

import { Temporal } from '../../lib/time.ts'
import { nextReading } from './readings.ts'

/**
 * Rules for times that a clock change skips or repeats.
 * - `fixed` is for the fixed-time jobs of Debian's cron(8): a job whose time is skipped runs once, immediately after the change. Repeated
 * times run only in the first pass.
 * - `interval` is for cron's other jobs: skipped times don't run, and repeated times run in both passes.
 * - `calendar` is for OnCalendar in systemd: skipped times don't run, and repeated times run only in the first pass. A search that starts
 * in the second pass stays in that pass.
 */
type ChangePolicy = 'fixed' | 'interval' | 'calendar'

/** A Croner pattern, and the rule for converting its local times to instants. */
export interface ClockRule {
  readonly pattern: string
  readonly policy: ChangePolicy
}

const SECOND = 1000
const DAY = 86_400 * SECOND

/**
 * Maximum number of consecutive clock changes in one search. A time is skipped at most once a year, so this covers fifty years, as in
 * cronsim. The limit ends the search if every change skips the time (`Sun *-3~1..7 03:30` in Europe/Riga).
 */
const MAX_CHANGES = 50

/**
 * Returns the first occurrence after an instant; null if there is none.
 * @param after milliseconds since 1970, in whole seconds, like the result
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

/** The instant of a local time or, if nothing runs at that local time, the local time after which the search continues. */
type Outcome = { readonly moment: number } | { readonly moment?: undefined; readonly continueAfter: number }

function settle(policy: ChangePolicy, timeZone: string, reading: number, after: number): Outcome {
  const { earlier, later } = momentsOf(timeZone, reading)
  if (earlier === later || (earlier > after && readingAt(timeZone, earlier) === reading)) return { moment: earlier }
  const change = nextChange(timeZone, earlier)
  if (readingAt(timeZone, earlier) === reading) {
    // The local time occurs twice, and the search started in the second pass. A fixed-time job has already run. Other jobs run in this pass
    // too.
    return policy === 'fixed' ? { continueAfter: change + (reading - earlier) - SECOND } : { moment: later }
  }
  // The local time is skipped. The search continues one second before the first local time after the change, so the entire gap is skipped.
  return policy === 'fixed' ? { moment: change } : { continueAfter: readingAt(timeZone, change) - SECOND }
}

/**
 * Searches the second pass of a repeated hour. A normal search only goes forward in local time. When the second pass begins, however, local
 * time jumps back, so that pass needs a separate search.
 */
function inSecondPass(pattern: string, timeZone: string, start: number, after: number): number | null {
  if (momentsOf(timeZone, start).later === after) return null
  const secondPass = readingAt(timeZone, nextChange(timeZone, after))
  const reading = nextReading(pattern, secondPass - SECOND)
  if (reading === null) return null
  const moments = momentsOf(timeZone, reading)
  return moments.earlier === moments.later ? null : moments.later
}

/**
 * If the instant is in the second pass of a repeated hour, returns the last second before that pass. Returns any other instant unchanged.
 */
export function beforeSecondPass(timeZone: string, moment: number): number {
  const span = spanAround(timeZone, moment)
  if (moment >= span.settled) return moment
  const { earlier, later } = momentsOf(timeZone, moment + span.offset)
  return later === moment && earlier < later ? span.from - SECOND : moment
}

/** A period with a constant UTC offset, from one of the zone's clock changes to the next. */
interface OffsetSpan {
  readonly from: number
  /** one day after the start of the period. No zone has ever repeated more than a day, so local times after this are unique */
  readonly settled: number
  readonly until: number
  /** The zone's UTC offset, in milliseconds. */
  readonly offset: number
}

/** The most recently used period of each zone. Most searches stay within it and don't need Temporal. */
const spans = new Map<string, OffsetSpan>()

/** @throws RangeError if the zone is unknown */
export function spanAround(timeZone: string, moment: number): OffsetSpan {
  const known = spans.get(timeZone)
  if (known && known.from <= moment && moment < known.until) return known
  // Adds a millisecond, because "previous" excludes a change at exactly this instant.
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
 * Returns the two instants that Temporal finds for a local time. If the local time is unique, both are the same. If it is repeated, the
 * first one is in the first pass and the second one in the second pass. If it is skipped, `earlier` is before the change and `later` is
 * after it.
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
