-- Turns flips into events in version 14 on PostgreSQL, without writing any rows.

ALTER TABLE flips RENAME TO events;
ALTER TABLE events RENAME CONSTRAINT flips_pkey TO events_pkey;
ALTER INDEX flips_by_age RENAME TO events_by_age;
ALTER TABLE events
  DROP CONSTRAINT flips_reason_check,
  ALTER COLUMN old_status DROP NOT NULL,
  ALTER COLUMN new_status DROP NOT NULL,
  ALTER COLUMN reason DROP NOT NULL,
  ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'flip',
  ADD COLUMN detail text COLLATE "C";
ALTER TABLE events ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_state_check;
ALTER TABLE deliveries RENAME COLUMN flip_n TO event_n;
ALTER TABLE deliveries RENAME CONSTRAINT deliveries_check_id_flip_n_fkey TO deliveries_check_id_event_n_fkey;
ALTER INDEX deliveries_by_flip RENAME TO deliveries_by_event;
