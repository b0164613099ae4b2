/** Who an account is at an OpenID provider. */
import type { Instant } from '../../lib/time.ts'

export interface Identity {
  /** the provider, as it names itself: the claim `iss` */
  readonly issuer: string
  /** the person there, for ever: the claim `sub` */
  readonly subject: string
  readonly accountId: string
  readonly createdAt: Instant
  /** null: not since it was linked */
  readonly lastUsedAt: Instant | null
}

export type IdentityKey = Pick<Identity, 'issuer' | 'subject'>
