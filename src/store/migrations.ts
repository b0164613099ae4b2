/**
 * Grows an older database: forward only, all steps in one transaction, after a copy of the file. A new database is made
 * from `schema.sql` at once, so each migration comes with a test that compares both ways.
 */
import type { Database as Connection } from 'bun:sqlite'
import { closeSync, openSync, renameSync } from 'node:fs'
import schema from '../../schema.sql' with { type: 'text' }
import { UserError } from '../domain/errors.ts'
import { type OnLongWork, UNTOLD } from '../domain/long-work.ts'
import { copySize } from './copy-size.ts'
import { sync, syncFolderOf } from './sync.ts'
import { removeAbandoned, removeCopy, unfinishedName } from './unfinished.ts'

/** Statements that lead from the version before to `to`. */
export interface Migration {
  readonly to: number
  readonly statements: string
}

export const SCHEMA_VERSION = 5

const TO_2 = `
  ALTER TABLE checks ADD COLUMN last_success_at INTEGER;
  UPDATE checks SET last_success_at = last_ping_at WHERE status = 'up';
  CREATE TABLE run_durations (
    check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
    bound    REAL NOT NULL,
    runs     INTEGER NOT NULL,
    total    INTEGER NOT NULL,
    PRIMARY KEY (check_id, bound)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE channels ADD COLUMN host TEXT NOT NULL DEFAULT '';
  UPDATE channels SET host = id;
  ALTER TABLE channels ADD COLUMN awaits_confirmation INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX checks_by_badge_key ON checks (badge_key);
  CREATE INDEX deliveries_queued ON deliveries (channel_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
  CREATE TABLE mailings (
    channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    kind            TEXT NOT NULL CHECK (kind IN ('report', 'reminder')),
    project_id      TEXT NOT NULL,
    period_seconds  INTEGER,
    due_at          INTEGER,
    attempts        INTEGER NOT NULL,
    next_attempt_at INTEGER,
    error           TEXT,
    PRIMARY KEY (channel_id, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mailings_due ON mailings (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX reminders_of_project ON mailings (project_id) WHERE kind = 'reminder'`

const TO_3 = `
  CREATE TABLE counters (
    counter_id      INTEGER PRIMARY KEY,
    n_pings         INTEGER NOT NULL,
    last_ping_id    INTEGER,
    last_ping_at    INTEGER,
    last_success_at INTEGER,
    last_start_at   INTEGER,
    last_start_rid  TEXT,
    last_duration   INTEGER,
    spared_until    INTEGER
  ) STRICT;
  INSERT INTO counters
    SELECT rowid, n_pings, last_ping_id, last_ping_at, last_success_at, last_start_at, last_start_rid, last_duration,
      spared_until
    FROM checks;
  ALTER TABLE checks ADD COLUMN counter_id INTEGER NOT NULL DEFAULT 0;
  UPDATE checks SET counter_id = rowid;
  ALTER TABLE checks DROP COLUMN n_pings;
  ALTER TABLE checks DROP COLUMN last_ping_id;
  ALTER TABLE checks DROP COLUMN last_ping_at;
  ALTER TABLE checks DROP COLUMN last_success_at;
  ALTER TABLE checks DROP COLUMN last_start_at;
  ALTER TABLE checks DROP COLUMN last_start_rid;
  ALTER TABLE checks DROP COLUMN last_duration;
  ALTER TABLE checks DROP COLUMN spared_until`

const TO_4 = 'ALTER TABLE checks ADD COLUMN mail_default_success INTEGER NOT NULL DEFAULT 0'

// SQLite cannot take a foreign key away, so flips are made anew. Foreign keys are not enforced during a migration, and so
// the deliveries stay when the old table goes.
const TO_5 = `
  ALTER TABLE pings ADD COLUMN dropped_bytes INTEGER;
  ALTER TABLE overgrown_logs ADD COLUMN n INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE overgrown_projects (
    project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    done_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO overgrown_projects SELECT id, -1 FROM projects;
  CREATE TABLE deleted_checks (
    check_id     TEXT PRIMARY KEY,
    last_ping_id INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE flips_without_key (
    check_id   TEXT NOT NULL,
    n          INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    old_status TEXT NOT NULL,
    new_status TEXT NOT NULL,
    reason     TEXT NOT NULL CHECK (reason IN ('', 'timeout', 'fail')),
    PRIMARY KEY (check_id, n)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO flips_without_key SELECT check_id, n, created_at, old_status, new_status, reason FROM flips;
  DROP TABLE flips;
  ALTER TABLE flips_without_key RENAME TO flips;
  CREATE INDEX flips_by_age ON flips (created_at)`

/** Every step since the first version, in order. */
const MIGRATIONS: readonly Migration[] = [
  { to: 2, statements: TO_2 },
  { to: 3, statements: TO_3 },
  { to: 4, statements: TO_4 },
  { to: 5, statements: TO_5 },
]

/** The version that stands in the file; 0 in one that was just made. */
export function schemaVersion(connection: Connection): number {
  const row = connection.query<{ user_version: number }, []>('PRAGMA user_version').get()
  return row?.user_version ?? 0
}

export interface MigrationOptions {
  readonly target?: number
  readonly migrations?: readonly Migration[]
  readonly onWork?: OnLongWork
}

/**
 * @param path names the file in messages and for the copy, which stands beside it as `<path>.v<old version>`
 * @throws UserError when the file is newer than this program or belongs to another one
 */
export function bringUpToDate(
  connection: Connection,
  path: string,
  { target = SCHEMA_VERSION, migrations = MIGRATIONS, onWork = UNTOLD }: MigrationOptions = {},
): void {
  const found = schemaVersion(connection)
  if (found === target) return
  if (found > target) {
    throw new UserError(
      `the database ${path} has version ${found}, this program knows versions up to ${target}`,
      'start the newer program, or restore a backup made by this one',
    )
  }
  if (found > 0) copyBeside(connection, path, found, onWork)
  // The lock first, then a second look: another process may have done the work meanwhile.
  connection.run('BEGIN IMMEDIATE')
  try {
    onWork({ doing: 'migrating', path, bytes: copySize(connection), grows: null })
    if (schemaVersion(connection) === found) grow(connection, path, found, target, migrations)
    connection.run('COMMIT')
  } catch (error) {
    if (connection.inTransaction) connection.run('ROLLBACK')
    throw error
  }
}

/** The copy appears under its name when it is whole, and takes the place of one that an earlier attempt has left. */
function copyBeside(connection: Connection, path: string, found: number, onWork: OnLongWork): void {
  const copy = `${path}.v${found}`
  const unfinished = unfinishedName(copy)
  removeAbandoned(copy)
  // For this user only, like the original; the engine takes a file that is there when it is empty.
  closeSync(openSync(unfinished, 'wx', 0o600))
  try {
    onWork({ doing: 'copying', path, bytes: copySize(connection), grows: unfinished })
    connection.query('VACUUM INTO ?1').run(unfinished)
    // Another process may have done the work meanwhile, and then this is no copy of the older version.
    if (schemaVersion(connection) !== found) return
    // The engine does not sync such a copy, and the original is about to change.
    sync(unfinished)
    renameSync(unfinished, copy)
    syncFolderOf(copy)
  } finally {
    removeCopy(unfinished)
  }
}

function grow(
  connection: Connection,
  path: string,
  found: number,
  target: number,
  migrations: readonly Migration[],
): void {
  if (found === 0) {
    refuseForeign(connection, path)
    connection.run(schema)
  } else {
    for (const step of migrations) if (step.to > found && step.to <= target) connection.run(step.statements)
  }
  connection.run(`PRAGMA user_version = ${target}`)
}

/** A file with tables but no version is somebody else's; it is left as it is. */
function refuseForeign(connection: Connection, path: string): void {
  const { tables } = connection.query<{ tables: number }, []>('SELECT count(*) AS tables FROM sqlite_master').get() ?? {
    tables: 0,
  }
  if (tables > 0) {
    throw new UserError(
      `${path} is the database of another program`,
      'see that DATABASE_URL names a file of Overdue, or one that does not exist yet',
    )
  }
}
