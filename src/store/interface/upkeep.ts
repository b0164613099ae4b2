/** Data about the database itself, about past server outages and backups, and about retention. */

import type { BackupFailure, BackupSuccess } from '../../domain/backup.ts'
import type { Instant } from '../../lib/time.ts'

/** A period in which no server was running or able to record that it was running. */
export interface Outage {
  readonly from: Instant
  readonly until: Instant
}

export interface Totals {
  /** id of the newest ping, which increases with every ping; null if the log contains no pings */
  readonly newestPingId: number | null
  /** number of stored deliveries, in any state */
  readonly deliveries: number
  /** number of events with a pending delivery that was never attempted */
  readonly untriedEvents: number
}

export interface Pruned {
  readonly pings: number
  /** number of bodies that were dropped from entries that were kept */
  readonly bodies: number
  readonly events: number
  /** true if there is more to do, so that another call is needed */
  readonly more: boolean
}

export interface BackupRecord {
  /** the newest backup; null before the first backup */
  readonly newest: BackupSuccess | null
  /** newest failure, which may be older than the newest backup; null if no backup has failed */
  readonly failure: BackupFailure | null
  /** creation time of the oldest project if the database has no backup; null if it has a backup or has no projects */
  readonly usedSince: Instant | null
}
