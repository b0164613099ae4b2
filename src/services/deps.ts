/** What the services may touch; each names the part it needs as its first parameter. */
import type { Carriers } from '../domain/carriers.ts'
import type { Log } from '../domain/log.ts'
import type { RandomBytes } from '../domain/project.ts'
import type { FlipsForm, Links } from '../domain/representation.ts'
import type { Clock, Instant } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { OperatorSettings, Registry } from '../transports/transport.ts'
import type { Measurements, Stopwatch } from './measurements.ts'
import type { Pace } from './pace.ts'

export interface Random {
  /** a UUID, version 4, lower case */
  readonly uuid: () => string
  readonly bytes: RandomBytes
  /** 0 ≤ fraction < 1 */
  readonly fraction: () => number
}

/** What the operating system says about this process. */
export interface ProcessFigures {
  readonly version: string
  readonly startedAt: Instant
  /** bytes */
  readonly residentMemory: () => number
  /** seconds of all processors since the start */
  readonly cpuSeconds: () => number
  /** file descriptors taken, and how many there may be; null where the system does not tell */
  readonly descriptors: () => { readonly open: number; readonly limit: number } | null
}

export interface Site {
  readonly name: string
  /** what the badge of all checks of a project is called */
  readonly badgeLabel: string
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
  /** Gives up what carriers have under way and ends the connections that they keep. */
  readonly hangUp: () => Promise<void>
  /** what the operator has set for kinds that need it, by name */
  readonly operator: OperatorSettings
  /** true when nothing is sent to a mail address before its owner has agreed */
  readonly confirmAddresses: boolean
  /** bytes of a ping's body that are kept; null keeps all */
  readonly pingBodyLimit: number | null
  /** default of new projects */
  readonly pingLogLimit: number
  /** that the bodies of a check's log may take beyond the newest entry's */
  readonly pingLogBytes: number
  /** how v3 of the API lists flips */
  readonly v3Flips: FlipsForm
  /** opens the figures of the whole server; null: only to this machine */
  readonly metricsKey: string | null
  /** false: projects have no metrics for Prometheus */
  readonly prometheusEnabled: boolean
  /** what this process counts about itself */
  readonly measurements: Measurements
  readonly stopwatch: Stopwatch
  /** of all work that keeps the event loop busy: the store's, and reading mails */
  readonly pace: Pace
  readonly process: ProcessFigures
  /** called when deliveries were written that can be claimed at once */
  readonly onOwed: () => void
  /** called when there is something to prune that should not wait */
  readonly onPrunable: () => void
}
