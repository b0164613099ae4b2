/** Queue turns for hashing passwords. Signed-in accounts wait in a separate lane, so they cannot take the places of users who are signing in. */
import type { HashTurn } from '../../../lib/secrets/password-hasher.ts'
import { networkOf } from '../../common/limits/limit-windows.ts'

/**
 * Returns the turn for a visitor who signs in, creates an account or uses a link.
 * @param address null if unknown; all unknown addresses share one turn
 */
export function visitorTurn(address: string | null): HashTurn {
  return { lane: 'visitor', party: networkOf(address) }
}

/** Returns the turn for a signed-in account. */
export function accountTurn(accountId: string): HashTurn {
  return { lane: 'account', party: accountId }
}
