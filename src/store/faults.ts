/** What SQLite's error codes mean to whoever runs the server, and which of them pass by themselves. */
import { SQLiteError } from 'bun:sqlite'
import { Refusal, UserError } from '../domain/errors.ts'

/** Told to clients; the reason stands in `cause` and in the log. */
export const UNAVAILABLE = 'the database cannot be used at the moment, please try again'

const CANNOT_OPEN = 'the database file cannot be opened: see that its folder exists and is writable for this user'

/** By the whole code, else by the first part of it: SQLITE_IOERR_WRITE is an SQLITE_IOERR. */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another process keeps the database locked: look for a command or a backup that hangs',
  SQLITE_LOCKED: 'another process keeps the database locked: look for a command or a backup that hangs',
  SQLITE_FULL: 'the disk is full: free some space, then go on; nothing needs to be restarted',
  SQLITE_READONLY: 'the database file or its folder is read-only: make both writable for this user',
  SQLITE_READONLY_DBMOVED:
    'the database file was moved or replaced while it was being opened, as a restore does: try again',
  SQLITE_IOERR: 'the disk reports an error, or may only be read now: look into the system log',
  SQLITE_CANTOPEN: CANNOT_OPEN,
  SQLITE_CORRUPT: 'the database file is damaged: restore a backup',
  SQLITE_NOTADB: 'the file is not a database: see that DATABASE_URL names the right one',
  SQLITE_NOMEM: 'there is not enough memory',
}

/** Part of what the file or its log held is gone or wrong, and trying again does not help. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:SHORT_READ|CORRUPTFS|DATA)$)/
/** Lasts until somebody has done something. */
const PERSISTENT = new Set(['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR', 'SQLITE_CANTOPEN'])

/** What to do about an error of the engine; null for one that is a mistake of ours. */
export function faultReason(error: unknown): string | null {
  if (!(error instanceof SQLiteError)) return null
  const { code = '' } = error
  return REASONS[code] ?? REASONS[familyOf(code)] ?? null
}

/** The engine's words when it has come upon damage; else null. */
export function damageWords(error: unknown): string | null {
  return error instanceof SQLiteError && DAMAGE.test(error.code ?? '') ? error.message : null
}

export function isPersistent(error: unknown): boolean {
  return error instanceof SQLiteError && PERSISTENT.has(familyOf(error.code ?? ''))
}

function familyOf(code: string): string {
  return /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''
}

/** The error as the callers of the store know it. */
export function asRefusal(error: unknown): unknown {
  const reason = faultReason(error)
  if (reason === null) return error
  const cause = error instanceof Error ? error.message : String(error)
  return new Refusal('unavailable', UNAVAILABLE, { cause: new Error(`${reason} (${cause})`, { cause: error }) })
}

/** The same for somebody at a terminal; here the folder of the file may be what fails. */
export function asUserError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error
  const reason = faultReason(error) ?? ('syscall' in error ? CANNOT_OPEN : null)
  if (reason === null) return error
  return new UserError(`cannot use the database ${path}: ${error.message}`, reason, { cause: error })
}
