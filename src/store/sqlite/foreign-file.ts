/** SQLite files of other programs. */
import { Database as Connection, SQLiteError, type Statement } from 'bun:sqlite'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../domain/errors.ts'
import { codeOf, messageOf, reasonOf } from '../../lib/errors.ts'
import type { ForeignDatabase } from '../foreign-database.ts'
import { removeLeftFolders } from '../left-folders.ts'
import type { Value } from '../value.ts'
import { damageWords } from './faults.ts'
import { withNumberedParameters } from './parameters.ts'

/** Beyond this, looking through every page takes too long; what is damaged is found when it is read. */
const READ_UP_TO_BYTES = 512 * 1024 * 1024
const LOCK_TIMEOUT_MS = 5_000
const COPIES = 'overdue-import-'
/** Lists of ids have one length, so few texts come again and again. */
const STATEMENTS_KEPT = 50

/**
 * One state of the file, whatever others write meanwhile. The file is not changed, and nobody waits for its reader: without a
 * write-ahead log, which Django does not use by itself, a reader would keep the other program from writing, so a copy of it is read.
 * @throws Refusal `import-missing`, `import-empty`, `import-damaged`, `import-unavailable`
 */
export async function openForeignFile(path: string): Promise<ForeignDatabase> {
  requireContent(path)
  let connection: Connection | null = null
  try {
    connection = connect(path)
    const { journal_mode: mode } = connection.query('PRAGMA journal_mode').get() as { journal_mode: string }
    if (mode !== 'wal') {
      const original = connection
      connection = null
      connection = await openCopy(original, path)
    } else await refuseDamage(path, path)
    connection.run('BEGIN')
    return new ForeignFile(path, connection)
  } catch (error) {
    connection?.close()
    throw asForeignRefusal(error, path)
  }
}

function connect(path: string): Connection {
  const connection = new Connection(path, { readonly: true })
  connection.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
  connection.run('PRAGMA trusted_schema = OFF')
  return connection
}

/**
 * A connection to a copy that has no name any more, so nothing of it is left. The transaction keeps others from writing until the
 * copy is whole: after that, as the system ends the locks of a file when any of its descriptors is closed, it is of no use.
 * @param original is closed
 */
async function openCopy(original: Connection, path: string): Promise<Connection> {
  const folder = await mkdtemp(join(tmpdir(), COPIES))
  try {
    await removeLeftFolders(tmpdir(), COPIES, folder)
    original.run('BEGIN')
    original.query('SELECT COUNT(*) FROM sqlite_schema').get()
    const copy = join(folder, 'copy.sqlite')
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    original.close()
    await refuseDamage(copy, path)
    const connection = connect(copy)
    connection.query('SELECT COUNT(*) FROM sqlite_schema').get()
    return connection
  } finally {
    original.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Run in a thread, since a large file takes a second, in which nothing else would run. Executables contain no file for it. */
const LOOK_FOR_DAMAGE = `
  const { Database } = require('bun:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const look = () => {
    const connection = new Database(workerData, { readonly: true })
    try {
      return connection.query('PRAGMA quick_check(1)').get().quick_check
    } finally {
      connection.close()
    }
  }
  try {
    parentPort.postMessage(look())
  } catch (error) {
    parentPort.postMessage(error.message)
  }`

/** @param name the path to tell @throws Refusal `import-damaged` */
async function refuseDamage(path: string, name: string): Promise<void> {
  if (sizeOf(path) > READ_UP_TO_BYTES) return
  const thread = new Worker(LOOK_FOR_DAMAGE, { eval: true, workerData: path })
  try {
    const [found]: string[] = await once(thread, 'message')
    if (found !== 'ok') throw damaged(name, found ?? 'it cannot be checked')
  } finally {
    await thread.terminate()
  }
}

/** Of ordinary tables: whoever made the file wrote what a view or a virtual table runs when it is read. */
const COLUMNS = `
  SELECT columns.name FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name, tables.schema) AS columns
  WHERE tables.name = $1 AND tables.type = 'table'`

/** @param connection is closed with it */
export class ForeignFile implements ForeignDatabase {
  readonly #connection: Connection
  readonly #prepared = new Map<string, Statement>()

  constructor(
    readonly name: string,
    connection: Connection,
  ) {
    this.#connection = connection
  }

  async columns(table: string): Promise<ReadonlySet<string> | null> {
    const rows = await this.all<{ name: string }>(COLUMNS, [table])
    return rows.length === 0 ? null : new Set(rows.map(({ name }) => name))
  }

  async all<Row>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    await setImmediate()
    try {
      return this.#prepare(statement).all(...values) as Row[]
    } catch (error) {
      throw asForeignRefusal(error, this.name)
    }
  }

  #prepare(text: string): Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    if (this.#prepared.size >= STATEMENTS_KEPT) this.#finalize()
    const statement = this.#connection.prepare(withNumberedParameters(text))
    this.#prepared.set(text, statement)
    return statement
  }

  #finalize(): void {
    for (const statement of this.#prepared.values()) statement.finalize()
    this.#prepared.clear()
  }

  async close(): Promise<void> {
    this.#finalize()
    this.#connection.close()
  }
}

const MAGIC_BYTES = 16

/** The first bytes of a file. @throws Refusal `import-missing`, `import-empty`, `import-unavailable` */
export function headOf(path: string, length = MAGIC_BYTES): Uint8Array {
  requireContent(path)
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = new Uint8Array(length)
      return bytes.subarray(0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw asForeignRefusal(error, path)
  }
}

function requireContent(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new Refusal('import-missing', `there is no file at ${path}`, { path })
  if (!found.isFile()) throw new Refusal('import-missing', `${path} is not a file`, { path })
  if (found.size === 0) throw new Refusal('import-empty', `the file ${path} is empty`, { path })
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function damaged(path: string, damage: string): Refusal {
  return new Refusal('import-damaged', `the file ${path} is damaged: ${damage}`, { path })
}

/** Errors of SQLite and of the system while a file of another program is read, as refusals. */
export function asForeignRefusal(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  if (codeOf(error) === 'SQLITE_NOTADB') {
    return new Refusal('import-foreign', `the file ${path} is no SQLite database`, { path }, { cause: error })
  }
  const damage = damageWords(error)
  if (damage !== null) return damaged(path, damage)
  if (!(error instanceof SQLiteError) && !('syscall' in error)) return error
  const reason = REASONS[codeOf(error)] ?? reasonOf(error)
  return new Refusal('import-unavailable', `the file ${path} cannot be read: ${messageOf(error)}`, { reason })
}

const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another program keeps the file locked: stop it, or make a copy of the file and import that',
  SQLITE_READONLY_ROLLBACK:
    'the other program was interrupted while it wrote: start it once, so that it finishes that, and stop it',
  ENOSPC: 'the disk for temporary files is full, and a copy of the file is read: free some space',
  SQLITE_CANTOPEN: 'check that this user may read the file and, if it has a log beside it, write to its folder',
  SQLITE_FULL: 'the disk for temporary files is full: free some space',
  EACCES: 'check that this user may read the file',
}
