/**
 * A silence: for a time, or until a check is healthy, incidents of the matching checks send no alerts.
 *
 * A silence holds alerts, but does not change how checks are judged. If a problem still exists when the silence ends, it is alerted then
 * (`domain/incident/advance.ts`). If a problem was alerted, so is its recovery, even during a silence. A silence can repeat in a window
 * (`maintenance-window.ts`). Only `nextOccurrence` and `occurrencesOf` handle both forms.
 */
import { earlier, type Instant, isAtOrAfter, isBefore, later } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Check } from '../check/check.ts'
import { hasTags } from '../check/tags.ts'
import { covers, type Severity } from '../severity.ts'
import { type MaintenanceWindow, type Occurrence, occurrenceFrom, occurrencesBefore } from './maintenance-window.ts'

/** The checks of the project that a silence applies to. If both lists are empty, it applies to all checks. */
export interface Match {
  /** UUIDs of checks; empty: any check */
  readonly checks: readonly string[]
  /** tags; a check must have all of them; empty: any check */
  readonly tags: readonly string[]
}

export interface SilenceTimes {
  /** start, inclusive */
  readonly startsAt: Instant
  /** end, exclusive; the actual end if the silence was ended early; null: a window that repeats forever */
  readonly endsAt: Instant | null
  /** true: for each check, its first success after the start ends the silence */
  readonly untilHealthy: boolean
  /** window that repeats; the silence is in effect only during its occurrences. null: in effect from start to end */
  readonly window: MaintenanceWindow | null
}

export interface Silence extends SilenceTimes {
  /** lower-case UUID */
  readonly id: string
  readonly projectId: string
  readonly match: Match
  /** problems with a higher severity are alerted */
  readonly upTo: Severity
  /** reason that a person gave; '' if there is none */
  readonly reason: string
  readonly createdAt: Instant
  /** author of the silence; null: a request to the ping URL of a check, which has at most one such silence */
  readonly createdBy: By | null
}

/** The properties of a check that decide which silences match it. */
export type SilencedCheck = Pick<Check, 'id' | 'projectId' | 'tags' | 'lastSuccessAt'>

export const REASON_LIMIT = 1_000

/**
 * Returns the occurrence of a silence that holds an incident of this severity at `now`; null if there is none.
 * @param check the check at the time of the incident
 */
export function holding(silence: Silence, check: SilencedCheck, severity: Severity, now: Instant): Occurrence | null {
  if (!covers(silence.upTo, severity) || !matches(silence, check)) return null
  // A success that ends the silence for a check also ends the check's incident.
  if (silence.untilHealthy && isHealthySince(check, silence.startsAt)) return null
  return activeOccurrence(silence, now)
}

export function isActive(times: SilenceTimes, now: Instant): boolean {
  return activeOccurrence(times, now) !== null
}

/** Returns the current occurrence; null if the silence is not in effect at `now`. */
export function activeOccurrence(times: SilenceTimes, now: Instant): Occurrence | null {
  const next = nextOccurrence(times, now)
  return next !== null && isAtOrAfter(now, next.startsAt) ? next : null
}

/** Returns the current occurrence, or the next one if there is none; null if there are no more. */
export function nextOccurrence(times: SilenceTimes, now: Instant): Occurrence | null {
  const { startsAt, endsAt, window } = times
  const from = later(now, startsAt)
  if (endsAt !== null && isAtOrAfter(from, endsAt)) return null
  if (window === null) return endsAt && { startsAt, endsAt }
  const next = occurrenceFrom(window, from)
  if (next === null || (endsAt !== null && isAtOrAfter(next.startsAt, endsAt))) return null
  return cut(next, times)
}

/** Returns the part of an occurrence that is between the start and the end of the silence. */
function cut(occurrence: Occurrence, { startsAt, endsAt }: SilenceTimes): Occurrence {
  return {
    startsAt: later(occurrence.startsAt, startsAt),
    endsAt: earlier(occurrence.endsAt, endsAt) ?? occurrence.endsAt,
  }
}

/**
 * Returns the occurrences of a silence that have not ended by `from`, in order, at most `limit`. The occurrences of a window may overlap.
 * @param until occurrences that begin at this time or later are omitted; null includes all
 */
export function occurrencesOf(
  times: SilenceTimes,
  from: Instant,
  until: Instant | null,
  limit: number,
): readonly Occurrence[] {
  const first = nextOccurrence(times, from)
  if (first === null || (until !== null && !isBefore(first.startsAt, until))) return []
  const { startsAt, endsAt, window } = times
  if (window === null) return [first]
  return occurrencesBefore(window, later(from, startsAt), earlier(endsAt, until), limit).map((one) => cut(one, times))
}

export function matches(
  { projectId, match }: Pick<Silence, 'projectId' | 'match'>,
  check: Omit<SilencedCheck, 'lastSuccessAt'>,
): boolean {
  if (check.projectId !== projectId) return false
  if (match.checks.length > 0 && !match.checks.includes(check.id)) return false
  // Compares tags first, because thousands of checks can go down at once under hundreds of silences, of which few match a check.
  return match.tags.every((tag) => check.tags.includes(tag)) && hasTags(check.tags, match.tags)
}

/** Whether the check has succeeded since a time. */
export function isHealthySince({ lastSuccessAt }: SilencedCheck, since: Instant): boolean {
  return lastSuccessAt !== null && isBefore(since, lastSuccessAt)
}

/** Whether the silence has ended for good. */
export function hasEnded({ endsAt }: SilenceTimes, now: Instant): boolean {
  return endsAt !== null && isAtOrAfter(now, endsAt)
}

/** Whether people can change the times. They can't for a silence until healthy, and for one that a ping URL requested. */
export function isChangeable({ untilHealthy, createdBy }: Silence): boolean {
  return !untilHealthy && createdBy !== null
}

/** Ends a silence early. If it has not begun yet, it never will. */
export function endSilence(silence: Silence, now: Instant): Silence {
  return { ...silence, endsAt: earlier(silence.endsAt, now) ?? now }
}
