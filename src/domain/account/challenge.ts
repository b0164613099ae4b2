/** What a browser has begun and must finish within minutes. It is finished once, by whoever has the token in the cookie. */
import type { Instant } from '../../lib/time.ts'

const CHALLENGE_KINDS = [
  'second-factor',
  'totp',
  'new-passkey',
  'passkey-sign-in',
  'passkey-confirmation',
  'oidc',
  'link',
] as const
export type ChallengeKind = (typeof CHALLENGE_KINDS)[number]

export interface Challenge {
  /** `tokenLookup` of its token */
  readonly lookup: string
  readonly kind: ChallengeKind
  /** null while it is not known who it is */
  readonly accountId: string | null
  /** JSON of what is needed to finish it, such as the random bytes that a passkey must sign */
  readonly data: string
  readonly expiresAt: Instant
}

/** How many of one kind an account has at once; a newer one ends the oldest. */
export const CHALLENGES_LIMIT = 10
export const CHALLENGE_SECONDS = 300
/** For who has to install an app first. */
export const APP_SET_UP_SECONDS = 1_800
