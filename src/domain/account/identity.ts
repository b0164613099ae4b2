/** The identity of an account at an OpenID provider. */
import type { Instant } from '../../lib/time.ts'

export interface Identity {
  /** the provider's own name: the claim `iss` */
  readonly issuer: string
  /** the person's permanent id there: the claim `sub` */
  readonly subject: string
  readonly accountId: string
  readonly createdAt: Instant
  /** null: never since it was linked */
  readonly lastUsedAt: Instant | null
}

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>
