/** Turns at hashing passwords. Signed-in people can't take the places of people who sign in, however often they ask. */
import type { HashTurn } from '../../../lib/secrets/password-hasher.ts'
import { networkOf } from '../../common/limits/limit-windows.ts'

/**
 * Returns the turn of a person who signs in, creates an account or has a link.
 * @param address null if unknown: all unknown addresses share their turns
 */
export function visitorTurn(address: string | null): HashTurn {
  return { lane: 'visitor', party: networkOf(address) }
}

/** Returns the turn of a signed-in person. */
export function accountTurn(accountId: string): HashTurn {
  return { lane: 'account', party: accountId }
}
