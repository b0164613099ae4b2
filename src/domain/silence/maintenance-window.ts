/**
 * The window of a repeated silence, such as planned maintenance every Saturday. A schedule says when each occurrence begins. All
 * occurrences last equally long, even across changes of the clocks.
 */
import { addSeconds, type Instant, isAtOrAfter, isBefore } from '../../lib/time.ts'
import { nextOfSeries } from '../schedule/schedule.ts'

export interface MaintenanceWindow {
  /** cron or OnCalendar */
  readonly schedule: string
  /** IANA name */
  readonly tz: string
  /** from its beginning to its end */
  readonly seconds: number
}

/** A stretch of time in which a silence holds. */
export interface Occurrence {
  /** inclusive */
  readonly startsAt: Instant
  /** exclusive */
  readonly endsAt: Instant
}

interface Answer {
  readonly now: Instant
  readonly occurrence: Occurrence | null
}

/** The latest answer for each window. Thousands of checks that go down together need the same windows. */
const answers = new WeakMap<MaintenanceWindow, Answer>()

/** Returns the occurrence at `now` (of several, the one that began first), or else the next occurrence; null if none is left. */
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
 * Returns whether an answer holds at `now`: not before the time of the answer, and only until its occurrence ends. An answer without an
 * occurrence holds for good.
 */
function isStillTrue(known: Answer, now: Instant): boolean {
  return isAtOrAfter(now, known.now) && (known.occurrence === null || isBefore(now, known.occurrence.endsAt))
}

/** Returns when an occurrence begins, or else ends, in milliseconds since the UNIX epoch; infinity for null. @param occurrence not over */
export function turnAfter(occurrence: Occurrence | null, now: Instant): number {
  if (occurrence === null) return Number.POSITIVE_INFINITY
  const { startsAt, endsAt } = occurrence
  return (isBefore(now, startsAt) ? startsAt : endsAt).epochMilliseconds
}

/** Returns null also for a schedule that this version cannot read: its silence holds nothing, so people are alerted. */
function nextOrNone(schedule: string, tz: string, after: Instant): Instant | null {
  try {
    return nextOfSeries(schedule, tz, after)
  } catch {
    return null
  }
}

/** Returns the occurrences that have not ended by `from`, in order, at most `limit`. */
export function occurrencesFrom(window: MaintenanceWindow, from: Instant, limit: number): readonly Occurrence[] {
  return occurrencesBefore(window, from, null, limit)
}

/** Returns the occurrences of {@link occurrencesFrom} that begin before a time. @param before null: all */
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
