/** Version 11: second factors, passkeys, sign-in elsewhere, invitations, offers of ownership, an index of answers, and imports. Purposes of links have no CHECK any more. */

const sqlite = `
  ALTER TABLE accounts ADD COLUMN is_suspended INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE accounts ADD COLUMN totp_secret TEXT;
  ALTER TABLE accounts ADD COLUMN totp_step INTEGER;
  ALTER TABLE accounts ADD COLUMN last_seen_at INTEGER;
  ALTER TABLE accounts ADD COLUMN is_email_confirmed INTEGER NOT NULL DEFAULT 1;
  UPDATE accounts SET last_seen_at = (SELECT max(last_seen_at) FROM sessions WHERE account_id = accounts.id);
  ALTER TABLE sessions ADD COLUMN method TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER;
  CREATE TABLE links_for_any_purpose (
    lookup     TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL,
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL,
    email      TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO links_for_any_purpose SELECT lookup, purpose, account_id, expires_at, NULL FROM one_time_links;
  DROP TABLE one_time_links;
  ALTER TABLE links_for_any_purpose RENAME TO one_time_links;
  CREATE INDEX one_time_links_by_age ON one_time_links (expires_at);
  CREATE INDEX one_time_links_of_account ON one_time_links (account_id) WHERE account_id IS NOT NULL;
  CREATE TABLE challenges (
    lookup     TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,  
    data       TEXT NOT NULL,  
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX challenges_by_age ON challenges (expires_at);
  CREATE INDEX challenges_of_account ON challenges (account_id) WHERE account_id IS NOT NULL;
  CREATE TABLE recovery_codes (
    lookup     TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recovery_codes_of_account ON recovery_codes (account_id);
  CREATE TABLE passkeys (
    id           TEXT PRIMARY KEY,  
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    public_key   TEXT NOT NULL,  
    counter      INTEGER NOT NULL,  
    transports   TEXT NOT NULL,  
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at);
  CREATE TABLE identities (
    issuer       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX identities_of_account ON identities (account_id, created_at);
  CREATE TABLE invitations (
    lookup     TEXT PRIMARY KEY,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    email      TEXT,  
    role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
    invited_by TEXT REFERENCES accounts (id) ON DELETE CASCADE,  
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX invitations_of_project ON invitations (project_id, created_at);
  CREATE INDEX invitations_of_account ON invitations (invited_by) WHERE invited_by IS NOT NULL;
  CREATE INDEX invitations_by_age ON invitations (expires_at);
  CREATE TABLE ownership_offers (
    project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    from_id    TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    to_id      TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ownership_offers_to ON ownership_offers (to_id);
  CREATE INDEX ownership_offers_from ON ownership_offers (from_id);
  CREATE INDEX ownership_offers_by_age ON ownership_offers (expires_at)`

const postgres = `
  ALTER TABLE accounts ADD COLUMN is_suspended bigint NOT NULL DEFAULT 0;
  ALTER TABLE accounts ADD COLUMN totp_secret text COLLATE "C";
  ALTER TABLE accounts ADD COLUMN totp_step bigint;
  ALTER TABLE accounts ADD COLUMN last_seen_at bigint;
  ALTER TABLE accounts ADD COLUMN is_email_confirmed bigint NOT NULL DEFAULT 1;
  UPDATE accounts SET last_seen_at = (SELECT max(last_seen_at) FROM sessions WHERE account_id = accounts.id);
  ALTER TABLE sessions ADD COLUMN method text COLLATE "C" NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN confirmed_at bigint;
  ALTER TABLE one_time_links DROP CONSTRAINT one_time_links_purpose_check;
  ALTER TABLE one_time_links ADD COLUMN email text COLLATE "C";
  CREATE TABLE challenges (
    lookup     text COLLATE "C" PRIMARY KEY,
    kind       text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
    data       text COLLATE "C" NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX challenges_by_age ON challenges (expires_at);
  CREATE INDEX challenges_of_account ON challenges (account_id) WHERE account_id IS NOT NULL;
  CREATE TABLE recovery_codes (
    lookup     text COLLATE "C" PRIMARY KEY,
    account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
  );
  CREATE INDEX recovery_codes_of_account ON recovery_codes (account_id);
  CREATE TABLE passkeys (
    id           text COLLATE "C" PRIMARY KEY,
    account_id   text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name         text COLLATE "C" NOT NULL,
    public_key   text COLLATE "C" NOT NULL,
    counter      bigint NOT NULL,
    transports   text COLLATE "C" NOT NULL,
    created_at   bigint NOT NULL,
    last_used_at bigint
  );
  CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at);
  CREATE TABLE identities (
    issuer       text COLLATE "C" NOT NULL,
    subject      text COLLATE "C" NOT NULL,
    account_id   text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at   bigint NOT NULL,
    last_used_at bigint,
    PRIMARY KEY (issuer, subject)
  );
  CREATE INDEX identities_of_account ON identities (account_id, created_at);
  CREATE TABLE invitations (
    lookup     text COLLATE "C" PRIMARY KEY,
    project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    email      text COLLATE "C",
    role       text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
    invited_by text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX invitations_of_project ON invitations (project_id, created_at);
  CREATE INDEX invitations_of_account ON invitations (invited_by) WHERE invited_by IS NOT NULL;
  CREATE INDEX invitations_by_age ON invitations (expires_at);
  CREATE TABLE ownership_offers (
    project_id text COLLATE "C" PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    from_id    text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    to_id      text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX ownership_offers_to ON ownership_offers (to_id);
  CREATE INDEX ownership_offers_from ON ownership_offers (from_id);
  CREATE INDEX ownership_offers_by_age ON ownership_offers (expires_at)`

/** Answers of receivers are dropped by their age. */
export const ANSWERS_BY_AGE = 'CREATE INDEX attempts_answered ON attempts (created_at) WHERE answer IS NOT NULL'

export const PEOPLE = { sqlite, postgres } as const

const importsOfSqlite = `
  CREATE TABLE staged_logs (
    check_id     TEXT PRIMARY KEY,
    project_id   TEXT NOT NULL,
    n_pings      INTEGER NOT NULL,
    last_ping_id INTEGER,
    n_flips      INTEGER NOT NULL,
    entries      INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,
    staged_at    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX staged_logs_by_age ON staged_logs (staged_at);
  CREATE TABLE imported_secrets (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    secret     TEXT NOT NULL,
    PRIMARY KEY (project_id, secret)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE imported_badges (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    tag        TEXT NOT NULL,
    signature  TEXT NOT NULL,
    PRIMARY KEY (project_id, tag, signature)
  ) STRICT, WITHOUT ROWID`

const importsOfPostgres = `
  CREATE TABLE staged_logs (
    check_id   text COLLATE "C" PRIMARY KEY,
    project_id text COLLATE "C" NOT NULL,
    n_pings    bigint NOT NULL,
    n_flips    bigint NOT NULL,
    entries    bigint NOT NULL,
    bytes      bigint NOT NULL,
    staged_at  bigint NOT NULL
  );
  CREATE INDEX staged_logs_by_age ON staged_logs (staged_at);
  CREATE TABLE imported_secrets (
    project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    secret     text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, secret)
  );
  CREATE TABLE imported_badges (
    project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    tag        text COLLATE "C" NOT NULL,
    signature  text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, tag, signature)
  )`

/** What imports stage, and the secrets of the servers that projects came from. */
export const IMPORTS = { sqlite: importsOfSqlite, postgres: importsOfPostgres } as const
