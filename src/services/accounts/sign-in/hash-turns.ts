/** Turns at hashing passwords. People who are signed in can't take the places of people who sign in, however often they ask. */
import type { HashTurn } from '../../../lib/secrets/password-hasher.ts'
import { networkOf } from '../../common/limits/limit-windows.ts'

/** The turn of somebody who signs in, makes an account or has a link. @param address null when it is unknown: all of these are one party */
export function visitorTurn(address: string | null): HashTurn {
  return { lane: 'visitor', party: networkOf(address) }
}

/** The turn of somebody who is signed in. */
export function accountTurn(accountId: string): HashTurn {
  return { lane: 'account', party: accountId }
}
