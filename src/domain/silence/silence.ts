/**
 * A silence: for a time, or until a check is healthy, incidents of the matching checks send no alerts.
 *
 * A silence holds alerts; it does not change how checks are judged. Problems that still exist when it ends are alerted then
 * (`domain/incident/advance.ts`). The recovery from an alerted problem is never held. A silence may have a repeated window
 * (`maintenance-window.ts`): only `nextOccurrence` and `occurrencesOf` know both forms.
 */
import { earlier, type Instant, isAtOrAfter, isBefore, later } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Check } from '../check/check.ts'
import { hasTags } from '../check/tags.ts'
import { covers, type Severity } from '../severity.ts'
import { type MaintenanceWindow, type Occurrence, occurrenceFrom, occurrencesBefore } from './maintenance-window.ts'

/** The checks of its project that a silence matches: all of them, if both lists are empty. */
export interface Match {
  /** UUIDs of checks, of which a check must be one; empty: any check */
  readonly checks: readonly string[]
  /** tags, all of which a check must have; empty: any check */
  readonly tags: readonly string[]
}

export interface SilenceTimes {
  /** inclusive */
  readonly startsAt: Instant
  /** exclusive; if the silence was ended early, that time; null only with a window, which is then repeated without an end */
  readonly endsAt: Instant | null
  /** true: the first success of a check after the start ends it for that check */
  readonly untilHealthy: boolean
  /** null: it holds from its start to its end; otherwise only during the occurrences of the window in that time */
  readonly window: MaintenanceWindow | null
}

export interface Silence extends SilenceTimes {
  /** lower-case UUID */
  readonly id: string
  readonly projectId: string
  readonly match: Match
  /** worse problems are alerted */
  readonly upTo: Severity
  /** '' for none */
  readonly reason: string
  readonly createdAt: Instant
  /** null: a request to the ping URL of its check, which has at most one such silence */
  readonly createdBy: By | null
}

/** The part of a check that decides which silences match it. */
export type SilencedCheck = Pick<Check, 'id' | 'projectId' | 'tags' | 'lastSuccessAt'>

export const REASON_LIMIT = 1_000

/**
 * Returns the occurrence of a silence that holds an incident of this severity at `now`; null if none holds it.
 * @param check the check as it is in the incident
 */
export function holding(silence: Silence, check: SilencedCheck, severity: Severity, now: Instant): Occurrence | null {
  if (!covers(silence.upTo, severity) || !matches(silence, check)) return null
  // A success that ends the silence earlier for a check also ends the incident of the check.
  if (silence.untilHealthy && isHealthySince(check, silence.startsAt)) return null
  return activeOccurrence(silence, now)
}

export function isActive(times: SilenceTimes, now: Instant): boolean {
  return activeOccurrence(times, now) !== null
}

/** Returns the occurrence that has begun by `now` and has not ended; null if the silence holds nothing now. */
export function activeOccurrence(times: SilenceTimes, now: Instant): Occurrence | null {
  const next = nextOccurrence(times, now)
  return next !== null && isAtOrAfter(now, next.startsAt) ? next : null
}

/** Returns the occurrence that is active at `now`, or else the next one; null if none is left. */
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
 * Returns the occurrences of a silence that have not ended by `from`, in order, at most `limit`. Those of a window may overlap.
 * @param until exclusive; occurrences that begin later are left out; null: none is
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
  // Tags are compared first: thousands of checks may go down at once under hundreds of silences, of which few match a check.
  return match.tags.every((tag) => check.tags.includes(tag)) && hasTags(check.tags, match.tags)
}

/** Whether the check has succeeded since a time. */
export function isHealthySince({ lastSuccessAt }: SilencedCheck, since: Instant): boolean {
  return lastSuccessAt !== null && isBefore(since, lastSuccessAt)
}

/** Whether the silence holds nothing from now on. */
export function hasEnded({ endsAt }: SilenceTimes, now: Instant): boolean {
  return endsAt !== null && isAtOrAfter(now, endsAt)
}

/** Whether people may change the times: false for a silence until healthy, and for a silence that a ping URL requested. */
export function isChangeable({ untilHealthy, createdBy }: Silence): boolean {
  return !untilHealthy && createdBy !== null
}

/** Ends a silence early; a silence that has not begun never begins. */
export function endSilence(silence: Silence, now: Instant): Silence {
  return { ...silence, endsAt: earlier(silence.endsAt, now) ?? now }
}
