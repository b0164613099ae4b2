/** The tables that pings read and write. Each engine goes about them in its own way, because pings are what must be fast. */
import { COUNTER_COLUMNS, type CounterRow, type WatchedRow } from './check-rows.ts'
import type { Value } from './value.ts'

/** What an entry of the log is made of. Only an engine whose log is a chain stores `previous_id`. */
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

/** What a ping changes in `counters`. Only an engine whose log is a chain stores `last_ping_id`. */
export const COUNTED_COLUMNS = [...COUNTER_COLUMNS, 'last_ping_id'] as const

export interface CountedRow extends CounterRow {
  /** the newest entry of the log; null if there is none, or if the engine does not store it */
  last_ping_id: number | null
}

/** Each row has its counters at the same index. */
interface LoadedChecks {
  /** the first of the ids that were reserved; the others follow it */
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

/** An entry of the log. An engine may give its id to another entry once it is gone, but never its check and number. */
export interface EntryKey {
  readonly id: number
  readonly checkId: string
  readonly n: number
  /** whether its body is a long one, with a rest */
  readonly hasRest: boolean
}

export interface PingTables {
  /**
   * Locks the checks (the lock `check`), then reads them and reserves ids for so many new entries of the log. Checks that do not
   * exist are left out. A write calls it once. Ids grow from one write to the next, but the write with the lower ones may commit
   * later: see `Database.settledPings`.
   */
  load(ids: readonly string[], entries: number): Promise<LoadedChecks>
  /** It may resolve earlier, as `Sql.runEach`. */
  write(batch: PingBatch): Promise<void>
  /** How many entries one call of {@link remove} takes best; it takes some milliseconds. */
  readonly removedAtOnce: number
  /**
   * Removes entries with their words, or their bodies with their words. What was in a body is found no longer from then on. The
   * caller has locked the words of the search.
   * @returns how many were still there
   */
  remove(entries: readonly EntryKey[], part: 'entries' | 'bodies'): Promise<number>
}
