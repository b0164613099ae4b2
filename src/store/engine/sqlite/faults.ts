/** Explains SQLite's error codes to the operator, and decides which errors are lasting. */
import { SQLiteError } from 'bun:sqlite'
import { Refusal } from '../../../domain/errors.ts'
import { codeOf, messageOf } from '../../../lib/errors.ts'

/** Message for clients. The reason is in the error's data and in the log. */
export const UNAVAILABLE = 'the database cannot be used at the moment, please try again'

const CANNOT_OPEN =
  'the database file cannot be opened: check that its folder exists and is writable, and that this user may read and write the file'

/** Reasons by extended result code or by primary code: for example, the primary code of SQLITE_IOERR_WRITE is SQLITE_IOERR. */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another process keeps the database locked: look for a command or a backup that hangs',
  SQLITE_LOCKED: 'another process keeps the database locked: look for a command or a backup that hangs',
  SQLITE_FULL: 'the disk is full: free some space; no restart is needed',
  SQLITE_READONLY: 'the database file or its folder is read-only: make both writable for this user',
  SQLITE_READONLY_DBMOVED:
    'the database file was moved or replaced while it was being opened, for example by a restore: try again',
  SQLITE_IOERR: 'the disk reports an error or has become read-only: check the system log',
  SQLITE_CANTOPEN: CANNOT_OPEN,
  SQLITE_CORRUPT: 'the database file is damaged: restore a backup',
  SQLITE_NOTADB: 'the file is not a database: check that DATABASE_URL points to the right file',
  SQLITE_NOMEM: 'out of memory',
}

/** Codes for a damaged file or log. Retrying does not help. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:SHORT_READ|CORRUPTFS|DATA)$)/
/** Codes for errors that will not go away until the operator acts. */
const PERSISTENT = new Set(['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR', 'SQLITE_CANTOPEN'])

/**
 * A SQLite error in a thread that works on the server's database. It needs a separate class because errors lose their class when they are
 * passed between threads.
 */
export class ThreadFault extends Error {
  readonly code: string

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
    this.code = codeOf(cause)
  }
}

/** Returns what a SQLite error means and what to do; null if the error is a bug in this program. */
export function faultReason(error: unknown): string | null {
  if (!isFault(error)) return null
  const { code = '' } = error
  return REASONS[code] ?? REASONS[familyOf(code)] ?? null
}

/** Returns SQLite's message if it found damage; null otherwise. */
export function damageWords(error: unknown): string | null {
  return error instanceof Error && DAMAGE.test(codeOf(error)) ? error.message : null
}

export function isPersistent(error: unknown): boolean {
  return isFault(error) && PERSISTENT.has(familyOf(error.code ?? ''))
}

function isFault(error: unknown): error is SQLiteError | ThreadFault {
  return error instanceof SQLiteError || error instanceof ThreadFault
}

function familyOf(code: string): string {
  return /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''
}

/** Converts SQLite errors to the refusal that the store is documented to throw. */
export function asRefusal(error: unknown): unknown {
  const reason = faultReason(error)
  if (reason === null) return error
  return new Refusal('unavailable', UNAVAILABLE, { reason: `${reason} (${messageOf(error)})` }, { cause: error })
}

/** Converts an error from opening a database to a refusal. The file's directory may also be the cause. */
export function asOpenError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  const reason = faultReason(error) ?? ('syscall' in error ? CANNOT_OPEN : null)
  if (reason === null) return error
  const message = `cannot use the database ${path}: ${error.message}`
  return new Refusal('database-unusable', message, { path, reason }, { cause: error })
}
