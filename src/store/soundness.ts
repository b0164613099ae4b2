/**
 * Before a server works on a file: whether it is whole. A copy made while the database was in use, or a disk that lost
 * pages, would show only when a request comes upon the damage, and every write until then would make it worse.
 */
import { Database as Connection } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { UserError } from '../domain/errors.ts'
import { damageOf } from './backup-file.ts'

/** Half a second each: a larger file would keep pings waiting for its start. Each backup of it is looked through. */
const COMPARE_UP_TO_BYTES = 64 * 1024 * 1024
const READ_UP_TO_BYTES = 512 * 1024 * 1024
const LOCK_PATIENCE_MS = 5_000

const RESTORE =
  'restore a backup; where there is none, copy the file and what lies beside it, and try `sqlite3 <file> .recover` on the copy'

/**
 * Leaves all files as they are.
 * @throws UserError when a database is damaged, or gone while its log is still there
 */
export function refuseUnsound(path: string): void {
  // In this order: a database that another process makes at this moment has its file before it has a log.
  const logSize = sizeOf(`${path}-wal`)
  const size = sizeOf(path)
  if (size === 0 && logSize > 0) {
    throw new UserError(
      `the database ${path} is ${existsSync(path) ? 'empty' : 'not there'}, but its log ${path}-wal is`,
      'put the database back beside its log, or restore a backup; to begin anew, move the log away',
    )
  }
  // A file that a crash left in the middle of being made is put right by its journal, when it is opened to be written.
  if (size === 0 || size > READ_UP_TO_BYTES || existsSync(`${path}-journal`)) return
  const damage = readDamage(path, size, logSize === 0)
  if (damage !== null) throw new UserError(`the database ${path} is damaged: ${damage}`, RESTORE)
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
