/**
 * The migrations from each version of the data model to the next. A new database is created from its engine's schema, so a test compares it
 * with a migrated database of the previous version. The engine runs the steps.
 *
 * A new table or column requires changes in this order:
 *
 * 1. `schema.sql` and `store/engine/postgres/schema.sql`, and a version here; `test/store/schema.test.ts` describes the requirements, and
 *    what to keep of the previous version
 * 2. `store/tables/`, except for a field of a check; for a table also the list in `store/copy/tables.ts`
 * 3. statements and their functions in the noun's directory of `store/`, their parameters and results in `store/interface/`, and the
 *    methods built from them in `store/sql-store/`
 * 4. `test/store/contract/`
 */
import { Refusal } from '../../domain/errors.ts'
import rebuildEvents from './rebuild-events.sql' with { type: 'text' }
import renameEvents from './rename-events.sql' with { type: 'text' }

/** The migration from the previous version to version `to`. */
export interface Migration {
  readonly to: number
  readonly steps: readonly Step[]
  /**
   * The oldest program version that can still use a PostgreSQL database after this migration, while servers are upgraded one by one.
   * Omitted if all program versions that could use the database before still can. Only the newest program uses a SQLite file.
   */
  readonly oldestProgram?: number
}

/** Statements without parameters, separated by semicolons. */
type Step = string | Readonly<Record<Engine, string>>
type Engine = 'sqlite' | 'postgres'

/** Moves the rows of five tables to the table of tokens. */
const MOVE_TOKENS = `
  CREATE INDEX tokens_by_age ON tokens (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX tokens_of_account ON tokens (account_id, purpose) WHERE account_id IS NOT NULL;
  CREATE INDEX tokens_of_project ON tokens (project_id, created_at) WHERE project_id IS NOT NULL;
  CREATE INDEX tokens_of_maker ON tokens (made_by) WHERE made_by IS NOT NULL;
  CREATE INDEX tokens_of_email ON tokens (email) WHERE email IS NOT NULL;
  INSERT INTO tokens (lookup, purpose, account_id, email, expires_at)
    SELECT lookup, purpose, account_id, email, expires_at FROM one_time_links;
  INSERT INTO tokens (lookup, purpose, account_id, data, expires_at)
    SELECT lookup, kind, account_id, data, expires_at FROM challenges;
  INSERT INTO tokens (lookup, purpose, account_id) SELECT lookup, 'recovery-code', account_id FROM recovery_codes;
  INSERT INTO tokens (lookup, purpose, project_id, made_by, email, role, created_at, expires_at)
    SELECT lookup, 'invitation', project_id, invited_by, email, role, created_at, expires_at FROM invitations;
  INSERT INTO tokens (lookup, purpose, project_id, made_by, account_id, created_at, expires_at)
    SELECT project_id, 'ownership-offer', project_id, from_id, to_id, created_at, expires_at FROM ownership_offers;
  DROP TABLE one_time_links;
  DROP TABLE challenges;
  DROP TABLE recovery_codes;
  DROP TABLE invitations;
  DROP TABLE ownership_offers`

/**
 * Opens incidents for checks that are down, and records them as alerted. The newest event of each of these checks is a flip. Staged checks
 * are left out, because they will be staged again.
 */
const OPEN_INCIDENTS = `
  INSERT INTO incidents (check_id, n, severity, opened_at, last_n, told, told_at, revision)
    SELECT events.check_id, events.n, 'down', events.created_at, events.n, 'down', events.created_at, 0
    FROM checks JOIN events ON events.check_id = checks.id AND events.n = checks.n_events
    WHERE checks.status = 'down' AND checks.counter_id > 0 AND events.new_status = 'down'`

/** The version of the first release, 0.1.0. Versions 1 to 11 were never released. */
export const FIRST_VERSION = 12

/** All steps since the first version, in order. */
export const MIGRATIONS: readonly Migration[] = [
  {
    to: 13,
    steps: [
      {
        sqlite: `
          ALTER TABLE pings ADD COLUMN content_type TEXT;
          ALTER TABLE pings ADD COLUMN ignored_by TEXT;
          CREATE TABLE refused_signals (
            check_id  TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
            n         INTEGER NOT NULL,
            last_tail TEXT NOT NULL,
            last_at   INTEGER NOT NULL
          ) STRICT, WITHOUT ROWID`,
        postgres: `
          ALTER TABLE pings ADD COLUMN content_type text COLLATE "C", ADD COLUMN ignored_by text COLLATE "C";
          CREATE TABLE refused_signals (
            check_id  text COLLATE "C" PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
            n         bigint NOT NULL,
            last_tail text COLLATE "C" NOT NULL,
            last_at   bigint NOT NULL
          )`,
      },
      'CREATE INDEX refused_signals_by_age ON refused_signals (last_at)',
    ],
  },
  {
    to: 14,
    oldestProgram: 14,
    steps: [
      {
        sqlite: 'ALTER TABLE projects ADD COLUMN tz TEXT',
        postgres: 'ALTER TABLE projects ADD COLUMN tz text COLLATE "C"',
      },
      {
        sqlite: `
          CREATE TABLE ping_key_uses (
            lookup   TEXT NOT NULL REFERENCES keys (lookup) ON DELETE CASCADE,
            check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
            last_at  INTEGER NOT NULL,
            PRIMARY KEY (lookup, check_id)
          ) STRICT, WITHOUT ROWID`,
        postgres: `
          CREATE TABLE ping_key_uses (
            lookup   text COLLATE "C" NOT NULL REFERENCES keys (lookup) ON DELETE CASCADE,
            check_id text COLLATE "C" NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
            last_at  bigint NOT NULL,
            PRIMARY KEY (lookup, check_id)
          )`,
      },
      'CREATE INDEX ping_key_uses_of_check ON ping_key_uses (check_id)',
      {
        sqlite: `
          CREATE TABLE tokens (
            lookup     TEXT PRIMARY KEY,
            purpose    TEXT NOT NULL,
            account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
            made_by    TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            email      TEXT,
            role       TEXT CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
            data       TEXT,
            created_at INTEGER,
            expires_at INTEGER
          ) STRICT, WITHOUT ROWID`,
        // The tables are locked, so that no server that runs an older version writes rows to them while their rows are being moved.
        postgres: `
          LOCK TABLE accounts, one_time_links, challenges, recovery_codes, invitations, ownership_offers;
          CREATE TABLE tokens (
            lookup     text COLLATE "C" PRIMARY KEY,
            purpose    text COLLATE "C" NOT NULL,
            account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
            project_id text COLLATE "C" REFERENCES projects (id) ON DELETE CASCADE,
            made_by    text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
            email      text COLLATE "C",
            role       text COLLATE "C" CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
            data       text COLLATE "C",
            created_at bigint,
            expires_at bigint
          )`,
      },
      MOVE_TOKENS,
      {
        sqlite: `
          CREATE TABLE long_bodies (
            id         TEXT PRIMARY KEY,
            check_id   TEXT,
            n          INTEGER,
            rest_bytes INTEGER NOT NULL,
            begun_at   INTEGER NOT NULL,
            UNIQUE (check_id, n)
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE body_pieces (
            body_id TEXT NOT NULL REFERENCES long_bodies (id) ON DELETE CASCADE,
            piece   INTEGER NOT NULL,
            bytes   BLOB NOT NULL,
            PRIMARY KEY (body_id, piece)
          ) STRICT`,
        postgres: `
          CREATE TABLE long_bodies (
            id         text COLLATE "C" PRIMARY KEY,
            check_id   text COLLATE "C",
            n          bigint,
            rest_bytes bigint NOT NULL,
            begun_at   bigint NOT NULL,
            UNIQUE (check_id, n)
          );
          CREATE TABLE body_pieces (
            body_id text COLLATE "C" NOT NULL REFERENCES long_bodies (id) ON DELETE CASCADE,
            piece   bigint NOT NULL,
            bytes   bytea NOT NULL,
            PRIMARY KEY (body_id, piece)
          )`,
      },
      {
        sqlite: `
          CREATE TABLE advice (
            check_id   TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
            project_id TEXT NOT NULL,
            look_after INTEGER NOT NULL,
            looked_n   INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            kind       TEXT,
            variant    TEXT,
            since      INTEGER,
            data       TEXT,
            put_off    TEXT,
            fixed      TEXT
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE check_days (
            check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
            day      TEXT NOT NULL,
            runs     INTEGER NOT NULL,
            failed   INTEGER NOT NULL,
            missed   INTEGER NOT NULL,
            first_at INTEGER,
            last_at  INTEGER,
            longest  INTEGER,
            minutes  BLOB NOT NULL,
            PRIMARY KEY (check_id, day)
          ) STRICT, WITHOUT ROWID`,
        postgres: `
          CREATE TABLE advice (
            check_id   text COLLATE "C" PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
            project_id text COLLATE "C" NOT NULL,
            look_after bigint NOT NULL,
            looked_n   bigint NOT NULL,
            changed_at bigint NOT NULL,
            kind       text COLLATE "C",
            variant    text COLLATE "C",
            since      bigint,
            data       text COLLATE "C",
            put_off    text COLLATE "C",
            fixed      text COLLATE "C"
          );
          CREATE TABLE check_days (
            check_id text COLLATE "C" NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
            day      text COLLATE "C" NOT NULL,
            runs     bigint NOT NULL,
            failed   bigint NOT NULL,
            missed   bigint NOT NULL,
            first_at bigint,
            last_at  bigint,
            longest  bigint,
            minutes  bytea NOT NULL,
            PRIMARY KEY (check_id, day)
          )`,
      },
      'CREATE INDEX advice_due ON advice (look_after)',
      'CREATE INDEX advice_of_project ON advice (project_id, kind) WHERE data IS NOT NULL',
      'CREATE INDEX advice_fixed ON advice (project_id) WHERE fixed IS NOT NULL',
      {
        sqlite: `
          ALTER TABLE accounts ADD COLUMN morning_mail TEXT CHECK (morning_mail IN ('always', 'trouble'));
          ALTER TABLE accounts ADD COLUMN morning_hour INTEGER;
          CREATE TABLE morning_mails (
            account_id      TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            due_at          INTEGER NOT NULL,
            attempts        INTEGER NOT NULL,
            next_attempt_at INTEGER NOT NULL,
            error           TEXT
          ) STRICT, WITHOUT ROWID`,
        postgres: `
          ALTER TABLE accounts
            ADD COLUMN morning_mail text COLLATE "C" CHECK (morning_mail IN ('always', 'trouble')),
            ADD COLUMN morning_hour bigint;
          CREATE TABLE morning_mails (
            account_id      text COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            due_at          bigint NOT NULL,
            attempts        bigint NOT NULL,
            next_attempt_at bigint NOT NULL,
            error           text COLLATE "C"
          )`,
      },
      'CREATE INDEX morning_mails_due ON morning_mails (next_attempt_at)',
      {
        sqlite: `ALTER TABLE accounts ADD COLUMN list_rows TEXT NOT NULL DEFAULT 'dense' CHECK (list_rows IN ('dense', 'roomy'))`,
        postgres: `ALTER TABLE accounts ADD COLUMN list_rows text COLLATE "C" NOT NULL DEFAULT 'dense' CHECK (list_rows IN ('dense', 'roomy'))`,
      },
      {
        sqlite: `ALTER TABLE accounts ADD COLUMN list_picture TEXT NOT NULL DEFAULT 'runs' CHECK (list_picture IN ('runs', '24h'))`,
        postgres: `ALTER TABLE accounts ADD COLUMN list_picture text COLLATE "C" NOT NULL DEFAULT 'runs' CHECK (list_picture IN ('runs', '24h'))`,
      },
      {
        sqlite: `
          ALTER TABLE pings ADD COLUMN occurred_at INTEGER;
          ALTER TABLE counters ADD COLUMN last_start_occurred_at INTEGER`,
        postgres: `
          ALTER TABLE pings ADD COLUMN occurred_at bigint;
          ALTER TABLE counters ADD COLUMN last_start_occurred_at bigint`,
      },
      { sqlite: rebuildEvents, postgres: renameEvents },
      'ALTER TABLE checks RENAME COLUMN n_flips TO n_events',
      'ALTER TABLE cleared_checks RENAME COLUMN n_flips TO n_events',
      'ALTER TABLE staged_logs RENAME COLUMN n_flips TO n_events',
      // The stored undo data for status changes contains flip numbers, which this version changes.
      'DELETE FROM undos',
      {
        sqlite: `
          CREATE TABLE incidents (
            check_id         TEXT NOT NULL,
            n                INTEGER NOT NULL,
            severity         TEXT NOT NULL,
            opened_at        INTEGER NOT NULL,
            resolved_at      INTEGER,
            last_n           INTEGER NOT NULL,
            told             TEXT,
            told_at          INTEGER,
            held_why         TEXT,
            held_by          TEXT,
            held_until       INTEGER,
            acked_at         INTEGER,
            acked_by_kind    TEXT,
            acked_by_account TEXT,
            acked_by_name    TEXT,
            acked_until      INTEGER,
            acked_note       TEXT,
            acked_severity   TEXT,
            next_look_at     INTEGER,
            revision         INTEGER NOT NULL,
            PRIMARY KEY (check_id, n),
            FOREIGN KEY (check_id, n) REFERENCES events (check_id, n) ON DELETE CASCADE
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE silences (
            id                 TEXT PRIMARY KEY,
            project_id         TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
            checks             TEXT NOT NULL,
            tags               TEXT NOT NULL,
            starts_at          INTEGER NOT NULL,
            ends_at            INTEGER NOT NULL,
            until_healthy      INTEGER NOT NULL,
            up_to              TEXT NOT NULL,
            reason             TEXT NOT NULL,
            created_at         INTEGER NOT NULL,
            created_by_kind    TEXT,
            created_by_account TEXT,
            created_by_name    TEXT,
            schedule           TEXT,
            tz                 TEXT,
            duration_seconds   INTEGER
          ) STRICT, WITHOUT ROWID`,
        postgres: `
          CREATE TABLE incidents (
            check_id         text COLLATE "C" NOT NULL,
            n                bigint NOT NULL,
            severity         text COLLATE "C" NOT NULL,
            opened_at        bigint NOT NULL,
            resolved_at      bigint,
            last_n           bigint NOT NULL,
            told             text COLLATE "C",
            told_at          bigint,
            held_why         text COLLATE "C",
            held_by          text COLLATE "C",
            held_until       bigint,
            acked_at         bigint,
            acked_by_kind    text COLLATE "C",
            acked_by_account text COLLATE "C",
            acked_by_name    text COLLATE "C",
            acked_until      bigint,
            acked_note       text COLLATE "C",
            acked_severity   text COLLATE "C",
            next_look_at     bigint,
            revision         bigint NOT NULL,
            PRIMARY KEY (check_id, n),
            FOREIGN KEY (check_id, n) REFERENCES events (check_id, n) ON DELETE CASCADE
          );
          CREATE TABLE silences (
            id                 text COLLATE "C" PRIMARY KEY,
            project_id         text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
            checks             text COLLATE "C" NOT NULL,
            tags               text COLLATE "C" NOT NULL,
            starts_at          bigint NOT NULL,
            ends_at            bigint NOT NULL,
            until_healthy      bigint NOT NULL,
            up_to              text COLLATE "C" NOT NULL,
            reason             text COLLATE "C" NOT NULL,
            created_at         bigint NOT NULL,
            created_by_kind    text COLLATE "C",
            created_by_account text COLLATE "C",
            created_by_name    text COLLATE "C",
            schedule           text COLLATE "C",
            tz                 text COLLATE "C",
            duration_seconds   bigint
          )`,
      },
      'CREATE INDEX incidents_due ON incidents (next_look_at) WHERE next_look_at IS NOT NULL',
      'CREATE INDEX incidents_held ON incidents (held_by) WHERE held_by IS NOT NULL',
      'CREATE INDEX silences_of_project ON silences (project_id, ends_at)',
      'CREATE INDEX silences_of_people ON silences (project_id, ends_at) WHERE created_by_kind IS NOT NULL',
      'CREATE UNIQUE INDEX silences_of_ping_url ON silences (checks) WHERE created_by_kind IS NULL',
      'CREATE INDEX silences_by_age ON silences (ends_at)',
      OPEN_INCIDENTS,
      `
        DROP INDEX checks_due;
        CREATE INDEX checks_due ON checks (alert_after, id) WHERE alert_after IS NOT NULL`,
      {
        sqlite: `
          ALTER TABLE channels ADD COLUMN quiet_schedule TEXT;
          ALTER TABLE channels ADD COLUMN quiet_tz TEXT;
          ALTER TABLE channels ADD COLUMN quiet_seconds INTEGER;
          ALTER TABLE channels ADD COLUMN quiet_up_to TEXT;
          ALTER TABLE deliveries ADD COLUMN held_until INTEGER`,
        postgres: `
          ALTER TABLE channels
            ADD COLUMN quiet_schedule text COLLATE "C",
            ADD COLUMN quiet_tz text COLLATE "C",
            ADD COLUMN quiet_seconds bigint,
            ADD COLUMN quiet_up_to text COLLATE "C";
          ALTER TABLE deliveries ADD COLUMN held_until bigint`,
      },
    ],
  },
]

export const SCHEMA_VERSION = versionAfter(MIGRATIONS)

/** Adds a setting to a new database after its tables have been created. */
export const ADD_SETTING = 'INSERT INTO settings (name, value) VALUES ($1, $2)'

export function versionAfter(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.to ?? FIRST_VERSION
}

/** @returns the steps that a database of this version still needs, in order */
export function stepsFrom(version: number, migrations: readonly Migration[], engine: Engine): readonly string[] {
  return migrations
    .filter(({ to }) => to > version)
    .flatMap(({ steps }) => steps)
    .map((step) => (typeof step === 'string' ? step : step[engine]))
}

/** @throws Refusal `database-too-old` if a program from before the first release created the database */
export function refuseTooOld(path: string, version: number): void {
  if (version >= FIRST_VERSION) return
  const supported = `this program supports only version ${FIRST_VERSION} and later`
  throw new Refusal('database-too-old', `the database ${path} has version ${version}, but ${supported}`, {
    path,
    version,
  })
}
