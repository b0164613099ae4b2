/** What the services may touch; each names the part it needs as its first parameter. */
import type { Carriers } from '../domain/carriers.ts'
import type { Log } from '../domain/log.ts'
import type { RandomBytes } from '../domain/project.ts'
import type { Links } from '../domain/representation.ts'
import type { Clock } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { OperatorSettings, Registry } from '../transports/transport.ts'

export interface Random {
  /** a UUID, version 4, lower case */
  readonly uuid: () => string
  readonly bytes: RandomBytes
  /** 0 ≤ fraction < 1 */
  readonly fraction: () => number
}

export interface Site {
  readonly name: string
  readonly links: Links
  /** signs badge URLs and hashes keys */
  readonly secret: string
}

export interface Deps {
  readonly store: Store
  readonly now: Clock
  readonly random: Random
  readonly log: Log
  readonly site: Site
  readonly transports: Registry
  /** by which messages leave */
  readonly carriers: Carriers
  /** what the operator has set for kinds that need it, by name */
  readonly operator: OperatorSettings
  /** bytes of a ping's body that are kept; null keeps all */
  readonly pingBodyLimit: number | null
  /** default of new projects */
  readonly pingLogLimit: number
  /** called when deliveries were written that can be claimed at once */
  readonly onOwed: () => void
}
