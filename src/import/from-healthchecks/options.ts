/** Options of an import from Healthchecks. */
import type { Instant } from '../../lib/time.ts'
import type { Random } from '../../services/common/deps.ts'
import type { Registry } from '../../transports/transport.ts'

export interface HealthchecksOptions {
  /** SECRET_KEY of that server; null: unknown, so its hashed keys are not imported */
  readonly secret: string | null
  /** true: the caller refuses a wrong secret by a key or URL that the server has given out */
  readonly isSecretVerified: boolean
  /** names of imported projects, or their ids; null: all */
  readonly projects: readonly string[] | null
  readonly now: Instant
  readonly random: Pick<Random, 'uuid'>
  readonly transports: Registry
}
