/** What is read of a database of Uptime Kuma, of version 1 or 2. A column that the version does not have is null. */

export type KumaCell = string | number | null | Uint8Array

export interface KumaMonitor {
  readonly id: number
  readonly name: KumaCell
  readonly active: KumaCell
  /** seconds */
  readonly interval: KumaCell
  readonly push_token: KumaCell
  readonly maxretries: KumaCell
  /** seconds; 0: the interval */
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
  /** '' or null: the tag has none */
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
  /** for people */
  readonly name: string
  /** those that wait for pushes, in the order of their ids */
  monitors(): Promise<readonly KumaMonitor[]>
  groups(): Promise<readonly KumaGroup[]>
  /** of other types, by type */
  otherMonitors(): Promise<readonly { readonly type: KumaCell; readonly count: number }[]>
  tags(): Promise<readonly KumaTag[]>
  notifications(): Promise<readonly KumaNotification[]>
  assignments(): Promise<readonly KumaAssignment[]>
  /** a secret of this one installation; null: it has none */
  installationSecret(): Promise<string | null>
  /** Those that came, without those that note a silence; the newest, in the order of their ids. */
  pushes(monitorId: number, limit: number): Promise<readonly KumaBeat[]>
  /** Those at which the status changed, in the order of their ids. */
  changes(monitorId: number): Promise<readonly KumaBeat[]>
  close(): Promise<void>
}

/** What Uptime Kuma writes when no push came in time. */
export const SILENCE = 'No heartbeat in the time window'
