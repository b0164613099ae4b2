/** Pausing and resuming by people. Pings end a pause too: see `domain/ping/ping.ts`. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from './check.ts'
import { type Flipped, flipTo } from './flip.ts'
import { missingRuns } from './punctuality.ts'
import { recordPause } from './run-history.ts'

/** Its pending run is forgotten. @returns null when it is paused already */
export function pause(check: Check, now: Instant): Flipped<Check> | null {
  if (check.status === 'paused') return null
  const runs = recordPause(check.runs, missingRuns(check, now))
  return flipTo({ ...withoutRun(check), runs }, 'paused', '', now)
}

/** Makes the check `new`, as before its first ping; its counters stay. @returns null unless it is paused */
export function resume(check: Check, now: Instant): Flipped<Check> | null {
  return check.status === 'paused' ? flipTo({ ...withoutRun(check), lastPingAt: null }, 'new', '', now) : null
}

function withoutRun(check: Check): Check {
  return { ...check, lastStartAt: null, lastStartRid: null, sparedUntil: null }
}
