/**
 * The interface to a database engine.
 *
 * Statements use only SQL that both SQLite and PostgreSQL support, so that the same statements work for both. Where such SQL would be slow,
 * each engine has its own statements ({@link EngineStatements}) and its own way to write pings ({@link PingTables}).
 *
 * A new engine goes in its own directory in `store/engine/`, like the two existing ones. `domain/database-address.ts` and
 * `config/database-address.ts` parse its URL, `app/engine.ts` opens it, and `test/support/architecture/` defines what it may import and
 * which words only it may use. `test/store/database-contract.ts` is the contract that every engine must meet, and `test/store/contract.ts`
 * is the contract for every store.
 */

import type { WordPattern } from '../../domain/search/query.ts'
import type { EngineStatements } from './engine-statements.ts'
import type { PingTables } from './ping-tables.ts'
import type { Value } from './value.ts'

export type { Value } from './value.ts'

/**
 * Locks for writes. A write that needs several locks takes them in this order, and takes all keys of one lock in one call, so that writes
 * never deadlock.
 */
export const LOCKS = [
  /** without a key; protects the set of staged logs and projects */
  'imports',
  /** by name; protects the value while a new one that depends on it is computed */
  'setting',
  /** without a key; taken before checking that there are no accounts and creating the first one */
  'first account',
  /** without a key; protects the set of administrators */
  'administrators',
  /** by issuer and subject; protects the link between the identity and an account */
  'identity',
  /** by id; protects the row */
  'account',
  /** by address; taken before checking that no account has the address and assigning it */
  'email',
  /** by name; taken before checking that the name is free and assigning it */
  'project name',
  /** without a key; protects the set of slugs in use */
  'status page slugs',
  /** by id; protects the row, its members, and the names, slugs and creation times of the project's checks and channels */
  'project',
  /** without a key; protects the set of ids in use */
  'public ids',
  /** without a key; protects the highest counter id */
  'counter ids',
  /** by the check's id; protects its row, counters, log and events, and the deliveries about its events */
  'check',
  /** by the project's id; protects its silences, which may hold incidents of the project's checks */
  'silences',
  /** by id; protects the row, including from deletion */
  'channel',
  /** by the project's id; protects the start and end of its reminders, which depend on the status of all the project's checks */
  'reminders',
] as const

export type Lock = (typeof LOCKS)[number]

/** Settings for a new database, by name. The transaction that creates the tables also stores them. */
export type FirstSettings = Readonly<Record<string, string>>

/** An index of the words in pings, by ping id. Changes to the index belong to the transaction, like all other changes. */
export interface WordIndex {
  /** Replaces the ping's words. @param words letters, digits and `§`, in order */
  put(id: number, words: readonly string[]): Promise<void>
  /** Removes a ping's words, if it has any. */
  remove(id: number): Promise<void>
  /**
   * Finds pings whose words match, newest first, at most `limit`.
   * @param above only ids greater than this
   * @param below only ids less than this
   */
  find(pattern: WordPattern, above: number, below: number, limit: number): Promise<number[]>
  /** Does a small part of the index's upkeep, which takes one or two milliseconds. @returns false if there is nothing to do */
  tidy(): Promise<boolean>
}

/** Runs statements. Statements are constants in the source and use numbered parameters: `$1`, `$2`, … */
export interface Sql {
  /** Returns the first row; null if there is none. */
  get<Row>(statement: string, values: readonly Value[]): Promise<Row | null>
  all<Row>(statement: string, values: readonly Value[]): Promise<Row[]>
  /** @returns number of changed rows */
  run(statement: string, values: readonly Value[]): Promise<number>
  /**
   * Runs the statement once for each list of values, in one round trip.
   * @returns the first row for each list, in order; null for a list without rows
   */
  getEach<Row>(statement: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]>
  /**
   * Runs the statement once for each list of values, in order and before later statements. The promise may resolve earlier. In that case,
   * an error makes the next statement or the transaction fail.
   */
  runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<void>
  /**
   * Waits until no other write has one of these locks, then keeps them until the transaction ends. As long as every write takes its locks
   * before it reads, decides and writes, data that is read after this call stays valid until the commit. Data that was read before this
   * call may be out of date. An engine that runs one write at a time does nothing here.
   * @param keys in any order; omitted for a lock without keys
   */
  lock(what: Lock, keys?: readonly string[]): Promise<void>
  readonly words: WordIndex
  readonly statements: EngineStatements
  readonly pings: PingTables
}

/**
 * The purpose of a write. An engine with several connections reserves one for pings, and gives up on a batch of pings that takes too long.
 * If writes have recently failed, for example because the disk is full, an engine also rejects probes, even if they would succeed. Other
 * processes don't have to notice probes and upkeep, because these change nothing that is shown. Nor do they have to notice each of the many
 * writes in a `bulk` change.
 */
export type WriteKind = 'pings' | 'probe' | 'upkeep' | 'bulk' | 'others'

/**
 * The changes that a write makes to checks and access rights: nothing; only existing checks, which can be found in the log; or possibly
 * anything, so that other processes must reread everything. An engine may treat every write as `anything`.
 */
export type Shown = 'nothing' | 'pings' | 'anything'

/** Other processes' writes. */
export interface WritesOfOthers {
  /** changes whenever another process has written; an engine may leave out probes and upkeep */
  readonly writes: string
  /** changes whenever any check or anyone's rights may have changed, except for the checks in {@link pinged} */
  readonly edits: string
  /** checks that were pinged since the previous call; may include some that were pinged only through this process */
  readonly pinged: readonly TouchedCheck[]
}

/**
 * Where a write is stored once it has been confirmed. `memory` is the database server's memory, so a crash may lose the write; `disk` is
 * its disk. With `standby-memory` or `standby-disk`, the write is also in a standby server's memory or on its disk.
 */
export type Durability = 'memory' | 'disk' | 'standby-memory' | 'standby-disk'

/** Disk usage in bytes by part of the database. The engine names the parts: `main` and `wal` for SQLite. */
export type DiskUsage = Readonly<Record<string, number>>

/** How much of the database an engine keeps in memory: as much as is best for many pings, or only enough for a few pings. */
export type Caching = 'much' | 'little'

/** A check that one process reports as changed to other processes. */
export interface TouchedCheck {
  readonly projectId: string
  readonly checkId: string
}

/** @param changed some of the checks that have changed; others may have changed too */
export type NoticeListener = (changed: readonly TouchedCheck[]) => void

export interface Database {
  /**
   * Runs reads on one consistent snapshot of the database, even if there are writes at the same time. Reads do not wait for writes.
   * @throws Refusal `unavailable` if the database cannot be read now
   */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` in one transaction. If the promise resolves, everything is on disk; if it rejects, nothing was written.
   *
   * Other writes may run at the same time, in this process and in others. Each statement sees the changes that were committed before it
   * began, and those made by its own transaction. A write that makes decisions based on data it reads must therefore take a lock first
   * ({@link Sql.lock}). An UPDATE or DELETE whose WHERE clause tests its preconditions needs no lock; this is how work is claimed.
   *
   * @param work called again after a conflict with another write, for example if the other write has just removed a row that a foreign key
   * references. `work` must therefore not change anything outside the transaction, except that `ClaimRules.admits` may be called again
   * @param kind `others` by default
   * @param shown called before the commit; `anything` by default
   * @throws Refusal `unavailable` if the database cannot be written now, or if the result of the commit is unknown
   */
  write<Result>(
    work: (sql: Sql) => Promise<Result>,
    kind?: WriteKind,
    shown?: (result: Result) => Shown,
  ): Promise<Result>
  /**
   * Reads other processes' writes. Call this method again only after the previous call has ended. All commits made before the call are
   * included in its result or in that of an earlier call.
   */
  readOthers(): Promise<WritesOfOthers>
  /**
   * Sends a notice to other processes after a commit, at most a few times a second. Those processes should then immediately search for due
   * work and changes. An engine without notices does nothing, and a notice may be lost.
   */
  notify(changed: readonly TouchedCheck[]): void
  /**
   * Calls the listener for each notice from another process, and when a notice may have been lost. The listener must be quick and must not
   * throw.
   * @returns a function that removes the listener
   */
  watchNotices(listener: NoticeListener): () => void
  /**
   * Returns an id for reads that begin after the call. No more entries with this id or a lower one can be added to the log. Entries with
   * higher ids may be committed in a different order than their ids were reserved.
   */
  settledPings(): Promise<number>
  size(): Promise<DiskUsage>
  /**
   * Returns where a write is stored once it has been confirmed, according to the database server's current settings. Returns null for an
   * engine without such settings, whose writes are on this machine's disk.
   */
  durability(): Promise<Durability | null>
  /** Sets how much is cached; the initial value is `much`. Does nothing if the engine has no cache in this process. */
  cache(caching: Caching): void
  /** Waits for earlier reads and writes, then closes the database. */
  close(): Promise<void>
}
