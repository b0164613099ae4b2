#!/bin/sh
# Runs once, in the empty database of the first host: roles, the database, and who must confirm a commit.
set -eu

psql --no-psqlrc --quiet --username=postgres --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
CREATE ROLE overdue LOGIN PASSWORD :'password';
CREATE DATABASE overdue OWNER overdue ENCODING 'UTF8' TEMPLATE template0;
-- A standby gets this setting with the copy. The host itself counts as none of them.
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (db1, db2)';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
