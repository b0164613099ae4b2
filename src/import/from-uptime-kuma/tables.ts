/** The data that is read from an Uptime Kuma database, version 1 or 2. Columns that the version lacks are null. */

export type KumaCell = string | number | null | Uint8Array

export interface KumaMonitor {
  readonly id: number
  readonly name: KumaCell
  readonly active: KumaCell
  /** in seconds */
  readonly interval: KumaCell
  readonly push_token: KumaCell
  readonly maxretries: KumaCell
  /** in seconds; 0 means the same as the interval */
  readonly retry_interval: KumaCell
  readonly upside_down: KumaCell
  readonly description: KumaCell
  /** id of the group */
  readonly parent: KumaCell
  readonly created_date: KumaCell
}

export interface KumaGroup {
  readonly id: number
  readonly name: KumaCell
  readonly parent: KumaCell
}

export interface KumaTag {
  readonly monitor_id: number
  readonly name: KumaCell
  /** '' or null if the tag has no value */
  readonly value: KumaCell
}

export interface KumaNotification {
  readonly id: number
  readonly name: KumaCell
  readonly active: KumaCell
  /** JSON text */
  readonly config: KumaCell
}

export interface KumaAssignment {
  readonly monitor_id: number
  readonly notification_id: number
}

/** A heartbeat. Its `status` is 0 for down, 1 for up, 2 for pending, 3 for maintenance. */
export interface KumaBeat {
  readonly id: number
  readonly status: KumaCell
  readonly msg: KumaCell
  /** in UTC */
  readonly time: KumaCell
}

export interface KumaTables {
  /** name in messages */
  readonly name: string
  /** Returns the push monitors, in the order of their ids. */
  monitors(): Promise<readonly KumaMonitor[]>
  groups(): Promise<readonly KumaGroup[]>
  /** Returns the number of monitors of other types, by type. */
  otherMonitors(): Promise<readonly { readonly type: KumaCell; readonly count: number }[]>
  tags(): Promise<readonly KumaTag[]>
  notifications(): Promise<readonly KumaNotification[]>
  assignments(): Promise<readonly KumaAssignment[]>
  /** Returns a secret of this installation, or null if it has no secret. */
  installationSecret(): Promise<string | null>
  /** Returns the newest heartbeats that a push caused, in the order of their ids. */
  pushes(monitorId: number, limit: number): Promise<readonly KumaBeat[]>
  /** Returns the heartbeats at which the status changed, in the order of their ids. */
  changes(monitorId: number): Promise<readonly KumaBeat[]>
  close(): Promise<void>
}

/** Message of the heartbeat that Uptime Kuma records if no push arrives on time. */
export const SILENCE = 'No heartbeat in the time window'
