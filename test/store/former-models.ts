/** Former versions of the data model: their models, and the recorded statements of their programs to PostgreSQL. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIRST_VERSION, MIGRATIONS, SCHEMA_VERSION } from '../../src/store/sql/migrations.ts'

/** Former versions, oldest first. */
export const FORMER_VERSIONS = Array.from(
  { length: SCHEMA_VERSION - FIRST_VERSION },
  (_, index) => FIRST_VERSION + index,
)

/** The oldest version whose program may use a current PostgreSQL database. */
export const OLDEST_PROGRAM = Math.max(FIRST_VERSION, ...MIGRATIONS.map(({ oldestProgram }) => oldestProgram ?? 0))

export function formerModel(version: number, engine: 'sqlite' | 'postgres'): string {
  return readFileSync(join(import.meta.dir, `version-${version}`, `${engine}.sql`), 'utf8')
}

/** Returns the path of the recording by `test/support/postgres/record-program.ts`. */
export function formerProgram(version: number): string {
  return join(import.meta.dir, 'engine/postgres/vectors', `program-${version}.json`)
}
