/** Challenges: steps that a browser has begun and must finish within minutes. Each is finished once, with the token in the cookie. */
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
  /** `tokenLookup` of the challenge's token */
  readonly lookup: string
  readonly purpose: ChallengePurpose
  /** null while the person is not yet known */
  readonly accountId: string | null
  /** JSON of the data needed to finish it, such as the random bytes that a passkey must sign */
  readonly data: string
  readonly expiresAt: Instant
}

/** Maximum number of open challenges per account and purpose; a newer one ends the oldest. */
export const CHALLENGES_LIMIT = 10
export const CHALLENGE_SECONDS = 300
/** Leaves time to install an app first. */
export const APP_SET_UP_SECONDS = 1_800
/** Leaves time to type passwords and codes at the OpenID provider. */
export const OIDC_SECONDS = 600

/** Returns the seconds within which a challenge must be finished. */
export function challengeSeconds(purpose: ChallengePurpose): number {
  if (purpose === 'totp') return APP_SET_UP_SECONDS
  return purpose === 'oidc' ? OIDC_SECONDS : CHALLENGE_SECONDS
}
