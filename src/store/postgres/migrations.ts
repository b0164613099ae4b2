/** Makes the tables of a new database, and migrates an older one, in one transaction. The steps are in `../migrations.ts`. */
import { Refusal } from '../../domain/errors.ts'
import { NO_PROGRESS, type OnLongWork } from '../../lib/long-work.ts'
import { SCHEMA_VERSION } from '../migrations.ts'
import schema from './schema.sql' with { type: 'text' }
import type { Session } from './session.ts'

export interface MigrationOptions {
  /** false: a database without tables is an error */
  readonly create: boolean
  readonly onWork?: OnLongWork
}

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
const TABLES = `
  SELECT COUNT(*) AS tables, COUNT(*) FILTER (WHERE tablename = 'schema_version') AS ours
  FROM pg_tables WHERE schemaname = current_schema()`
const VERSION = 'SELECT version, oldest_program FROM schema_version'
const NOTE_VERSION = 'INSERT INTO schema_version (version, oldest_program) VALUES ($1, $1)'

/**
 * @param place for messages
 * @throws Refusal if it is missing and `create` is false, too new for this program, or belongs to another one
 */
export async function bringUpToDate(
  session: Session,
  place: string,
  { create, onWork = NO_PROGRESS }: MigrationOptions,
): Promise<void> {
  await session.script('BEGIN')
  await session.query(LOCK, ['overdue schema'])
  const [found] = await session.query(TABLES, [])
  if (found?.ours === 1) {
    const [row] = await session.query(VERSION, [])
    if (Number(row?.oldest_program) > SCHEMA_VERSION) {
      const version = Number(row?.version)
      const message = `the database ${place} has version ${version}, but this program supports only versions up to ${SCHEMA_VERSION}`
      throw new Refusal('database-too-new', message, { path: place, version, knownVersion: SCHEMA_VERSION })
    }
  } else if (Number(found?.tables) > 0) {
    const data = { path: place, setting: 'DATABASE_URL' }
    throw new Refusal('database-foreign', `the database ${place} belongs to another program`, data)
  } else if (!create) {
    throw new Refusal('database-missing', `there are no tables in the database ${place}`, { path: place })
  } else {
    onWork({ doing: 'migrating', path: place, bytes: 0, grows: null })
    await session.script(schema)
    await session.query(NOTE_VERSION, [SCHEMA_VERSION])
  }
  await session.script('COMMIT')
}
