/** The instances on this database, and what only one of them does at a time. */

import type { Instant } from '../../lib/time.ts'

/** One run of a server. */
export interface Instance {
  readonly id: string
  /** what its operator calls it; another instance may have the same name */
  readonly name: string
  readonly version: string
  readonly startedAt: Instant
  /** its last sign of life, by the clock of the database */
  readonly seenAt: Instant
  /** seconds by which its clock was ahead of the database's; negative: behind */
  readonly clockAhead: number
  readonly load: InstanceLoad
}

/** What an instance did between its last two signs of life. null: not known, or nothing to tell. */
export interface InstanceLoad {
  /** answered */
  readonly pingsPerSecond: number | null
  /** mean duration of a transaction that writes pings */
  readonly commitMilliseconds: number | null
  /** of one core */
  readonly processorShare: number | null
  /** resident */
  readonly memoryMegabytes: number | null
}

export interface LeaseAnswer {
  readonly isHolder: boolean
  /** until the lease ends, whoever holds it */
  readonly seconds: number
}
