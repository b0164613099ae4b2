/** Clears a check: resets the state that its pings led to. */
import { type Check, NEW_STATE } from './check.ts'

/**
 * Returns the check in the state before its first ping. It keeps the number of pings, so that the next ping gets the next number. The
 * number of events increases, so that the check is not mistaken for what it was before.
 */
export function cleared(check: Check): Check {
  return { ...check, ...NEW_STATE, nPings: check.nPings, nEvents: check.nEvents + 1 }
}
