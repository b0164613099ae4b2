-- Overdue's data model on one page. Instants and durations are microseconds. Flags are 0 or 1. Ids are lower-case UUIDs
-- made by the program. The SQL uses words that SQLite and PostgreSQL share, except STRICT, WITHOUT ROWID,
-- the names of types (an INTEGER has 64 bits, a REAL is a double, a BLOB is bytes), and the index of words.

-- What the server needs to know about itself, such as its secret, or a fingerprint of SECRET_KEY.
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
  slug           TEXT NOT NULL DEFAULT '',  -- in the addresses of its pages; stays when the project is renamed
  search         INTEGER NOT NULL DEFAULT 1,  -- 0: what its pings brought is not searched
  staged_at      INTEGER,  -- when an import last added to this project, which nothing else finds yet: its name, slug and badge key are made up; null: it is there
  tz             TEXT  -- of the times in its alerts, but for emails, which have their own; null: that of each check
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX projects_by_slug ON projects (slug);

-- People. The email is in lower case.
CREATE TABLE accounts (
  id               TEXT PRIMARY KEY,
  email            TEXT NOT NULL UNIQUE,
  password_hash    TEXT,  -- argon2id in PHC format; null: no sign-in by password
  is_administrator INTEGER NOT NULL,
  tz               TEXT NOT NULL,
  theme            TEXT NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
  has_shortcuts    INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  is_suspended     INTEGER NOT NULL DEFAULT 0,  -- 1: nobody signs in with it
  totp_secret      TEXT,  -- of an authenticator app, in base32; null: there is none
  totp_step        INTEGER,  -- of the last code that was accepted: none up to it counts again
  last_seen_at     INTEGER,  -- exact to five minutes; null: never
  is_email_confirmed INTEGER NOT NULL DEFAULT 1,  -- 0: the creator of the account may have typed the address of somebody else
  morning_mail     TEXT CHECK (morning_mail IN ('always', 'trouble')),  -- null: none
  morning_hour     INTEGER,  -- of the day, in tz, at which it comes; null without one
  list_rows        TEXT NOT NULL DEFAULT 'dense' CHECK (list_rows IN ('dense', 'roomy')),  -- how high those of the list of checks are
  list_picture     TEXT NOT NULL DEFAULT 'runs' CHECK (list_picture IN ('runs', '24h'))  -- what they end with
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_project ON members (project_id, account_id);

-- Signed-in browsers, by a hash of the cookie.
CREATE TABLE sessions (
  lookup       TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,  -- exact to five minutes
  remote_addr  TEXT,
  ua           TEXT NOT NULL,
  method       TEXT NOT NULL DEFAULT '',  -- how it began
  confirmed_at INTEGER  -- when the person last proved who they are, within it
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_age ON sessions (last_seen_at);

-- What works once, until it expires. Links, invitations and challenges (what a browser has begun and must finish within minutes: a
-- second factor, a passkey, a sign-in elsewhere) are found by a hash of their token, recovery codes by a hash of the code, and an offer
-- of ownership, of which a project has one at most, by the id of its project.
CREATE TABLE tokens (
  lookup     TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL,  -- no CHECK, so that a new purpose needs no new table
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,  -- who may use it; null: anyone who has it, or nobody knows yet who it is
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,  -- of an invitation or an offer
  made_by    TEXT REFERENCES accounts (id) ON DELETE CASCADE,  -- who invites or offers; null: a command, or nobody
  email      TEXT,  -- to which it was mailed, so that it proves the address; null: it proves none
  role       TEXT CHECK (role IN ('owner', 'manager', 'member', 'read-only')),  -- that an invitation gives
  data       TEXT,  -- of a challenge: JSON of what is needed to finish it
  created_at INTEGER,  -- of an invitation or an offer
  expires_at INTEGER  -- null: never, as a recovery code
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_age ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_of_account ON tokens (account_id, purpose) WHERE account_id IS NOT NULL;
CREATE INDEX tokens_of_project ON tokens (project_id, created_at) WHERE project_id IS NOT NULL;
CREATE INDEX tokens_of_maker ON tokens (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX tokens_of_email ON tokens (email) WHERE email IS NOT NULL;

CREATE TABLE passkeys (
  id           TEXT PRIMARY KEY,  -- of the credential, in base64url
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  public_key   TEXT NOT NULL,  -- COSE, in base64url
  counter      INTEGER NOT NULL,  -- of signatures, as last seen
  transports   TEXT NOT NULL,  -- JSON
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at);

-- Who an account is at an OpenID provider.
CREATE TABLE identities (
  issuer       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_of_account ON identities (account_id, created_at);

-- Who changed what, without secrets. Rows are written in the transaction of their change, and stay when what they name is
-- deleted, so there are no foreign keys.
CREATE TABLE audit (
  change_id    TEXT NOT NULL,
  n            INTEGER NOT NULL,  -- a change may have several rows
  created_at   INTEGER NOT NULL,
  author_kind  TEXT NOT NULL CHECK (author_kind IN ('person', 'key', 'command')),
  author_id    TEXT,  -- the account
  author_name  TEXT NOT NULL,  -- its email, or the first characters of the key
  remote_addr  TEXT,
  project_id   TEXT,
  action       TEXT NOT NULL,  -- no CHECK here and in the next, so that a new kind of change needs no new table
  subject_kind TEXT NOT NULL,
  subject_id   TEXT NOT NULL,
  subject_name TEXT NOT NULL,
  old_values   TEXT,  -- a JSON object; of an edit, only what changed
  new_values   TEXT,
  PRIMARY KEY (change_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_age ON audit (created_at);
CREATE INDEX audit_of_project ON audit (project_id, created_at);

-- API keys are stored as keyed hashes, ping keys as they are.
CREATE TABLE keys (
  lookup     TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('read-write', 'read-only', 'ping')),
  hint       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  name       TEXT NOT NULL DEFAULT '',
  last_used_at INTEGER  -- of API keys, exact to five minutes
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_of_project ON keys (project_id);

-- The settings of a check and its status. What every ping changes is in counters. A ping writes here only if it
-- changes the status, or if the deadline comes nearer. Columns that pings write, here, in counters and in the log, have no
-- CHECK: comparing words for each ping takes a quarter of the store's time.
CREATE TABLE checks (
  id                  TEXT PRIMARY KEY,
  project_id          TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  status              TEXT NOT NULL,  -- new, up, down, paused
  n_events            INTEGER NOT NULL,  -- number of the newest event
  -- When the loop looks at the check. Never later than its deadline, often earlier: a ping that moves the deadline away
  -- doesn't change this, and the loop moves it on when it gets there.
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
  created_at          INTEGER NOT NULL,  -- distinct within a project, so it orders the checks
  slug                TEXT NOT NULL,
  name                TEXT NOT NULL,
  tags                TEXT NOT NULL,
  -- Set only by the deprecated subject_fail: an email without a keyword is a success.
  mail_default_success INTEGER NOT NULL DEFAULT 0,
  counter_id          INTEGER NOT NULL DEFAULT 0,  -- the check's row in counters; negative while its project is staged
  public_id           TEXT NOT NULL DEFAULT '',  -- in the addresses of its pages; allows nothing
  "desc"              TEXT NOT NULL  -- of any length: only columns that were added later follow
) STRICT;
CREATE UNIQUE INDEX checks_of_project ON checks (project_id, created_at);
CREATE UNIQUE INDEX checks_by_public_id ON checks (public_id);
CREATE INDEX checks_by_slug ON checks (project_id, slug);
CREATE INDEX checks_by_unique_key ON checks (unique_key);
CREATE INDEX checks_by_badge_key ON checks (badge_key);
CREATE INDEX checks_down ON checks (project_id, created_at) WHERE status = 'down';
-- With the id, because of many checks that are due at once those with near ids are judged together: their events share pages.
CREATE INDEX checks_due ON checks (alert_after, id) WHERE alert_after IS NOT NULL;

-- Which checks were pinged by their slug, with which ping key. Written beside the pings, so a crash may lose the newest.
CREATE TABLE ping_key_uses (
  lookup   TEXT NOT NULL REFERENCES keys (lookup) ON DELETE CASCADE,
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  last_at  INTEGER NOT NULL,  -- exact to five minutes
  PRIMARY KEY (lookup, check_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ping_key_uses_of_check ON ping_key_uses (check_id);

-- What every ping of a check changes. The rows are small and in no index, so the pings of one commit share
-- pages: a commit costs what it writes, and it writes whole pages.
CREATE TABLE counters (
  counter_id      INTEGER PRIMARY KEY,  -- one more than the highest when the check is created
  n_pings         INTEGER NOT NULL,
  last_ping_id    INTEGER,  -- the newest entry of the log: head of the chain in pings
  last_ping_at    INTEGER,  -- the last success or failure
  last_success_at INTEGER,
  last_start_at   INTEGER,
  last_start_rid  TEXT,
  last_duration   INTEGER,
  spared_until    INTEGER,  -- after an outage of our own: silence doesn't count before this
  runs            BLOB,  -- how the last 30 runs went, see src/domain/check/run-history.ts; null before the first
  last_start_occurred_at INTEGER  -- when the run began whose start came late at last_start_at; otherwise null
) STRICT;

-- The log of all checks, in order of arrival: an insert touches only the last page. The entries of one
-- check are a chain from counters.last_ping_id through previous_id, so the log needs no index.
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
  dropped_bytes INTEGER, -- length of a body that was dropped because of PING_LOG_BYTES
  content_type TEXT,     -- of the body, where it says how to read it
  ignored_by  TEXT,      -- pause, method, no-keyword: the rule, if kind is ign
  occurred_at INTEGER    -- of a late ping, as its sender said; null: it came when it happened
) STRICT;

-- Bodies that are too long for one short transaction, as those of emails may be: pings has their beginning, body_pieces the rest. It is
-- written before its ping, whose transaction sets check_id and n. Those of imports and of earlier versions are whole in pings.
CREATE TABLE long_bodies (
  id         TEXT PRIMARY KEY,
  check_id   TEXT,     -- null: the ping is not written yet, or never will be
  n          INTEGER,
  rest_bytes INTEGER NOT NULL,
  begun_at   INTEGER NOT NULL,
  UNIQUE (check_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE body_pieces (
  body_id TEXT NOT NULL REFERENCES long_bodies (id) ON DELETE CASCADE,
  piece   INTEGER NOT NULL,  -- 0 follows the beginning
  bytes   BLOB NOT NULL,
  PRIMARY KEY (body_id, piece)
) STRICT;

-- Requests whose ping URL names a check, but says what no check understands, such as the exit status 3221225477. A loop counts them
-- here, and removes a row a day after the last one.
CREATE TABLE refused_signals (
  check_id  TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  n         INTEGER NOT NULL,
  last_tail TEXT NOT NULL,  -- what stood behind the address of the check
  last_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_signals_by_age ON refused_signals (last_at);

-- What does not fit about the watching of a check. A loop looks at each check now and then, and at once after what may have changed it.
CREATE TABLE advice (
  check_id   TEXT PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL,  -- the check's
  look_after INTEGER NOT NULL,  -- 0: at once
  looked_n   INTEGER NOT NULL,  -- the check's n_pings at the last look
  changed_at INTEGER NOT NULL,  -- when its period, schedule, zone or grace time last changed
  kind       TEXT,  -- of the first advice that nobody has put off; null: there is none
  variant    TEXT,
  since      INTEGER,  -- since when that one is given
  data       TEXT,  -- JSON: all advice, with what is put off; null: none
  put_off    TEXT,  -- JSON: what nobody wants to hear of now, and until when; null: nothing
  fixed      TEXT  -- JSON: the last fix that somebody has taken over; null: none
) STRICT, WITHOUT ROWID;
CREATE INDEX advice_due ON advice (look_after);
CREATE INDEX advice_of_project ON advice (project_id, kind) WHERE data IS NOT NULL;
CREATE INDEX advice_fixed ON advice (project_id) WHERE fixed IS NOT NULL;

-- The runs of a check by day, counted by the same loop: the log is shorter. Kept for 90 days.
CREATE TABLE check_days (
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  day      TEXT NOT NULL,  -- as 2026-05-12, in the zone of the check
  runs     INTEGER NOT NULL,
  failed   INTEGER NOT NULL,  -- of these
  missed   INTEGER NOT NULL,  -- expected on that day, and did not come
  first_at INTEGER,  -- when the first began; null without a run
  last_at  INTEGER,
  longest  INTEGER,  -- null: unknown
  minutes  BLOB NOT NULL,  -- of the day, in which runs began: see src/domain/run/day-minutes.ts
  PRIMARY KEY (check_id, day)
) STRICT, WITHOUT ROWID;

-- The words that pings brought, for the search; the rowid is the ping's id. A loop adds rows. A row leaves in the transaction in
-- which its ping or the body of its ping leaves. Each word has a scope before it (src/domain/search/scope.ts), so that a search
-- reads nothing of other projects. The words are made by the program, so that every engine finds the same: the tokenizer only
-- splits at blanks.
CREATE VIRTUAL TABLE ping_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
-- The loop merges what it has written, in steps; SQLite itself would do that in a commit, and take long.
INSERT INTO ping_words (ping_words, rank) VALUES ('automerge', 0);

-- Entries of the log whose words must be read again: their check came to another project, or its project was switched.
-- How far the loop has read the others is in settings.
CREATE TABLE unread_pings (
  id INTEGER PRIMARY KEY
) STRICT;

-- Checks whose entries come into unread_pings next.
CREATE TABLE unread_checks (
  check_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Projects whose checks come into unread_checks next.
CREATE TABLE unread_projects (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until INTEGER NOT NULL  -- checks created up to this instant are done; negative before the first
) STRICT, WITHOUT ROWID;

-- Checks whose log exceeds its limits and waits for the retention loop.
CREATE TABLE overgrown_logs (
  check_id TEXT PRIMARY KEY,
  n        INTEGER NOT NULL DEFAULT 0  -- the ping that marked it; a later one marks it again
) STRICT, WITHOUT ROWID;

-- Projects whose limits were lowered: the retention loop shortens the log of each of their checks.
CREATE TABLE overgrown_projects (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until INTEGER NOT NULL  -- checks created up to this instant are done; negative before the first
) STRICT, WITHOUT ROWID;

-- Deleted checks whose log, events and deliveries the retention loop must still remove.
CREATE TABLE deleted_checks (
  check_id     TEXT PRIMARY KEY,
  last_ping_id INTEGER  -- head of the chain in pings
) STRICT, WITHOUT ROWID;

-- Checks that were cleared: the retention loop must still remove their log, events and deliveries up to these numbers.
CREATE TABLE cleared_checks (
  check_id     TEXT NOT NULL,
  n_pings      INTEGER NOT NULL,
  last_ping_id INTEGER,  -- head of the chain in pings
  n_events     INTEGER NOT NULL,
  PRIMARY KEY (check_id, n_pings)
) STRICT, WITHOUT ROWID;

-- How long runs took, in buckets. The ping that ends a run counts it.
CREATE TABLE run_durations (
  check_id TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  bound    REAL NOT NULL,  -- the longest run of the bucket, in seconds; infinite for the last bucket
  runs     INTEGER NOT NULL,
  total    INTEGER NOT NULL,
  PRIMARY KEY (check_id, bound)
) STRICT, WITHOUT ROWID;

-- What happened to each check besides its pings, numbered: a flip, which changes its status, is an event of the kind 'flip'. Events of
-- other kinds have no statuses and no reason, so that a condition on these finds flips only. No CHECK, so that a new kind or reason
-- needs no new table. No foreign key: a deleted check may leave thousands of events, and deleted_checks remembers them.
CREATE TABLE events (
  check_id   TEXT NOT NULL,
  n          INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  old_status TEXT,
  new_status TEXT,
  reason     TEXT,  -- '', timeout, fail
  kind       TEXT NOT NULL,
  detail     TEXT,  -- JSON; null: the kind says all
  PRIMARY KEY (check_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_by_age ON events (created_at);

-- The stretches of events from the flip that took a check down to the one that ended that: see src/domain/incident/. A check has one that is
-- open at most, its newest. One leaves with the event that opened it. A flip writes a row here and looks at none but the newest, so there is
-- no index but the key, that of the loop, and that of the few which a silence holds.
CREATE TABLE incidents (
  check_id         TEXT NOT NULL,
  n                INTEGER NOT NULL,  -- number of the event that opened it
  severity         TEXT NOT NULL,  -- warning, down; no CHECK here and below, so that a new word needs no new table
  opened_at        INTEGER NOT NULL,  -- when the check went down, by that event
  resolved_at      INTEGER,  -- null: it is open
  last_n           INTEGER NOT NULL,  -- number of the newest event that belongs to it
  told             TEXT,  -- the severity that channels have been told of; null: nobody has been told
  told_at          INTEGER,
  held_why         TEXT,  -- silence, acknowledgement: why nobody has been told yet; null: nothing holds that
  held_by          TEXT,  -- the silence
  held_until       INTEGER,
  acked_at         INTEGER,  -- since when somebody is on it; null: nobody is
  acked_by_kind    TEXT,
  acked_by_account TEXT,  -- null for a key or a command
  acked_by_name    TEXT,
  acked_until      INTEGER,  -- null: until the check recovers
  acked_note       TEXT,
  acked_severity   TEXT,  -- what it was then
  next_look_at     INTEGER,  -- when the loop looks at it; null: nothing can come
  revision         INTEGER NOT NULL,  -- grows with each write: who looks at it writes only what nobody has changed since
  PRIMARY KEY (check_id, n),
  FOREIGN KEY (check_id, n) REFERENCES events (check_id, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX incidents_due ON incidents (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX incidents_held ON incidents (held_by) WHERE held_by IS NOT NULL;

-- For which checks nobody is told of incidents, and until when: see src/domain/silence/. They stay for three months after their end;
-- that of a ping URL, until the next one of its check. A flip reads those of people by project, and that of its ping URL by its check.
CREATE TABLE silences (
  id                 TEXT PRIMARY KEY,
  project_id         TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  checks             TEXT NOT NULL,  -- JSON: ids, of which a check has one; []: any check
  tags               TEXT NOT NULL,  -- JSON: a check has all of them
  starts_at          INTEGER NOT NULL,
  ends_at            INTEGER NOT NULL,  -- moved when somebody ends it earlier; 9007199254740991: it comes again without an end
  until_healthy      INTEGER NOT NULL,  -- 1: the first success of a check ends it for that check
  up_to              TEXT NOT NULL,  -- the severity up to which it holds
  reason             TEXT NOT NULL,
  created_at         INTEGER NOT NULL,
  created_by_kind    TEXT,  -- null: anyone who has the ping URL of its check
  created_by_account TEXT,
  created_by_name    TEXT,
  schedule           TEXT,  -- of one that comes again: when each window begins; null: it holds from its start to its end
  tz                 TEXT,  -- the zone of the schedule
  duration_seconds   INTEGER  -- from the beginning of a window to its end
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
  -- Where its messages go: deliveries to one host share a concurrency limit.
  host                TEXT NOT NULL DEFAULT '',
  -- 1: the owner of the email address has not agreed yet.
  awaits_confirmation INTEGER NOT NULL DEFAULT 0,
  quiet_schedule      TEXT,  -- when its quiet hours begin; null: it has none
  quiet_tz            TEXT,  -- the zone of the schedule
  quiet_seconds       INTEGER,  -- from their beginning to their end
  quiet_up_to         TEXT  -- the severity up to which alerts wait for their end
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channels_of_project ON channels (project_id, created_at);

CREATE TABLE check_channels (
  check_id   TEXT NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  channel_id TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX check_channels_by_channel ON check_channels (channel_id);

-- Alerts that are owed. Written in one transaction with their event. Claimed by moving next_attempt_at ahead while the attempt
-- runs. A delivery behind an earlier one of the same check and channel has no next_attempt_at, so the loop doesn't find it.
-- Not WITHOUT ROWID: the ids are random, and the rows of one transaction would be on as many pages.
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
  held_until      INTEGER,  -- the end of the quiet hours for which it waits or has waited
  FOREIGN KEY (check_id, event_n) REFERENCES events (check_id, n) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX deliveries_of_check ON deliveries (check_id, channel_id, event_n);
CREATE INDEX deliveries_by_event ON deliveries (check_id, event_n);
CREATE INDEX deliveries_of_channel ON deliveries (channel_id, state, created_at, id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
-- One queue for each channel, so that a long one is skipped in one step. A delivery that has ended has no next_attempt_at.
CREATE INDEX deliveries_queued ON deliveries (channel_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- The newest attempts of each delivery that have ended, for people.
CREATE TABLE attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  n           INTEGER NOT NULL,  -- deliveries.attempts while it ran
  created_at  INTEGER NOT NULL,  -- when it began
  duration    INTEGER NOT NULL,
  error       TEXT,  -- null: the receiver accepted the message
  answer      TEXT,  -- of the receiver, as JSON without secrets; null: there was none, or retention has dropped it
  PRIMARY KEY (delivery_id, n)
) STRICT, WITHOUT ROWID;
-- Retention drops answers by their age.
CREATE INDEX attempts_answered ON attempts (created_at) WHERE answer IS NOT NULL;

-- The reports and reminders that email channels ask for. A reminder has no due_at while nothing in its project is down;
-- flips set and clear it. Claimed like deliveries, by moving next_attempt_at past the attempt.
CREATE TABLE mailings (
  channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL CHECK (kind IN ('report', 'reminder')),
  project_id      TEXT NOT NULL,  -- the channel's
  period_seconds  INTEGER,  -- from a reminder to the next
  due_at          INTEGER,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER,
  error           TEXT,  -- of the last attempt
  PRIMARY KEY (channel_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailings_due ON mailings (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX reminders_of_project ON mailings (project_id) WHERE kind = 'reminder';

-- When the morning mail of each account that wants one is due. Claimed like mailings.
CREATE TABLE morning_mails (
  account_id      TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  due_at          INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  error           TEXT  -- of the last attempt
) STRICT, WITHOUT ROWID;
CREATE INDEX morning_mails_due ON morning_mails (next_attempt_at);

-- Servers that use this database, each with its last sign of life. One that stops removes its row; rows of those that were killed are
-- removed after a day.
CREATE TABLE instances (
  id          TEXT PRIMARY KEY,  -- of one run of the program
  name        TEXT NOT NULL,
  version     TEXT NOT NULL,
  started_at  INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL,
  clock_ahead INTEGER NOT NULL,  -- how much later its clock is than that of the database
  load        TEXT NOT NULL  -- figures as JSON
) STRICT, WITHOUT ROWID;

-- Periodic work that one server does at a time.
CREATE TABLE leases (
  name    TEXT PRIMARY KEY,
  holder  TEXT NOT NULL,  -- id of the instance
  ends_at INTEGER NOT NULL  -- by the clock of the database
) STRICT, WITHOUT ROWID;

-- How a change of many checks is undone, until it expires: a row for each of its transactions.
CREATE TABLE undos (
  lookup     TEXT PRIMARY KEY,  -- SHA-256 of the token, and the number of checks that were changed before these
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  steps      TEXT NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;
CREATE INDEX undos_by_age ON undos (created_at);

-- Logs of checks that an import will make: their entries are in pings and events, under a check that does not exist yet. The
-- transaction that makes the checks removes these rows.
CREATE TABLE staged_logs (
  check_id     TEXT PRIMARY KEY,
  project_id   TEXT NOT NULL,  -- that the check will belong to
  n_pings      INTEGER NOT NULL,  -- number of the newest ping
  last_ping_id INTEGER,  -- head of the chain in pings
  n_events     INTEGER NOT NULL,
  entries      INTEGER NOT NULL,
  bytes        INTEGER NOT NULL,  -- of their bodies
  staged_at    INTEGER NOT NULL  -- when it grew last
) STRICT, WITHOUT ROWID;
CREATE INDEX staged_logs_by_age ON staged_logs (staged_at);

-- The secrets of servers that projects came from, with which their keys were hashed and their badges signed.
CREATE TABLE imported_secrets (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  secret     TEXT NOT NULL,
  PRIMARY KEY (project_id, secret)
) STRICT, WITHOUT ROWID;

-- Signatures of badges that were published by a server whose secret is not known.
CREATE TABLE imported_badges (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  tag        TEXT NOT NULL,
  signature  TEXT NOT NULL,
  PRIMARY KEY (project_id, tag, signature)
) STRICT, WITHOUT ROWID;

-- What a project shows to everybody: see src/domain/status-page/.
CREATE TABLE status_pages (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  slug       TEXT NOT NULL,
  is_public  INTEGER NOT NULL,
  is_indexed INTEGER NOT NULL,  -- 0: search engines are asked to leave it out
  title      TEXT NOT NULL,
  text       TEXT NOT NULL,
  tz         TEXT NOT NULL,
  sections   TEXT NOT NULL,  -- JSON, with ids of checks, which may be deleted or transferred since
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX status_pages_by_slug ON status_pages (slug);
