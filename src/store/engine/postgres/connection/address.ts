/** Converts a database address to options for the driver. */
import { isSocket, type PostgresAddress, type PostgresHost } from '../../../../domain/database-address.ts'
import { authority } from '../../../../lib/network/network.ts'

interface DriverOptions {
  readonly url: string
  /** path of a unix socket */
  readonly path?: string
  readonly username: string
  readonly password?: string
  readonly database: string
}

/** Returns the driver's options. The driver accepts TLS settings only in a URL. */
export function driverOptions(
  { user, password, database, sslmode, sslrootcert }: PostgresAddress,
  host: PostgresHost,
): DriverOptions {
  const login = { username: user, database, ...(password === null ? {} : { password }) }
  // Without a URL, the driver uses the password from DATABASE_URL, which may belong to another database.
  if (isSocket(host)) return { ...login, url: 'postgres://localhost/', path: `${host.host}/.s.PGSQL.${host.port}` }
  const query = new URLSearchParams({ sslmode, ...(sslrootcert === null ? {} : { sslrootcert }) })
  return { ...login, url: `postgres://${authority(host.host, host.port)}/?${query}` }
}
