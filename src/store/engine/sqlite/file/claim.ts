/** Makes sure that no other program uses a database file. */
import { Database as Connection } from 'bun:sqlite'
import { Refusal } from '../../../../domain/errors.ts'
import { codeOf } from '../../../../lib/errors.ts'
import { isUnreadable } from './integrity-check.ts'
import { processesThatOpen } from './open-files.ts'

/**
 * Refuses a database that a process has open. A server whose file was deleted, moved or replaced holds no lock on the present file, but it
 * has the log open, and may hold the only copy of the original file.
 * @throws Refusal `database-in-use` if it finds such a process
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
 * Ensures that nobody has the database open or opens it as long as the connection is open, and checkpoints its log.
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

/** Keeps others out until the connection, the only one of this process, is closed. @throws Refusal `database-in-use` */
export function keepOthersOut(connection: Connection, database: string): void {
  try {
    leaveLog(connection)
    connection.run('PRAGMA locking_mode = EXCLUSIVE')
    // The first transaction takes the lock, which is then kept.
    connection.run('BEGIN EXCLUSIVE')
    connection.run('COMMIT')
  } catch (error) {
    throw asInUse(error, database)
  }
}

/** Leaves WAL mode, which SQLite does only if no other connection has the file open. */
function leaveLog(connection: Connection): void {
  connection.run('PRAGMA journal_mode = DELETE')
}

function asInUse(error: unknown, database: string): unknown {
  if (!/^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error))) return error
  const message = `a server or another program is using the database ${database}`
  return new Refusal('database-in-use', message, { path: database, pid: null, isGone: false }, { cause: error })
}
