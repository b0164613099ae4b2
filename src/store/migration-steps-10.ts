/** Version 10: names and last uses of keys, attempts of deliveries, status pages. Words of the audit log have no CHECK any more. */

const sqlite = `
  ALTER TABLE keys ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE keys ADD COLUMN last_used_at INTEGER;
  CREATE TABLE audit_without_words (
    change_id    TEXT NOT NULL,
    n            INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    author_kind  TEXT NOT NULL CHECK (author_kind IN ('person', 'key', 'command')),
    author_id    TEXT,
    author_name  TEXT NOT NULL,
    remote_addr  TEXT,
    project_id   TEXT,
    action       TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id   TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    old_values   TEXT,
    new_values   TEXT,
    PRIMARY KEY (change_id, n)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO audit_without_words SELECT * FROM audit;
  DROP TABLE audit;
  ALTER TABLE audit_without_words RENAME TO audit;
  CREATE INDEX audit_by_age ON audit (created_at);
  CREATE INDEX audit_of_project ON audit (project_id, created_at);
  DROP INDEX deliveries_by_channel;
  CREATE INDEX deliveries_of_channel ON deliveries (channel_id, state, created_at, id);
  CREATE TABLE attempts (
    delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    n           INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    duration    INTEGER NOT NULL,
    error       TEXT,
    answer      TEXT,
    PRIMARY KEY (delivery_id, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE status_pages (
    project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    slug       TEXT NOT NULL,
    is_public  INTEGER NOT NULL,
    is_indexed INTEGER NOT NULL,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    tz         TEXT NOT NULL,
    sections   TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX status_pages_by_slug ON status_pages (slug)`

const postgres = `
  ALTER TABLE keys ADD COLUMN name text COLLATE "C" NOT NULL DEFAULT '';
  ALTER TABLE keys ADD COLUMN last_used_at bigint;
  ALTER TABLE audit DROP CONSTRAINT audit_action_check;
  ALTER TABLE audit DROP CONSTRAINT audit_subject_kind_check;
  DROP INDEX deliveries_by_channel;
  CREATE INDEX deliveries_of_channel ON deliveries (channel_id, state, created_at, id);
  CREATE TABLE attempts (
    delivery_id text COLLATE "C" NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    n           bigint NOT NULL,
    created_at  bigint NOT NULL,
    duration    bigint NOT NULL,
    error       text COLLATE "C",
    answer      text COLLATE "C",
    PRIMARY KEY (delivery_id, n)
  );
  CREATE TABLE status_pages (
    project_id text COLLATE "C" PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    slug       text COLLATE "C" NOT NULL,
    is_public  bigint NOT NULL,
    is_indexed bigint NOT NULL,
    title      text COLLATE "C" NOT NULL,
    text       text COLLATE "C" NOT NULL,
    tz         text COLLATE "C" NOT NULL,
    sections   text COLLATE "C" NOT NULL,
    updated_at bigint NOT NULL
  );
  CREATE UNIQUE INDEX status_pages_by_slug ON status_pages (slug)`

export const SET_UP_IN_BROWSER = { sqlite, postgres } as const
