-- The data model for PostgreSQL. `schema.sql` in the root directory describes every table and column. This file explains only the
-- differences, and a test ensures that the two files are otherwise equal. Numbers are bigint, because durations in microseconds need it.
-- Strings are sorted by code point, as in SQLite, regardless of the database's collation.

CREATE TABLE settings (
  name  text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

CREATE TABLE projects (
  id             text COLLATE "C" PRIMARY KEY,
  name           text COLLATE "C" NOT NULL,
  badge_key      text COLLATE "C" NOT NULL UNIQUE,
  ping_log_limit bigint NOT NULL,
  created_at     bigint NOT NULL,
  slug           text COLLATE "C" NOT NULL DEFAULT '',
  search         bigint NOT NULL DEFAULT 1,
  staged_at      bigint,
  tz             text COLLATE "C"
);
CREATE UNIQUE INDEX projects_by_slug ON projects (slug);

CREATE TABLE accounts (
  id               text COLLATE "C" PRIMARY KEY,
  email            text COLLATE "C" NOT NULL UNIQUE,
  password_hash    text COLLATE "C",
  is_administrator bigint NOT NULL,
  tz               text COLLATE "C" NOT NULL,
  theme            text COLLATE "C" NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
  has_shortcuts    bigint NOT NULL,
  created_at       bigint NOT NULL,
  is_suspended     bigint NOT NULL DEFAULT 0,
  totp_secret      text COLLATE "C",
  totp_step        bigint,
  last_seen_at     bigint,
  is_email_confirmed bigint NOT NULL DEFAULT 1,
  morning_mail     text COLLATE "C" CHECK (morning_mail IN ('always', 'trouble')),
  morning_hour     bigint,
  list_rows        text COLLATE "C" NOT NULL DEFAULT 'dense' CHECK (list_rows IN ('dense', 'roomy')),
  list_picture     text COLLATE "C" NOT NULL DEFAULT 'runs' CHECK (list_picture IN ('runs', '24h'))
);

CREATE TABLE members (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  role       text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'manager', 'member', 'read-only')),
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, project_id)
);
CREATE INDEX members_of_project ON members (project_id, account_id);

CREATE TABLE sessions (
  lookup       text COLLATE "C" PRIMARY KEY,
  account_id   text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at   bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  remote_addr  text COLLATE "C",
  ua           text COLLATE "C" NOT NULL,
  method       text COLLATE "C" NOT NULL DEFAULT '',
  confirmed_at bigint
);
CREATE INDEX sessions_of_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_age ON sessions (last_seen_at);

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
);
CREATE INDEX tokens_by_age ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_of_account ON tokens (account_id, purpose) WHERE account_id IS NOT NULL;
CREATE INDEX tokens_of_project ON tokens (project_id, created_at) WHERE project_id IS NOT NULL;
CREATE INDEX tokens_of_maker ON tokens (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX tokens_of_email ON tokens (email) WHERE email IS NOT NULL;

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

CREATE TABLE audit (
  change_id    text COLLATE "C" NOT NULL,
  n            bigint NOT NULL,
  created_at   bigint NOT NULL,
  author_kind  text COLLATE "C" NOT NULL CHECK (author_kind IN ('person', 'key', 'command')),
  author_id    text COLLATE "C",
  author_name  text COLLATE "C" NOT NULL,
  remote_addr  text COLLATE "C",
  project_id   text COLLATE "C",
  action       text COLLATE "C" NOT NULL,
  subject_kind text COLLATE "C" NOT NULL,
  subject_id   text COLLATE "C" NOT NULL,
  subject_name text COLLATE "C" NOT NULL,
  old_values   text COLLATE "C",
  new_values   text COLLATE "C",
  PRIMARY KEY (change_id, n)
);
CREATE INDEX audit_by_age ON audit (created_at);
CREATE INDEX audit_of_project ON audit (project_id, created_at);

CREATE TABLE keys (
  lookup     text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind       text COLLATE "C" NOT NULL CHECK (kind IN ('read-write', 'read-only', 'ping')),
  hint       text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  name       text COLLATE "C" NOT NULL DEFAULT '',
  last_used_at bigint
);
CREATE INDEX keys_of_project ON keys (project_id);

CREATE TABLE checks (
  id                  text COLLATE "C" PRIMARY KEY,
  project_id          text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  status              text COLLATE "C" NOT NULL,
  n_events            bigint NOT NULL,
  alert_after         bigint,
  kind                text COLLATE "C" NOT NULL CHECK (kind IN ('simple', 'cron', 'oncalendar')),
  timeout_seconds     bigint NOT NULL,
  grace_seconds       bigint NOT NULL,
  schedule            text COLLATE "C" NOT NULL,
  tz                  text COLLATE "C" NOT NULL,
  manual_resume       bigint NOT NULL,
  methods             text COLLATE "C" NOT NULL,
  filter_subject      bigint NOT NULL,
  filter_body         bigint NOT NULL,
  filter_http_body    bigint NOT NULL,
  filter_default_fail bigint NOT NULL,
  start_kw            text COLLATE "C" NOT NULL,
  success_kw          text COLLATE "C" NOT NULL,
  failure_kw          text COLLATE "C" NOT NULL,
  badge_key           text COLLATE "C" NOT NULL,
  unique_key          text COLLATE "C" NOT NULL,
  created_at          bigint NOT NULL,
  slug                text COLLATE "C" NOT NULL,
  name                text COLLATE "C" NOT NULL,
  tags                text COLLATE "C" NOT NULL,
  mail_default_success bigint NOT NULL DEFAULT 0,
  counter_id          bigint NOT NULL DEFAULT 0,
  public_id           text COLLATE "C" NOT NULL DEFAULT '',
  "desc"              text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX checks_of_project ON checks (project_id, created_at);
CREATE UNIQUE INDEX checks_by_public_id ON checks (public_id);
CREATE INDEX checks_by_slug ON checks (project_id, slug);
CREATE INDEX checks_by_unique_key ON checks (unique_key);
CREATE INDEX checks_by_badge_key ON checks (badge_key);
CREATE INDEX checks_down ON checks (project_id, created_at) WHERE status = 'down';
CREATE INDEX checks_due ON checks (alert_after, id) WHERE alert_after IS NOT NULL;

CREATE TABLE ping_key_uses (
  lookup   text COLLATE "C" NOT NULL REFERENCES keys (lookup) ON DELETE CASCADE,
  check_id text COLLATE "C" NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  last_at  bigint NOT NULL,
  PRIMARY KEY (lookup, check_id)
);
CREATE INDEX ping_key_uses_of_check ON ping_key_uses (check_id);

-- Half of each page stays free, so that a ping can write the new row next to the old one, and vacuuming needs no other page. These rows
-- change more often than all other rows combined.
CREATE TABLE counters (
  counter_id      bigint PRIMARY KEY,
  n_pings         bigint NOT NULL,
  last_ping_at    bigint,
  last_success_at bigint,
  last_start_at   bigint,
  last_start_rid  text COLLATE "C",
  last_duration   bigint,
  spared_until    bigint,
  runs            bytea,
  last_start_occurred_at bigint
) WITH (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_cost_delay = 0
);

-- Log entries are looked up by their key. PostgreSQL does not store tables in key order, so following a chain would read a page for each
-- entry. Only the search uses ids, and ids are never reused.
CREATE TABLE pings (
  id          bigint NOT NULL UNIQUE,
  check_id    text COLLATE "C" NOT NULL,
  n           bigint NOT NULL,
  received_at bigint NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  exit_status bigint,
  rid         text COLLATE "C",
  scheme      text COLLATE "C" NOT NULL,
  method      text COLLATE "C" NOT NULL,
  ua          text COLLATE "C" NOT NULL,
  remote_addr text COLLATE "C",
  body        bytea,
  dropped_bytes bigint,
  content_type text COLLATE "C",
  ignored_by  text COLLATE "C",
  occurred_at bigint,
  PRIMARY KEY (check_id, n)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
-- Bodies are stored uncompressed, so that the beginning of a long body can be read without reading the rest.
ALTER TABLE pings ALTER COLUMN body SET STORAGE EXTERNAL;
-- Each batch of pings takes one number from the sequence. The batch's ids begin with this number and end before the next number. Sequence
-- numbers are not cached, because a number must not be older than the transaction that uses it (see settled-ids.ts).
CREATE SEQUENCE ping_ids INCREMENT BY 4096 NO CYCLE CACHE 1;

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
);

CREATE TABLE refused_signals (
  check_id  text COLLATE "C" PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  n         bigint NOT NULL,
  last_tail text COLLATE "C" NOT NULL,
  last_at   bigint NOT NULL
);
CREATE INDEX refused_signals_by_age ON refused_signals (last_at);

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
CREATE INDEX advice_due ON advice (look_after);
CREATE INDEX advice_of_project ON advice (project_id, kind) WHERE data IS NOT NULL;
CREATE INDEX advice_fixed ON advice (project_id) WHERE fixed IS NOT NULL;

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
);

-- Each ping's words in their original order, separated by spaces.
CREATE TABLE ping_words (
  id    bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL
);
-- fastupdate is off, because it would defer the indexing work to a search or a later write.
CREATE INDEX ping_words_by_word ON ping_words USING gin (array_to_tsvector(string_to_array(words, ' ')))
  WITH (fastupdate = off);

CREATE TABLE unread_pings (
  id bigint PRIMARY KEY
);

CREATE TABLE unread_checks (
  check_id text COLLATE "C" PRIMARY KEY
);

CREATE TABLE unread_projects (
  project_id text COLLATE "C" PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until bigint NOT NULL
);

CREATE TABLE overgrown_logs (
  check_id text COLLATE "C" PRIMARY KEY,
  n        bigint NOT NULL DEFAULT 0
);

CREATE TABLE overgrown_projects (
  project_id text COLLATE "C" PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  done_until bigint NOT NULL
);

CREATE TABLE deleted_checks (
  check_id text COLLATE "C" PRIMARY KEY
);

CREATE TABLE cleared_checks (
  check_id text COLLATE "C" NOT NULL,
  n_pings  bigint NOT NULL,
  n_events  bigint NOT NULL,
  PRIMARY KEY (check_id, n_pings)
);

CREATE TABLE run_durations (
  check_id text COLLATE "C" NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  bound    double precision NOT NULL,
  runs     bigint NOT NULL,
  total    bigint NOT NULL,
  PRIMARY KEY (check_id, bound)
);

CREATE TABLE events (
  check_id   text COLLATE "C" NOT NULL,
  n          bigint NOT NULL,
  created_at bigint NOT NULL,
  old_status text COLLATE "C",
  new_status text COLLATE "C",
  reason     text COLLATE "C",
  kind       text COLLATE "C" NOT NULL,
  detail     text COLLATE "C",
  PRIMARY KEY (check_id, n)
);
CREATE INDEX events_by_age ON events (created_at);

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
CREATE INDEX incidents_due ON incidents (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX incidents_held ON incidents (held_by) WHERE held_by IS NOT NULL;

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
);
CREATE INDEX silences_of_project ON silences (project_id, ends_at);
CREATE INDEX silences_of_people ON silences (project_id, ends_at) WHERE created_by_kind IS NOT NULL;
CREATE UNIQUE INDEX silences_of_ping_url ON silences (checks) WHERE created_by_kind IS NULL;
CREATE INDEX silences_by_age ON silences (ends_at);

CREATE TABLE channels (
  id              text COLLATE "C" PRIMARY KEY,
  project_id      text COLLATE "C" NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name            text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  settings        text COLLATE "C" NOT NULL,
  created_at      bigint NOT NULL,
  disabled_reason text COLLATE "C",
  last_error      text COLLATE "C",
  host                text COLLATE "C" NOT NULL DEFAULT '',
  awaits_confirmation bigint NOT NULL DEFAULT 0,
  quiet_schedule      text COLLATE "C",
  quiet_tz            text COLLATE "C",
  quiet_seconds       bigint,
  quiet_up_to         text COLLATE "C"
);
CREATE UNIQUE INDEX channels_of_project ON channels (project_id, created_at);

CREATE TABLE check_channels (
  check_id   text COLLATE "C" NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  channel_id text COLLATE "C" NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, channel_id)
);
CREATE INDEX check_channels_by_channel ON check_channels (channel_id);

CREATE TABLE deliveries (
  id              text COLLATE "C" PRIMARY KEY,
  check_id        text COLLATE "C" NOT NULL,
  event_n         bigint NOT NULL,
  channel_id      text COLLATE "C" NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  state           text COLLATE "C" NOT NULL,
  attempts        bigint NOT NULL,
  created_at      bigint NOT NULL,
  next_attempt_at bigint,
  ended_at        bigint,
  error           text COLLATE "C",
  held_until      bigint,
  FOREIGN KEY (check_id, event_n) REFERENCES events (check_id, n) ON DELETE CASCADE
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE UNIQUE INDEX deliveries_of_check ON deliveries (check_id, channel_id, event_n);
CREATE INDEX deliveries_by_event ON deliveries (check_id, event_n);
CREATE INDEX deliveries_of_channel ON deliveries (channel_id, state, created_at, id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_queued ON deliveries (channel_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE TABLE attempts (
  delivery_id text COLLATE "C" NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  n           bigint NOT NULL,
  created_at  bigint NOT NULL,
  duration    bigint NOT NULL,
  error       text COLLATE "C",
  answer      text COLLATE "C",
  PRIMARY KEY (delivery_id, n)
);
CREATE INDEX attempts_answered ON attempts (created_at) WHERE answer IS NOT NULL;

CREATE TABLE mailings (
  channel_id      text COLLATE "C" NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  kind            text COLLATE "C" NOT NULL CHECK (kind IN ('report', 'reminder')),
  project_id      text COLLATE "C" NOT NULL,
  period_seconds  bigint,
  due_at          bigint,
  attempts        bigint NOT NULL,
  next_attempt_at bigint,
  error           text COLLATE "C",
  PRIMARY KEY (channel_id, kind)
);
CREATE INDEX mailings_due ON mailings (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX reminders_of_project ON mailings (project_id) WHERE kind = 'reminder';

CREATE TABLE morning_mails (
  account_id      text COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  due_at          bigint NOT NULL,
  attempts        bigint NOT NULL,
  next_attempt_at bigint NOT NULL,
  error           text COLLATE "C"
);
CREATE INDEX morning_mails_due ON morning_mails (next_attempt_at);

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
CREATE INDEX undos_by_age ON undos (created_at);

CREATE TABLE staged_logs (
  check_id   text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  n_pings    bigint NOT NULL,
  n_events   bigint NOT NULL,
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
CREATE UNIQUE INDEX status_pages_by_slug ON status_pages (slug);

-- SQLite keeps its version in the file header. `oldest_program` is the version of the oldest program that may still use this database, so
-- that several servers can be upgraded one by one.
CREATE TABLE schema_version (
  version        bigint NOT NULL,
  oldest_program bigint NOT NULL
);

-- Write counters that let a process detect whether other processes have changed anything. Each connection has its own row, because writes
-- to a shared row would wait for each other.
CREATE TABLE writers (
  process    text COLLATE "C" NOT NULL,
  connection bigint NOT NULL,
  revision   bigint NOT NULL,
  PRIMARY KEY (process, connection)
) WITH (fillfactor = 50);
