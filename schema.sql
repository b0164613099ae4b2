-- Overdue's complete data model. Timestamps and durations are in microseconds. Flags are 0 or 1. The program generates ids as lower-case
-- UUIDs. The statements use only SQL that both SQLite and PostgreSQL support, except for STRICT, WITHOUT ROWID, type names (an INTEGER has
-- 64 bits, a REAL is a double, a BLOB is a byte string), and the word index.

-- Settings that the server stores for itself, such as its secret or a fingerprint of SECRET_KEY.
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  id             TEXT PRIMARY KEY,
  name           TEXT NOT NULL,
  badge_key      TEXT NOT NULL UNIQUE,
  ping_log_limit INTEGER NOT NULL,
  created_at     INTEGER NOT NULL,
  slug           TEXT NOT NULL DEFAULT '',  -- used in the project's page URLs; does not change when the project is renamed
  search         INTEGER NOT NULL DEFAULT 1,  -- 0 if the project's pings are excluded from search
  -- When the import that is creating this project last added to it; null once the project is visible. Until then, only imports can find the
  -- project, and its name, slug and badge key are placeholders.
  staged_at      INTEGER,
  tz             TEXT  -- time zone for times in the project's alerts, except in emails; null for each check's own time zone
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX projects_by_slug ON projects (slug);

-- User accounts. Emails are stored in lower case.
CREATE TABLE accounts (
  id               TEXT PRIMARY KEY,
  email            TEXT NOT NULL UNIQUE,
  password_hash    TEXT,  -- password hash in PHC format (argon2id); null if the account has no password
  is_administrator INTEGER NOT NULL,
  tz               TEXT NOT NULL,
  theme            TEXT NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
  has_shortcuts    INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  is_suspended     INTEGER NOT NULL DEFAULT 0,  -- 1 if the account is not allowed to sign in
  totp_secret      TEXT,  -- authenticator app's secret in base32; null if there is none
  totp_step        INTEGER,  -- time step of the last accepted code; this code and earlier ones are rejected
  last_seen_at     INTEGER,  -- when the user was last seen, accurate to five minutes; null if never
  is_email_confirmed INTEGER NOT NULL DEFAULT 1,  -- 0 if the address may belong to someone other than the account's creator
  morning_mail     TEXT CHECK (morning_mail IN ('always', 'trouble')),  -- null if the account gets no morning mail
  morning_hour     INTEGER,  -- hour of the day, in tz, at which the morning mail is sent; null if there is none
  list_rows        TEXT NOT NULL DEFAULT 'dense' CHECK (list_rows IN ('dense', 'roomy')),  -- row height in the checks list
  list_picture     TEXT NOT NULL DEFAULT 'runs' CHECK (list_picture IN ('runs', '24h'))  -- chart at the end of each row
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_project ON members (project_id, account_id);

-- Sessions of signed-in browsers. A session is looked up by a hash of its cookie.
CREATE TABLE sessions (
  lookup       TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,  -- when the session was last used, accurate to five minutes
  remote_addr  TEXT,
  ua           TEXT NOT NULL,
  method       TEXT NOT NULL DEFAULT '',  -- how the user signed in
  confirmed_at INTEGER  -- when the user last confirmed their identity in this session
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_age ON sessions (last_seen_at);

-- Single-use tokens, most of which expire. Links, invitations and challenges are looked up by a hash of the token. A challenge is a
-- procedure that a browser has started and must finish within minutes, such as entering a second factor, using a passkey or signing in with
-- a provider. Recovery codes are looked up by a hash of the code. An ownership offer is looked up by its project's id. A project has at
-- most one offer.
CREATE TABLE tokens (
  lookup     TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL,  -- no CHECK, so that adding a purpose does not require rebuilding the table
  -- Account that may use the token; null if anyone who has the token may use it, or the account is not known yet.
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,  -- project of an invitation or an ownership offer
  made_by    TEXT REFERENCES accounts (id) ON DELETE CASCADE,  -- account that sent the invitation or offer; null if a command did
  email      TEXT,  -- address that using the token confirms, because the token was mailed to it; null if it confirms none
  role       TEXT CHECK (role IN ('owner', 'manager', 'member', 'read-only')),  -- role that an invitation grants
  data       TEXT,  -- JSON with the data needed to finish a challenge
  created_at INTEGER,  -- when an invitation or an offer was created; null for other tokens
  expires_at INTEGER  -- null if the token never expires, like a recovery code
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_age ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_of_account ON tokens (account_id, purpose) WHERE account_id IS NOT NULL;
CREATE INDEX tokens_of_project ON tokens (project_id, created_at) WHERE project_id IS NOT NULL;
CREATE INDEX tokens_of_maker ON tokens (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX tokens_of_email ON tokens (email) WHERE email IS NOT NULL;

CREATE TABLE passkeys (
  id           TEXT PRIMARY KEY,  -- credential id in base64url
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  public_key   TEXT NOT NULL,  -- COSE key in base64url
  counter      INTEGER NOT NULL,  -- last known signature counter
  transports   TEXT NOT NULL,  -- JSON list of the transports that the browser reported
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at);

-- Identities at OpenID providers that are linked to accounts.
CREATE TABLE identities (
  issuer       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_of_account ON identities (account_id, created_at);

-- The audit log records who changed what, without secrets. Each row is written in the same transaction as its change. Rows are kept after
-- the objects that they name are deleted, so there are no foreign keys.
CREATE TABLE audit (
  change_id    TEXT NOT NULL,
  n            INTEGER NOT NULL,  -- the row's number within its change
  created_at   INTEGER NOT NULL,
  author_kind  TEXT NOT NULL CHECK (author_kind IN ('person', 'key', 'command')),
  author_id    TEXT,  -- account id
  author_name  TEXT NOT NULL,  -- the account's email, or the first characters of the API key
  remote_addr  TEXT,
  project_id   TEXT,
  action       TEXT NOT NULL,  -- action and subject_kind have no CHECK, so that a new kind of change does not require rebuilding the table
  subject_kind TEXT NOT NULL,
  subject_id   TEXT NOT NULL,
  subject_name TEXT NOT NULL,
  old_values   TEXT,  -- JSON object; for an edit, only the values that changed
  new_values   TEXT,
  PRIMARY KEY (change_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_age ON audit (created_at);
CREATE INDEX audit_of_project ON audit (project_id, created_at);

-- Project keys. API keys are stored as keyed hashes, and ping keys as plain text.
CREATE TABLE keys (
  lookup     TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('read-write', 'read-only', 'ping')),
  hint       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  name       TEXT NOT NULL DEFAULT '',
  last_used_at INTEGER  -- when an API key was last used, accurate to five minutes
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_of_project ON keys (project_id);

-- Each check's settings and status. The columns that change with every ping are in counters. A ping writes to this table only if it changes
-- the status or moves the deadline to an earlier time. The columns that pings write have no CHECK, here or in counters and pings, because
-- comparing strings for each ping would take a quarter of the store's time.
CREATE TABLE checks (
  id                  TEXT PRIMARY KEY,
  project_id          TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  status              TEXT NOT NULL,  -- new, up, down, paused
  n_events            INTEGER NOT NULL,  -- number of the check's newest event
  -- When the loop next examines the check. This is never later than the deadline, and is often earlier: it does not change when a ping
  -- moves the deadline to a later time. The loop updates it when it examines the check.
  alert_after         INTEGER,
  kind                TEXT NOT NULL CHECK (kind IN ('simple', 'cron', 'oncalendar')),
  timeout_seconds     INTEGER NOT NULL,
  grace_seconds       INTEGER NOT NULL,
  schedule            TEXT NOT NULL,
  tz                  TEXT NOT NULL,
  manual_resume       INTEGER NOT NULL,
  methods             TEXT NOT NULL,
  filter_subject      INTEGER NOT NULL,
  filter_body         INTEGER NOT NULL,
  filter_http_body    INTEGER NOT NULL,
  filter_default_fail INTEGER NOT NULL,
  start_kw            TEXT NOT NULL,
  success_kw          TEXT NOT NULL,
  failure_kw          TEXT NOT NULL,
  badge_key           TEXT NOT NULL,
  unique_key          TEXT NOT NULL,
  created_at          INTEGER NOT NULL,  -- unique within a project, because checks are sorted by it
  slug                TEXT NOT NULL,
  name                TEXT NOT NULL,
  tags                TEXT NOT NULL,
  -- Set only by the deprecated subject_fail. If 1, an email without a keyword counts as a success.
  mail_default_success INTEGER NOT NULL DEFAULT 0,
  counter_id          INTEGER NOT NULL DEFAULT 0,  -- id of the check's row in counters; negative while the check's project is staged
  public_id           TEXT NOT NULL DEFAULT '',  -- used in the check's page URLs; does not grant access
  "desc"              TEXT NOT NULL  -- can have any length, so it is the last column, except for columns that were added later
) STRICT;
CREATE UNIQUE INDEX checks_of_project ON checks (project_id, created_at);
CREATE UNIQUE INDEX checks_by_public_id ON checks (public_id);
CREATE INDEX checks_by_slug ON checks (project_id, slug);
CREATE INDEX checks_by_unique_key ON checks (unique_key);
CREATE INDEX checks_by_badge_key ON checks (badge_key);
CREATE INDEX checks_down ON checks (project_id, created_at) WHERE status = 'down';
-- The index includes the id because many checks may be due at the same time. Checks with neighboring ids are then judged together, and
-- their events are written to the same pages.
CREATE INDEX checks_due ON checks (alert_after, id) WHERE alert_after IS NOT NULL;

-- Checks that were pinged by slug, and the ping key that was used. Rows are not written in the same transaction as the pings, so a crash
-- may lose the newest ones.
CREATE TABLE ping_key_uses (
  lookup   TEXT NOT NULL REFERENCES keys (lookup) ON DELETE CASCADE,
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  last_at  INTEGER NOT NULL,  -- time of the last such ping, accurate to five minutes
  PRIMARY KEY (lookup, check_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ping_key_uses_of_check ON ping_key_uses (check_id);

-- The check columns that change with every ping. The rows are small and have no secondary index, so one commit of many pings changes few
-- pages. A commit writes entire pages, so its cost depends on the number of pages.
CREATE TABLE counters (
  counter_id      INTEGER PRIMARY KEY,  -- assigned when the check is created, as one more than the highest id
  n_pings         INTEGER NOT NULL,
  last_ping_id    INTEGER,  -- newest log entry, which is the head of the check's chain in pings
  last_ping_at    INTEGER,  -- time of the last success or failure
  last_success_at INTEGER,
  last_start_at   INTEGER,
  last_start_rid  TEXT,
  last_duration   INTEGER,
  spared_until    INTEGER,  -- after a server outage, the check does not go down before this time
  runs            BLOB,  -- results of the last 30 runs, see src/domain/check/run-history.ts; null before the first run
  last_start_occurred_at INTEGER  -- when the run began, if the start ping at last_start_at arrived late; null otherwise
) STRICT;

-- The logs of all checks, in order of arrival. An insert changes only the last page. Each check's entries form a chain that begins at
-- counters.last_ping_id and continues through previous_id, so the table needs no index.
CREATE TABLE pings (
  id          INTEGER PRIMARY KEY,
  previous_id INTEGER,
  check_id    TEXT NOT NULL,
  n           INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  kind        TEXT NOT NULL,  -- success, start, fail, log, ign
  exit_status INTEGER,
  rid         TEXT,
  scheme      TEXT NOT NULL,
  method      TEXT NOT NULL,
  ua          TEXT NOT NULL,
  remote_addr TEXT,
  body        BLOB,
  dropped_bytes INTEGER, -- length of the body if the server dropped the body because of PING_LOG_BYTES
  content_type TEXT,     -- the body's Content-Type, if it is needed to decode the body
  ignored_by  TEXT,      -- if kind is ign, the rule that ignored the ping: pause, method, no-keyword
  occurred_at INTEGER    -- for a late ping, the time of the event according to the sender; null otherwise
) STRICT;

-- Bodies that are too long for one short transaction, such as email bodies. The table pings contains the beginning of such a body, and
-- body_pieces contains the rest. The rest is written before the ping. The transaction that writes the ping sets check_id and n. Bodies from
-- imports and from earlier versions are stored entirely in pings.
CREATE TABLE long_bodies (
  id         TEXT PRIMARY KEY,
  check_id   TEXT,     -- null until the ping is written
  n          INTEGER,
  rest_bytes INTEGER NOT NULL,
  begun_at   INTEGER NOT NULL,
  UNIQUE (check_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE body_pieces (
  body_id TEXT NOT NULL REFERENCES long_bodies (id) ON DELETE CASCADE,
  piece   INTEGER NOT NULL,  -- 0 for the first piece after the beginning
  bytes   BLOB NOT NULL,
  PRIMARY KEY (body_id, piece)
) STRICT;

-- Rejected requests whose ping URL names a check but contains an invalid value, such as the exit status 3221225477. A loop counts these
-- requests, and removes a row a day after its last request.
CREATE TABLE refused_signals (
  check_id  TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  n         INTEGER NOT NULL,
  last_tail TEXT NOT NULL,  -- the part of the last request's URL that follows the check
  last_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_signals_by_age ON refused_signals (last_at);

-- Advice about how a check is monitored. A loop examines each check periodically, and immediately after a change that may affect its
-- advice.
CREATE TABLE advice (
  check_id   TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL,  -- the check's project
  look_after INTEGER NOT NULL,  -- 0 if the check must be examined immediately
  looked_n   INTEGER NOT NULL,  -- the check's n_pings when it was last examined
  changed_at INTEGER NOT NULL,  -- when the check's period, schedule, time zone or grace time last changed
  kind       TEXT,  -- kind of the first advice that is not hidden; null if there is none
  variant    TEXT,
  since      INTEGER,  -- when that advice was first given
  data       TEXT,  -- JSON with all advice, including hidden advice; null if there is none
  put_off    TEXT,  -- JSON with the hidden advice and the time until which it is hidden; null if none is hidden
  fixed      TEXT  -- JSON with the last fix that a member applied; null if there is none
) STRICT, WITHOUT ROWID;
CREATE INDEX advice_due ON advice (look_after);
CREATE INDEX advice_of_project ON advice (project_id, kind) WHERE data IS NOT NULL;
CREATE INDEX advice_fixed ON advice (project_id) WHERE fixed IS NOT NULL;

-- Daily counts of each check's runs, needed because the log does not go back far enough. The advice loop counts the runs. Rows are kept for
-- 90 days.
CREATE TABLE check_days (
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  day      TEXT NOT NULL,  -- for example 2026-05-12, in the check's time zone
  runs     INTEGER NOT NULL,
  failed   INTEGER NOT NULL,  -- number of runs that failed
  missed   INTEGER NOT NULL,  -- number of runs that were expected on that day but did not happen
  first_at INTEGER,  -- when the day's first run began; null if there was no run
  last_at  INTEGER,
  longest  INTEGER,  -- duration of the day's longest run; null if unknown
  minutes  BLOB NOT NULL,  -- the minutes of the day at which runs began, see src/domain/run/day-minutes.ts
  PRIMARY KEY (check_id, day)
) STRICT, WITHOUT ROWID;

-- The search index, which contains the words of all pings. The rowid is the ping's id. A loop adds rows. A row is removed in the
-- transaction that removes the ping or its body. Each word is prefixed with a scope (src/domain/search/scope.ts), so that a search does not
-- read words from other projects. The program extracts the words, so that every engine finds the same pings, and the tokenizer only splits
-- text at spaces.
CREATE VIRTUAL TABLE ping_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
-- The loop merges the index in small steps. SQLite's automatic merge would run during a commit and slow that commit down.
INSERT INTO ping_words (ping_words, rank) VALUES ('automerge', 0);

-- Log entries whose words must be reindexed, because their check was moved to another project, or because search was turned on or off for
-- their project. The settings table stores the loop's position in the rest of the log.
CREATE TABLE unread_pings (
  id INTEGER PRIMARY KEY
) STRICT;

-- Checks whose log entries have yet to be added to unread_pings.
CREATE TABLE unread_checks (
  check_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Projects whose checks have yet to be added to unread_checks.
CREATE TABLE unread_projects (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until INTEGER NOT NULL  -- checks created up to this time have been processed; negative if none has been
) STRICT, WITHOUT ROWID;

-- Checks whose log exceeds its limits. The retention loop will trim these logs.
CREATE TABLE overgrown_logs (
  check_id TEXT PRIMARY KEY,
  n        INTEGER NOT NULL DEFAULT 0  -- number of the ping that marked the log; overwritten if a later ping marks it again
) STRICT, WITHOUT ROWID;

-- Projects whose limits were lowered. The retention loop trims the log of each check in these projects.
CREATE TABLE overgrown_projects (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until INTEGER NOT NULL  -- checks created up to this time have been processed; negative if none has been
) STRICT, WITHOUT ROWID;

-- Deleted checks whose log, events and deliveries have not been removed yet. The retention loop removes them.
CREATE TABLE deleted_checks (
  check_id     TEXT PRIMARY KEY,
  last_ping_id INTEGER  -- head of the check's chain in pings
) STRICT, WITHOUT ROWID;

-- Cleared checks whose log, events and deliveries have not been removed yet, up to the numbers stored here. The retention loop removes
-- them.
CREATE TABLE cleared_checks (
  check_id     TEXT NOT NULL,
  n_pings      INTEGER NOT NULL,
  last_ping_id INTEGER,  -- head of the check's chain in pings
  n_events     INTEGER NOT NULL,
  PRIMARY KEY (check_id, n_pings)
) STRICT, WITHOUT ROWID;

-- A histogram of each check's run durations. When a ping ends a run, the run's duration is added.
CREATE TABLE run_durations (
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  bound    REAL NOT NULL,  -- the bucket's upper bound in seconds; infinite for the last bucket
  runs     INTEGER NOT NULL,
  total    INTEGER NOT NULL,
  PRIMARY KEY (check_id, bound)
) STRICT, WITHOUT ROWID;

-- Each check's numbered events, other than its pings. A flip, which is a change of the check's status, is an event of kind 'flip'. Events
-- of other kinds have no statuses and no reason, so a condition on these columns matches only flips. There is no CHECK, so that a new kind
-- or reason does not require rebuilding the table. There is no foreign key, because a deleted check may leave thousands of events, which
-- the retention loop removes later.
CREATE TABLE events (
  check_id   TEXT NOT NULL,
  n          INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  old_status TEXT,
  new_status TEXT,
  reason     TEXT,  -- '', timeout, fail
  kind       TEXT NOT NULL,
  detail     TEXT,  -- JSON; null if the event has no data besides its kind
  PRIMARY KEY (check_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_by_age ON events (created_at);

-- Incidents. An incident lasts from the flip that took a check down to the flip that ended the outage: see src/domain/incident/. A check
-- has at most one open incident, which is its newest one. An incident is deleted together with the event that opened it. A flip writes one
-- incident and reads only the newest one. Besides the primary key, this table therefore has only two indexes: one for the loop, and one for
-- the few incidents whose alerts a silence holds back.
CREATE TABLE incidents (
  check_id         TEXT NOT NULL,
  n                INTEGER NOT NULL,  -- number of the event that opened the incident
  severity         TEXT NOT NULL,  -- warning, down; no CHECK in this table, so that a new value does not require rebuilding it
  opened_at        INTEGER NOT NULL,  -- when the check went down, according to the event that opened the incident
  resolved_at      INTEGER,  -- null while the incident is open
  last_n           INTEGER NOT NULL,  -- number of the newest event that belongs to the incident
  told             TEXT,  -- severity that channels were last alerted about; null if no alert was sent
  told_at          INTEGER,
  held_why         TEXT,  -- why no alert has been sent yet: silence or acknowledgement; null if the alert is not held back
  held_by          TEXT,  -- id of the silence that holds the alert back
  held_until       INTEGER,
  acked_at         INTEGER,  -- when a member acknowledged the incident; null if nobody has
  acked_by_kind    TEXT,
  acked_by_account TEXT,  -- null if an API key or a command acknowledged it
  acked_by_name    TEXT,
  acked_until      INTEGER,  -- null if the acknowledgement lasts until the check recovers
  acked_note       TEXT,
  acked_severity   TEXT,  -- the incident's severity when it was acknowledged
  next_look_at     INTEGER,  -- when the loop next examines the incident; null if it does not have to
  -- Increases with each write. The loop does not write its result if the incident has changed since the loop read it.
  revision         INTEGER NOT NULL,
  PRIMARY KEY (check_id, n),
  FOREIGN KEY (check_id, n) REFERENCES events (check_id, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX incidents_due ON incidents (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX incidents_held ON incidents (held_by) WHERE held_by IS NOT NULL;

-- Silences. While a silence is in effect, no alerts are sent about incidents of matching checks: see src/domain/silence/. A silence is kept
-- for three months after its end. A silence that was created through a ping URL is kept until another is created through the same URL. When
-- a flip is written, silences created by members are looked up by project, and the one created through the ping URL is looked up by check.
CREATE TABLE silences (
  id                 TEXT PRIMARY KEY,
  project_id         TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  checks             TEXT NOT NULL,  -- JSON list of check ids, one of which must match; [] for any check
  tags               TEXT NOT NULL,  -- JSON list of tags, all of which the check must have
  starts_at          INTEGER NOT NULL,
  ends_at            INTEGER NOT NULL,  -- updated if a user ends the silence early; 9007199254740991 if the silence repeats forever
  until_healthy      INTEGER NOT NULL,  -- 1 if a check's first success ends the silence for that check
  up_to              TEXT NOT NULL,  -- highest severity whose alerts the silence holds back
  reason             TEXT NOT NULL,
  created_at         INTEGER NOT NULL,
  created_by_kind    TEXT,  -- null if it was created through the check's ping URL
  created_by_account TEXT,
  created_by_name    TEXT,
  schedule           TEXT,  -- schedule on which a repeating silence's windows begin; null if the silence does not repeat
  tz                 TEXT,  -- time zone of the schedule
  duration_seconds   INTEGER  -- length of a window
) STRICT, WITHOUT ROWID;
CREATE INDEX silences_of_project ON silences (project_id, ends_at);
CREATE INDEX silences_of_people ON silences (project_id, ends_at) WHERE created_by_kind IS NOT NULL;
CREATE UNIQUE INDEX silences_of_ping_url ON silences (checks) WHERE created_by_kind IS NULL;
CREATE INDEX silences_by_age ON silences (ends_at);

CREATE TABLE channels (
  id              TEXT PRIMARY KEY,
  project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name            TEXT NOT NULL,
  kind            TEXT NOT NULL,
  settings        TEXT NOT NULL,  -- settings of this kind of channel, as JSON
  created_at      INTEGER NOT NULL,
  disabled_reason TEXT,
  last_error      TEXT,
  -- Host that receives the channel's messages. All deliveries to a host share a concurrency limit.
  host                TEXT NOT NULL DEFAULT '',
  -- 1 until the owner of the email address has agreed to receive alerts.
  awaits_confirmation INTEGER NOT NULL DEFAULT 0,
  quiet_schedule      TEXT,  -- schedule on which the channel's quiet hours begin; null if it has none
  quiet_tz            TEXT,  -- time zone of the schedule
  quiet_seconds       INTEGER,  -- length of the quiet hours
  quiet_up_to         TEXT  -- highest severity of the alerts that are held back until the quiet hours end
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channels_of_project ON channels (project_id, created_at);

CREATE TABLE check_channels (
  check_id   TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  channel_id TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX check_channels_by_channel ON check_channels (channel_id);

-- Alert deliveries. Each is written in the same transaction as its event. A delivery is claimed by moving next_attempt_at to the end of the
-- attempt's lease. A delivery that waits for an earlier delivery of the same check to the same channel has no next_attempt_at, so the loop
-- doesn't find it. The table is not WITHOUT ROWID because ids are random, so each row that a transaction inserts would be on a different
-- page.
CREATE TABLE deliveries (
  id              TEXT PRIMARY KEY,
  check_id        TEXT NOT NULL,
  event_n         INTEGER NOT NULL,
  channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  state           TEXT NOT NULL,  -- pending, sent, failed; no CHECK, so that a new state does not require rebuilding the table
  attempts        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  next_attempt_at INTEGER,
  ended_at        INTEGER,
  error           TEXT,
  held_until      INTEGER,  -- end of the quiet hours during which the delivery is or was held back
  FOREIGN KEY (check_id, event_n) REFERENCES events (check_id, n) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX deliveries_of_check ON deliveries (check_id, channel_id, event_n);
CREATE INDEX deliveries_by_event ON deliveries (check_id, event_n);
CREATE INDEX deliveries_of_channel ON deliveries (channel_id, state, created_at, id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
-- Each channel has its own queue, so that the loop can skip a long queue in one step. A finished delivery has no next_attempt_at.
CREATE INDEX deliveries_queued ON deliveries (channel_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- The newest finished attempts of each delivery, shown to users.
CREATE TABLE attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  n           INTEGER NOT NULL,  -- value of deliveries.attempts during this attempt
  created_at  INTEGER NOT NULL,  -- when the attempt began
  duration    INTEGER NOT NULL,
  error       TEXT,  -- null if the receiver accepted the message
  answer      TEXT,  -- the receiver's answer as JSON, without secrets; null if there was none or retention has removed it
  PRIMARY KEY (delivery_id, n)
) STRICT, WITHOUT ROWID;
-- Retention removes answers by age.
CREATE INDEX attempts_answered ON attempts (created_at) WHERE answer IS NOT NULL;

-- Reports and reminders that email channels send. A reminder has a due_at only while one of its project's checks is down. It is set and
-- cleared in the same transaction as the flip. Mailings are claimed like deliveries, by moving next_attempt_at to the end of the attempt's
-- lease.
CREATE TABLE mailings (
  channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL CHECK (kind IN ('report', 'reminder')),
  project_id      TEXT NOT NULL,  -- the channel's project
  period_seconds  INTEGER,  -- time between two reminders
  due_at          INTEGER,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER,
  error           TEXT,  -- error of the last attempt; null if there was none
  PRIMARY KEY (channel_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailings_due ON mailings (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX reminders_of_project ON mailings (project_id) WHERE kind = 'reminder';

-- When each account's next morning mail is due, for accounts that get one. Morning mails are claimed like mailings.
CREATE TABLE morning_mails (
  account_id      TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  due_at          INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  error           TEXT  -- error of the last attempt; null if there was none
) STRICT, WITHOUT ROWID;
CREATE INDEX morning_mails_due ON morning_mails (next_attempt_at);

-- Servers that use this database, with the time of their last heartbeat. A server removes its row when it stops. Rows of killed servers are
-- removed after a day.
CREATE TABLE instances (
  id          TEXT PRIMARY KEY,  -- id of one run of the program
  name        TEXT NOT NULL,
  version     TEXT NOT NULL,
  started_at  INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL,
  clock_ahead INTEGER NOT NULL,  -- how far the server's clock is ahead of the database's clock
  load        TEXT NOT NULL  -- the server's load figures, as JSON
) STRICT, WITHOUT ROWID;

-- Leases for periodic work that only one server does at a time.
CREATE TABLE leases (
  name    TEXT PRIMARY KEY,
  holder  TEXT NOT NULL,  -- id of the instance that has the lease
  ends_at INTEGER NOT NULL  -- according to the database's clock
) STRICT, WITHOUT ROWID;

-- Data for undoing a change to many checks, until the undo expires. Each transaction of the change has its own row.
CREATE TABLE undos (
  lookup     TEXT PRIMARY KEY,  -- SHA-256 of the token and the number of checks that earlier transactions changed
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  steps      TEXT NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;
CREATE INDEX undos_by_age ON undos (created_at);

-- Logs of checks that an import will create. Their entries are in pings and events, under the id of a check that does not exist yet. The
-- transaction that creates the checks removes these rows.
CREATE TABLE staged_logs (
  check_id     TEXT PRIMARY KEY,
  project_id   TEXT NOT NULL,  -- project to which the check will belong
  n_pings      INTEGER NOT NULL,  -- number of the newest ping
  last_ping_id INTEGER,  -- head of the check's chain in pings
  n_events     INTEGER NOT NULL,
  entries      INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,  -- total size of the log's bodies
  staged_at    INTEGER NOT NULL  -- when the log last grew
) STRICT, WITHOUT ROWID;
CREATE INDEX staged_logs_by_age ON staged_logs (staged_at);

-- Secrets of the servers from which projects were imported. These servers used the secrets to hash keys and to sign badges.
CREATE TABLE imported_secrets (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  secret     TEXT NOT NULL,
  PRIMARY KEY (project_id, secret)
) STRICT, WITHOUT ROWID;

-- Badge signatures that were published by a server whose secret is unknown.
CREATE TABLE imported_badges (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  tag        TEXT NOT NULL,
  signature  TEXT NOT NULL,
  PRIMARY KEY (project_id, tag, signature)
) STRICT, WITHOUT ROWID;

-- The public status pages of projects: see src/domain/status-page/.
CREATE TABLE status_pages (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  slug       TEXT NOT NULL,
  is_public  INTEGER NOT NULL,
  is_indexed INTEGER NOT NULL,  -- 0 if search engines are asked not to index the page
  title      TEXT NOT NULL,
  text       TEXT NOT NULL,
  tz         TEXT NOT NULL,
  sections   TEXT NOT NULL,  -- JSON with check ids; some of these checks may have been deleted or transferred
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX status_pages_by_slug ON status_pages (slug);
