/** The tables that are read and written for pings. Each engine accesses them in its own way to make pings fast. */
import { COUNTER_COLUMNS, type CounterRow, type WatchedRow } from './check-rows.ts'
import type { Value } from './value.ts'

/** The columns of a log entry. Only an engine whose log is a chain stores `previous_id`. */
export const PING_COLUMNS = [
  'id',
  'previous_id',
  'check_id',
  'n',
  'received_at',
  'kind',
  'exit_status',
  'rid',
  'scheme',
  'method',
  'ua',
  'remote_addr',
  'body',
  'content_type',
  'ignored_by',
  'occurred_at',
] as const

/** The columns of `counters` that a ping changes. Only an engine whose log is a chain stores `last_ping_id`. */
export const COUNTED_COLUMNS = [...COUNTER_COLUMNS, 'last_ping_id'] as const

export interface CountedRow extends CounterRow {
  /** the log's newest entry; null if there is none, or if the engine does not store it */
  last_ping_id: number | null
}

/** The loaded rows. Each row has the same index as its counters. */
interface LoadedChecks {
  /** first of the reserved ids, which are consecutive */
  readonly firstId: number
  readonly rows: readonly WatchedRow[]
  readonly counters: readonly CountedRow[]
}

export interface PingBatch {
  /** values of {@link PING_COLUMNS} for each new entry */
  readonly entries: readonly (readonly Value[])[]
  /** values of {@link COUNTED_COLUMNS}, and `counter_id`, for each check; the checks must be distinct */
  readonly counters: readonly (readonly Value[])[]
  /** values of `STATUS_COLUMNS`, and `id`, for each check in which they change; the checks must be distinct */
  readonly statuses: readonly (readonly Value[])[]
}

/** A log entry. An engine may reuse the id of a deleted entry, but never its check and number. */
export interface EntryKey {
  readonly id: number
  readonly checkId: string
  readonly n: number
  /** whether the entry's body is long, so that its rest is stored separately */
  readonly hasRest: boolean
}

export interface PingTables {
  /**
   * Locks the checks (the lock `check`), then reads them and reserves ids for `entries` new log entries. Leaves out checks that do not
   * exist. Call this method only once per write. Ids increase from one write to the next, but a write with lower ids may be committed later
   * than one with higher ids: see `Database.settledPings`.
   */
  load(ids: readonly string[], entries: number): Promise<LoadedChecks>
  /** Writes a batch. The promise may resolve earlier, like that of `Sql.runEach`. */
  write(batch: PingBatch): Promise<void>
  /** best number of entries for one call of {@link remove}, which then takes a few milliseconds */
  readonly removedAtOnce: number
  /**
   * Removes either entries or only their bodies, in both cases with their words. Afterwards, a search does not find the content of the
   * bodies. The caller must have locked the search index.
   * @returns number of entries or bodies that still existed
   */
  remove(entries: readonly EntryKey[], part: 'entries' | 'bodies'): Promise<number>
}
