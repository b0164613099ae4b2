-- Turns flips into events in version 14. SQLite cannot drop a CHECK, so the tables of events and deliveries are re-created. The attempts
-- are copied too, because dropping a table deletes the rows that reference it.

CREATE TABLE events (
  check_id   TEXT NOT NULL,
  n          INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  old_status TEXT,
  new_status TEXT,
  reason     TEXT,
  kind       TEXT NOT NULL,
  detail     TEXT,
  PRIMARY KEY (check_id, n)
) STRICT, WITHOUT ROWID;
INSERT INTO events (check_id, n, created_at, old_status, new_status, reason, kind)
  SELECT check_id, n, created_at, old_status, new_status, reason, 'flip' FROM flips ORDER BY check_id, n;
ALTER TABLE attempts RENAME TO former_attempts;
ALTER TABLE deliveries RENAME TO former_deliveries;
CREATE TABLE deliveries (
  id              TEXT PRIMARY KEY,
  check_id        TEXT NOT NULL,
  event_n         INTEGER NOT NULL,
  channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  state           TEXT NOT NULL,
  attempts        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  next_attempt_at INTEGER,
  ended_at        INTEGER,
  error           TEXT,
  FOREIGN KEY (check_id, event_n) REFERENCES events (check_id, n) ON DELETE CASCADE
) STRICT;
INSERT INTO deliveries (id, check_id, event_n, channel_id, state, attempts, created_at, next_attempt_at, ended_at, error)
  SELECT id, check_id, flip_n, channel_id, state, attempts, created_at, next_attempt_at, ended_at, error
  FROM former_deliveries ORDER BY created_at;
CREATE TABLE attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  n           INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  duration    INTEGER NOT NULL,
  error       TEXT,
  answer      TEXT,
  PRIMARY KEY (delivery_id, n)
) STRICT, WITHOUT ROWID;
INSERT INTO attempts (delivery_id, n, created_at, duration, error, answer)
  SELECT delivery_id, n, created_at, duration, error, answer FROM former_attempts ORDER BY delivery_id, n;
DROP TABLE former_attempts;
DROP TABLE former_deliveries;
DROP TABLE flips;
CREATE INDEX events_by_age ON events (created_at);
CREATE UNIQUE INDEX deliveries_of_check ON deliveries (check_id, channel_id, event_n);
CREATE INDEX deliveries_by_event ON deliveries (check_id, event_n);
CREATE INDEX deliveries_of_channel ON deliveries (channel_id, state, created_at, id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_queued ON deliveries (channel_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX attempts_answered ON attempts (created_at) WHERE answer IS NOT NULL;
