/**
 * The interface to a database engine.
 *
 * Statements use only SQL that SQLite and PostgreSQL share, so that the same statements work for both. Where shared SQL would be slow, each
 * engine has its own statements ({@link EngineStatements}) and its own way to write pings ({@link PingTables}).
 *
 * A new engine is a directory in `store/engine/`, like the two existing engines. `domain/database-address.ts` and
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
 * Locks for writes. A write that needs several locks takes them in this order, and takes all keys of one lock in one call, so that no two
 * writes wait for each other.
 */
export const LOCKS = [
  /** without a key; protects which logs and projects are staged */
  'imports',
  /** by name; protects the value, if the new value depends on the old one */
  'setting',
  /** without a key; protects whether an account exists */
  'first account',
  /** without a key; protects which accounts are administrators */
  'administrators',
  /** by issuer and subject; protects the account to which the identity is linked */
  'identity',
  /** by id; protects the row */
  'account',
  /** by address; protects whether an account has this address */
  'email',
  /** by name; protects whether the name is taken */
  'project name',
  /** without a key; protects which slugs are taken */
  'status page slugs',
  /** by id; protects the row, its members, and the names, slugs and creation times of the project's checks and channels */
  'project',
  /** without a key; protects which ids are taken */
  'public ids',
  /** without a key; protects the highest counter id */
  'counter ids',
  /** by the check's id; protects its row, counters, log and events, and the deliveries about its events */
  'check',
  /** by the project's id; protects its silences, which may hold incidents of the project's checks */
  'silences',
  /** by id; protects the row, and whether it exists */
  'channel',
  /** by the project's id; protects whether its reminders are running, which depends on the status of all the project's checks */
  'reminders',
] as const

export type Lock = (typeof LOCKS)[number]

/** Settings for a new database, by name. The transaction that creates the tables also stores them. */
export type FirstSettings = Readonly<Record<string, string>>

/** The index of the words in pings, by ping id. Changes to the index belong to the transaction, like all other changes. */
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
  /** Does a small part of the engine's upkeep, in one or two milliseconds. @returns false if there is nothing to do */
  tidy(): Promise<boolean>
}

/** Runs statements. Statements are constants in the source and use numbered parameters: `$1`, `$2`, … */
export interface Sql {
  /** Returns the first row; null if there is none. */
  get<Row>(statement: string, values: readonly Value[]): Promise<Row | null>
  all<Row>(statement: string, values: readonly Value[]): Promise<Row[]>
  /** @returns number of changed rows */
  run(statement: string, values: readonly Value[]): Promise<number>
  /** Runs the statement once for each list of values, in one round trip. @returns for each list, in order, the first row or null */
  getEach<Row>(statement: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]>
  /**
   * Runs the statement once for each list of values, in order and before later statements. The promise may resolve earlier. In that case,
   * an error makes the next statement or the transaction fail.
   */
  runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<void>
  /**
   * Waits until no other write has one of these locks, then keeps them until the transaction ends. If every write first locks, then reads,
   * decides and writes, data that is read after this call stays valid until the commit. Data that was read before may be out of date. An
   * engine that runs one write at a time has nothing to do here.
   * @param keys in any order; omitted for a lock without keys
   */
  lock(what: Lock, keys?: readonly string[]): Promise<void>
  readonly words: WordIndex
  readonly statements: EngineStatements
  readonly pings: PingTables
}

/**
 * The purpose of a write. An engine with several connections reserves one for pings, and gives up on a slow batch of pings. If an engine
 * knows that writes have just failed, for example because the disk is full, it also rejects a probe that would succeed. Other processes
 * need not notice probes and upkeep, which change nothing that is shown. They also need not notice each of the many writes in a `bulk`
 * change.
 */
export type WriteKind = 'pings' | 'probe' | 'upkeep' | 'bulk' | 'others'

/**
 * The changes that a write makes to checks and rights: none; only changes to existing checks that the log shows; or any change, so that
 * other processes must reread everything. An engine may treat every write as one that changes anything.
 */
export type Shown = 'nothing' | 'pings' | 'anything'

/** Other processes' writes. */
export interface WritesOfOthers {
  /** changes whenever another process has written; an engine may leave out probes and upkeep */
  readonly writes: string
  /** changes whenever any check or anyone's rights may have changed, except for the checks in {@link pinged} */
  readonly edits: string
  /** checks that were pinged since the previous call; may include some that only this process has pinged */
  readonly pinged: readonly TouchedCheck[]
}

/**
 * Where an answered write is stored. `memory` is the database server's memory, so a crash may lose the write; `disk` is its disk. With
 * `standby-memory` or `standby-disk`, a standby server also has the write in its memory or on its disk.
 */
export type Durability = 'memory' | 'disk' | 'standby-memory' | 'standby-disk'

/** Disk usage in bytes by part of the database. The engine names the parts: `main` and `wal` for SQLite. */
export type DiskUsage = Readonly<Record<string, number>>

/** Amount of the database that an engine keeps in memory: the best amount for many pings, or only enough for a few. */
export type Caching = 'much' | 'little'

/** A check that one process reports to other processes. */
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
   * Runs `work` in one transaction. When the promise resolves, everything is on disk; when it rejects, nothing is written.
   *
   * Other writes may run at the same time, in this process and in others. Each statement sees the changes that were committed before it
   * began, and those of its own write. A write that decides based on a read must therefore take a lock first ({@link Sql.lock}). An UPDATE
   * or DELETE whose WHERE clause tests its preconditions needs no lock. Work is claimed in this way.
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
   * Reads other processes' writes. Call this method again only after the previous call has ended. The result of this call or of an earlier
   * one includes all commits that were made before the call.
   */
  readOthers(): Promise<WritesOfOthers>
  /**
   * Sends a notice to other processes after a commit, at most a few times a second. They should then immediately search for due work and
   * changes. An engine without notices does nothing, and a notice may be lost.
   */
  notify(changed: readonly TouchedCheck[]): void
  /**
   * Calls the listener for each notice from another process, and when a notice may have been lost. The listener must be quick and must not
   * throw.
   * @returns a function that removes the listener
   */
  watchNotices(listener: NoticeListener): () => void
  /**
   * Returns an id for reads that begin after the call. No entry with this id or a lower one can be added to the log any more. Among higher
   * ids, a write that reserved its ids earlier may commit later than others.
   */
  settledPings(): Promise<number>
  size(): Promise<DiskUsage>
  /**
   * Returns where an answered write is stored, according to the database server's current settings. Null for an engine without such a
   * setting, whose writes are on this machine's disk.
   */
  durability(): Promise<Durability | null>
  /** Sets the caching, which is `much` until the first call. An engine that caches nothing in this process does nothing. */
  cache(caching: Caching): void
  /** Waits for earlier reads and writes, then closes the database. */
  close(): Promise<void>
}
