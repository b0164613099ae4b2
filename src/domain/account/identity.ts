/** An account's identity at an OpenID provider. */
import type { Instant } from '../../lib/time.ts'

export interface Identity {
  /** the provider's URL: the claim `iss` */
  readonly issuer: string
  /** the permanent id of the person at the provider: the claim `sub` */
  readonly subject: string
  readonly accountId: string
  readonly createdAt: Instant
  /** last sign-in with this identity; null: none since it was linked */
  readonly lastUsedAt: Instant | null
}

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>
