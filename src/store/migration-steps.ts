/**
 * The statements of migrations. Those up to version 8 are in SQLite's dialect, because PostgreSQL begins with that version; later
 * ones are there for each engine.
 */

export const TO_2 = `
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

export const TO_3 = `
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

export const TO_4 = 'ALTER TABLE checks ADD COLUMN mail_default_success INTEGER NOT NULL DEFAULT 0'

// SQLite cannot drop a foreign key, so this creates flips again. Foreign keys are not enforced during a migration, so the
// deliveries stay when the old table is dropped.
export const TO_5 = `
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

export const TO_6 = `
  CREATE UNIQUE INDEX projects_by_slug ON projects (slug);
  CREATE TABLE accounts (
    id               TEXT PRIMARY KEY,
    email            TEXT NOT NULL UNIQUE,
    password_hash    TEXT,
    is_administrator INTEGER NOT NULL,
    tz               TEXT NOT NULL,
    theme            TEXT NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
    has_shortcuts    INTEGER NOT NULL,
    created_at       INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE members (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, project_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX members_of_project ON members (project_id, account_id);
  CREATE TABLE sessions (
    lookup       TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    remote_addr  TEXT,
    ua           TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
  CREATE INDEX sessions_by_age ON sessions (last_seen_at);
  CREATE TABLE one_time_links (
    lookup     TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL CHECK (purpose IN ('first-account', 'password', 'sign-in')),
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX one_time_links_by_age ON one_time_links (expires_at);
  CREATE INDEX one_time_links_of_account ON one_time_links (account_id) WHERE account_id IS NOT NULL;
  CREATE TABLE audit (
    change_id    TEXT NOT NULL,
    n            INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    author_kind  TEXT NOT NULL CHECK (author_kind IN ('person', 'key', 'command')),
    author_id    TEXT,
    author_name  TEXT NOT NULL,
    remote_addr  TEXT,
    project_id   TEXT,
    action       TEXT NOT NULL CHECK (action IN ('create', 'edit', 'delete')),
    subject_kind TEXT NOT NULL CHECK (subject_kind IN ('account', 'project', 'member', 'key', 'channel', 'check')),
    subject_id   TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    old_values   TEXT,
    new_values   TEXT,
    PRIMARY KEY (change_id, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_by_age ON audit (created_at);
  CREATE INDEX audit_of_project ON audit (project_id, created_at)`

export const NEW_COLUMNS_OF_7 = `
  ALTER TABLE checks ADD COLUMN public_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE counters ADD COLUMN runs BLOB`

export const CLEARED_CHECKS = `
  CREATE TABLE cleared_checks (
    check_id     TEXT NOT NULL,
    n_pings      INTEGER NOT NULL,
    last_ping_id INTEGER,
    n_flips      INTEGER NOT NULL,
    PRIMARY KEY (check_id, n_pings)
  ) STRICT, WITHOUT ROWID`

/** The loop fills the tables, so this takes no time. */
export const SEARCH = `
  ALTER TABLE projects ADD COLUMN search INTEGER NOT NULL DEFAULT 1;
  CREATE VIRTUAL TABLE ping_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
  INSERT INTO ping_words (ping_words, rank) VALUES ('automerge', 0);
  CREATE TABLE unread_pings (
    id INTEGER PRIMARY KEY
  ) STRICT;
  CREATE TABLE unread_checks (
    check_id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE unread_projects (
    project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    done_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`

export const SEVERAL_INSTANCES = {
  sqlite: `
  CREATE TABLE instances (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    version     TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    seen_at     INTEGER NOT NULL,
    clock_ahead INTEGER NOT NULL,
    load        TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE leases (
    name    TEXT PRIMARY KEY,
    holder  TEXT NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE undos (
    lookup     TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    steps      TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX undos_by_age ON undos (created_at)`,
  postgres: `
  CREATE TABLE instances (
    id          text COLLATE "C" PRIMARY KEY,
    name        text COLLATE "C" NOT NULL,
    version     text COLLATE "C" NOT NULL,
    started_at  bigint NOT NULL,
    seen_at     bigint NOT NULL,
    clock_ahead bigint NOT NULL,
    load        text COLLATE "C" NOT NULL
  );
  CREATE TABLE leases (
    name    text COLLATE "C" PRIMARY KEY,
    holder  text COLLATE "C" NOT NULL,
    ends_at bigint NOT NULL
  );
  CREATE TABLE undos (
    lookup     text COLLATE "C" PRIMARY KEY,
    account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    steps      text COLLATE "C" NOT NULL
  );
  CREATE INDEX undos_by_age ON undos (created_at)`,
} as const

export const STAGED_PROJECTS = {
  sqlite: 'ALTER TABLE projects ADD COLUMN staged_at INTEGER',
  postgres: 'ALTER TABLE projects ADD COLUMN staged_at bigint',
} as const
