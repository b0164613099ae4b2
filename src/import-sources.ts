/** Opens what can be moved in: the place that people name, the tables that it has, and the mapping to projects. */
import { resolve } from 'node:path'
import { databaseAddress } from './config/database-address.ts'
import { Refusal } from './domain/errors.ts'
import type { ImportSource } from './domain/import/import-source.ts'
import { messageOf } from './lib/errors.ts'
import type { HealthchecksOptions } from './services/import/healthchecks/options.ts'
import { healthchecksSource } from './services/import/healthchecks/source.ts'
import type { ForeignDatabase } from './store/foreign-database.ts'
import { openDump } from './store/healthchecks/dump.ts'
import { openHealthchecksTables } from './store/healthchecks/tables.ts'
import { headOf, openForeignFile } from './store/sqlite/foreign-file.ts'

/** Paths of a SQLite file or of a plain dump of PostgreSQL (also compressed by gzip), or a URL of PostgreSQL. */
export type HealthchecksLocation =
  | { readonly sqlite: string }
  | { readonly dump: string }
  | { readonly postgres: string }

const SQLITE_MAGIC = 'SQLite format 3\0'

/**
 * What the text names: a URL of PostgreSQL, else a file, which tells by its first bytes what it is.
 * @throws Refusal `import-missing`, `import-empty`, `import-unavailable`
 */
export function healthchecksLocation(given: string): HealthchecksLocation {
  if (/^postgres(?:ql)?:/i.test(given)) return { postgres: given }
  const path = resolve(given.replace(/^sqlite:(?:\/\/(?=\/))?/, ''))
  return Buffer.from(headOf(path)).toString('latin1') === SQLITE_MAGIC ? { sqlite: path } : { dump: path }
}

/** @throws Refusal `import-…`: the location cannot be read, is no Healthchecks, or has no such project */
export async function openHealthchecks(
  location: HealthchecksLocation,
  options: HealthchecksOptions,
): Promise<ImportSource> {
  const database = await openForeign(location)
  try {
    return await healthchecksSource(await openHealthchecksTables(database), options)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openForeign(location: HealthchecksLocation): Promise<ForeignDatabase> {
  if ('sqlite' in location) return openForeignFile(location.sqlite)
  if ('dump' in location) return openDump(location.dump)
  // Loaded only when it is needed, since the driver takes memory.
  const { openForeignPostgres } = await import('./store/postgres/foreign-database.ts')
  return openForeignPostgres(postgresAddress(location.postgres))
}

function postgresAddress(url: string) {
  try {
    const address = databaseAddress(url)
    if (address.engine === 'postgres') return address
  } catch (error) {
    // The words are about a URL, and quote nothing of it that may be a password.
    throw new Refusal('import-address-invalid', `the URL of the database ${messageOf(error)}`)
  }
  throw new Refusal('import-address-invalid', 'the URL of the database is not one of PostgreSQL')
}
