/** The tables that pings read and write. Each engine accesses them in its own way, because pings must be fast. */
import { COUNTER_COLUMNS, type CounterRow, type WatchedRow } from './check-rows.ts'
import type { Value } from './value.ts'

/** The columns of an entry of the log. Only an engine whose log is a chain stores `previous_id`. */
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
  /** the newest entry of the log; null if there is none, or if the engine does not store it */
  last_ping_id: number | null
}

/** Loaded rows, each with its counters at the same index. */
interface LoadedChecks {
  /** the first of the reserved ids; the others follow it */
  readonly firstId: number
  readonly rows: readonly WatchedRow[]
  readonly counters: readonly CountedRow[]
}

export interface PingBatch {
  /** {@link PING_COLUMNS} of each new entry */
  readonly entries: readonly (readonly Value[])[]
  /** {@link COUNTED_COLUMNS} and `counter_id` of each check; no check twice */
  readonly counters: readonly (readonly Value[])[]
  /** `STATUS_COLUMNS` and `id` of each check where they change; no check twice */
  readonly statuses: readonly (readonly Value[])[]
}

/** An entry of the log. An engine may reuse its id once it is deleted, but never its check and number. */
export interface EntryKey {
  readonly id: number
  readonly checkId: string
  readonly n: number
  /** whether its body is a long one, with a rest */
  readonly hasRest: boolean
}

export interface PingTables {
  /**
   * Locks the checks (the lock `check`), then reads them and reserves ids for this many new entries of the log. Checks that do not exist
   * are left out. A write calls it once. Ids grow from one write to the next, but the write with the lower ones may commit later: see
   * `Database.settledPings`.
   */
  load(ids: readonly string[], entries: number): Promise<LoadedChecks>
  /** Writes a batch. It may resolve earlier, like `Sql.runEach`. */
  write(batch: PingBatch): Promise<void>
  /** best number of entries for one call of {@link remove}, which takes some milliseconds */
  readonly removedAtOnce: number
  /**
   * Removes entries with their words, or their bodies with their words. From then on, the search does not find the content of a body. The
   * caller has locked the words of the search.
   * @returns how many still existed
   */
  remove(entries: readonly EntryKey[], part: 'entries' | 'bodies'): Promise<number>
}
