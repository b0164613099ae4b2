/** Database settings. */
import { X509Certificate } from 'node:crypto'
import type { DatabaseAddress } from '../domain/database-address.ts'
import { messageOf } from '../lib/errors.ts'
import { databaseAddress } from './database-address.ts'
import { wholeNumber } from './parsers.ts'
import { isGiven, type Settings } from './settings.ts'

export interface DatabaseSettings {
  readonly database: DatabaseAddress
  /** maximum number of connections that this process opens to PostgreSQL; SQLite has its own limit */
  readonly databaseConnections: number
}

/**
 * Minimum number of connections: one for pings, one for other writes, one for reads, and one for monitoring the server and long-running
 * work.
 */
const CONNECTIONS_MIN = 4
const CONNECTIONS_MAX = 1000

export function readDatabase(settings: Settings): DatabaseSettings {
  const { warnings } = settings
  const database = settings.get('DATABASE_URL', 'sqlite:data/overdue.db', (given) => {
    const address = databaseAddress(given)
    if (address.engine === 'postgres' && address.sslrootcert !== null) requireCertificate(settings, address.sslrootcert)
    return address
  })
  const databaseConnections = settings.get('DATABASE_CONNECTIONS', '8', wholeNumber(CONNECTIONS_MIN, CONNECTIONS_MAX))
  if (database.engine === 'sqlite') {
    if (database.path === ':memory:') {
      warnings.push('the database is in memory: everything is lost when the server stops')
    }
    if (isGiven(settings.shown, 'DATABASE_CONNECTIONS')) {
      warnings.push('DATABASE_CONNECTIONS has no effect, because the database is SQLite: unset it')
    }
  }
  return { database, databaseConnections }
}

/** @throws Error that says what to use instead */
function requireCertificate(settings: Settings, path: string): void {
  try {
    requirePem(path, settings.readNamed(path))
  } catch (error) {
    throw new Error(`sslrootcert: ${messageOf(error)}`)
  }
}

function requirePem(path: string, text: string): void {
  try {
    new X509Certificate(text)
  } catch {
    throw new Error(`${path} contains no certificate; use a file in PEM format`)
  }
}
