/** Tokens of links and of challenges. Each works once, for anyone who has it, until it expires. Only a hash of it is stored. */
import { Refusal } from '../errors.ts'
import { CHALLENGE_PURPOSES, CHALLENGES_LIMIT, type Challenge, challengeSeconds } from './challenge.ts'
import { LINK_PURPOSES, type LinkPurpose, linkSeconds, type OneTimeLink } from './one-time-link.ts'

export type Token = OneTimeLink | Challenge
export type TokenPurpose = Token['purpose']
export type TokenFor<Purpose extends TokenPurpose> = Purpose extends LinkPurpose ? OneTimeLink : Challenge

export const TOKEN_PURPOSES: readonly TokenPurpose[] = [...LINK_PURPOSES, ...CHALLENGE_PURPOSES]

/** A token that is not created yet. */
export type WantedToken = Omit<OneTimeLink, 'lookup' | 'expiresAt'> | Omit<Challenge, 'lookup' | 'expiresAt'>

/** Returns the token's lifetime in seconds. */
export function tokenSeconds(token: WantedToken): number {
  return 'data' in token ? challengeSeconds(token.purpose) : linkSeconds(token)
}

/** Returns the maximum number of tokens of this purpose that an account has at once; a newer one ends the oldest. */
export function mostAtOnce(token: WantedToken): number {
  if ('data' in token) return CHALLENGES_LIMIT
  // Mailed links are unlimited, because anyone may request them: a stranger could make them all useless.
  return token.purpose === 'password' && token.email === null ? 1 : Number.POSITIVE_INFINITY
}

/** @param otherwise another possible reason why the link no longer works */
export function linkEnded(otherwise = 'a newer one has replaced it'): Refusal {
  return new Refusal('link-ended', `this link was used already, ${otherwise}, or it has expired; ask for a new one`)
}
