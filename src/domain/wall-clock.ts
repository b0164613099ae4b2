/** From readings of a wall clock to moments: what becomes of a time that a zone's clock skips or repeats. */
import { nextReading } from './readings.ts'
import { Temporal } from './time.ts'

/**
 * What happens at a change of a zone's offset.
 *
 * - `fixed`, the fixed-time jobs of Debian's cron(8): a skipped time runs at the first moment after the change, several
 *   of them once; a repeated time runs in the first pass only.
 * - `interval`, its other jobs: skipped times do not run, repeated times run in both passes.
 * - `calendar`, OnCalendar as systemd runs it: skipped times do not run, repeated times run in the first pass only; but a
 *   search which starts in the second pass goes on within it.
 */
export type ChangePolicy = 'fixed' | 'interval' | 'calendar'

/** A pattern for Croner, and how its readings become moments. */
export interface ClockRule {
  readonly pattern: string
  readonly policy: ChangePolicy
}

const SECOND = 1000
const DAY = 86_400 * SECOND

/**
 * How many changes in a row may leave a search without an answer. A time is skipped once a year at most, so this is the
 * horizon of cronsim, fifty years; it ends the search for what is always skipped (`Sun *-3~1..7 03:30` in Europe/Riga).
 */
const MAX_CHANGES = 50

/**
 * The first occurrence strictly after a moment, or null when there is none left.
 *
 * @param after milliseconds since 1970, whole seconds; the answer likewise
 */
export function nextMoment(rule: ClockRule, timeZone: string, after: number): number | null {
  const calm = calmAround(timeZone, after)
  const start = after + (calm?.offset ?? offsetAt(timeZone, after))
  const reading = nextReading(rule.pattern, start)
  if (calm && reading !== null && reading - calm.offset < calm.until) return reading - calm.offset
  const found = search(rule, timeZone, reading, after)
  return rule.policy === 'interval' ? earliest(found, inSecondPass(rule.pattern, timeZone, start, after)) : found
}

function search({ pattern, policy }: ClockRule, timeZone: string, first: number | null, after: number): number | null {
  let reading = first
  for (let changes = 0; reading !== null && changes < MAX_CHANGES; changes++) {
    const outcome = settle(policy, timeZone, reading, after)
    if (outcome.moment !== undefined) return outcome.moment
    reading = nextReading(pattern, outcome.goOnAfter)
  }
  return null
}

/** The moment at which a reading runs, or, when it does not, the reading after which the search goes on. */
type Outcome = { readonly moment: number } | { readonly moment?: undefined; readonly goOnAfter: number }

function settle(policy: ChangePolicy, timeZone: string, reading: number, after: number): Outcome {
  const { earlier, later } = momentsOf(timeZone, reading)
  if (earlier === later || (earlier > after && readingAt(timeZone, earlier) === reading)) return { moment: earlier }
  const change = nextChange(timeZone, earlier)
  if (readingAt(timeZone, earlier) === reading) {
    // Repeated, and the search began in the second pass: a fixed-time job has had its runs, others run what is ahead.
    return policy === 'fixed' ? { goOnAfter: change + (reading - earlier) - SECOND } : { moment: later }
  }
  // Skipped. One second before the clock's first reading after the change leaves the whole gap behind at once.
  return policy === 'fixed' ? { moment: change } : { goOnAfter: readingAt(timeZone, change) - SECOND }
}

/**
 * Readings only grow in the search, but a repeated span begins anew: seen from its first pass, the second pass lies
 * ahead with readings before the present one.
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
 * A stretch of moments in which a reading and its moment differ by one offset: up to the next change of the zone, and from
 * a day after the last one, since no zone ever repeated more than a day.
 */
interface Calm {
  readonly from: number
  readonly until: number
  /** Milliseconds from UTC to the zone's clock. */
  readonly offset: number
}

/** The latest stretch asked for of each zone: most searches begin and end in the present one, and need no Temporal. */
const calms = new Map<string, Calm>()

function calmAround(timeZone: string, moment: number): Calm | null {
  const known = calms.get(timeZone)
  if (known && known.from <= moment && moment < known.until) return known
  // A moment later, since "previous" means strictly before and would overlook a change at this very moment.
  const here = zoned(timeZone, moment + 1)
  const calm = {
    from: (here.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY) + DAY,
    until: here.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: here.offsetNanoseconds / 1e6,
  }
  if (moment < calm.from) return null
  calms.set(timeZone, calm)
  return calm
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
 * The moments Temporal gives for a reading: the same twice when it exists once; the two passes when it is repeated; and
 * when it is skipped, `earlier` before the change and `later` after it.
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
