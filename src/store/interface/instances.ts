/** The instances on this database, and work that only one of them does at a time. */

import type { Instant } from '../../lib/time.ts'

/** A run of a server. */
export interface Instance {
  readonly id: string
  /** name given by its operator; another instance may have the same one */
  readonly name: string
  readonly version: string
  readonly startedAt: Instant
  /** its last sign of life, by the clock of the database */
  readonly seenAt: Instant
  /** seconds by which its clock was ahead of the database's; negative: behind */
  readonly clockAhead: number
  readonly load: InstanceLoad
}

/** The activity of an instance between its last two signs of life. null: unknown, or nothing to report. */
export interface InstanceLoad {
  /** answered pings */
  readonly pingsPerSecond: number | null
  /** mean duration of a transaction that writes pings */
  readonly commitMilliseconds: number | null
  /** share of one core */
  readonly processorShare: number | null
  /** resident memory */
  readonly memoryMegabytes: number | null
}

export interface LeaseAnswer {
  readonly isHolder: boolean
  /** time until the lease ends, regardless of its holder */
  readonly seconds: number
}
