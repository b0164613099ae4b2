/** Migrates an older file in one transaction, after copying the file. The steps are in `store/sql/migrations.ts`. */
import { Database as Connection } from 'bun:sqlite'
import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import schema from '../../../../schema.sql' with { type: 'text' }
import { Refusal } from '../../../domain/errors.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../lib/work/long-work.ts'
import type { FirstSettings } from '../../sql/database.ts'
import {
  ADD_SETTING,
  MIGRATIONS,
  type Migration,
  refuseTooOld,
  SCHEMA_VERSION,
  stepsFrom,
  versionAfter,
} from '../../sql/migrations.ts'
import { copySize } from './file/copy-size.ts'
import { hasLog } from './file/stale-log.ts'
import { sync, syncFolderOf } from './file/sync.ts'
import { removeAbandoned, removeCopy, unfinishedName } from './file/unfinished.ts'
import { LOCK_TIMEOUT_MS } from './lock-timeout.ts'
import { withNumberedParameters } from './parameters.ts'

/** Returns the version stored in the file; 0 for a new file. */
export function schemaVersion(connection: Connection): number {
  const row = connection.query<{ user_version: number }, []>('PRAGMA user_version').get()
  return row?.user_version ?? 0
}

/**
 * Rejects a file if this program does not support its version. Does not change any files: closing a writable connection would write a log
 * into the file, and closing a read-only one would leave an empty log behind.
 * @throws Refusal if the version is not supported
 */
export function refuseOtherVersion(path: string): void {
  // Only a writable connection can repair a file if a crash left its journal.
  if (!existsSync(path) || existsSync(`${path}-journal`)) return
  using connection = new Connection(path, hasLog(path) ? { readonly: true } : { readwrite: true, create: false })
  connection.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
  requireSupported(path, schemaVersion(connection), SCHEMA_VERSION)
}

function requireSupported(path: string, found: number, newest: number): void {
  if (found > 0) refuseTooOld(path, found)
  if (found <= newest) return
  const message = `the database ${path} has version ${found}, but this program supports only versions up to ${newest}`
  throw new Refusal('database-too-new', message, { path, version: found, knownVersion: newest })
}

interface MigrationOptions {
  readonly migrations?: readonly Migration[]
  readonly firstSettings?: FirstSettings
  readonly onWork?: OnLongWork
}

/**
 * @param path for messages, and for the name of the copy: `<path>.v<old version>`
 * @throws Refusal if this program does not support the file's version, or if the file belongs to another program
 */
export function bringUpToDate(
  connection: Connection,
  path: string,
  { migrations = MIGRATIONS, firstSettings = {}, onWork = NO_PROGRESS }: MigrationOptions = {},
): void {
  const found = schemaVersion(connection)
  if (found === versionAfter(migrations)) return
  requireSupported(path, found, versionAfter(migrations))
  if (found > 0) copyBeside(connection, path, found, onWork)
  // Locks the file, then rereads the version, because another process may have migrated the file in the meantime.
  connection.run('BEGIN IMMEDIATE')
  try {
    onWork({ doing: 'migrating', path, bytes: copySize(connection), grows: null })
    if (schemaVersion(connection) === found) {
      migrate(connection, path, found, migrations)
      if (found === 0) addSettings(connection, firstSettings)
    }
    connection.run('COMMIT')
  } catch (error) {
    if (connection.inTransaction) connection.run('ROLLBACK')
    throw error
  }
}

/** Copies the file. The copy gets its final name when it is complete, and replaces the copy of an earlier attempt. */
function copyBeside(connection: Connection, path: string, found: number, onWork: OnLongWork): void {
  const copy = `${path}.v${found}`
  const unfinished = unfinishedName(copy)
  removeAbandoned(copy)
  // Creates the file so that only this user can access it, as with the original. SQLite accepts an existing file if it is empty.
  closeSync(openSync(unfinished, 'wx', 0o600))
  try {
    onWork({ doing: 'copying', path, bytes: copySize(connection), grows: unfinished })
    connection.query('VACUUM INTO ?1').run(unfinished)
    // If another process has migrated the file in the meantime, this is not a copy of the older version.
    if (schemaVersion(connection) !== found) return
    // SQLite does not sync the copy, and the original is about to be changed.
    sync(unfinished)
    renameSync(unfinished, copy)
    syncFolderOf(copy)
  } finally {
    removeCopy(unfinished)
  }
}

function migrate(connection: Connection, path: string, found: number, migrations: readonly Migration[]): void {
  if (found === 0) {
    refuseForeign(connection, path)
    connection.run(schema)
  } else {
    for (const step of stepsFrom(found, migrations, 'sqlite')) connection.run(step)
  }
  connection.run(`PRAGMA user_version = ${versionAfter(migrations)}`)
}

function addSettings(connection: Connection, settings: FirstSettings): void {
  const insert = connection.prepare<unknown, [string, string]>(withNumberedParameters(ADD_SETTING))
  for (const [name, value] of Object.entries(settings)) insert.run(name, value)
  insert.finalize()
}

/** Rejects a file that has tables but no version, because it belongs to another program. */
function refuseForeign(connection: Connection, path: string): void {
  const { tables } = connection.query<{ tables: number }, []>('SELECT count(*) AS tables FROM sqlite_master').get() ?? {
    tables: 0,
  }
  if (tables > 0) {
    const data = { path, setting: 'DATABASE_URL' }
    throw new Refusal('database-foreign', `the database ${path} belongs to another program`, data)
  }
}
