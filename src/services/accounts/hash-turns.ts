/** Whose turn it is when a password is hashed. Who is signed in can't take the places of who comes in, however often they ask. */
import type { HashTurn } from '../../lib/password-hasher.ts'
import { networkOf } from '../limit-windows.ts'

/** For who signs in, makes an account or has a link. @param address null when it is unknown: all of these are one party */
export function visitorTurn(address: string | null): HashTurn {
  return { lane: 'visitor', party: networkOf(address) }
}

/** For who is signed in. */
export function accountTurn(accountId: string): HashTurn {
  return { lane: 'account', party: accountId }
}
