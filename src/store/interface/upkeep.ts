/** The database itself, the server's record of its own past, and retention. */

import type { BackupFailure, BackupSuccess } from '../../domain/backup.ts'
import type { Instant } from '../../lib/time.ts'

/** A period in which no server ran, or none could record that it did. */
export interface Outage {
  readonly from: Instant
  readonly until: Instant
}

export interface Totals {
  /** grows with every ping; null if the log holds no ping */
  readonly newestPingId: number | null
  /** number of stored deliveries, in any state */
  readonly deliveries: number
  /** number of events with a pending delivery that has never been tried */
  readonly untriedEvents: number
}

export interface Pruned {
  readonly pings: number
  /** number of bodies dropped from entries that are kept */
  readonly bodies: number
  readonly events: number
  /** true if there is more to do: call again */
  readonly more: boolean
}

export interface BackupRecord {
  /** null before the first one */
  readonly newest: BackupSuccess | null
  /** may be older than the newest backup; null: none has failed */
  readonly failure: BackupFailure | null
  /** for a database without a backup: creation of its oldest project; null with a backup, or without a project */
  readonly usedSince: Instant | null
}
