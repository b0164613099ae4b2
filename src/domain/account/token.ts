/** Tokens in links and challenges. Anyone who has a token can use it once before it expires. The database stores only its hash. */
import { Refusal } from '../errors.ts'
import { CHALLENGE_PURPOSES, CHALLENGES_LIMIT, type Challenge, challengeSeconds } from './challenge.ts'
import { LINK_PURPOSES, type LinkPurpose, linkSeconds, type OneTimeLink } from './one-time-link.ts'

export type Token = OneTimeLink | Challenge
export type TokenPurpose = Token['purpose']
export type TokenFor<Purpose extends TokenPurpose> = Purpose extends LinkPurpose ? OneTimeLink : Challenge

export const TOKEN_PURPOSES: readonly TokenPurpose[] = [...LINK_PURPOSES, ...CHALLENGE_PURPOSES]

/** Data for a token that is about to be created. */
export type WantedToken = Omit<OneTimeLink, 'lookup' | 'expiresAt'> | Omit<Challenge, 'lookup' | 'expiresAt'>

/** Returns the token's lifetime in seconds. */
export function tokenSeconds(token: WantedToken): number {
  return 'data' in token ? challengeSeconds(token.purpose) : linkSeconds(token)
}

/** Returns how many tokens for this purpose an account can have at once. Creating another one invalidates the oldest. */
export function mostAtOnce(token: WantedToken): number {
  if ('data' in token) return CHALLENGES_LIMIT
  // The number of emailed links is not limited, because anyone can request one. A stranger could otherwise invalidate the link that the
  // account's owner is waiting for.
  return token.purpose === 'password' && token.email === null ? 1 : Number.POSITIVE_INFINITY
}

/** Returns the error for a link that no longer works. @param otherwise a possible reason other than use and expiry */
export function linkEnded(otherwise = 'a newer one has replaced it'): Refusal {
  return new Refusal('link-ended', `this link was used already, ${otherwise}, or it has expired; ask for a new one`)
}
