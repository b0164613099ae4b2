/** What a browser has begun and must finish within minutes. It is finished once, by whoever has the token in the cookie. */
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
  /** `tokenLookup` of its token */
  readonly lookup: string
  readonly purpose: ChallengePurpose
  /** null while it is not known who it is */
  readonly accountId: string | null
  /** JSON of what is needed to finish it, such as the random bytes that a passkey must sign */
  readonly data: string
  readonly expiresAt: Instant
}

/** How many of one purpose an account has at once; a newer one ends the oldest. */
export const CHALLENGES_LIMIT = 10
export const CHALLENGE_SECONDS = 300
/** For who has to install an app first. */
export const APP_SET_UP_SECONDS = 1_800
/** People type passwords and codes at the OpenID provider meanwhile. */
export const OIDC_SECONDS = 600

/** How long it may take. */
export function challengeSeconds(purpose: ChallengePurpose): number {
  if (purpose === 'totp') return APP_SET_UP_SECONDS
  return purpose === 'oidc' ? OIDC_SECONDS : CHALLENGE_SECONDS
}
