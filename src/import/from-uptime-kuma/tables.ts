/** The data that is read from a database of Uptime Kuma, version 1 or 2. A column that the version lacks is null. */

export type KumaCell = string | number | null | Uint8Array

export interface KumaMonitor {
  readonly id: number
  readonly name: KumaCell
  readonly active: KumaCell
  /** seconds */
  readonly interval: KumaCell
  readonly push_token: KumaCell
  readonly maxretries: KumaCell
  /** seconds; 0: same as the interval */
  readonly retry_interval: KumaCell
  readonly upside_down: KumaCell
  readonly description: KumaCell
  /** id of its group */
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
  /** '' or null: the tag has no value */
  readonly value: KumaCell
}

export interface KumaNotification {
  readonly id: number
  readonly name: KumaCell
  readonly active: KumaCell
  /** JSON */
  readonly config: KumaCell
}

export interface KumaAssignment {
  readonly monitor_id: number
  readonly notification_id: number
}

/** `status`: 0 down, 1 up, 2 pending, 3 maintenance */
export interface KumaBeat {
  readonly id: number
  readonly status: KumaCell
  readonly msg: KumaCell
  /** UTC */
  readonly time: KumaCell
}

export interface KumaTables {
  /** shown to people */
  readonly name: string
  /** monitors that wait for pushes, in the order of their ids */
  monitors(): Promise<readonly KumaMonitor[]>
  groups(): Promise<readonly KumaGroup[]>
  /** number of monitors of other types, by type */
  otherMonitors(): Promise<readonly { readonly type: KumaCell; readonly count: number }[]>
  tags(): Promise<readonly KumaTag[]>
  notifications(): Promise<readonly KumaNotification[]>
  assignments(): Promise<readonly KumaAssignment[]>
  /** a secret of this installation; null: it has none */
  installationSecret(): Promise<string | null>
  /** Returns the newest pushes that arrived, without notes of silence, in the order of their ids. */
  pushes(monitorId: number, limit: number): Promise<readonly KumaBeat[]>
  /** Returns the heartbeats at which the status changed, in the order of their ids. */
  changes(monitorId: number): Promise<readonly KumaBeat[]>
  close(): Promise<void>
}

/** Message of Uptime Kuma if no push arrived in time. */
export const SILENCE = 'No heartbeat in the time window'
