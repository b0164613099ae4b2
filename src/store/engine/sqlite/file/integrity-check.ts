/**
 * Checks a database file before a server uses it. The file may be damaged, for example because it was copied while the database was in use.
 * Without this check, damage would not be found until a request reads the damaged page, and every write until then would make it worse.
 */
import { Database as Connection, constants } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Refusal } from '../../../../domain/errors.ts'
import { codeOf, messageOf } from '../../../../lib/errors.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../../lib/work/long-work.ts'
import { LOCK_TIMEOUT_MS } from '../lock-timeout.ts'
import { damageOf } from './damage.ts'
import { processesThatOpen } from './open-files.ts'
import { hasLog, refuseStaleLog, staleLog } from './stale-log.ts'

/**
 * Maximum sizes in bytes of the files that are checked. At these sizes, each check takes about half a second. Checking a larger file would
 * delay the start too much. Every backup is checked completely.
 */
const COMPARE_UP_TO_BYTES = 64 * 1024 * 1024
const READ_UP_TO_BYTES = 512 * 1024 * 1024

/**
 * Rejects a database that was lost, because SQLite would delete an empty file's log.
 * @throws Refusal `database-lost` if the database is missing or empty while its log still exists
 */
export function refuseLostDatabase(path: string): void {
  // The order matters, because another process that is creating the database creates the file before the log.
  const logSize = sizeOf(`${path}-wal`)
  if (logSize === 0 || sizeOf(path) > 0) return
  const log = `${path}-wal`
  const [pid = null] = processesThatOpen([path, log])
  const message = `the database ${path} is ${existsSync(path) ? 'empty' : 'missing'}, but its log ${log} still exists`
  throw new Refusal('database-lost', message, { path, log, pid })
}

/**
 * Rejects a damaged database. Does not change any files.
 * @throws Refusal `database-damaged`
 */
export function refuseDamage(path: string, onWork: OnLongWork = NO_PROGRESS): void {
  const size = sizeOf(path)
  // If a crash left a half-created file with its journal, SQLite repairs the file when it is opened for writing.
  if (size === 0 || size > READ_UP_TO_BYTES || existsSync(`${path}-journal`)) return
  onWork({ doing: 'checking', path, bytes: size, grows: null })
  const damage = readDamage(path, size, !hasLog(path))
  if (damage === null) return
  refuseMixed(path, damage)
  throw new Refusal('database-damaged', `the database ${path} is damaged: ${damage}`, { path })
}

/**
 * Rejects a log that belongs to another file, because a checkpoint would write that log into the database. Does not reject a damaged
 * database.
 * @throws Refusal `log-foreign`
 */
export function refuseForeignLog(path: string): void {
  refuseStaleLog(path)
  const size = sizeOf(path)
  if (!hasLog(path) || size > READ_UP_TO_BYTES) return
  try {
    const damage = readDamage(path, size, false)
    if (damage !== null) refuseMixed(path, damage)
  } catch (error) {
    if (!isUnreadable(error)) throw error
  }
}

/** @param damage damage found when the file and the log are read together */
function refuseMixed(path: string, damage: string): void {
  if (!hasLog(path) || !isWholeAlone(path)) return
  const words = `the database ${path} is intact by itself, but damaged if read with its log ${path}-wal (${damage})`
  throw staleLog(path, `${words}: the log belongs to another file or is damaged`)
}

/** Returns whether the file is intact without its log. SQLite ignores the log of a file that is opened as immutable. */
function isWholeAlone(path: string): boolean {
  try {
    const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
    using connection = new Connection(`${pathToFileURL(path)}?immutable=1`, flags)
    return damageOf(connection) === null
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return false
  }
}

export function isUnreadable(error: unknown): error is Error {
  return error instanceof Error && /^SQLITE_(?:NOTADB|CORRUPT|TOOBIG)/.test(codeOf(error))
}

/** Returns the damage in a file. Opens the file read-only, because closing the last writable connection would run a checkpoint. */
function readDamage(path: string, size: number, isAlone: boolean): string | null {
  using connection = new Connection(path, { readonly: true })
  connection.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
  try {
    const damage = damageOf(connection, size > COMPARE_UP_TO_BYTES ? 'quick_check' : 'integrity_check')
    return damage ?? (isAlone && endsWithinPage(connection, path) ? 'its last page is cut off' : null)
  } catch (error) {
    // SQLite never stores a string or blob that is too big, so a stored length must have been overwritten.
    if (/^SQLITE_(?:CORRUPT$|TOOBIG)/.test(codeOf(error))) return messageOf(error)
    throw error
  }
}

/**
 * Returns whether the file ends in the middle of a page. SQLite reads the missing bytes as zeros. A file with a log may end like this,
 * because a full disk can stop a checkpoint anywhere.
 */
function endsWithinPage(connection: Connection, path: string): boolean {
  const { page_size: pageSize = 1 } = connection.query<{ page_size: number }, []>('PRAGMA page_size').get() ?? {}
  return sizeOf(path) % pageSize !== 0
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : 0
}
