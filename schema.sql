-- The data model of Overdue in one file. Instants and durations are in microseconds. Flags are 0 or 1. Ids are lower-case UUIDs created by
-- the program. The statements use only SQL that SQLite and PostgreSQL share, except for STRICT, WITHOUT ROWID, the names of types (an
-- INTEGER has 64 bits, a REAL is a double, a BLOB contains bytes), and the index of words.

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
  slug           TEXT NOT NULL DEFAULT '',  -- used in the URLs of its pages; does not change when the project is renamed
  search         INTEGER NOT NULL DEFAULT 1,  -- 0 if its pings are not searched
  -- Time when an import last added to this project. Until the import shows it, nothing else finds it, and its name, slug and badge key are
  -- placeholders. Null for a visible project.
  staged_at      INTEGER,
  tz             TEXT  -- time zone of the times in its alerts, except in emails, which have their own; null for the zone of each check
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX projects_by_slug ON projects (slug);

-- Accounts of users. Emails are in lower case.
CREATE TABLE accounts (
  id               TEXT PRIMARY KEY,
  email            TEXT NOT NULL UNIQUE,
  password_hash    TEXT,  -- argon2id in PHC format; null if the account has no password
  is_administrator INTEGER NOT NULL,
  tz               TEXT NOT NULL,
  theme            TEXT NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
  has_shortcuts    INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  is_suspended     INTEGER NOT NULL DEFAULT 0,  -- 1 if nobody may sign in with it
  totp_secret      TEXT,  -- secret of the authenticator app in base32; null if there is none
  totp_step        INTEGER,  -- time step of the last accepted code; this code and earlier ones are refused
  last_seen_at     INTEGER,  -- accurate to five minutes; null if never
  is_email_confirmed INTEGER NOT NULL DEFAULT 1,  -- 0 if the address may belong to someone other than the creator of the account
  morning_mail     TEXT CHECK (morning_mail IN ('always', 'trouble')),  -- null if the account gets no morning mail
  morning_hour     INTEGER,  -- hour of the day, in tz, at which the mail is sent; null if there is none
  list_rows        TEXT NOT NULL DEFAULT 'dense' CHECK (list_rows IN ('dense', 'roomy')),  -- height of the rows in the list of checks
  list_picture     TEXT NOT NULL DEFAULT 'runs' CHECK (list_picture IN ('runs', '24h'))  -- picture at the end of each row
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_project ON members (project_id, account_id);

-- Sessions of signed-in browsers, found by a hash of the cookie.
CREATE TABLE sessions (
  lookup       TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,  -- accurate to five minutes
  remote_addr  TEXT,
  ua           TEXT NOT NULL,
  method       TEXT NOT NULL DEFAULT '',  -- how the user signed in
  confirmed_at INTEGER  -- when the user last confirmed their identity in this session
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_age ON sessions (last_seen_at);

-- Tokens that can be used once until they expire. Links, invitations and challenges are found by a hash of their token. A challenge is
-- something that a browser has started and must finish within minutes, such as a second factor, a passkey or a sign-in at a provider.
-- Recovery codes are found by a hash of the code. An offer of ownership is found by the id of its project, which has at most one offer.
CREATE TABLE tokens (
  lookup     TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL,  -- no CHECK, so that a new purpose needs no new table
  -- Account that may use it; null if anyone who has it may use it, or the account is not known yet.
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,  -- project of an invitation or an offer
  made_by    TEXT REFERENCES accounts (id) ON DELETE CASCADE,  -- account that invites or offers; null for a command and for other tokens
  email      TEXT,  -- address to which it was mailed, which its use proves; null if it proves no address
  role       TEXT CHECK (role IN ('owner', 'manager', 'member', 'read-only')),  -- role that an invitation grants
  data       TEXT,  -- JSON with the data needed to finish a challenge
  created_at INTEGER,  -- project of an invitation or an offer
  expires_at INTEGER  -- null if it never expires, like a recovery code
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_age ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_of_account ON tokens (account_id, purpose) WHERE account_id IS NOT NULL;
CREATE INDEX tokens_of_project ON tokens (project_id, created_at) WHERE project_id IS NOT NULL;
CREATE INDEX tokens_of_maker ON tokens (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX tokens_of_email ON tokens (email) WHERE email IS NOT NULL;

CREATE TABLE passkeys (
  id           TEXT PRIMARY KEY,  -- id of the credential in base64url
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  public_key   TEXT NOT NULL,  -- COSE key in base64url
  counter      INTEGER NOT NULL,  -- last known signature counter
  transports   TEXT NOT NULL,  -- JSON
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at);

-- Identities of accounts at OpenID providers.
CREATE TABLE identities (
  issuer       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_of_account ON identities (account_id, created_at);

-- The audit log: who changed what, without secrets. A row is written in the transaction of its change. It stays when the objects that it
-- names are deleted, so there are no foreign keys.
CREATE TABLE audit (
  change_id    TEXT NOT NULL,
  n            INTEGER NOT NULL,  -- number of the row within its change
  created_at   INTEGER NOT NULL,
  author_kind  TEXT NOT NULL CHECK (author_kind IN ('person', 'key', 'command')),
  author_id    TEXT,  -- id of the account
  author_name  TEXT NOT NULL,  -- email of the account, or the first characters of the key
  remote_addr  TEXT,
  project_id   TEXT,
  action       TEXT NOT NULL,  -- no CHECK here and in subject_kind, so that a new kind of change needs no new table
  subject_kind TEXT NOT NULL,
  subject_id   TEXT NOT NULL,
  subject_name TEXT NOT NULL,
  old_values   TEXT,  -- JSON object; for an edit, only the values that changed
  new_values   TEXT,
  PRIMARY KEY (change_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_age ON audit (created_at);
CREATE INDEX audit_of_project ON audit (project_id, created_at);

-- Keys of projects. API keys are stored as keyed hashes, and ping keys as plain text.
CREATE TABLE keys (
  lookup     TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('read-write', 'read-only', 'ping')),
  hint       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  name       TEXT NOT NULL DEFAULT '',
  last_used_at INTEGER  -- last use of an API key, accurate to five minutes
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_of_project ON keys (project_id);

-- The settings and the status of a check. The columns that change with every ping are in counters. A ping writes to this table only if it
-- changes the status or moves the deadline to an earlier time. The columns that pings write have no CHECK, neither here nor in counters and
-- the log: comparing words for each ping takes a quarter of the store's time.
CREATE TABLE checks (
  id                  TEXT PRIMARY KEY,
  project_id          TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  status              TEXT NOT NULL,  -- new, up, down, paused
  n_events            INTEGER NOT NULL,  -- number of the newest event
  -- Time when the loop looks at the check. It is never later than the deadline and often earlier. A ping that moves the deadline to a later
  -- time doesn't change it. The loop moves it when it looks at the check.
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
  created_at          INTEGER NOT NULL,  -- distinct within a project, because checks are ordered by it
  slug                TEXT NOT NULL,
  name                TEXT NOT NULL,
  tags                TEXT NOT NULL,
  -- Set only by the deprecated subject_fail; an email without a keyword then counts as a success.
  mail_default_success INTEGER NOT NULL DEFAULT 0,
  counter_id          INTEGER NOT NULL DEFAULT 0,  -- id of the check's row in counters; negative while its project is staged
  public_id           TEXT NOT NULL DEFAULT '',  -- used in the URLs of its pages; gives no access
  "desc"              TEXT NOT NULL  -- any length, so it is the last column, except for columns that were added later
) STRICT;
CREATE UNIQUE INDEX checks_of_project ON checks (project_id, created_at);
CREATE UNIQUE INDEX checks_by_public_id ON checks (public_id);
CREATE INDEX checks_by_slug ON checks (project_id, slug);
CREATE INDEX checks_by_unique_key ON checks (unique_key);
CREATE INDEX checks_by_badge_key ON checks (badge_key);
CREATE INDEX checks_down ON checks (project_id, created_at) WHERE status = 'down';
-- The index contains the id because many checks may be due at once. Checks with similar ids are then judged together, and their events
-- share pages.
CREATE INDEX checks_due ON checks (alert_after, id) WHERE alert_after IS NOT NULL;

-- Which checks were pinged by slug, and with which ping key. Rows are not written together with the pings, so a crash may lose the newest
-- ones.
CREATE TABLE ping_key_uses (
  lookup   TEXT NOT NULL REFERENCES keys (lookup) ON DELETE CASCADE,
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  last_at  INTEGER NOT NULL,  -- accurate to five minutes
  PRIMARY KEY (lookup, check_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ping_key_uses_of_check ON ping_key_uses (check_id);

-- The columns of a check that change with every ping. The rows are small and in no index, so the pings of one commit share pages. A commit
-- writes complete pages, and its cost depends on their number.
CREATE TABLE counters (
  counter_id      INTEGER PRIMARY KEY,  -- one more than the highest id when the check is created
  n_pings         INTEGER NOT NULL,
  last_ping_id    INTEGER,  -- newest entry of the log, which is the head of the chain in pings
  last_ping_at    INTEGER,  -- time of the last success or failure
  last_success_at INTEGER,
  last_start_at   INTEGER,
  last_start_rid  TEXT,
  last_duration   INTEGER,
  spared_until    INTEGER,  -- after an outage of the server, the check is not down before this time
  runs            BLOB,  -- results of the last 30 runs, see src/domain/check/run-history.ts; null before the first run
  last_start_occurred_at INTEGER  -- when the run began, if the start at last_start_at arrived late; null otherwise
) STRICT;

-- The log of all checks, in the order of arrival. An insert touches only the last page. The entries of one check form a chain that begins
-- at counters.last_ping_id and continues through previous_id, so the log needs no index.
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
  dropped_bytes INTEGER, -- length of the body if it was dropped because of PING_LOG_BYTES
  content_type TEXT,     -- Content-Type of the body, if it is needed to decode the body
  ignored_by  TEXT,      -- if kind is ign, the rule that ignored the ping: pause, method, no-keyword
  occurred_at INTEGER    -- for a late ping, the time of the event according to the sender; null otherwise
) STRICT;

-- Bodies that are too long for one short transaction, for example those of emails. The table pings contains the beginning of such a body,
-- and body_pieces contains the rest. The rest is written before its ping, whose transaction sets check_id and n. Bodies from imports and
-- from earlier versions are stored completely in pings.
CREATE TABLE long_bodies (
  id         TEXT PRIMARY KEY,
  check_id   TEXT,     -- null while the ping is not written, and if it never is
  n          INTEGER,
  rest_bytes INTEGER NOT NULL,
  begun_at   INTEGER NOT NULL,
  UNIQUE (check_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE body_pieces (
  body_id TEXT NOT NULL REFERENCES long_bodies (id) ON DELETE CASCADE,
  piece   INTEGER NOT NULL,  -- 0 for the piece after the beginning
  bytes   BLOB NOT NULL,
  PRIMARY KEY (body_id, piece)
) STRICT;

-- Refused requests: their ping URL names a check but contains something that no check accepts, such as the exit status 3221225477. A loop
-- counts them here, and removes a row a day after its last request.
CREATE TABLE refused_signals (
  check_id  TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  n         INTEGER NOT NULL,
  last_tail TEXT NOT NULL,  -- the text after the check in the URL of the last request
  last_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_signals_by_age ON refused_signals (last_at);

-- Advice about how a check is monitored. A loop examines each check from time to time, and at once after a change that may affect its
-- advice.
CREATE TABLE advice (
  check_id   TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL,  -- project of the check
  look_after INTEGER NOT NULL,  -- 0 if a look is due at once
  looked_n   INTEGER NOT NULL,  -- n_pings of the check at the last look
  changed_at INTEGER NOT NULL,  -- when its period, schedule, time zone or grace time last changed
  kind       TEXT,  -- kind of the first advice that is not hidden; null if there is none
  variant    TEXT,
  since      INTEGER,  -- time since which that advice is given
  data       TEXT,  -- JSON of all advice, including hidden advice; null if there is none
  put_off    TEXT,  -- JSON of the hidden advice, and until when it is hidden; null if none is hidden
  fixed      TEXT  -- JSON of the last fix that a member has applied; null if there is none
) STRICT, WITHOUT ROWID;
CREATE INDEX advice_due ON advice (look_after);
CREATE INDEX advice_of_project ON advice (project_id, kind) WHERE data IS NOT NULL;
CREATE INDEX advice_fixed ON advice (project_id) WHERE fixed IS NOT NULL;

-- The runs of a check by day, because the log does not reach back as far. The loop that gives advice counts them. Rows are kept for 90
-- days.
CREATE TABLE check_days (
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  day      TEXT NOT NULL,  -- for example 2026-05-12, in the time zone of the check
  runs     INTEGER NOT NULL,
  failed   INTEGER NOT NULL,  -- number of these runs that failed
  missed   INTEGER NOT NULL,  -- number of runs that were expected on that day but did not happen
  first_at INTEGER,  -- when the first run began; null if there was no run
  last_at  INTEGER,
  longest  INTEGER,  -- null if unknown
  minutes  BLOB NOT NULL,  -- minutes of the day in which runs began, see src/domain/run/day-minutes.ts
  PRIMARY KEY (check_id, day)
) STRICT, WITHOUT ROWID;

-- The words of pings, for the search. The rowid is the ping's id. A loop adds rows. A row is removed in the transaction that removes its
-- ping or the body of its ping. Each word is prefixed with a scope (src/domain/search/scope.ts), so that a search reads nothing from other
-- projects. The program extracts the words, so that every engine finds the same pings, and the tokenizer only splits at blanks.
CREATE VIRTUAL TABLE ping_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
-- The loop merges the index in small steps. SQLite itself would merge it in a commit, which would then take long.
INSERT INTO ping_words (ping_words, rank) VALUES ('automerge', 0);

-- Log entries whose words must be indexed again, because their check was moved to another project, or the search of their project was
-- switched on or off. The position of the loop in the rest of the log is in settings.
CREATE TABLE unread_pings (
  id INTEGER PRIMARY KEY
) STRICT;

-- Checks whose entries are added to unread_pings next.
CREATE TABLE unread_checks (
  check_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Projects whose checks are added to unread_checks next.
CREATE TABLE unread_projects (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until INTEGER NOT NULL  -- checks created up to this instant are done; negative before the first
) STRICT, WITHOUT ROWID;

-- Checks whose log exceeds its limits. The retention loop will trim it.
CREATE TABLE overgrown_logs (
  check_id TEXT PRIMARY KEY,
  n        INTEGER NOT NULL DEFAULT 0  -- number of the ping that marked the log; a later ping marks it again
) STRICT, WITHOUT ROWID;

-- Projects whose limits were lowered. The retention loop trims the log of each of their checks.
CREATE TABLE overgrown_projects (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until INTEGER NOT NULL  -- checks created up to this instant are done; negative before the first
) STRICT, WITHOUT ROWID;

-- Deleted checks whose log, events and deliveries have not been removed yet. The retention loop removes them.
CREATE TABLE deleted_checks (
  check_id     TEXT PRIMARY KEY,
  last_ping_id INTEGER  -- head of the chain in pings
) STRICT, WITHOUT ROWID;

-- Cleared checks whose log, events and deliveries up to these numbers have not been removed yet. The retention loop removes them.
CREATE TABLE cleared_checks (
  check_id     TEXT NOT NULL,
  n_pings      INTEGER NOT NULL,
  last_ping_id INTEGER,  -- head of the chain in pings
  n_events     INTEGER NOT NULL,
  PRIMARY KEY (check_id, n_pings)
) STRICT, WITHOUT ROWID;

-- Durations of runs, counted in buckets. The ping that ends a run counts its duration.
CREATE TABLE run_durations (
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  bound    REAL NOT NULL,  -- upper bound of the bucket in seconds; infinite for the last bucket
  runs     INTEGER NOT NULL,
  total    INTEGER NOT NULL,
  PRIMARY KEY (check_id, bound)
) STRICT, WITHOUT ROWID;

-- What happened to each check apart from its pings, numbered. A flip, which changes the status of the check, is an event of the kind
-- 'flip'. Events of other kinds have no statuses and no reason, so a condition on these columns finds only flips. There is no CHECK, so
-- that a new kind or reason needs no new table. There is no foreign key, because a deleted check may leave thousands of events, which
-- deleted_checks records.
CREATE TABLE events (
  check_id   TEXT NOT NULL,
  n          INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  old_status TEXT,
  new_status TEXT,
  reason     TEXT,  -- '', timeout, fail
  kind       TEXT NOT NULL,
  detail     TEXT,  -- JSON; null if the kind says everything
  PRIMARY KEY (check_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_by_age ON events (created_at);

-- Incidents. An incident lasts from the flip that took a check down to the flip that ended this: see src/domain/incident/. A check has at
-- most one open incident, its newest one. An incident is deleted together with the event that opened it. A flip writes a row and reads only
-- the newest one. So the only indexes besides the key are the one of the loop and the one of the few incidents held by a silence.
CREATE TABLE incidents (
  check_id         TEXT NOT NULL,
  n                INTEGER NOT NULL,  -- number of the event that opened it
  severity         TEXT NOT NULL,  -- warning, down; no CHECK here and below, so that a new value needs no new table
  opened_at        INTEGER NOT NULL,  -- when the check went down, according to that event
  resolved_at      INTEGER,  -- null while it is open
  last_n           INTEGER NOT NULL,  -- number of the newest event that belongs to it
  told             TEXT,  -- severity about which channels were alerted; null if no alert was sent
  told_at          INTEGER,
  held_why         TEXT,  -- silence or acknowledgement: why no alert was sent yet; null if nothing holds the alert
  held_by          TEXT,  -- id of the silence
  held_until       INTEGER,
  acked_at         INTEGER,  -- time since which a member has acknowledged it; null if nobody has
  acked_by_kind    TEXT,
  acked_by_account TEXT,  -- null for an API key or a command
  acked_by_name    TEXT,
  acked_until      INTEGER,  -- null if it lasts until the check recovers
  acked_note       TEXT,
  acked_severity   TEXT,  -- severity at that time
  next_look_at     INTEGER,  -- when the loop next looks at it; null if no look is needed
  -- Increases with each write, so that a look is not written if the incident was changed in the meantime.
  revision         INTEGER NOT NULL,
  PRIMARY KEY (check_id, n),
  FOREIGN KEY (check_id, n) REFERENCES events (check_id, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX incidents_due ON incidents (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX incidents_held ON incidents (held_by) WHERE held_by IS NOT NULL;

-- Silences. No alerts are sent about incidents of the checks that a silence matches, until it ends: see src/domain/silence/. A silence is
-- kept for three months after its end. The silence of a ping URL is kept until the next one for the same check. A flip finds the silences
-- that members created by their project, and the silence of its ping URL by the check.
CREATE TABLE silences (
  id                 TEXT PRIMARY KEY,
  project_id         TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  checks             TEXT NOT NULL,  -- JSON list of check ids, one of which must match; [] for any check
  tags               TEXT NOT NULL,  -- JSON list of tags, all of which the check must have
  starts_at          INTEGER NOT NULL,
  ends_at            INTEGER NOT NULL,  -- changed when a user ends it early; 9007199254740991 if it repeats without an end
  until_healthy      INTEGER NOT NULL,  -- 1 if the first success of a check ends it for that check
  up_to              TEXT NOT NULL,  -- highest severity that it holds back
  reason             TEXT NOT NULL,
  created_at         INTEGER NOT NULL,
  created_by_kind    TEXT,  -- null for anyone who has the ping URL of its check
  created_by_account TEXT,
  created_by_name    TEXT,
  schedule           TEXT,  -- schedule at which each window of a repeating silence begins; null if it does not repeat
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
  settings        TEXT NOT NULL,  -- JSON
  created_at      INTEGER NOT NULL,
  disabled_reason TEXT,
  last_error      TEXT,
  -- Host that receives its messages. Deliveries to one host share a concurrency limit.
  host                TEXT NOT NULL DEFAULT '',
  -- 1 while the owner of the email address has not agreed to get alerts.
  awaits_confirmation INTEGER NOT NULL DEFAULT 0,
  quiet_schedule      TEXT,  -- schedule at which its quiet hours begin; null if it has none
  quiet_tz            TEXT,  -- time zone of the schedule
  quiet_seconds       INTEGER,  -- length of the quiet hours
  quiet_up_to         TEXT  -- highest severity of the alerts that wait for their end
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channels_of_project ON channels (project_id, created_at);

CREATE TABLE check_channels (
  check_id   TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  channel_id TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX check_channels_by_channel ON check_channels (channel_id);

-- Deliveries of alerts. They are written in one transaction with their event, and claimed by moving next_attempt_at ahead while an attempt
-- runs. If a delivery waits for an earlier one of the same check and channel, it has no next_attempt_at, so the loop doesn't find it. The
-- table is not WITHOUT ROWID: ids are random, so each row of a transaction would be on a different page.
CREATE TABLE deliveries (
  id              TEXT PRIMARY KEY,
  check_id        TEXT NOT NULL,
  event_n         INTEGER NOT NULL,
  channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  state           TEXT NOT NULL,  -- pending, sent, failed; no CHECK, so that a new state needs no new table
  attempts        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  next_attempt_at INTEGER,
  ended_at        INTEGER,
  error           TEXT,
  held_until      INTEGER,  -- end of the quiet hours for which it is waiting or has waited
  FOREIGN KEY (check_id, event_n) REFERENCES events (check_id, n) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX deliveries_of_check ON deliveries (check_id, channel_id, event_n);
CREATE INDEX deliveries_by_event ON deliveries (check_id, event_n);
CREATE INDEX deliveries_of_channel ON deliveries (channel_id, state, created_at, id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
-- Each channel has its own queue, so that a long queue is skipped in one step. A delivery that has ended has no next_attempt_at.
CREATE INDEX deliveries_queued ON deliveries (channel_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- The newest finished attempts of each delivery, for display.
CREATE TABLE attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  n           INTEGER NOT NULL,  -- deliveries.attempts during this attempt
  created_at  INTEGER NOT NULL,  -- when the attempt began
  duration    INTEGER NOT NULL,
  error       TEXT,  -- null if the receiver accepted the message
  answer      TEXT,  -- answer of the receiver as JSON, without secrets; null if there was none or retention has dropped it
  PRIMARY KEY (delivery_id, n)
) STRICT, WITHOUT ROWID;
-- Retention drops answers according to their age.
CREATE INDEX attempts_answered ON attempts (created_at) WHERE answer IS NOT NULL;

-- Reports and reminders that email channels send. A reminder has no due_at while no check of its project is down. Flips set and clear
-- due_at. Mailings are claimed like deliveries, by moving next_attempt_at to the end of the attempt's lease.
CREATE TABLE mailings (
  channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL CHECK (kind IN ('report', 'reminder')),
  project_id      TEXT NOT NULL,  -- project of the channel
  period_seconds  INTEGER,  -- time between two reminders
  due_at          INTEGER,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER,
  error           TEXT,  -- error of the last attempt
  PRIMARY KEY (channel_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailings_due ON mailings (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX reminders_of_project ON mailings (project_id) WHERE kind = 'reminder';

-- Due dates of the morning mails of accounts that get one. They are claimed like mailings.
CREATE TABLE morning_mails (
  account_id      TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  due_at          INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  error           TEXT  -- error of the last attempt
) STRICT, WITHOUT ROWID;
CREATE INDEX morning_mails_due ON morning_mails (next_attempt_at);

-- Servers that use this database, with their last heartbeat. A server removes its row when it stops. The rows of killed servers are removed
-- after a day.
CREATE TABLE instances (
  id          TEXT PRIMARY KEY,  -- id of one run of the program
  name        TEXT NOT NULL,
  version     TEXT NOT NULL,
  started_at  INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL,
  clock_ahead INTEGER NOT NULL,  -- how far its clock is ahead of the clock of the database
  load        TEXT NOT NULL  -- figures about its load, as JSON
) STRICT, WITHOUT ROWID;

-- Periodic work that only one server does at a time.
CREATE TABLE leases (
  name    TEXT PRIMARY KEY,
  holder  TEXT NOT NULL,  -- id of the instance
  ends_at INTEGER NOT NULL  -- by the clock of the database
) STRICT, WITHOUT ROWID;

-- Data with which a change of many checks can be undone until it expires. Each transaction of the change has a row.
CREATE TABLE undos (
  lookup     TEXT PRIMARY KEY,  -- SHA-256 of the token and the number of checks that were changed before these
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  steps      TEXT NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;
CREATE INDEX undos_by_age ON undos (created_at);

-- Logs of checks that an import will create. Their entries are in pings and events, under a check that does not exist yet. The transaction
-- that creates the checks removes these rows.
CREATE TABLE staged_logs (
  check_id     TEXT PRIMARY KEY,
  project_id   TEXT NOT NULL,  -- project to which the check will belong
  n_pings      INTEGER NOT NULL,  -- number of the newest ping
  last_ping_id INTEGER,  -- head of the chain in pings
  n_events     INTEGER NOT NULL,
  entries      INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,  -- total size of their bodies
  staged_at    INTEGER NOT NULL  -- when the log last grew
) STRICT, WITHOUT ROWID;
CREATE INDEX staged_logs_by_age ON staged_logs (staged_at);

-- Secrets of the servers from which projects were imported. Keys were hashed and badges were signed with them.
CREATE TABLE imported_secrets (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  secret     TEXT NOT NULL,
  PRIMARY KEY (project_id, secret)
) STRICT, WITHOUT ROWID;

-- Signatures of badges that were published by a server whose secret is unknown.
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
  is_indexed INTEGER NOT NULL,  -- 0 if search engines are asked to leave it out
  title      TEXT NOT NULL,
  text       TEXT NOT NULL,
  tz         TEXT NOT NULL,
  sections   TEXT NOT NULL,  -- JSON with ids of checks, some of which may have been deleted or transferred
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX status_pages_by_slug ON status_pages (slug);
