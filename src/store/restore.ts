/** Puts a backup in the place of the database, which no server may use then. What was there before is kept beside it. */
import { Database as Connection } from 'bun:sqlite'
import { chownSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../domain/errors.ts'
import { type OnLongWork, UNTOLD } from '../domain/long-work.ts'
import {
  asCopyError,
  type BackupContents,
  damageOf,
  isSameFile,
  openFile,
  readContents,
  writeCopy,
} from './backup-file.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import { processesThatOpen } from './open-files.ts'
import { refuseFolder } from './real-path.ts'
import { isUnreadable, refuseForeignLog } from './soundness.ts'
import { hasLog } from './stale-log.ts'
import { sync, syncFolderOf } from './sync.ts'
import { removeAbandoned, removeCopy, unfinishedName } from './unfinished.ts'

export interface RestoreOrder {
  /** not a link, which would give way in place of what it leads to */
  readonly database: string
  /** the backup; an absolute path */
  readonly file: string
  /** true: a database that is there gives way */
  readonly replace: boolean
  /** what follows the name of a database that gives way: `before-20261121T183000Z` */
  readonly keepAs: string
  readonly onWork?: OnLongWork
}

export interface Restored extends BackupContents {
  readonly database: string
  readonly file: string
  /** the database that was there before; null when there was none */
  readonly kept: string | null
  /** the log of the database that was there before, where it could not be brought into that; else null */
  readonly keptLog: string | null
}

/** @throws UserError that says what is in the way; then the database is as it was */
export async function restore({ database, file, replace, keepAs, onWork = UNTOLD }: RestoreOrder): Promise<Restored> {
  const unfinished = unfinishedName(database)
  let held: Connection | null = null
  try {
    requireBackup(database, file)
    const isThere = requirePlace(database, replace)
    refuseOpen(database, isThere)
    if (isThere) refuseForeignLog(database)
    held = isThere ? claim(database) : null
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
    removeAbandoned(database)
    const contents = await copyChecked(file, unfinished, onWork)
    giveToOwner(unfinished, database)
    const keptLog = setLogAside(database, `${database}.${keepAs}`)
    const kept = setAside(database, `${database}.${keepAs}`)
    renameSync(unfinished, database)
    syncFolderOf(database)
    return { database, file, kept, keptLog, ...contents }
  } catch (error) {
    throw asCopyError(error, `cannot restore ${file} to ${database}`)
  } finally {
    held?.close()
    removeCopy(unfinished)
  }
}

/** @returns whether there is a database that gives way */
function requirePlace(database: string, replace: boolean): boolean {
  const isThere = (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0
  refuseFolder(database)
  if (!isThere || replace) return isThere
  const hint = 'stop the server first, then give --force to put the backup in its place; what is there is kept beside'
  throw new UserError(`there is a database at ${database}`, hint)
}

const IN_USE = 'stop the server first, and whatever else has it open'

/**
 * A server whose file was deleted, moved or replaced holds no lock on what is there now, but has the log open, and perhaps
 * all that is left of the former file.
 * @throws UserError where a process is found
 */
function refuseOpen(database: string, isThere: boolean): void {
  const [pid] = processesThatOpen(['', '-wal', '-shm'].map((suffix) => `${database}${suffix}`))
  if (pid === undefined) return
  if (isThere) throw new UserError(`a server or another program (process ${pid}) uses the database ${database}`, IN_USE)
  throw new UserError(
    `a server or another program (process ${pid}) still has the database ${database} or its log open, though the file is gone`,
    `${IN_USE}; then a deleted file is lost: \`overdue health\` says how to save it before`,
  )
}

function requireBackup(database: string, file: string): void {
  if (database === ':memory:') throw new UserError('a database in memory is empty at each start', 'set DATABASE_URL')
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new UserError(`there is no file ${file}`, 'give a file that `overdue backup` has made')
  }
  if (isSameFile(database, file)) throw new UserError(`${file} is the database itself`, 'give a backup of it')
}

async function copyChecked(file: string, target: string, onWork: OnLongWork): Promise<BackupContents> {
  const source = openBackup(file)
  try {
    const contents = readContents(source)
    if (contents.version > SCHEMA_VERSION) {
      throw new UserError(
        `${file} has version ${contents.version}, this program knows versions up to ${SCHEMA_VERSION}`,
        'restore it with the newer program',
      )
    }
    onWork({ doing: 'checking', path: file, bytes: statSync(file).size, grows: null })
    const damage = damageOf(source)
    if (damage !== null) throw new UserError(`${file} is damaged: ${damage}`, 'restore another backup')
    // Not byte by byte, so that a copy of the files of a server is taken together with the log beside it.
    await writeCopy(source, target, { onWork })
    return contents
  } finally {
    source.close()
  }
}

/** What root has made, a server that is not root could not open. */
function giveToOwner(copy: string, database: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(database, { throwIfNoEntry: false }) ?? statSync(dirname(database))
  chownSync(copy, uid, gid)
  sync(copy)
}

function openBackup(file: string): Connection {
  try {
    return openFile(file, 'read')
  } catch (error) {
    if (!isUnreadable(error)) throw error
    throw new UserError(`${file} is damaged, or no database: ${error.message}`, 'restore another backup', {
      cause: error,
    })
  }
}

/**
 * Makes sure that nobody else has the database open, nor opens it while it is being replaced, and empties its log into it.
 * @returns null for one so damaged that nobody can work with it
 */
function claim(database: string): Connection | null {
  const connection = new Connection(database, { readwrite: true, create: false })
  try {
    connection.run('PRAGMA busy_timeout = 500')
    // Leaving WAL needs the file for oneself alone.
    connection.run('PRAGMA journal_mode = DELETE')
    connection.run('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    if (isUnreadable(error)) return null
    if (!(error instanceof Error && 'code' in error && /^SQLITE_(?:BUSY|LOCKED)/.test(String(error.code)))) throw error
    throw new UserError(`a server or another program uses the database ${database}`, IN_USE, { cause: error })
  }
}

/**
 * The log of a damaged database, or of one that was removed; the engine would take it for the backup's.
 * @returns its new name; null when there was none, or one in which nothing stands
 */
function setLogAside(database: string, kept: string): string | null {
  const keptLog = hasLog(database) ? `${kept}-wal` : null
  for (const suffix of ['-wal', '-journal']) {
    if (statSync(`${database}${suffix}`, { throwIfNoEntry: false })) {
      renameSync(`${database}${suffix}`, `${kept}${suffix}`)
    }
  }
  rmSync(`${database}-shm`, { force: true })
  return keptLog
}

/** Keeps what is there under another name as well, so that at no moment there is no database. */
function setAside(database: string, kept: string): string | null {
  if (!statSync(database, { throwIfNoEntry: false })?.size) return null
  try {
    linkSync(database, kept)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    // A file system on which a file has one name only.
    renameSync(database, kept)
  }
  return kept
}
