/**
 * A silence: for a time, or until a check is healthy, incidents of the checks that it matches send no alerts.
 *
 * It holds alerts, and checks are judged as always. Problems that still exist when it ends are alerted then (`domain/incident/advance.ts`),
 * and the recovery from an alerted problem is never held. Recurring times, such as maintenance windows, would be another form of its
 * window: only `isActive` and `holdEndsAt` depend on the window.
 */
import { earlier, type Instant, isAtOrAfter, isBefore } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Check } from '../check/check.ts'
import { hasTags } from '../check/tags.ts'
import { covers, type Severity } from '../severity.ts'

/** The checks of its project that a silence matches: all of them, if both lists are empty. */
export interface Match {
  /** UUIDs: a check has to be one of these; empty: any */
  readonly checks: readonly string[]
  /** a check has to have all of these; empty: any */
  readonly tags: readonly string[]
}

export interface SilenceWindow {
  /** inclusive */
  readonly startsAt: Instant
  /** exclusive; the time at which it was ended, if that was earlier */
  readonly endsAt: Instant
  /** true: the first success of a check after the start ends it for that check */
  readonly untilHealthy: boolean
}

export interface Silence extends SilenceWindow {
  /** lower-case UUID */
  readonly id: string
  readonly projectId: string
  readonly match: Match
  /** worse problems are alerted */
  readonly upTo: Severity
  /** '' for none */
  readonly reason: string
  readonly createdAt: Instant
  /** null: a request to the ping URL of its check, which has one such silence at most */
  readonly createdBy: By | null
}

/** The part of a check that decides which silences match it. */
export type SilencedCheck = Pick<Check, 'id' | 'projectId' | 'tags' | 'lastSuccessAt'>

export const REASON_LIMIT = 1_000
/** Most silences of a project, without those that have ended, and without those of ping URLs, of which a check has one. */
export const SILENCES_LIMIT = 1_000

/** Whether the silence holds an incident of that severity at `now`. @param check the check of the incident */
export function holds(silence: Silence, check: SilencedCheck, severity: Severity, now: Instant): boolean {
  if (!covers(silence.upTo, severity) || !matches(silence, check) || !isActive(silence, now)) return false
  return !(silence.untilHealthy && isHealthySince(check, silence.startsAt))
}

export function isActive({ startsAt, endsAt }: SilenceWindow, now: Instant): boolean {
  return isAtOrAfter(now, startsAt) && isBefore(now, endsAt)
}

/** Returns the earliest time at which a silence can stop holding an incident, unless somebody ends it. */
export function holdEndsAt({ endsAt }: SilenceWindow): Instant {
  // A success that ends it earlier for a check ends the incident of the check as well.
  return endsAt
}

export function matches({ projectId, match }: Silence, check: Omit<SilencedCheck, 'lastSuccessAt'>): boolean {
  if (check.projectId !== projectId) return false
  if (match.checks.length > 0 && !match.checks.includes(check.id)) return false
  // Tags are compared first: thousands of checks may go down at once under hundreds of silences, of which few match a check.
  return match.tags.every((tag) => check.tags.includes(tag)) && hasTags(check.tags, match.tags)
}

/** Whether the check has succeeded after that time. */
export function isHealthySince({ lastSuccessAt }: SilencedCheck, since: Instant): boolean {
  return lastSuccessAt !== null && isBefore(since, lastSuccessAt)
}

/** Ends a silence early; one that has not begun never begins. */
export function endSilence(silence: Silence, now: Instant): Silence {
  return { ...silence, endsAt: earlier(silence.endsAt, now) ?? now }
}
