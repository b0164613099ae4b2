/** Clearing: a check forgets what its pings have told. */
import { type Check, NEW_STATE } from './check.ts'

/**
 * The check as before its first ping. The number of pings stays, so that the next one has the next number; the number of
 * events grows, so that nothing mistakes the check for what it was.
 */
export function cleared(check: Check): Check {
  return { ...check, ...NEW_STATE, nPings: check.nPings, nEvents: check.nEvents + 1 }
}
