/** A backup: a whole copy of a database that may be in use. It gets its name when it is on the disk and was checked. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
import { refuseFolder } from './real-path.ts'
import { refuseLostDatabase } from './soundness.ts'
import { syncFolderOf } from './sync.ts'
import { removeAbandoned, removeCopy, unfinishedName } from './unfinished.ts'

export interface BackupOrder {
  /** a path, or `:memory:` */
  readonly database: string
  /** where to; an absolute path */
  readonly file: string
  /** true: a file that has the name gives way when the backup is whole */
  readonly replace: boolean
  readonly onWork?: OnLongWork
}

export interface Backup extends BackupContents {
  readonly file: string
  readonly bytes: number
}

/**
 * Blocks its thread until it is done; the server has a process of its own for that.
 * @throws UserError that says what is in the way; then nothing has the name that had it not before
 */
export async function backUp({ database, file, replace, onWork = UNTOLD }: BackupOrder): Promise<Backup> {
  const unfinished = unfinishedName(file)
  try {
    requireTarget(database, file, replace)
    removeAbandoned(file)
    await copy(database, unfinished, onWork)
    onWork({ doing: 'checking', path: file, bytes: statSync(unfinished).size, grows: null })
    const contents = checked(unfinished)
    if (!replace) refuseExisting(file)
    renameSync(unfinished, file)
    syncFolderOf(file)
    return { file, bytes: statSync(file).size, ...contents }
  } catch (error) {
    throw asCopyError(error, `cannot copy ${database} to ${file}`)
  } finally {
    removeCopy(unfinished)
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
    const hint = 'the disk or the database itself may be damaged: look into the system log, and keep older backups'
    throw new UserError(`the copy is not sound: ${damage}`, hint)
  } finally {
    written.close()
  }
}

function requireTarget(database: string, file: string, replace: boolean): void {
  if (database === ':memory:') throw new UserError('a database in memory cannot be backed up', 'set DATABASE_URL')
  refuseLostDatabase(database)
  if (!statSync(database, { throwIfNoEntry: false })) {
    throw new UserError(`there is no database at ${database}`, 'see that DATABASE_URL names the right file')
  }
  refuseFolder(database)
  const own = ['', '-wal', '-shm', '-journal'].map((suffix) => `${database}${suffix}`)
  if (own.some((path) => path === file || isSameFile(path, file))) {
    throw new UserError(`${file} is the database itself`, 'give another file')
  }
  const folder = statSync(dirname(file), { throwIfNoEntry: false })
  if (!folder?.isDirectory())
    throw new UserError(`there is no folder ${dirname(file)}`, 'make it, or give another file')
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`${file} is a folder`, `give the name of a file, such as ${join(file, 'overdue.db')}`)
  }
  if (!replace) refuseExisting(file)
  refuseLog(file)
}

/** The engine would take it for the backup's own, and mix it in when the backup is opened. */
function refuseLog(file: string): void {
  const log = ['-wal', '-journal'].map((suffix) => `${file}${suffix}`).find((path) => existsSync(path))
  if (log === undefined) return
  throw new UserError(
    `beside ${file} there is ${log}`,
    `a program has or had ${file} open: give another name, or remove both`,
  )
}

function refuseExisting(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })) return
  throw new UserError(`${file} exists`, 'give another name, or --force to replace it')
}
