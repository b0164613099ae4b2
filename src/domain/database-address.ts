/** The database's address: a SQLite file or a PostgreSQL server. */

export type DatabaseAddress = SqliteAddress | PostgresAddress

interface SqliteAddress {
  readonly engine: 'sqlite'
  /** file path, or `:memory:` */
  readonly path: string
}

/** SSL modes; see https://www.postgresql.org/docs/current/libpq-ssl.html */
export const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

export type SslMode = (typeof SSL_MODES)[number]

export interface PostgresAddress {
  readonly engine: 'postgres'
  /** at least one host; at any time, only one of them accepts writes */
  readonly hosts: readonly PostgresHost[]
  readonly user: string
  /** the user's password; null: the server doesn't require one */
  readonly password: string | null
  /** name of the database */
  readonly database: string
  readonly sslmode: SslMode
  /** path of a PEM file with trusted CA certificates; null: use the built-in certificates */
  readonly sslrootcert: string | null
}

export interface PostgresHost {
  /** a host name, an IP address without brackets, or the directory of a Unix socket, which begins with `/` */
  readonly host: string
  readonly port: number
}

export const POSTGRES_PORT = 5432
/** libpq's default SSL mode. */
export const DEFAULT_SSL_MODE: SslMode = 'prefer'

/** Whether the database is a file, which Overdue can back up itself. */
export function isInFile(address: DatabaseAddress): address is SqliteAddress {
  return address.engine === 'sqlite' && address.path !== ':memory:'
}

/** Backup advice for operators who use PostgreSQL, because Overdue can't back up a PostgreSQL database itself. */
export const POSTGRES_BACKUPS =
  'use pg_dump for copies and pg_restore to restore them; for point-in-time recovery, use continuous archiving, such as pgBackRest, or the backups of a managed service'

export function isSocket({ host }: PostgresHost): boolean {
  return host.startsWith('/')
}

export function engineName({ engine }: DatabaseAddress): string {
  return engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
}

/** Returns the file path, or the URL without its password, for logs and pages. */
export function shownDatabase(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return address.path
  const { hosts, user, database, sslmode, sslrootcert } = address
  const [first] = hosts
  const socket = hosts.length === 1 && first && isSocket(first) ? first : null
  const query = [
    ...(socket ? [`host=${encodePath(socket.host)}`] : []),
    ...(socket && socket.port !== POSTGRES_PORT ? [`port=${socket.port}`] : []),
    ...(sslmode === DEFAULT_SSL_MODE ? [] : [`sslmode=${sslmode}`]),
    ...(sslrootcert === null ? [] : [`sslrootcert=${encodePath(sslrootcert)}`]),
  ].join('&')
  const place = socket ? '' : hosts.map(shownHost).join(',')
  return `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}${query === '' ? '' : `?${query}`}`
}

function shownHost(place: PostgresHost): string {
  const isIPv6 = place.host.includes(':') && !isSocket(place)
  const name = isIPv6 ? `[${place.host}]` : encodeURIComponent(place.host)
  return place.port === POSTGRES_PORT ? name : `${name}:${place.port}`
}

/** Encodes a path for use in a URL's query, where slashes don't need to be encoded. */
function encodePath(path: string): string {
  return encodeURIComponent(path).replaceAll('%2F', '/')
}
