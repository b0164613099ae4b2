/** Options of an import from Healthchecks. */
import type { Instant } from '../../lib/time.ts'
import type { Random } from '../../services/common/deps.ts'
import type { Registry } from '../../transports/transport.ts'

export interface HealthchecksOptions {
  /** SECRET_KEY of the old server; null if unknown, in which case hashed keys are not imported */
  readonly secret: string | null
  /** true if the caller verifies the secret with a key or URL that the old server has issued */
  readonly isSecretVerified: boolean
  /** names or ids of the projects to import; null for all */
  readonly projects: readonly string[] | null
  readonly now: Instant
  readonly random: Pick<Random, 'uuid'>
  readonly transports: Registry
}
