/**
 * The interface to a database engine.
 *
 * Statements use only SQL that SQLite and PostgreSQL share, so that one set serves both. Where that would be slow, each engine has
 * statements of its own ({@link EngineStatements}), and its own way to write pings ({@link PingTables}).
 *
 * A new engine is a folder in `store/engine/`, like the existing two. `domain/database-address.ts` and `config/database-address.ts` read
 * its URL, `app/engine.ts` opens it, and `test/support/architecture/` defines what it may import and which words only it knows.
 * `test/store/database-contract.ts` and `test/store/contract.ts` are the contracts of every engine and every store.
 */

import type { WordPattern } from '../../domain/search/query.ts'
import type { EngineStatements } from './engine-statements.ts'
import type { PingTables } from './ping-tables.ts'
import type { Value } from './value.ts'

export type { Value } from './value.ts'

/**
 * The locks of writes. A write that needs several locks takes them in this order, and all keys of one lock in one call, so that no two
 * writes wait for each other.
 */
export const LOCKS = [
  /** without a key: which logs and projects are staged */
  'imports',
  /** by name: its value, if the new one depends on the old one */
  'setting',
  /** without a key: whether there is an account */
  'first account',
  /** without a key: the administrators */
  'administrators',
  /** by issuer and subject: the account to which it is linked */
  'identity',
  /** by id: its row */
  'account',
  /** by address: whether an account has it */
  'email',
  /** by name: whether it is taken */
  'project name',
  /** without a key: the slugs that are taken */
  'status page slugs',
  /** by id: its row, its members, and the names, slugs and creation times of its checks and channels */
  'project',
  /** without a key: the ids that are taken */
  'public ids',
  /** without a key: the highest counter id */
  'counter ids',
  /** by the check's id: its row, counters, log and events, and the deliveries of these */
  'check',
  /** by the project's id: its silences, which may hold the incidents of its checks */
  'silences',
  /** by id: its row, and whether it exists */
  'channel',
  /** by the project's id: whether its reminders run, which depends on the status of all its checks */
  'reminders',
] as const

export type Lock = (typeof LOCKS)[number]

/** Settings of a database that is created, by name: they exist from the transaction on that creates its tables. */
export type FirstSettings = Readonly<Record<string, string>>

/** The words of pings, by id. Its changes belong to the transaction, like all others. */
export interface WordIndex {
  /** Replaces the words of the ping. @param words letters, digits and `§`, in order */
  put(id: number, words: readonly string[]): Promise<void>
  /** Does nothing for a ping without words. */
  remove(id: number): Promise<void>
  /**
   * Finds pings whose words match, newest first, at most `limit`.
   * @param above only ids greater than this
   * @param below only ids less than this
   */
  find(pattern: WordPattern, above: number, below: number, limit: number): Promise<number[]>
  /** Does a small part of the engine's own upkeep, of a millisecond or two. @returns false if there is nothing to do */
  tidy(): Promise<boolean>
}

/** Runs statements. They are constants of the program and use numbered parameters: `$1`, `$2`, … */
export interface Sql {
  /** Returns the first row, or null. */
  get<Row>(statement: string, values: readonly Value[]): Promise<Row | null>
  all<Row>(statement: string, values: readonly Value[]): Promise<Row[]>
  /** @returns number of changed rows */
  run(statement: string, values: readonly Value[]): Promise<number>
  /**
   * Runs the statement with each list of values, in one round trip.
   * @returns the first row for each list, or null, in the order of the lists
   */
  getEach<Row>(statement: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]>
  /**
   * Runs the statement with each list of values, in order, before the statements that follow. It may resolve earlier; an error then fails
   * the next statement, or the transaction.
   */
  runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<void>
  /**
   * Waits until no other write holds one of these locks, then holds them until the transaction ends. As long as every write locks, then
   * reads, decides and writes, data that it reads after this call is valid until it commits. Data that it has read before may be out of
   * date. An engine that runs one write at a time has nothing to do here.
   * @param keys in any order; omitted for a lock without keys
   */
  lock(what: Lock, keys?: readonly string[]): Promise<void>
  readonly words: WordIndex
  readonly statements: EngineStatements
  readonly pings: PingTables
}

/**
 * The purpose of a write. An engine with several connections keeps one for pings, and gives up on a slow batch of them. An engine that
 * knows of writes that have just failed, as on a full disk, refuses a probe that would succeed. Probes and upkeep change nothing that is
 * shown, so other processes need not notice them; nor need they notice one of many writes of `bulk`.
 */
export type WriteKind = 'pings' | 'probe' | 'upkeep' | 'bulk' | 'others'

/**
 * The changes of checks and of rights by a write: none; only those that the log shows, of existing checks; or any, so that others must read
 * everything again. An engine may treat every write as one that changes anything.
 */
export type Shown = 'nothing' | 'pings' | 'anything'

/** The writes of other processes. */
export interface WritesOfOthers {
  /** changes whenever another process has written; an engine may leave out probes and upkeep */
  readonly writes: string
  /** changes whenever any check, or anyone's right, may have changed; but not for the checks in {@link pinged} */
  readonly edits: string
  /** checks that were pinged since the previous call; they may include some that only this process has pinged */
  readonly pinged: readonly TouchedCheck[]
}

/**
 * The place of an answered write: in the `memory` of its server alone, so a crash may lose it; on the `disk` of its server alone; or on
 * that disk and with another server, the standby, which has it in its memory or on its disk.
 */
export type Durability = 'memory' | 'disk' | 'standby-memory' | 'standby-disk'

/** Bytes on disk by part of the database, under the engine's own names: `main` and `wal` for SQLite. */
export type DiskUsage = Readonly<Record<string, number>>

/** The part of the database that an engine keeps in memory: the best amount for many pings, or only enough for a few. */
export type Caching = 'much' | 'little'

/** A check that one process reports to others. */
export interface TouchedCheck {
  readonly projectId: string
  readonly checkId: string
}

/** @param changed some of the checks that have changed; there may be more */
export type NoticeListener = (changed: readonly TouchedCheck[]) => void

export interface Database {
  /**
   * Runs reads that all see one state of the database, whatever is written in the meantime. They do not wait for writes.
   * @throws Refusal `unavailable` if the database cannot be read now
   */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` in one transaction. When the promise resolves, everything is on disk; when it rejects, nothing is written.
   *
   * Other writes may run at the same time, in this process and in others. Each statement sees the changes that they had committed when it
   * began, and those of this write. So a write that decides based on a read takes a lock first ({@link Sql.lock}). An UPDATE or DELETE
   * whose WHERE clause tests its preconditions needs no lock; work is claimed that way.
   *
   * @param work called again if it conflicts with another write, which includes a foreign key that the other write has just removed. So it
   * must not change anything outside the transaction, except that `ClaimRules.admits` may be called again
   * @param kind `others` unless given
   * @param shown called before the commit; `anything` unless given
   * @throws Refusal `unavailable` if the database cannot be written now, or if the result of the commit is unknown
   */
  write<Result>(
    work: (sql: Sql) => Promise<Result>,
    kind?: WriteKind,
    shown?: (result: Result) => Shown,
  ): Promise<Result>
  /**
   * Reads the writes of others. Call it again only after the previous call has ended. Commits before the call are in its result, or in an
   * earlier one.
   */
  readOthers(): Promise<WritesOfOthers>
  /**
   * Notifies other processes that they should search now for due work and changes: after a commit, a few times a second at most. An engine
   * without notices does nothing, and a notice may be lost.
   */
  notify(changed: readonly TouchedCheck[]): void
  /**
   * Calls the listener for each notice of another process, and when one may have been lost. It must be quick and must not throw.
   * @returns a function that ends it
   */
  watchNotices(listener: NoticeListener): () => void
  /**
   * Returns an id up to which every entry of the log exists or never will, for reads that begin from now on. Beyond it, a write that
   * reserved ids earlier may commit later than others.
   */
  settledPings(): Promise<number>
  size(): Promise<DiskUsage>
  /**
   * Returns the place of an answered write, as the operator of the database server has set it now. Null for an engine without such a
   * setting: a write is then on the disk of this machine.
   */
  durability(): Promise<Durability | null>
  /** Sets the caching; `much` until it is called. An engine that caches nothing in this process does nothing. */
  cache(caching: Caching): void
  /** Waits for the reads and writes that were requested before. */
  close(): Promise<void>
}
