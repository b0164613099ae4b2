/**
 * The interface to a database engine.
 *
 * Statements use only SQL that SQLite and PostgreSQL share, so that one set serves both. Where that would be slow, each engine has
 * statements of its own ({@link EngineStatements}), and its own way to write pings ({@link PingTables}).
 *
 * A new engine is a folder in `store/engine/`, like the two that are there. Its URL is read by `domain/database-address.ts` and
 * `config/database-address.ts`, `app/engine.ts` opens it, and `test/support/architecture/` says what it may import and which words only
 * it knows. `test/store/database-contract.ts` and `test/store/contract.ts` are what every engine and every store promises.
 */

import type { WordPattern } from '../../domain/search/query.ts'
import type { EngineStatements } from './engine-statements.ts'
import type { PingTables } from './ping-tables.ts'
import type { Value } from './value.ts'

export type { Value } from './value.ts'

/**
 * What a write can lock. A write that needs several locks takes them in this order, and all keys of one lock in one call, so
 * that no two writes wait for each other.
 */
export const LOCKS = [
  /** without a key: which logs and projects are staged */
  'imports',
  /** by name: its value, if the new one depends on the old one */
  'setting',
  /** without a key: whether there is an account */
  'first account',
  /** without a key: who administers */
  'administrators',
  /** by issuer and subject: to which account it is linked */
  'identity',
  /** by id: its row */
  'account',
  /** by address: whether an account has it */
  'email',
  /** by name: whether it is taken */
  'project name',
  /** without a key: which are taken */
  'status page slugs',
  /** by id: its row, its members, and the names, slugs and creation times of its checks and channels */
  'project',
  /** without a key: which are taken */
  'public ids',
  /** without a key: the highest counter id */
  'counter ids',
  /** by the check's id: its row, counters, log and events, and the deliveries of these */
  'check',
  /** by the project's id: which it has, and so what holds the incidents of its checks */
  'silences',
  /** by id: its row, and whether it exists */
  'channel',
  /** by the project's id: whether its reminders run, which depends on the status of all its checks */
  'reminders',
] as const

export type Lock = (typeof LOCKS)[number]

/** Settings of a database that is created, by name: they are there from the transaction on that makes its tables. */
export type FirstSettings = Readonly<Record<string, string>>

/** The words of pings, by id. Its changes belong to the transaction, like all others. */
export interface WordIndex {
  /** Replaces those of the ping. @param words letters, digits and `§`, in the order in which they stand */
  put(id: number, words: readonly string[]): Promise<void>
  /** Does nothing for a ping without words. */
  remove(id: number): Promise<void>
  /**
   * Pings whose words match, newest first, at most `limit`.
   * @param above only ids greater than this @param below only ids less than this
   */
  find(pattern: WordPattern, above: number, below: number, limit: number): Promise<number[]>
  /** A small part of the engine's own upkeep, of a millisecond or two. @returns false if there is nothing to do */
  tidy(): Promise<boolean>
}

/** Statements are constants of the program and use numbered parameters: `$1`, `$2`, … */
export interface Sql {
  /** The first row, or null. */
  get<Row>(statement: string, values: readonly Value[]): Promise<Row | null>
  all<Row>(statement: string, values: readonly Value[]): Promise<Row[]>
  /** @returns how many rows changed */
  run(statement: string, values: readonly Value[]): Promise<number>
  /**
   * Runs the statement with each list of values, in one round trip.
   * @returns the first row for each list, or null, in the order of the lists
   */
  getEach<Row>(statement: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]>
  /**
   * Runs the statement with each list of values, in order, before the statements that follow. It may resolve earlier; an error
   * then fails the next statement, or the transaction.
   */
  runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<void>
  /**
   * Waits until no other write holds one of these locks, then holds them until the transaction ends. As long as every write
   * locks, then reads, decides and writes, what it reads after this call stays true until it commits. What it has read before
   * may be out of date. An engine that runs one write at a time has nothing to do here.
   * @param keys in any order; omitted for a lock without keys
   */
  lock(what: Lock, keys?: readonly string[]): Promise<void>
  readonly words: WordIndex
  readonly statements: EngineStatements
  readonly pings: PingTables
}

/**
 * What a write is for. An engine with several connections keeps one for pings, and gives up on a batch of them that takes long.
 * An engine that knows of writes that have just failed, as on a full disk, refuses a probe that would succeed. What a probe or upkeep
 * writes changes nothing that is shown, so other processes need not notice it; nor need they notice one of many writes of `bulk`.
 */
export type WriteKind = 'pings' | 'probe' | 'upkeep' | 'bulk' | 'others'

/**
 * What a write changes of checks and of rights: nothing; nothing but what the log tells of checks that had been there; or anything,
 * so that others must read all again. An engine may take every write for one that changes anything.
 */
export type Shown = 'nothing' | 'pings' | 'anything'

/** What other processes have written. */
export interface WritesOfOthers {
  /** Changes whenever another process has written. An engine may leave out probes and upkeep. */
  readonly writes: string
  /** Changes whenever any check, or anybody's right, may be another than before; but not for the checks in {@link pinged}. */
  readonly edits: string
  /** The checks that were pinged since the call before; they may include some that only this process has pinged. */
  readonly pinged: readonly ToldCheck[]
}

/**
 * Where a write is when it is answered: in the `memory` of its server alone, so a crash may lose it; on the `disk` of its server
 * alone; or on that disk and with another server, the standby, which has it in its memory or on its disk.
 */
export type Durability = 'memory' | 'disk' | 'standby-memory' | 'standby-disk'

/** Bytes on disk by part of the database, under the engine's own names: `main` and `wal` for SQLite. */
export type DiskUsage = Readonly<Record<string, number>>

/** How much of the database an engine keeps in memory: what serves many pings best, or only what a few need. */
export type Caching = 'much' | 'little'

/** A check that one process tells others of. */
export interface ToldCheck {
  readonly projectId: string
  readonly checkId: string
}

/** @param changed some of the checks that have changed; there may be more */
export type NoticeListener = (changed: readonly ToldCheck[]) => void

export interface Database {
  /**
   * Runs reads that all see one state of the database, whatever is written meanwhile. They do not wait for writes.
   * @throws Refusal `unavailable` if the database cannot be read now
   */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` in one transaction. When the promise resolves, everything is on disk; when it rejects, nothing is written.
   *
   * Other writes may run at the same time, in this process and in others. Each statement sees what they had committed when
   * it began, and what this write has written. So a write that decides by what it reads takes a lock first
   * ({@link Sql.lock}). An UPDATE or DELETE whose WHERE clause tests what must still hold needs no lock; work is claimed
   * that way.
   *
   * @param work is called again if it conflicts with another write, which includes a foreign key that the other write has just
   * removed. So it must not change anything outside the transaction, except that `ClaimRules.admits` may be asked again
   * @param kind `others` unless given
   * @param shown asked before the commit; `anything` unless given
   * @throws Refusal `unavailable` if the database cannot be written now, or if nobody can tell whether the commit succeeded
   */
  write<Result>(
    work: (sql: Sql) => Promise<Result>,
    kind?: WriteKind,
    shown?: (result: Result) => Shown,
  ): Promise<Result>
  /** Call it again only when the call before has ended. What was committed before the call is in it, or in an earlier one. */
  readOthers(): Promise<WritesOfOthers>
  /**
   * Tells other processes that they should look now for what is due and what has changed: after a commit, a few times a second
   * at most. An engine without such a way does nothing, and a notice may be lost.
   */
  notify(changed: readonly ToldCheck[]): void
  /**
   * Calls the listener when another process has told so, and when a notice may have been lost. It must be quick and must not throw.
   * @returns ends it
   */
  watchNotices(listener: NoticeListener): () => void
  /**
   * Every entry of the log up to this id is there or never will be, for reads that begin from now on. Beyond it, a write that
   * reserved ids earlier may commit later than others.
   */
  settledPings(): Promise<number>
  size(): Promise<DiskUsage>
  /**
   * Where a write is when it is answered, as the operator of the database server has set it now. Null for an engine without such a
   * setting: a write is then on the disk of this machine.
   */
  durability(): Promise<Durability | null>
  /** `much` until it is called. An engine that keeps nothing in this process does nothing. */
  cache(caching: Caching): void
  /** Waits for the reads and writes that were requested before. */
  close(): Promise<void>
}
