/** Opens the database engine for an address, and does the work that only a database in a file needs. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { type BackupSuccess, fileStamp } from '../domain/backup.ts'
import { type DatabaseAddress, isInFile, shownDatabase } from '../domain/database-address.ts'
import { Refusal } from '../domain/errors.ts'
import { type Clock, type Instant, isoSeconds } from '../lib/time.ts'
import type { OnLongWork } from '../lib/work/long-work.ts'
import { type Copied, copyDatabase } from '../store/copy/copy.ts'
import { firstSettingsOf, newTargetMark, type Reopened, refuseCopied, reopen } from '../store/copy/marks.ts'
import type { CopySide } from '../store/copy/side.ts'
import { type Backup, backUp, noteBackup } from '../store/engine/sqlite/backup/backup.ts'
import { type Restored, restore } from '../store/engine/sqlite/backup/restore.ts'
import { openSqliteSide } from '../store/engine/sqlite/copy-side.ts'
import { asOpenError } from '../store/engine/sqlite/faults.ts'
import { realPathOf, refuseNonFile } from '../store/engine/sqlite/file/real-path.ts'
import { openSqlite } from '../store/engine/sqlite/sqlite.ts'
import type { Database, FirstSettings } from '../store/sql/database.ts'

interface OpenOptions {
  /** maximum number of connections to PostgreSQL */
  readonly connections: number
  /** whether to create a missing database; if false, a missing database is an error */
  readonly create: boolean
  /** whether to check the integrity of a file */
  readonly checkIntegrity: boolean
  /** Called with the reason if the database becomes unusable, and with null once it is usable again. */
  readonly onFault: (words: string | null) => void
  readonly onWork: OnLongWork
  /** monotonic clock in seconds */
  readonly stopwatch: () => number
}

/** @throws Refusal if the database cannot be used, for example because it was copied into another one */
export async function openDatabase(address: DatabaseAddress, options: OpenOptions): Promise<Database> {
  const database = await openEngine(address, options)
  try {
    await refuseCopied(database, urlOf(address))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openEngine(address: DatabaseAddress, options: OpenOptions): Promise<Database> {
  if (address.engine === 'sqlite') return openSqlite({ path: address.path, ...options })
  // Imports the driver only when needed, so that a server with a database file uses less memory.
  const { openPostgres } = await import('../store/engine/postgres/postgres.ts')
  return openPostgres({ address, ...options })
}

/** Backup and restore commands for a database in a file. Paths are absolute. @throws Refusal */
interface DatabaseFiles {
  /** @param replace whether to replace an existing file */
  backUp(file: string, replace: boolean): Promise<Backup>
  /** Records in the database when it was last backed up. @throws a SQLite error */
  note(success: BackupSuccess): void
  /** @param replace whether to replace an existing database, which is kept under another name */
  restore(file: string, replace: boolean, now: Instant): Promise<Restored>
}

/** @throws Refusal `database-not-file` for a database on a server */
export function databaseFiles(address: DatabaseAddress, onWork: OnLongWork): DatabaseFiles {
  const database = databaseFile(address)
  return {
    backUp: (file, replace) => backUp({ database, file, replace, onWork }),
    note: (success) => noteBackup(database, success),
    restore: (file, replace, now) => restore({ database, file, replace, onWork, keepAs: `before-${fileStamp(now)}` }),
  }
}

/** @returns the absolute path without links, or `:memory:`. @throws Refusal `database-not-file` */
export function databaseFile(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return address.path === ':memory:' ? address.path : realPathOf(resolve(address.path))
  const message = `only a database in a file can be backed up and restored here, but this one is ${shownDatabase(address)}`
  throw new Refusal('database-not-file', message)
}

interface CopyOptions {
  readonly now: Clock
  /** stops the copy after the current page */
  readonly signal: AbortSignal
  readonly onWork: OnLongWork
}

/** Copies everything into another database, and creates this database if it does not exist. @throws Refusal */
export async function copyBetween(
  source: DatabaseAddress,
  target: DatabaseAddress,
  options: CopyOptions,
): Promise<Copied> {
  const { now, onWork } = options
  const id = crypto.randomUUID()
  return withSide(source, { create: false, onWork }, (from) => {
    const firstSettings = firstSettingsOf(newTargetMark(id, from, isoSeconds(now())))
    return withSide(target, { create: true, firstSettings, onWork }, (to) => copyDatabase({ from, to, id, ...options }))
  })
}

/** Makes a copied database usable again. @throws Refusal */
export function reopenDatabase(address: DatabaseAddress, onWork: OnLongWork): Promise<Reopened> {
  return withSide(address, { create: false, onWork }, reopen)
}

interface SideOptions {
  readonly create: boolean
  readonly firstSettings?: FirstSettings
  readonly onWork: OnLongWork
}

async function withSide<Result>(
  address: DatabaseAddress,
  options: SideOptions,
  work: (side: CopySide) => Promise<Result>,
): Promise<Result> {
  const side = await openSide(address, options)
  try {
    return await work(side)
  } finally {
    await side.database.close()
  }
}

async function openSide(address: DatabaseAddress, options: SideOptions): Promise<CopySide> {
  if (address.engine === 'sqlite') return openSqliteSide({ path: databaseFile(address), ...options })
  const { openPostgresSide } = await import('../store/engine/postgres/copy-side.ts')
  return openPostgresSide({ address, ...options })
}

/** Returns the address as in DATABASE_URL, without a password and with an absolute path. */
export function urlOf(address: DatabaseAddress): string {
  return address.engine === 'sqlite' ? `sqlite:${databaseFile(address)}` : shownDatabase(address)
}

/** Checks the paths in the settings, as far as possible without changing anything on disk. @throws Refusal */
export function checkPaths({ database, backups: { directory } }: Config): void {
  if (isInFile(database)) refuseNoFile(resolve(database.path))
  if (directory === null || !existsSync(directory) || statSync(directory).isDirectory()) return
  const problems = [`BACKUP_DIRECTORY: ${resolve(directory)} is not a folder; use another name`]
  throw new Refusal('settings', 'the settings are not valid', { problems })
}

function refuseNoFile(path: string): void {
  try {
    refuseNonFile(realPathOf(path))
  } catch (error) {
    throw asOpenError(error, path)
  }
}
