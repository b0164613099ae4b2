/** Links that work only once. They are used to create the first account, choose a password, sign in, confirm an address, or sign up. */
import type { Instant } from '../../lib/time.ts'

export const LINK_PURPOSES = ['first-account', 'password', 'sign-in', 'email', 'sign-up'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export interface OneTimeLink {
  /** hash of the link's token; see `tokenLookup` */
  readonly lookup: string
  readonly purpose: LinkPurpose
  /** recipient's account; null for `first-account` and `sign-up` */
  readonly accountId: string | null
  readonly expiresAt: Instant
  /** address that the recipient confirms by opening the link; null: none */
  readonly email: string | null
}

const HOUR_SECONDS = 3_600

/** Lifetime of each kind of link, in seconds. A link for choosing a password lasts longer if the operator creates it, because the recipient may be asleep. */
export const LINK_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  'first-account': HOUR_SECONDS,
  password: 24 * HOUR_SECONDS,
  'sign-in': HOUR_SECONDS,
  email: HOUR_SECONDS,
  'sign-up': 24 * HOUR_SECONDS,
}

/**
 * Returns the lifetime in seconds. An emailed link for choosing a password expires sooner than one that the operator printed, because the
 * recipient has just requested it.
 */
export function linkSeconds({ purpose, email }: Pick<OneTimeLink, 'purpose' | 'email'>): number {
  return purpose === 'password' && email !== null ? HOUR_SECONDS : LINK_SECONDS[purpose]
}
