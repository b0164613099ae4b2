/** Replaces the database with a backup while no server uses the database, and keeps the old database next to it. */
import type { Database as Connection } from 'bun:sqlite'
import { chownSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../../../../domain/errors.ts'
import { codeOf } from '../../../../lib/errors.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../../lib/work/long-work.ts'
import { refuseTooOld, SCHEMA_VERSION } from '../../../sql/migrations.ts'
import { claim, refuseOpen } from '../file/claim.ts'
import { damageOf } from '../file/damage.ts'
import { isUnreadable, refuseForeignLog } from '../file/integrity-check.ts'
import { refuseNonFile } from '../file/real-path.ts'
import { hasLog } from '../file/stale-log.ts'
import { sync, syncFolderOf } from '../file/sync.ts'
import { removeAbandoned, removeCopy, unfinishedName } from '../file/unfinished.ts'
import {
  asCopyError,
  type BackupContents,
  isSameFile,
  openFile,
  readContents,
  requireRegular,
  writeCopy,
} from './backup-file.ts'

interface RestoreOrder {
  /** path of the database. It must not be a link, because the link would be replaced instead of its target */
  readonly database: string
  /** absolute path of the backup */
  readonly file: string
  /** whether to replace an existing database */
  readonly replace: boolean
  /** suffix for the name of the old database: `before-20261121T183000Z` */
  readonly keepAs: string
  readonly onWork?: OnLongWork
}

export interface Restored extends BackupContents {
  readonly database: string
  readonly file: string
  /** path of the old database; null if there was none */
  readonly kept: string | null
  /** path of the old database's log if it could not be checkpointed; null otherwise */
  readonly keptLog: string | null
}

/** @throws Refusal with the reason; the database is then unchanged */
export async function restore(order: RestoreOrder): Promise<Restored> {
  const { database, file, replace, keepAs, onWork = NO_PROGRESS } = order
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
    endAccess(unfinished, contents.version)
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

/** @returns true if there is a database to replace */
function requirePlace(database: string, replace: boolean): boolean {
  refuseNonFile(database)
  const isThere = (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (!isThere || replace) return isThere
  throw new Refusal('database-exists', `a database already exists at ${database}`, { path: database })
}

function requireBackup(database: string, file: string): void {
  if (database === ':memory:') {
    throw new Refusal('database-in-memory', 'a database in memory is empty at each start', { setting: 'DATABASE_URL' })
  }
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Refusal('backup-missing', `there is no file ${file}`, { path: file })
  requireRegular(file, found)
  if (isSameFile(database, file)) {
    throw new Refusal('backup-is-database', `${file} is the database itself`, { path: file })
  }
}

async function copyChecked(file: string, target: string, onWork: OnLongWork): Promise<BackupContents> {
  const source = openBackup(file)
  try {
    const contents = readContents(source)
    refuseTooOld(file, contents.version)
    if (contents.version > SCHEMA_VERSION) {
      const { version } = contents
      const message = `${file} has version ${version}, but this program supports only versions up to ${SCHEMA_VERSION}`
      throw new Refusal('database-too-new', message, { path: file, version, knownVersion: SCHEMA_VERSION })
    }
    onWork({ doing: 'checking', path: file, bytes: statSync(file).size, grows: null })
    const damage = damageOf(source)
    if (damage !== null) throw new Refusal('backup-damaged', `${file} is damaged: ${damage}`, { path: file })
    // Copies through SQLite instead of byte by byte, so that the copy includes the content of a log next to the backup.
    await writeCopy(source, target, { onWork })
    return contents
  } finally {
    source.close()
  }
}

/**
 * Ends all sessions, links, invitations and offers. Otherwise, some that ended after the backup was created would be valid again, for
 * example because a user signed out, changed a password or revoked an invitation.
 */
function endAccess(copy: string, version: number): void {
  const connection = openFile(copy, 'write')
  try {
    for (const rows of ['sessions', ...tokensOf(version)]) connection.run(`DELETE FROM ${rows}`)
  } finally {
    connection.close()
  }
}

/** Returns the tables that contain tokens in the file's version. The file is not migrated until a server opens it. */
function tokensOf(version: number): readonly string[] {
  if (version < 14) return ['one_time_links', 'challenges', 'invitations', 'ownership_offers']
  return ["tokens WHERE purpose <> 'recovery-code'"]
}

/** Makes the database's owner the owner of the copy. A server that does not run as root could not open a file owned by root. */
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
    const message = `${file} is damaged or not a database: ${error.message}`
    throw new Refusal('backup-damaged', message, { path: file }, { cause: error })
  }
}

/**
 * Moves away the log of a damaged or deleted database, because SQLite would mix it into the backup.
 * @returns the log's new path; null if there was no log or it was empty
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

/** Gives the old database a second name, so that there is a database at its path at all times. */
function setAside(database: string, kept: string): string | null {
  if (!statSync(database, { throwIfNoEntry: false })?.size) return null
  try {
    linkSync(database, kept)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    // The file system does not support hard links.
    renameSync(database, kept)
  }
  return kept
}
