/**
 * The window of a repeating silence, such as planned maintenance every Saturday. A schedule defines when each occurrence begins. All
 * occurrences have the same length, even across clock changes.
 */
import { addSeconds, type Instant, isAtOrAfter, isBefore } from '../../lib/time.ts'
import { nextOfSeries } from '../schedule/schedule.ts'

export interface MaintenanceWindow {
  /** cron or OnCalendar expression */
  readonly schedule: string
  /** IANA name of the time zone */
  readonly tz: string
  /** length of an occurrence, in seconds */
  readonly seconds: number
}

/** A period during which a silence is in effect. */
export interface Occurrence {
  /** start, inclusive */
  readonly startsAt: Instant
  /** end, exclusive */
  readonly endsAt: Instant
}

interface Answer {
  readonly now: Instant
  readonly occurrence: Occurrence | null
}

/** The most recent result for each window. If thousands of checks go down at the same time, they all need the same windows. */
const answers = new WeakMap<MaintenanceWindow, Answer>()

/**
 * Returns the occurrence at `now`, or the next one if there is none; null if there are no more. If several occurrences include `now`,
 * returns the one that began first.
 */
export function occurrenceFrom(window: MaintenanceWindow, now: Instant): Occurrence | null {
  const known = answers.get(window)
  if (known && isStillTrue(known, now)) return known.occurrence
  const { schedule, tz, seconds } = window
  const startsAt = nextOrNone(schedule, tz, addSeconds(now, -seconds))
  const occurrence = startsAt && { startsAt, endsAt: addSeconds(startsAt, seconds) }
  answers.set(window, { now, occurrence })
  return occurrence
}

/**
 * Whether a cached result is still valid at `now`. It is valid from the time it was calculated until its occurrence ends. A result without
 * an occurrence stays valid.
 */
function isStillTrue(known: Answer, now: Instant): boolean {
  return isAtOrAfter(now, known.now) && (known.occurrence === null || isBefore(now, known.occurrence.endsAt))
}

/**
 * Returns the start of an occurrence or, if it has already begun, its end, in milliseconds since the UNIX epoch. Returns infinity if
 * `occurrence` is null.
 * @param occurrence an occurrence that has not ended
 */
export function turnAfter(occurrence: Occurrence | null, now: Instant): number {
  if (occurrence === null) return Number.POSITIVE_INFINITY
  const { startsAt, endsAt } = occurrence
  return (isBefore(now, startsAt) ? startsAt : endsAt).epochMilliseconds
}

/**
 * Returns the next occurrence. Returns null if there is none, or if this version can't parse the schedule. In the latter case, the silence
 * is ignored and alerts are sent.
 */
function nextOrNone(schedule: string, tz: string, after: Instant): Instant | null {
  try {
    return nextOfSeries(schedule, tz, after)
  } catch {
    return null
  }
}

/** Returns the first occurrences that end after `from`, in order, at most `limit`. */
export function occurrencesFrom(window: MaintenanceWindow, from: Instant, limit: number): readonly Occurrence[] {
  return occurrencesBefore(window, from, null, limit)
}

/**
 * Returns the occurrences of {@link occurrencesFrom} that begin before a given time.
 * @param before null for all occurrences
 */
export function occurrencesBefore(
  window: MaintenanceWindow,
  from: Instant,
  before: Instant | null,
  limit: number,
): readonly Occurrence[] {
  const found: Occurrence[] = []
  let next = occurrenceFrom(window, from)
  while (next !== null && (before === null || isBefore(next.startsAt, before)) && found.length < limit) {
    found.push(next)
    const startsAt = nextOrNone(window.schedule, window.tz, next.startsAt)
    next = startsAt && { startsAt, endsAt: addSeconds(startsAt, window.seconds) }
  }
  return found
}

/** Joins occurrences that have no pause between them. @param occurrences in order */
export function joined(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (const { startsAt, endsAt } of occurrences) {
    const last = found.at(-1)
    if (last === undefined || isBefore(last.endsAt, startsAt)) found.push({ startsAt, endsAt })
    else found[found.length - 1] = { startsAt: last.startsAt, endsAt }
  }
  return found
}

/** Maximum number of steps to find the end of a stretch, which take 10 to 50 milliseconds. */
const STEPS_MAX = 4_000

/**
 * Returns the end of the stretch without a pause that begins with an occurrence. Null if the stretch lasts longer than `limit` seconds, or
 * if finding its end takes more than {@link STEPS_MAX} steps.
 */
export function endOfStretch(window: MaintenanceWindow, { startsAt }: Occurrence, limit: number): Instant | null {
  const latest = addSeconds(startsAt, limit)
  let begun = startsAt
  for (let step = 0; step < STEPS_MAX; step++) {
    const end = addSeconds(begun, window.seconds)
    if (isBefore(latest, end)) return null
    const next = nextWithin(window, begun, end)
    if (next === null) return end
    begun = next
  }
  return null
}

/**
 * Returns the beginning of an occurrence that begins after another one and by its end; null if there is none. It is the occurrence that
 * begins at that end, if there is one, so that occurrences every second need few steps.
 */
function nextWithin({ schedule, tz }: MaintenanceWindow, begun: Instant, end: Instant): Instant | null {
  const next = nextOrNone(schedule, tz, begun)
  if (next === null || isBefore(end, next)) return null
  if (next.equals(end)) return next
  const atEnd = nextOrNone(schedule, tz, addSeconds(end, -1))
  return atEnd?.equals(end) ? atEnd : next
}
