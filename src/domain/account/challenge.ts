/**
 * A challenge: a sign-in or setup step that a browser has started and must finish within minutes. The token in the browser's cookie can
 * finish it once.
 */
import type { Instant } from '../../lib/time.ts'

export const CHALLENGE_PURPOSES = [
  'second-factor',
  'totp',
  'new-passkey',
  'passkey-sign-in',
  'passkey-confirmation',
  'oidc',
  'link',
] as const
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number]

export interface Challenge {
  /** hash of the challenge's token; see `tokenLookup` */
  readonly lookup: string
  readonly purpose: ChallengePurpose
  /** the user's account; null until the user is known */
  readonly accountId: string | null
  /** JSON with the data needed to finish the challenge, such as the random bytes that a passkey must sign */
  readonly data: string
  readonly expiresAt: Instant
}

/** Maximum number of open challenges per account and purpose. Creating another one invalidates the oldest. */
export const CHALLENGES_LIMIT = 10
export const CHALLENGE_SECONDS = 300
/** Long enough to install an authenticator app first. */
export const APP_SET_UP_SECONDS = 1_800
/** Long enough to enter a password and a code at the OpenID provider. */
export const OIDC_SECONDS = 600

/** Returns the number of seconds after which a challenge expires. */
export function challengeSeconds(purpose: ChallengePurpose): number {
  if (purpose === 'totp') return APP_SET_UP_SECONDS
  return purpose === 'oidc' ? OIDC_SECONDS : CHALLENGE_SECONDS
}
