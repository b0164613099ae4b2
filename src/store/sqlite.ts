/**
 * The seam on `bun:sqlite`: WAL, one connection that writes and one that reads beside it. Every commit is synced to the
 * disk before its promise is kept.
 */
import { Database as Connection, type Statement } from 'bun:sqlite'
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Refusal, UserError } from '../domain/errors.ts'
import { type OnLongWork, UNTOLD } from '../domain/long-work.ts'
import type { Database, Sql, Value } from './database.ts'
import { asUserError, UNAVAILABLE } from './faults.ts'
import { type FileWatch, type FileWatchOptions, UNWATCHED, watchFile } from './file-watch.ts'
import { bringUpToDate, SCHEMA_VERSION, schemaVersion } from './migrations.ts'
import { Mutex } from './mutex.ts'
import { realPathOf, refuseFolder } from './real-path.ts'
import { refuseLostDatabase, refuseUnsound } from './soundness.ts'
import { refuseStaleLog } from './stale-log.ts'
import type { DatabaseSize } from './store.ts'
import { TurnBudget } from './turn-budget.ts'

/** How long a write waits for the lock of another process, such as a command run beside the server. */
const LOCK_PATIENCE_MS = 5_000
const LOCK_PAUSE_MS = 5

/** What all reads together may take of a turn of the event loop, before pings and everything else have theirs. */
const READ_MS_PER_TURN = 4

const MEMORY = ':memory:'

export interface SqliteOptions extends Partial<FileWatchOptions> {
  /** a file path, or `:memory:` */
  readonly path: string
  /**
   * false: a file that does not exist is not made, and one that does is not looked through; else it is made for this user
   * only, since keys and secrets lie in it
   */
  readonly create?: boolean
  readonly onWork?: OnLongWork
}

/**
 * Opens the database and brings an older one up to date.
 * @throws UserError when there is none, or the file cannot be used or is newer than this program
 */
export async function openSqlite({
  path: given,
  create = true,
  onFault = () => {},
  onWork = UNTOLD,
  stopwatch = () => performance.now() / 1000,
}: SqliteOptions): Promise<Database> {
  // Absolute, so that whoever reads the path in a message need not know from which folder we were started.
  const path = given === MEMORY ? given : realPathOf(resolve(given))
  let writer: Connection | null = null
  try {
    if (path !== MEMORY) {
      refuseFolder(path)
      refuseStaleLog(path)
      refuseLostDatabase(path)
      if (create) refuseUnsound(path, onWork)
      if (!existsSync(path)) makeFile(path, create)
    }
    writer = new Connection(path, { create: true })
    // bun:sqlite would wait inside the engine and with it the whole process; only the start may do that.
    writer.run(`PRAGMA busy_timeout = ${LOCK_PATIENCE_MS}`)
    // First, because WAL is written into the file, and a file that is refused stays as it is.
    bringUpToDate(writer, path, { onWork })
    configure(writer)
    refuseReadOnly(writer)
    writer.run('PRAGMA busy_timeout = 0')
    if (path === MEMORY) return new SqliteDatabase(writer, writer, UNWATCHED)
    const reader = new Connection(path, { readonly: true })
    reader.run('PRAGMA busy_timeout = 1000')
    reader.run('PRAGMA cache_size = -16384')
    return new SqliteDatabase(writer, reader, watchFile(resolve(given), path, writer, { onFault, stopwatch }))
  } catch (error) {
    writer?.close()
    throw asUserError(error, path)
  }
}

function makeFile(path: string, create: boolean): void {
  if (!create) {
    const hint = 'see that DATABASE_URL names the right file; `overdue serve` and `overdue migrate` make a new one'
    throw new UserError(`there is no database at ${path}`, hint)
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
}

/** The engine opens a file that it may only read without a word, and would complain at the first ping. */
function refuseReadOnly(connection: Connection): void {
  connection.run('BEGIN IMMEDIATE')
  connection.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  connection.run('ROLLBACK')
}

function configure(connection: Connection): void {
  connection.run('PRAGMA journal_mode = WAL')
  connection.run('PRAGMA synchronous = FULL')
  connection.run('PRAGMA foreign_keys = ON')
  // A checkpoint writes each page once, however often it changed since the last: seldom is cheaper.
  connection.run('PRAGMA wal_autocheckpoint = 20000')
  connection.run('PRAGMA cache_size = -65536')
  connection.run('PRAGMA temp_store = MEMORY')
}

class SqliteDatabase implements Database {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #writerSql: ConnectionSql
  readonly #readerSql: ConnectionSql
  readonly #writes = new Mutex()
  /** A program that ends does not wait for another one's lock. */
  #isClosing = false
  readonly #reads: Mutex
  readonly #readBudget = new TurnBudget(READ_MS_PER_TURN)
  readonly #file: FileWatch

  constructor(writer: Connection, reader: Connection, file: FileWatch) {
    this.#file = file
    this.#writer = writer
    this.#reader = reader
    this.#writerSql = new ConnectionSql(writer)
    this.#readerSql = new ConnectionSql(reader)
    // With a single connection a read in the middle of a write would see what is not committed.
    this.#reads = reader === writer ? this.#writes : new Mutex()
  }

  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#reads.exclusive(async () => {
      await this.#readBudget.available()
      return this.#watched(() => inTransaction(this.#reader, 'BEGIN', () => work(this.#readerSql)))
    })
  }

  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    // From here on: what has waited behind other writes for that long is refused together with them.
    const patienceEnds = performance.now() + LOCK_PATIENCE_MS
    return this.#writes.exclusive(() =>
      this.#watched(async () => {
        await this.#waitForLock(patienceEnds)
        const result = await inTransaction(this.#writer, null, () => {
          this.#refuseNewer()
          return work(this.#writerSql)
        })
        // Before anybody is told: what was committed may lie in a file that lost its name a moment ago.
        this.#file.committed()
        return result
      }),
    )
  }

  foreignCommits(): Promise<number> {
    return this.#watched(async () => {
      const row = await this.#writerSql.get<{ data_version: number }>('PRAGMA data_version', [])
      return row?.data_version ?? 0
    })
  }

  async size(): Promise<DatabaseSize> {
    // Both files: a log that no checkpoint empties any more is what fills a disk.
    return { main: sizeOf(this.#writer.filename), log: sizeOf(`${this.#writer.filename}-wal`) }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const closeReader = () => this.#reads.exclusive(async () => this.#readerSql.close())
    const closeWriter = () => this.#writes.exclusive(async () => this.#writerSql.close())
    // The last to close brings the write-ahead log into the file and removes it, which the reader may not do.
    const inOrder = this.#file.keepsLog ? [closeWriter, closeReader] : [closeReader, closeWriter]
    for (const close of this.#reader === this.#writer ? [closeWriter] : inOrder) await close()
    this.#file.close()
  }

  async #watched<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      this.#file.check()
      return await work()
    } catch (error) {
      throw this.#file.failed(error)
    }
  }

  /** Begins a write transaction; while another process holds the lock, the event loop goes on. */
  async #waitForLock(patienceEnds: number): Promise<void> {
    for (;;) {
      try {
        this.#writer.run('BEGIN IMMEDIATE')
        return
      } catch (error) {
        const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
        if (!isBusy || this.#isClosing || performance.now() > patienceEnds) throw error
        await Bun.sleep(LOCK_PAUSE_MS)
      }
    }
  }

  /** A newer program may have migrated the file while this one was running. */
  #refuseNewer(): void {
    const version = schemaVersion(this.#writer)
    if (version === SCHEMA_VERSION) return
    const reason = `the database has version ${version}, this program writes ${SCHEMA_VERSION}: start the newer program`
    throw new Refusal('unavailable', UNAVAILABLE, { cause: new Error(reason) })
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** @param begin the statement that opens the transaction; null when it is open already */
async function inTransaction<Result>(
  connection: Connection,
  begin: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    if (begin !== null) connection.run(begin)
    const result = await work()
    connection.run('COMMIT')
    return result
  } catch (error) {
    // Some errors, a full disk among them, have rolled back already.
    if (connection.inTransaction) connection.run('ROLLBACK')
    throw error
  }
}

class ConnectionSql implements Sql {
  /** Statement texts are constants of the program, so this stays small. */
  readonly #prepared = new Map<string, Statement>()

  constructor(readonly connection: Connection) {}

  #prepare(text: string): Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    // SQLite takes $1 for a name and counts names by first appearance; ?1 is the number one.
    const statement = this.connection.prepare(text.replace(/\$(\d+)/g, '?$1'))
    this.#prepared.set(text, statement)
    return statement
  }

  /** Statements first: while there is one, the engine only notes that it is to close. */
  close(): void {
    for (const statement of this.#prepared.values()) statement.finalize()
    this.#prepared.clear()
    this.connection.close()
  }

  async get<Row>(text: string, values: readonly Value[]): Promise<Row | null> {
    return this.#prepare(text).get(...values) as Row | null
  }

  async all<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    return this.#prepare(text).all(...values) as Row[]
  }

  async run(text: string, values: readonly Value[]): Promise<number> {
    return this.#prepare(text).run(...values).changes
  }

  async getEach<Row>(text: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]> {
    const statement = this.#prepare(text)
    return lists.map((values) => statement.get(...values) as Row | null)
  }

  async runEach(text: string, lists: readonly (readonly Value[])[]): Promise<void> {
    const statement = this.#prepare(text)
    for (const values of lists) statement.run(...values)
  }
}
