#!/bin/sh
# Runs once, in the empty database of the first host: roles, the database, and who must confirm a commit.
set -eu

psql --no-psqlrc --quiet --username=postgres --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
CREATE ROLE overdue LOGIN PASSWORD :'password';
CREATE DATABASE overdue OWNER overdue ENCODING 'UTF8' TEMPLATE template0;
-- A commit waits for the disk of the other host. While that one is away, no commit ends, and pings get 503. To let pings go on then, at
-- the price of those that a lost disk takes with it, run ALTER SYSTEM SET synchronous_standby_names = '' and SELECT pg_reload_conf().
-- With a third host in the list, any one of the three may be away. A standby gets this setting with the copy. A host is never its own standby.
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (db1, db2)';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
