/**
 * {@link Database} on `bun:sqlite`, in WAL mode, with one connection for writes and one for reads. Every commit is synced to disk before
 * its promise resolves.
 */
import { Database as Connection } from 'bun:sqlite'
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Refusal } from '../../../domain/errors.ts'
import { codeOf } from '../../../lib/errors.ts'
import { EventLoopBudget } from '../../../lib/work/event-loop-budget.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../lib/work/long-work.ts'
import type { Caching, Database, DiskUsage, FirstSettings, Sql, WritesOfOthers } from '../../sql/database.ts'
import { SCHEMA_VERSION } from '../../sql/migrations.ts'
import { Checkpoints, canCopyInThread } from './checkpoints/checkpoints.ts'
import { asOpenError, UNAVAILABLE } from './faults.ts'
import { keepOthersOut, refuseOpen } from './file/claim.ts'
import { type FileWatch, type FileWatchOptions, type OpenFileWatch, UNWATCHED, watchFile } from './file/file-watch.ts'
import { refuseDamage, refuseLostDatabase } from './file/integrity-check.ts'
import { holdDatabase } from './file/open-databases.ts'
import { realPathOf, refuseNonFile } from './file/real-path.ts'
import { refuseStaleLog } from './file/stale-log.ts'
import { LOCK_TIMEOUT_MS } from './lock-timeout.ts'
import { connectToMemory, MEMORY } from './memory.ts'
import { bringUpToDate, refuseOtherVersion, schemaVersion } from './migrations.ts'
import { Mutex } from './mutex.ts'
import { ConnectionSql, inTransaction } from './sql.ts'

const LOCK_PAUSE_MS = 2

/** Length of the log in pages at which a commit copies it into the file, if checkpoints do not run in a thread. */
const PAGES_LOGGED = 20_000

/** Cache size of each connection in kilobytes. A list of a thousand checks fits into the smallest cache. */
const CACHES: Readonly<Record<Caching, { readonly writer: number; readonly reader: number }>> = {
  much: { writer: 65_536, reader: 16_384 },
  little: { writer: 4_096, reader: 4_096 },
}

/** Milliseconds that all reads together may take in each turn of the event loop, so that they do not delay pings. */
const READ_MS_PER_TURN = 4

interface SqliteOptions extends Partial<FileWatchOptions> {
  /** a file path, or `:memory:` */
  readonly path: string
  /**
   * whether to create a missing file, which only this user may read because it contains keys and secrets; if false, a missing file is an
   * error
   */
  readonly create?: boolean
  /** whether to check the integrity of the file, which takes up to half a second */
  readonly checkIntegrity?: boolean
  /** whether to fail if another program has the file open, and to keep other programs from opening it */
  readonly exclusive?: boolean
  /** settings for a new file */
  readonly firstSettings?: FirstSettings
  readonly onWork?: OnLongWork
}

/**
 * Opens the database, and migrates it if it is older.
 * @throws Refusal if the database is missing and `create` is false, if it cannot be used, if this program does not support its version, or
 * if another program has it open and `exclusive` is true
 */
export async function openSqlite({
  path: given,
  create = true,
  checkIntegrity = true,
  exclusive = false,
  firstSettings = {},
  onFault = () => {},
  onWork = NO_PROGRESS,
  stopwatch = () => performance.now() / 1000,
}: SqliteOptions): Promise<Database> {
  // The path is made absolute, so that messages do not depend on the directory in which the server was started.
  const path = given === MEMORY ? given : realPathOf(resolve(given))
  let writer: Connection | null = null
  try {
    if (path !== MEMORY) {
      refuseNonFile(path)
      refuseStaleLog(path)
      refuseLostDatabase(path)
      if (exclusive) refuseOpen(path, sizeOf(path) > 0)
      if (checkIntegrity) refuseDamage(path, onWork)
      refuseOtherVersion(path)
      // A program that opens a database without writing to it leaves an empty file behind.
      if (sizeOf(path) === 0 && !existsSync(`${path}-journal`)) makeFile(path, create)
    }
    writer = path === MEMORY ? connectToMemory() : new Connection(path, { create: true })
    // With this setting, SQLite itself waits for locks and blocks the whole process, which is acceptable only during startup.
    writer.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
    if (exclusive) keepOthersOut(writer, path)
    // The version is checked before `configure`, because `configure` writes WAL mode into the file, and another program's file must stay
    // unchanged.
    bringUpToDate(writer, path, { firstSettings, onWork })
    configure(writer)
    refuseReadOnly(writer)
    writer.run('PRAGMA busy_timeout = 0')
    if (path === MEMORY || exclusive) return new SqliteDatabase(path, { writer, reader: writer })
    const reader = new Connection(path, { readonly: true })
    reader.run('PRAGMA busy_timeout = 1000')
    const file = watchFile(resolve(given), path, writer, { onFault, stopwatch })
    return new SqliteDatabase(path, { writer, reader, shared: { file, onFault } })
  } catch (error) {
    writer?.close()
    throw asOpenError(error, path)
  }
}

function makeFile(path: string, create: boolean): void {
  if (!create) throw new Refusal('database-missing', `there is no database at ${path}`, { path })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
}

/** Rejects a read-only file. SQLite opens it without an error, and would fail only at the first ping. */
function refuseReadOnly(connection: Connection): void {
  connection.run('BEGIN IMMEDIATE')
  connection.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  connection.run('ROLLBACK')
}

function configure(connection: Connection): void {
  connection.run('PRAGMA journal_mode = WAL')
  connection.run('PRAGMA synchronous = FULL')
  connection.run('PRAGMA foreign_keys = ON')
  connection.run(`PRAGMA wal_autocheckpoint = ${PAGES_LOGGED}`)
  connection.run('PRAGMA temp_store = MEMORY')
}

interface Connections {
  readonly writer: Connection
  /** connection for reads, which may be the same as the one for writes */
  readonly reader: Connection
  /** watches the file, if other programs may use it too */
  readonly shared?: { readonly file: OpenFileWatch; readonly onFault: (words: string) => void }
}

class SqliteDatabase implements Database {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #writerSql: ConnectionSql
  readonly #readerSql: ConnectionSql
  readonly #writes = new Mutex()
  /** true while the program is stopping; writes then do not wait for another process's lock */
  #isClosing = false
  readonly #reads: Mutex
  readonly #readBudget = new EventLoopBudget(READ_MS_PER_TURN)
  readonly #file: FileWatch
  readonly #checkpoints: Checkpoints | null
  readonly #release: () => void

  constructor(path: string, { writer, reader, shared }: Connections) {
    this.#file = shared?.file ?? UNWATCHED
    this.#release = holdDatabase(path)
    this.#writer = writer
    this.#reader = reader
    this.#writerSql = new ConnectionSql(writer)
    this.#readerSql = reader === writer ? this.#writerSql : new ConnectionSql(reader)
    const hasThread = shared !== undefined && canCopyInThread(writer)
    this.#checkpoints = hasThread ? new Checkpoints({ writer: this.#writerSql, ...shared }) : null
    // With only one connection, a read during a write would see uncommitted rows.
    this.#reads = reader === writer ? this.#writes : new Mutex()
    this.cache('much')
  }

  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#reads.exclusive(async () => {
      await this.#readBudget.available()
      return this.#watched(() => inTransaction(this.#reader, 'BEGIN', () => work(this.#readerSql)))
    })
  }

  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    // The deadline includes the wait for other writes, so that all writes that have waited that long are rejected together.
    const lockDeadline = performance.now() + LOCK_TIMEOUT_MS
    return this.#writes.exclusive(() =>
      this.#watched(async () => {
        await this.#checkpoints?.makeRoom()
        await this.#waitForLock(lockDeadline)
        const result = await inTransaction(this.#writer, null, () => {
          this.#refuseNewer()
          return work(this.#writerSql)
        })
        // Checks the file before the promise resolves, because the file may have been removed during the commit.
        this.#file.committed()
        await this.#checkpoints?.committed()
        return result
      }),
    )
  }

  /**
   * Detects other programs' writes. Besides the server, only commands use its file, so it is not worth finding out which checks they have
   * pinged.
   */
  readOthers(): Promise<WritesOfOthers> {
    return this.#watched(async () => {
      const row = await this.#writerSql.get<{ data_version: number }>('PRAGMA data_version', [])
      const writes = String(row?.data_version)
      return { writes, edits: writes, pinged: [] }
    })
  }

  /** Does nothing, because {@link readOthers} is enough for other processes to notice changes. */
  notify(): void {}

  watchNotices(): () => void {
    return () => {}
  }

  /** Returns the highest possible id. Every ping is settled, because SQLite allows only one write at a time. */
  async settledPings(): Promise<number> {
    return Number.MAX_SAFE_INTEGER
  }

  async size(): Promise<DiskUsage> {
    // Includes the log, which can fill up the disk if checkpoints cannot empty it.
    return { main: sizeOf(this.#writer.filename), wal: sizeOf(`${this.#writer.filename}-wal`) }
  }

  async durability(): Promise<null> {
    return null
  }

  cache(caching: Caching): void {
    if (this.#isClosing) return
    const { writer, reader } = CACHES[caching]
    this.#writer.run(`PRAGMA cache_size = -${writer}`)
    if (this.#reader !== this.#writer) this.#reader.run(`PRAGMA cache_size = -${reader}`)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#checkpoints?.close()
    const closeReader = () => this.#reads.exclusive(async () => this.#readerSql.close())
    const closeWriter = () => this.#writes.exclusive(async () => this.#writerSql.close())
    // Closing the last connection checkpoints and removes the log. A read-only connection cannot do that.
    const inOrder = this.#file.keepsLog ? [closeWriter, closeReader] : [closeReader, closeWriter]
    for (const close of this.#reader === this.#writer ? [closeWriter] : inOrder) await close()
    this.#file.close()
    this.#release()
  }

  async #watched<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      this.#file.check()
      return await work()
    } catch (error) {
      throw this.#file.failed(error)
    }
  }

  /** Begins a write transaction. Does not block the event loop while another process has the lock. */
  async #waitForLock(lockDeadline: number): Promise<void> {
    for (;;) {
      try {
        this.#writer.run('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_BUSY' || this.#isClosing || performance.now() > lockDeadline) throw error
        await Bun.sleep(LOCK_PAUSE_MS)
      }
    }
  }

  /** Rejects a file that a newer program has migrated while this program was running. */
  #refuseNewer(): void {
    const version = schemaVersion(this.#writer)
    if (version === SCHEMA_VERSION) return
    const reason = `the database has version ${version}, but this program writes ${SCHEMA_VERSION}: start the newer program`
    throw new Refusal('unavailable', UNAVAILABLE, { reason })
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
