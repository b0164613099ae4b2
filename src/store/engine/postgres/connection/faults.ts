/** Explains errors from PostgreSQL and its driver to the operator, and decides how to react to them. */
import { Refusal } from '../../../../domain/errors.ts'
import { codeOf, messageOf } from '../../../../lib/errors.ts'

/** Message for clients. The reason is in the error's data and in the log. */
export const UNAVAILABLE = 'the database cannot be used at the moment, please try again'

/** Message for a fault that lasts until the operator grants the database user the necessary rights. */
const FORBIDDEN = 'the database cannot be used'

export const TOO_MANY_CONNECTIONS = '53300'
const NO_RIGHT = '42501'

/** Code for a fault that neither PostgreSQL nor its driver reports: commits are stuck waiting for a standby. */
export const WAITS_FOR_STANDBY = 'OVERDUE_STANDBY'
/** Code for a host name that does not exist. */
export const UNKNOWN_NAME = 'OVERDUE_UNKNOWN_NAME'
/** Code for a host whose address cannot be resolved. */
export const UNFOUND_NAME = 'OVERDUE_UNFOUND_NAME'

const MIXED_UP =
  'PgBouncer mixes up prepared statements: set its max_prepared_statements (from version 1.21), or pool_mode = session, or give the address of PostgreSQL itself'

/** Reasons by SQLSTATE, or by SQLSTATE class (the first two characters): https://www.postgresql.org/docs/current/errcodes-appendix.html */
const REASONS: Readonly<Record<string, string>> = {
  '08': 'the connection to PostgreSQL was lost',
  '08P01':
    'PgBouncer reports a fault: check that PostgreSQL runs, and that PgBouncer has the settings that Overdue needs',
  '25006': 'PostgreSQL does not accept writes: it is a standby, or default_transaction_read_only is on',
  '25P03': 'PostgreSQL ended an idle transaction: check the load of this machine',
  '26000': MIXED_UP,
  '28': 'PostgreSQL refuses this user or password: check DATABASE_URL and pg_hba.conf',
  '3D000': 'there is no database of that name: create it, or correct DATABASE_URL',
  '40001': 'the write conflicted with others too often',
  '40P01': 'the write conflicted with others too often',
  '42P05': MIXED_UP,
  [NO_RIGHT]: 'this user may not do that in the database: make it the owner of the database',
  '53100': 'the disk of PostgreSQL is full: free some space; no restart is needed',
  '53200': 'PostgreSQL is out of memory',
  [TOO_MANY_CONNECTIONS]:
    'PostgreSQL has too many connections: raise its max_connections, or lower DATABASE_CONNECTIONS',
  '53400': 'PostgreSQL has reached one of its limits',
  '55P03': 'another transaction keeps rows locked: look for one that hangs in pg_stat_activity',
  '57014': 'the statement took too long, so PostgreSQL ended it',
  '57P01': 'PostgreSQL is shutting down or has ended the connection',
  '57P02': 'PostgreSQL has crashed and recovers',
  '57P03': 'PostgreSQL is starting, stopping or recovering',
  '57P05': 'PostgreSQL ended a connection that was idle',
  '58': 'PostgreSQL reports an error of its disk or system: look at its log',
  OD001: 'the database was copied into another one, or a copy into it is incomplete: stop this server',
  XX001: 'PostgreSQL has found damaged data: look at its log, and restore a backup',
  XX002: 'PostgreSQL has found a damaged index: look at its log, and run REINDEX',
  [WAITS_FOR_STANDBY]:
    'PostgreSQL waits for a standby that is not connected: start it, or change synchronous_standby_names',
  [UNKNOWN_NAME]: 'the host of PostgreSQL is unknown: check its name in DATABASE_URL',
  [UNFOUND_NAME]: 'the name of the host of PostgreSQL cannot be looked up: check the name servers of this machine',
  ERR_POSTGRES_CONNECTION_REFUSED: 'nothing accepts connections there: check that PostgreSQL runs, and DATABASE_URL',
  ERR_POSTGRES_CONNECTION_CLOSED: 'the connection to PostgreSQL was lost',
  ERR_POSTGRES_CONNECTION_FAILED: 'PostgreSQL cannot be reached: check its host and port, and the network between',
  ERR_POSTGRES_CONNECTION_TIMEOUT: 'PostgreSQL does not answer: check that it runs, and the network between',
  ERR_POSTGRES_IDLE_TIMEOUT: 'the connection to PostgreSQL was lost',
  ERR_POSTGRES_LIFETIME_TIMEOUT: 'the connection to PostgreSQL was lost',
  ERR_POSTGRES_TLS_NOT_AVAILABLE: 'PostgreSQL does not offer TLS: turn on ssl there, or use sslmode=disable',
  ERR_POSTGRES_TLS_UPGRADE_FAILED: 'the encrypted connection to PostgreSQL failed: check sslmode and sslrootcert',
  ERR_POSTGRES_AUTHENTICATION_FAILED_PBKDF2: 'PostgreSQL refuses this user or password: check DATABASE_URL',
}

/** TLS codes for a rejected certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE = /CERT|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^HOSTNAME_MISMATCH$/
const UNTRUSTED =
  'the certificate of PostgreSQL is not accepted: check its authority (sslrootcert), its name and its dates, or choose another sslmode'

/**
 * Codes after which all connections to this server are dropped: the server is shutting down, was switched to read-only, or is unreachable.
 */
const LOST = /^(?:08...|25006|57P0[123]|ERR_POSTGRES_(?:CONNECTION_|TLS_))/
/** Codes of errors that will recur for every write of the same kind until the operator acts. */
const LASTING = /^(?:53100|53200|53400|58...|42501|XX00[12])$/
/** Codes for a transaction that failed because of another transaction and may succeed if it is retried. */
const CONFLICTS = new Set(['23503', '23505', '40001', '40P01'])

/** Returns an error with a PostgreSQL code or one of the codes above. */
export function coded(errno: string, message: string): Error {
  return Object.assign(new Error(message), { errno })
}

/** Returns the server's SQLSTATE or the driver's code; empty if the error came from neither. */
export function faultCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('errno' in error && typeof error.errno === 'string' && error.errno !== '') return error.errno
  return codeOf(error)
}

/** Returns what an error means and what to do; null if the error is a bug in this program. */
export function faultReason(error: unknown): string | null {
  const code = faultCode(error)
  if (CERTIFICATE.test(code)) return UNTRUSTED
  return REASONS[code] ?? (/^[0-9A-Z]{5}$/.test(code) ? REASONS[code.slice(0, 2)] : undefined) ?? null
}

/** Returns the reason for an error that lasts until the operator acts; null for other errors. */
export function lastingReason(error: unknown): string | null {
  return LASTING.test(faultCode(error)) ? `${faultReason(error)} (${messageOf(error)})` : null
}

export function isLost(error: unknown): boolean {
  return LOST.test(faultCode(error))
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(faultCode(error))
}

/** @param isLogged true if the log already has a line about the reason */
export function unavailable(reason: string, isLogged = false, cause?: unknown): Refusal {
  const message = faultCode(cause) === NO_RIGHT ? FORBIDDEN : UNAVAILABLE
  return new Refusal('unavailable', message, { reason, isLogged }, { cause })
}

/** Converts PostgreSQL errors to the refusal that the store is documented to throw. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const reason = faultReason(error)
  return reason === null ? error : unavailable(`${reason} (${messageOf(error)})`, false, error)
}

/** Converts an error from opening a database to a refusal. @param place address of the database without secrets */
export function asOpenError(error: unknown, place: string): unknown {
  if (error instanceof Refusal && error.code !== 'unavailable') return error
  const reason = error instanceof Refusal ? error.reason : (faultReason(error) ?? strangeReason(error))
  if (reason === null) return error
  // The message is left out for a refusal, because it only asks clients to try again.
  const why = error instanceof Refusal ? '' : `: ${messageOf(error)}`
  const message = `cannot use the database ${place}${why}`
  return new Refusal('database-unusable', message, { path: place, reason }, { cause: error })
}

/** Returns the reason to report when the driver does not understand the server's answer. */
function strangeReason(error: unknown): string | null {
  return faultCode(error).startsWith('ERR_POSTGRES_')
    ? 'the server there does not answer as PostgreSQL does: check the host and the port in DATABASE_URL'
    : null
}
