/** Server instances that use this database, and work that only one of them does at a time. */

import type { Instant } from '../../lib/time.ts'

/** One run of a server. */
export interface Instance {
  readonly id: string
  /** name set by the operator; several instances may have the same name */
  readonly name: string
  readonly version: string
  readonly startedAt: Instant
  /** time of the last heartbeat, according to the database's clock */
  readonly seenAt: Instant
  /** number of seconds by which the instance's clock was ahead of the database's clock; negative if it was behind */
  readonly clockAhead: number
  readonly load: InstanceLoad
}

/** An instance's activity between its last two heartbeats. Each value is null if it is unknown or there is nothing to report. */
export interface InstanceLoad {
  /** answered pings per second */
  readonly pingsPerSecond: number | null
  /** mean duration of transactions that write pings, in milliseconds */
  readonly commitMilliseconds: number | null
  /** processor time as a share of one core */
  readonly processorShare: number | null
  /** resident memory in megabytes */
  readonly memoryMegabytes: number | null
}

export interface LeaseAnswer {
  readonly isHolder: boolean
  /** seconds until the lease ends, no matter which instance has it */
  readonly seconds: number
}
