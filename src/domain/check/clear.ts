/** Clears a check: resets the state that results from its pings. */
import { type Check, NEW_STATE } from './check.ts'

/**
 * Returns the check in the state before its first ping. The number of pings stays the same, so that the next ping gets the next number. The
 * number of events increases, so that the new state is not mistaken for the earlier one.
 */
export function cleared(check: Check): Check {
  return { ...check, ...NEW_STATE, nPings: check.nPings, nEvents: check.nEvents + 1 }
}
