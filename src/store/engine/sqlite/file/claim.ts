/** Ensures that no other program uses a database file. */
import { Database as Connection } from 'bun:sqlite'
import { Refusal } from '../../../../domain/errors.ts'
import { codeOf } from '../../../../lib/errors.ts'
import { isUnreadable } from './integrity-check.ts'
import { processesThatOpen } from './open-files.ts'

/**
 * Rejects a database that another process has open. A server whose file was deleted, moved or replaced has no lock on the new file. But
 * that server still has the log open, and its open file may be the only remaining copy of the original.
 * @throws Refusal `database-in-use` if there is such a process
 */
export function refuseOpen(database: string, isThere: boolean): void {
  const [pid] = processesThatOpen(['', '-wal', '-shm'].map((suffix) => `${database}${suffix}`))
  if (pid === undefined) return
  const who = `a server or another program (process ${pid})`
  const message = isThere
    ? `${who} is using the database ${database}`
    : `${who} still has the database ${database} or its log open, although the file is gone`
  throw new Refusal('database-in-use', message, { path: database, pid, isGone: !isThere })
}

/**
 * Ensures that no other program has the database open, or can open it while the connection is open. Checkpoints the log.
 * @returns null if the database is too damaged to be used
 * @throws Refusal `database-in-use`
 */
export function claim(database: string): Connection | null {
  const connection = new Connection(database, { readwrite: true, create: false })
  try {
    connection.run('PRAGMA busy_timeout = 500')
    leaveLog(connection)
    connection.run('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    if (isUnreadable(error)) return null
    throw asInUse(error, database)
  }
}

/**
 * Keeps other programs out until the connection is closed. This process must not have any other connection to the file.
 * @throws Refusal `database-in-use`
 */
export function keepOthersOut(connection: Connection, database: string): void {
  try {
    leaveLog(connection)
    connection.run('PRAGMA locking_mode = EXCLUSIVE')
    // The first transaction takes the lock, and the connection keeps it.
    connection.run('BEGIN EXCLUSIVE')
    connection.run('COMMIT')
  } catch (error) {
    throw asInUse(error, database)
  }
}

/** Leaves WAL mode. SQLite allows this only if no other connection has the file open. */
function leaveLog(connection: Connection): void {
  connection.run('PRAGMA journal_mode = DELETE')
}

function asInUse(error: unknown, database: string): unknown {
  if (!/^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error))) return error
  const message = `a server or another program is using the database ${database}`
  return new Refusal('database-in-use', message, { path: database, pid: null, isGone: false }, { cause: error })
}
