/** Tokens that work once, for whoever has one, until they expire: of links and of challenges. Only a hash of a token is stored. */
import { Refusal } from '../errors.ts'
import { CHALLENGE_PURPOSES, CHALLENGES_LIMIT, type Challenge, challengeSeconds } from './challenge.ts'
import { LINK_PURPOSES, type LinkPurpose, linkSeconds, type OneTimeLink } from './one-time-link.ts'

export type Token = OneTimeLink | Challenge
export type TokenPurpose = Token['purpose']
export type TokenFor<Purpose extends TokenPurpose> = Purpose extends LinkPurpose ? OneTimeLink : Challenge

export const TOKEN_PURPOSES: readonly TokenPurpose[] = [...LINK_PURPOSES, ...CHALLENGE_PURPOSES]

/** One that is not made yet. */
export type WantedToken = Omit<OneTimeLink, 'lookup' | 'expiresAt'> | Omit<Challenge, 'lookup' | 'expiresAt'>

/** How long it works. */
export function tokenSeconds(token: WantedToken): number {
  return 'data' in token ? challengeSeconds(token.purpose) : linkSeconds(token)
}

/** How many of its purpose its account has at once; a newer one ends the oldest. */
export function mostAtOnce(token: WantedToken): number {
  if ('data' in token) return CHALLENGES_LIMIT
  // Not of those that are mailed, which anybody may ask for: a stranger could make them all useless.
  return token.purpose === 'password' && token.email === null ? 1 : Number.POSITIVE_INFINITY
}

/** @param otherwise what ends it besides use and time */
export function linkEnded(otherwise = 'a newer one has replaced it'): Refusal {
  return new Refusal('link-ended', `this link was used already, ${otherwise}, or it has expired; ask for a new one`)
}
