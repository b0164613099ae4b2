/**
 * Before a server works on a file: whether it is whole. A copy made while the database was in use, or a disk that lost
 * pages, would show only when a request comes upon the damage, and every write until then would make it worse.
 */
import { Database as Connection, constants } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { UserError } from '../domain/errors.ts'
import { type OnLongWork, UNTOLD } from '../domain/long-work.ts'
import { damageOf } from './backup-file.ts'
import { processesThatOpen } from './open-files.ts'
import { hasLog, refuseStaleLog, staleLog } from './stale-log.ts'

/** Half a second each: a larger file would keep pings waiting for its start. Each backup of it is looked through. */
const COMPARE_UP_TO_BYTES = 64 * 1024 * 1024
const READ_UP_TO_BYTES = 512 * 1024 * 1024
const LOCK_PATIENCE_MS = 5_000

const RESTORE =
  'restore a backup; where there is none, copy the file and what lies beside it, and try `sqlite3 <file> .recover` on the copy'

/**
 * The engine would remove the log of a database that is empty.
 * @throws UserError when a database is gone while its log is still there
 */
export function refuseLostDatabase(path: string): void {
  // In this order: a database that another process makes at this moment has its file before it has a log.
  const logSize = sizeOf(`${path}-wal`)
  if (logSize === 0 || sizeOf(path) > 0) return
  const [pid] = processesThatOpen([path, `${path}-wal`])
  const hint = 'put the database back beside its log, or restore a backup; to begin anew, move the log away'
  throw new UserError(
    `the database ${path} is ${existsSync(path) ? 'empty' : 'not there'}, but its log ${path}-wal is`,
    pid === undefined
      ? hint
      : `process ${pid} has them open: do not stop it before you have read what \`overdue health\` says`,
  )
}

/**
 * Leaves all files as they are.
 * @throws UserError when a database is damaged
 */
export function refuseUnsound(path: string, onWork: OnLongWork = UNTOLD): void {
  const size = sizeOf(path)
  // A file that a crash left in the middle of being made is put right by its journal, when it is opened to be written.
  if (size === 0 || size > READ_UP_TO_BYTES || existsSync(`${path}-journal`)) return
  onWork({ doing: 'checking', path, bytes: size, grows: null })
  const damage = readDamage(path, size, !hasLog(path))
  if (damage === null) return
  refuseMixed(path, damage)
  throw new UserError(`the database ${path} is damaged: ${damage}`, RESTORE)
}

/**
 * Before the log is brought into the file. One that is damaged passes.
 * @throws UserError when the log beside the database is of another file
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

/** @param damage that there is when both are read together */
function refuseMixed(path: string, damage: string): void {
  if (!hasLog(path) || !isWholeAlone(path)) return
  const words = `the database ${path} is whole, but not together with its log ${path}-wal (${damage})`
  throw staleLog(path, `${words}: the log is of another file, or damaged`)
}

/** Called immutable, a file is read without its log. */
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
  return error instanceof Error && 'code' in error && /^SQLITE_(?:NOTADB|CORRUPT)/.test(String(error.code))
}

/** Opened to be read only, since who closes the last connection that may write brings the log into the file. */
function readDamage(path: string, size: number, isAlone: boolean): string | null {
  using connection = new Connection(path, { readonly: true })
  connection.run(`PRAGMA busy_timeout = ${LOCK_PATIENCE_MS}`)
  try {
    const damage = damageOf(connection, size > COMPARE_UP_TO_BYTES ? 'quick_check' : 'integrity_check')
    return damage ?? (isAlone && endsWithinPage(connection, path) ? 'its last page is cut off' : null)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_CORRUPT') return error.message
    throw error
  }
}

/** The engine takes what is missing for zeros. With a log it may be right: a full disk ends a checkpoint anywhere. */
function endsWithinPage(connection: Connection, path: string): boolean {
  const { page_size: pageSize = 1 } = connection.query<{ page_size: number }, []>('PRAGMA page_size').get() ?? {}
  return sizeOf(path) % pageSize !== 0
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : 0
}
