/** Queue turns for hashing passwords. Signed-in people have their own turns, so their requests never delay people who are signing in. */
import type { HashTurn } from '../../../lib/secrets/password-hasher.ts'
import { networkOf } from '../../common/limits/limit-windows.ts'

/**
 * Returns the turn of a visitor who signs in, creates an account or uses a link. @param address null if unknown; all unknown addresses
 * share one turn
 */
export function visitorTurn(address: string | null): HashTurn {
  return { lane: 'visitor', party: networkOf(address) }
}

/** Returns the turn of a signed-in person. */
export function accountTurn(accountId: string): HashTurn {
  return { lane: 'account', party: accountId }
}
