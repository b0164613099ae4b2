/**
 * A silence: incidents of matching checks don't send alerts for a given time, or until a check is healthy. A silence holds alerts back but
 * does not change the status of checks. If a problem still exists when the silence ends, an alert is sent then
 * (`domain/incident/advance.ts`). If users were alerted to a problem, they are also notified of its recovery, even during a silence. A
 * silence can repeat in a window (`maintenance-window.ts`). Only `nextOccurrence` and `occurrencesOf` deal with both forms.
 */
import { earlier, type Instant, isAtOrAfter, isBefore, later } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Check } from '../check/check.ts'
import { hasTags } from '../check/tags.ts'
import { covers, type Severity } from '../severity.ts'
import { type MaintenanceWindow, type Occurrence, occurrenceFrom, occurrencesBefore } from './maintenance-window.ts'

/** The checks in the project that a silence applies to. If both lists are empty, it applies to all of them. */
export interface Match {
  /** check UUIDs; an empty list matches any check */
  readonly checks: readonly string[]
  /** tags that a check must all have; an empty list matches any check */
  readonly tags: readonly string[]
}

export interface SilenceTimes {
  /** start, inclusive */
  readonly startsAt: Instant
  /** end, exclusive; the actual end if the silence was ended early; null if the window repeats forever */
  readonly endsAt: Instant | null
  /** true if the silence ends, separately for each check, with the check's first success after the start */
  readonly untilHealthy: boolean
  /** repeating window, if the silence is in effect only during the window's occurrences; null if it is in effect from start to end */
  readonly window: MaintenanceWindow | null
}

export interface Silence extends SilenceTimes {
  /** lower-case UUID */
  readonly id: string
  readonly projectId: string
  readonly match: Match
  /** highest severity that is silenced; alerts about problems with a higher severity are sent */
  readonly upTo: Severity
  /** reason given by the user; '' if there is none */
  readonly reason: string
  readonly createdAt: Instant
  /**
   * author of the silence; null if it was requested by a check's ping URL. A check has at most one silence that was requested in this way
   */
  readonly createdBy: By | null
}

/** The properties of a check that determine which silences apply to it. */
export type SilencedCheck = Pick<Check, 'id' | 'projectId' | 'tags' | 'lastSuccessAt'>

export const REASON_LIMIT = 1_000

/**
 * Returns the occurrence of a silence that holds back alerts about an incident of this severity at `now`; null if there is none.
 * @param check the check at the time of the incident
 */
export function holding(silence: Silence, check: SilencedCheck, severity: Severity, now: Instant): Occurrence | null {
  if (!covers(silence.upTo, severity) || !matches(silence, check)) return null
  // If a success ends the silence for a check, it also ends the check's incident.
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

/** Returns the part of an occurrence that lies between the start and the end of the silence. */
function cut(occurrence: Occurrence, { startsAt, endsAt }: SilenceTimes): Occurrence {
  return {
    startsAt: later(occurrence.startsAt, startsAt),
    endsAt: earlier(occurrence.endsAt, endsAt) ?? occurrence.endsAt,
  }
}

/**
 * Returns a silence's occurrences that end after `from`, in order, at most `limit`. A window's occurrences may overlap.
 * @param until occurrences that begin at or after this time are omitted; null to include all
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
  // Compares tags first, because thousands of checks can go down at the same time under hundreds of silences, few of which apply to a given
  // check.
  return match.tags.every((tag) => check.tags.includes(tag)) && hasTags(check.tags, match.tags)
}

/** Whether the check has succeeded since a given time. */
export function isHealthySince({ lastSuccessAt }: SilencedCheck, since: Instant): boolean {
  return lastSuccessAt !== null && isBefore(since, lastSuccessAt)
}

/** Whether the silence has ended and will not be in effect again. */
export function hasEnded({ endsAt }: SilenceTimes, now: Instant): boolean {
  return endsAt !== null && isAtOrAfter(now, endsAt)
}

/**
 * Whether users can change the times of a silence. They can't if the silence lasts until a check is healthy, or if it was requested by a
 * ping URL.
 */
export function isChangeable({ untilHealthy, createdBy }: Silence): boolean {
  return !untilHealthy && createdBy !== null
}

/** Ends a silence early. If it has not begun yet, it will never begin. */
export function endSilence(silence: Silence, now: Instant): Silence {
  return { ...silence, endsAt: earlier(silence.endsAt, now) ?? now }
}
