/** Copies a database that may be in use. The copy gets its final name after it has been synced and checked. */
import { existsSync, lstatSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BACKUP_SETTING, type BackupSuccess, backupText } from '../../../../domain/backup.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../../lib/work/long-work.ts'
import { damageOf } from '../file/damage.ts'
import { refuseLostDatabase } from '../file/integrity-check.ts'
import { refuseNonFile } from '../file/real-path.ts'
import { syncFolderOf } from '../file/sync.ts'
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

interface BackupOrder {
  /** path of the database, or `:memory:` */
  readonly database: string
  /** absolute path at which the backup is written */
  readonly file: string
  /** whether to replace an existing file once the backup is complete */
  readonly replace: boolean
  readonly onWork?: OnLongWork
}

export interface Backup extends BackupContents {
  readonly file: string
  readonly bytes: number
}

/**
 * Backs up a database. Blocks its thread until the backup is complete, so the server runs it in another process.
 * @throws Refusal with the reason; `file` is then unchanged
 */
export async function backUp({ database, file, replace, onWork = NO_PROGRESS }: BackupOrder): Promise<Backup> {
  const unfinished = unfinishedName(file)
  try {
    requireTarget(database, file, replace)
    removeAbandoned(file)
    await copy(database, unfinished, onWork)
    onWork({ doing: 'checking', path: file, bytes: statSync(unfinished).size, grows: null })
    const contents = checked(unfinished)
    refuseExisting(file, replace)
    renameSync(unfinished, file)
    syncFolderOf(file)
    return { file, bytes: statSync(file).size, ...contents }
  } catch (error) {
    throw asCopyError(error, `cannot copy ${database} to ${file}`)
  } finally {
    removeCopy(unfinished)
  }
}

const NOTE = `
  INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/** Records in the database when it was last backed up. The server shows this time. @throws a SQLite error */
export function noteBackup(database: string, success: BackupSuccess): void {
  const connection = openFile(database, 'write')
  try {
    connection.query(NOTE).run(BACKUP_SETTING, backupText(success))
  } finally {
    connection.close()
  }
}

async function copy(database: string, unfinished: string, onWork: OnLongWork): Promise<void> {
  const source = openFile(database, 'write')
  try {
    await writeCopy(source, unfinished, { onWork })
  } finally {
    source.close()
  }
}

function checked(unfinished: string): BackupContents {
  const written = openFile(unfinished, 'read')
  try {
    const damage = damageOf(written)
    if (damage === null) return readContents(written)
    throw new Refusal('copy-damaged', `the copy is damaged: ${damage}`)
  } finally {
    written.close()
  }
}

function requireTarget(database: string, file: string, replace: boolean): void {
  if (database === ':memory:') {
    throw new Refusal('database-in-memory', 'a database in memory cannot be backed up', { setting: 'DATABASE_URL' })
  }
  refuseLostDatabase(database)
  if (!statSync(database, { throwIfNoEntry: false })) {
    throw new Refusal('database-missing', `there is no database at ${database}`, { path: database })
  }
  refuseNonFile(database)
  const own = ['', '-wal', '-shm', '-journal'].map((suffix) => `${database}${suffix}`)
  if (own.some((path) => path === file || isSameFile(path, file))) {
    throw new Refusal('backup-is-database', `${file} is the database itself`, { path: file })
  }
  const folder = dirname(file)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Refusal('folder-missing', `there is no folder ${folder}`, { path: folder })
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Refusal('path-is-folder', `${file} is a folder`, { path: file, setting: null })
  }
  refuseExisting(file, replace)
  refuseLog(file)
}

/** Rejects a log next to the backup, because SQLite would mix the log into the backup when opening it. */
function refuseLog(file: string): void {
  const log = ['-wal', '-journal'].map((suffix) => `${file}${suffix}`).find((path) => existsSync(path))
  if (log === undefined) return
  throw new Refusal('backup-has-log', `${log} exists next to ${file}`, { path: file, log })
}

/** Rejects a device, a pipe or a link, because a rename would replace it instead of writing to it. */
function refuseExisting(file: string, replace: boolean): void {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) return
  requireRegular(file, found)
  if (!replace) throw new Refusal('backup-exists', `${file} already exists`, { path: file })
}
