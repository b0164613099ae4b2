/** Clearing: resets the state that a check got from its pings. */
import { type Check, NEW_STATE } from './check.ts'

/**
 * Returns the check as before its first ping. The number of pings is kept, so that the next ping has the next number. The number of events
 * grows, so that nothing mistakes the check for its former state.
 */
export function cleared(check: Check): Check {
  return { ...check, ...NEW_STATE, nPings: check.nPings, nEvents: check.nEvents + 1 }
}
