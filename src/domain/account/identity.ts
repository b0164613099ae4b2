/** A user's identity at an OpenID provider, linked to an account. */
import type { Instant } from '../../lib/time.ts'

export interface Identity {
  /** the provider's URL, from the `iss` claim */
  readonly issuer: string
  /** the user's permanent id at the provider, from the `sub` claim */
  readonly subject: string
  readonly accountId: string
  readonly createdAt: Instant
  /** last sign-in with this identity; null: it has not been used since it was linked */
  readonly lastUsedAt: Instant | null
}

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>
