/** Reads other programs' SQLite files. */
import { closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../../domain/errors.ts'
import { codeOf, reasonOf, withoutPaths } from '../../../lib/errors.ts'
import type { ForeignDatabase } from '../../sql/foreign-database.ts'
import { removeLeftFolders } from '../../sql/left-folders.ts'
import type { Value } from '../../sql/value.ts'
import { damageWords } from './faults.ts'
import { refuseOwnDatabase } from './file/open-databases.ts'
import { LOCK_TIMEOUT_MS } from './lock-timeout.ts'
import { SqliteThread } from './thread.ts'

/**
 * Maximum size of a file to check completely. Checking every page of a larger file would take too long, so damage in it is found only when
 * the damaged page is read.
 */
const READ_UP_TO_BYTES = 512 * 1024 * 1024
const COPIES = 'overdue-import-'

/**
 * Opens a snapshot of the file, even if other programs are writing. The file is not changed, and other programs never wait for this reader.
 * If the file has no write-ahead log (Django does not use one by default), a reader would keep the other program from writing, so a copy of
 * the file is read instead.
 * @param lockTimeoutMs maximum wait for the other program's lock
 * @throws Refusal `import-missing`, `import-empty`, `import-damaged`, `import-unavailable`
 */
export async function openForeignFile(path: string, lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<ForeignDatabase> {
  requireContent(path)
  requireFilesBeside(path)
  const thread = new SqliteThread(lockTimeoutMs)
  try {
    await thread.connect(path)
    const [mode] = await thread.all<{ journal_mode: string }>('PRAGMA journal_mode')
    if (mode?.journal_mode !== 'wal') await connectToCopy(thread, path)
    await refuseDamage(thread, path)
    await thread.all('BEGIN')
    return new ForeignFile(path, thread)
  } catch (error) {
    await thread.close()
    throw asForeignRefusal(error, path)
  }
}

const SCHEMA_SIZE = 'SELECT COUNT(*) FROM sqlite_schema'

/**
 * Connects to a copy whose name has been removed, so that nothing is left of the copy afterwards. The transaction keeps other programs from
 * writing until the copy is complete. After that it has no effect, because the system drops the locks on a file when any of its descriptors
 * is closed.
 */
async function connectToCopy(thread: SqliteThread, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), COPIES))
  try {
    await removeLeftFolders(tmpdir(), COPIES, folder)
    await thread.all('BEGIN')
    await thread.all(SCHEMA_SIZE)
    const copy = join(folder, 'copy.sqlite')
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    await thread.connect(copy)
    // SQLite opens the file when it is first read.
    await thread.all(SCHEMA_SIZE)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param path the original's path @throws Refusal `import-damaged` */
async function refuseDamage(thread: SqliteThread, path: string): Promise<void> {
  if ((lookAt(path)?.size ?? 0) > READ_UP_TO_BYTES) return
  const [found] = await thread.all<{ quick_check: string }>('PRAGMA quick_check(1)')
  if (found?.quick_check !== 'ok') throw damaged(path, found?.quick_check ?? 'it cannot be checked')
}

/** Selects only the columns of ordinary tables, because reading a view or a virtual table would run code from the file's author. */
const COLUMNS = `
  SELECT columns.name FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name, tables.schema) AS columns
  WHERE tables.name = $1 AND tables.type = 'table'`

export class ForeignFile implements ForeignDatabase {
  readonly #thread: SqliteThread

  /** @param thread closed when this object is closed */
  constructor(
    readonly name: string,
    thread: SqliteThread,
  ) {
    this.#thread = thread
  }

  async columns(table: string): Promise<ReadonlySet<string> | null> {
    const rows = await this.all<{ name: string }>(COLUMNS, [table])
    return rows.length === 0 ? null : new Set(rows.map(({ name }) => name))
  }

  async all<Row>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    try {
      return await this.#thread.all<Row>(statement, values)
    } catch (error) {
      throw asForeignRefusal(error, this.name)
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

const MAGIC_BYTES = 16
const SUFFIXES = ['-journal', '-wal', '-shm']

/** Reads a file's first bytes. @throws Refusal `import-missing`, `import-empty`, `import-unavailable` */
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
  refuseOwnDatabase(path)
  const found = lookAt(path)
  if (!found) throw new Refusal('import-missing', `there is no file at ${path}`, { path })
  if (!found.isFile()) throw notRegular(path)
  if (found.size === 0) throw new Refusal('import-empty', `the file ${path} is empty`, { path })
}

/** Checks the other files that SQLite opens together with the file. If one of them were a pipe, SQLite would block forever. */
function requireFilesBeside(path: string): void {
  for (const beside of SUFFIXES.map((suffix) => path + suffix)) {
    if (lookAt(beside)?.isFile() === false) throw notRegular(beside)
  }
}

function notRegular(path: string): Refusal {
  return new Refusal('import-missing', `${path} is not a regular file: name a file, not a folder, pipe or device`, {
    path,
  })
}

/** @returns undefined if there is no file @throws Refusal `import-unavailable` if this user may not access the directory */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw asForeignRefusal(error, path)
  }
}

function damaged(path: string, damage: string): Refusal {
  return new Refusal('import-damaged', `the file ${path} is damaged: ${damage}`, { path })
}

/** Converts SQLite errors and system errors to refusals, for another program's file. */
export function asForeignRefusal(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  if (codeOf(error) === 'SQLITE_NOTADB') {
    return new Refusal('import-foreign', `the file ${path} is not a SQLite database`, { path }, { cause: error })
  }
  const damage = damageWords(error)
  if (damage !== null) return damaged(path, damage)
  if (!codeOf(error).startsWith('SQLITE_') && !('syscall' in error)) return error
  const reason = REASONS[codeOf(error)] ?? reasonOf(error)
  return new Refusal('import-unavailable', `the file ${path} cannot be read: ${withoutPaths(error)}`, { path, reason })
}

const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another program keeps the file locked: stop it, or make a copy of the file and import that',
  SQLITE_READONLY_ROLLBACK:
    'the other program was interrupted while it wrote: start it once so that it can recover, then stop it',
  ENOSPC: 'the disk for temporary files is full, and the import needs a copy of the file there: free some space',
  SQLITE_CANTOPEN: 'check that this user may read the file and, if it has a log beside it, write to its folder',
  SQLITE_FULL: 'the disk for temporary files is full: free some space',
  EACCES: 'check that this user may read the file and enter its folder',
  ENOTDIR: 'check the path: one of its folders is a file',
}
