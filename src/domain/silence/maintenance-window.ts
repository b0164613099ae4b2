/**
 * The window of a silence that comes again, such as planned maintenance every Saturday: a schedule says when each begins, and all last equally
 * long, whatever the clocks do meanwhile.
 */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
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

/** The occurrence that holds at `now`, the first to begin of several, or else the next one; null: none comes any more. */
export function occurrenceFrom({ schedule, tz, seconds }: MaintenanceWindow, now: Instant): Occurrence | null {
  const startsAt = nextOrNone(schedule, tz, addSeconds(now, -seconds))
  return startsAt && { startsAt, endsAt: addSeconds(startsAt, seconds) }
}

/** A schedule that this version cannot read holds nothing: its checks go on being watched, and people hear of them. */
function nextOrNone(schedule: string, tz: string, after: Instant): Instant | null {
  try {
    return nextOfSeries(schedule, tz, after)
  } catch {
    return null
  }
}

/** Those that have not ended by `from`, in order, at most `limit`. */
export function occurrencesFrom(window: MaintenanceWindow, from: Instant, limit: number): readonly Occurrence[] {
  const found: Occurrence[] = []
  let next = occurrenceFrom(window, from)
  while (next !== null && found.length < limit) {
    found.push(next)
    const startsAt = nextOrNone(window.schedule, window.tz, next.startsAt)
    next = startsAt && { startsAt, endsAt: addSeconds(startsAt, window.seconds) }
  }
  return found
}

/** Occurrences without a pause between them become one. @param occurrences in order */
export function joined(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (const { startsAt, endsAt } of occurrences) {
    const last = found.at(-1)
    if (last === undefined || isBefore(last.endsAt, startsAt)) found.push({ startsAt, endsAt })
    else found[found.length - 1] = { startsAt: last.startsAt, endsAt }
  }
  return found
}
