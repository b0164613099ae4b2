/** Links that work once: for the first account, to choose a password, and to sign in. */
import type { Instant } from '../../lib/time.ts'

export const LINK_PURPOSES = ['first-account', 'password', 'sign-in'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export interface OneTimeLink {
  /** `tokenLookup` of its token */
  readonly lookup: string
  readonly purpose: LinkPurpose
  /** null for the first account */
  readonly accountId: string | null
  readonly expiresAt: Instant
}

const HOUR_SECONDS = 3_600

/** How long each kind works. A link by the operator is often sent to somebody who is asleep. */
export const LINK_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  'first-account': HOUR_SECONDS,
  password: 24 * HOUR_SECONDS,
  'sign-in': HOUR_SECONDS,
}
