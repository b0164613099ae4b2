/** Creates the data model or migrates an older one, in one transaction. The steps are in `store/sql/migrations.ts`. */
import { Refusal } from '../../../domain/errors.ts'
import { NO_PROGRESS, type OnLongWork } from '../../../lib/work/long-work.ts'
import type { FirstSettings } from '../../sql/database.ts'
import {
  ADD_SETTING,
  FIRST_VERSION,
  MIGRATIONS,
  type Migration,
  refuseTooOld,
  stepsFrom,
  versionAfter,
} from '../../sql/migrations.ts'
import type { Queries } from './connection/session.ts'
import schema from './schema.sql' with { type: 'text' }

/** A connection outside of any transaction, without a time limit for statements. */
interface MigrationSession extends Queries {
  /** @param text statements without parameters, separated by semicolons */
  script(text: string): Promise<void>
}

export interface MigrationOptions {
  /** whether to create missing tables; if false, a database without tables is an error */
  readonly create?: boolean
  readonly migrations?: readonly Migration[]
  readonly firstSettings?: FirstSettings
  readonly onWork?: OnLongWork
}

// Ignores tables that belong to extensions, which are often in the same schema.
const STATE = `
  SELECT EXISTS (
    SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('schema_version') AND attname = 'oldest_program'
  ) AS is_ours, EXISTS (
    SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT EXISTS (
        SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
      )
  ) AS is_used, pg_database_size(current_database()) AS bytes, current_setting('server_encoding') AS encoding`
const VERSION = 'SELECT version, oldest_program FROM schema_version'
const FORGET_VERSION = 'DELETE FROM schema_version'
const NOTE_VERSION = 'INSERT INTO schema_version (version, oldest_program) VALUES ($1, $2)'

/**
 * Begins a migration. If several servers start at the same time, the others wait for the one that migrates, no matter how long it takes.
 */
const BEGIN = `
  BEGIN;
  SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SELECT pg_advisory_xact_lock(hashtextextended('overdue schema', 0))`

interface State {
  /** version of the data model; null for a new database */
  readonly version: number | null
  readonly oldestProgram: number
  readonly isUsed: boolean
  readonly bytes: number
}

/**
 * Migrates a database if needed. A database that a newer program has migrated can still be used if the newer program allows it.
 * @param name name of the database for messages
 * @throws Refusal if the database is too old or too new for this program, belongs to another program, or is empty and `create` is false
 */
export async function bringUpToDate(
  session: MigrationSession,
  name: string,
  options: MigrationOptions = {},
): Promise<void> {
  const { create = true, migrations = MIGRATIONS, firstSettings = {}, onWork = NO_PROGRESS } = options
  const target = versionAfter(migrations)
  if (isUsable(await readState(session, name), name, target, create)) return
  await session.script(BEGIN)
  try {
    // Rereads the state, because another process may have migrated the database in the meantime.
    const state = await readState(session, name)
    if (!isUsable(state, name, target, create)) {
      if (state.version === null) {
        await session.script(schema)
        for (const setting of Object.entries(firstSettings)) await session.query(ADD_SETTING, setting)
      } else {
        onWork({ doing: 'migrating', path: name, bytes: state.bytes, grows: null })
        for (const step of stepsFrom(state.version, migrations, 'postgres')) await session.script(step)
      }
      await session.query(FORGET_VERSION, [])
      await session.query(NOTE_VERSION, [target, oldestProgram(migrations)])
    }
    await session.query('COMMIT', [])
  } catch (error) {
    await session.query('ROLLBACK', []).catch(() => {})
    throw error
  }
}

async function readState(session: Queries, name: string): Promise<State> {
  const [found] = await session.query(STATE, [])
  refuseEncoding(String(found?.encoding), name)
  const [noted] = found?.is_ours ? await session.query(VERSION, []) : []
  return {
    version: noted ? Number(noted.version) : null,
    oldestProgram: Number(noted?.oldest_program ?? 0),
    isUsed: found?.is_used === true,
    bytes: Number(found?.bytes),
  }
}

/** Rejects encodings that cannot store all names and bodies. */
function refuseEncoding(encoding: string, name: string): void {
  if (encoding === 'UTF8') return
  const reason = 'create a database with the encoding UTF8: CREATE DATABASE overdue ENCODING UTF8 TEMPLATE template0'
  const data = { path: name, reason }
  throw new Refusal('database-unusable', `the encoding of the database ${name} is ${encoding}`, data)
}

/** @returns false if the database must be created or migrated @throws Refusal if this program must not do so */
function isUsable({ version, oldestProgram, isUsed }: State, name: string, target: number, create: boolean): boolean {
  if (version === null) {
    if (isUsed) {
      const data = { path: name, setting: 'DATABASE_URL' }
      throw new Refusal('database-foreign', `the database ${name} belongs to another program`, data)
    }
    if (!create) throw new Refusal('database-missing', `the database ${name} is empty`, { path: name })
    return false
  }
  refuseTooOld(name, version)
  if (oldestProgram <= target) return version >= target
  const message = `the database ${name} has version ${version}, which a program of version ${target} can no longer use`
  throw new Refusal('database-too-new', message, { path: name, version, knownVersion: target })
}

function oldestProgram(migrations: readonly Migration[]): number {
  return Math.max(FIRST_VERSION, ...migrations.map((migration) => migration.oldestProgram ?? 0))
}
