/** The database itself, what the server knows of its own past, and retention. */

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
  /** the number stored, in any state */
  readonly deliveries: number
  /** the number of events with a pending delivery that has never been tried */
  readonly untriedEvents: number
}

export interface Pruned {
  readonly pings: number
  /** bodies dropped from entries that stay */
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
  /** of a database without a backup: when its oldest project was made; null with a backup, or without a project */
  readonly usedSince: Instant | null
}
