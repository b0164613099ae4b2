/** Links that work once: for the first account, to choose a password, to sign in, to prove an address, to sign up. */
import type { Instant } from '../../lib/time.ts'

export const LINK_PURPOSES = ['first-account', 'password', 'sign-in', 'email', 'sign-up'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export interface OneTimeLink {
  /** `tokenLookup` of the link's token */
  readonly lookup: string
  readonly purpose: LinkPurpose
  /** null for `first-account` and `sign-up` */
  readonly accountId: string | null
  readonly expiresAt: Instant
  /** the address that opening the link proves; null: none */
  readonly email: string | null
}

const HOUR_SECONDS = 3_600

/** Lifetime of each kind of link. The operator's links are often sent to a person who is asleep. */
export const LINK_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  'first-account': HOUR_SECONDS,
  password: 24 * HOUR_SECONDS,
  'sign-in': HOUR_SECONDS,
  email: HOUR_SECONDS,
  'sign-up': 24 * HOUR_SECONDS,
}

/** Returns the lifetime in seconds. A mailed link to choose a password was requested by the person who reads it. */
export function linkSeconds({ purpose, email }: Pick<OneTimeLink, 'purpose' | 'email'>): number {
  return purpose === 'password' && email !== null ? HOUR_SECONDS : LINK_SECONDS[purpose]
}
