/**
 * Pauses checks, resumes them and starts monitoring them again when a user requests it. Pings can also end a pause; see
 * `domain/ping/ping.ts`.
 */
import type { Instant } from '../../lib/time.ts'
import type { Check } from './check.ts'
import { type Flipped, flipTo } from './flip.ts'
import { missingRuns } from './punctuality.ts'
import { endsWithPause, recordPause } from './run-history.ts'

/**
 * Pauses a check and clears its current run.
 * @returns null if the check is already paused
 */
export function pause(check: Check, now: Instant): Flipped<Check> | null {
  if (check.status === 'paused') return null
  const runs = recordPause(check.runs, missingRuns(check, now))
  return flipTo({ ...withoutRun(check), runs }, 'paused', '', now)
}

/**
 * Returns a paused check to the status `new`, as if it had never been pinged, but keeps its counters.
 * @returns null unless it is paused
 */
export function resume(check: Check, now: Instant): Flipped<Check> | null {
  return check.status === 'paused' ? flipTo({ ...withoutRun(check), lastPingAt: null }, 'new', '', now) : null
}

/**
 * Starts monitoring a resumed check without waiting for a ping. The first ping is then expected at the next slot.
 * @returns null unless the check was resumed and has had no ping since
 */
export function watch(check: Check, now: Instant): Flipped<Check> | null {
  const isResumed = check.status === 'new' && check.lastPingAt === null && endsWithPause(check.runs)
  return isResumed ? flipTo({ ...check, sparedUntil: now }, 'up', '', now) : null
}

function withoutRun(check: Check): Check {
  return { ...check, lastStartAt: null, lastStartOccurredAt: null, lastStartRid: null, sparedUntil: null }
}
