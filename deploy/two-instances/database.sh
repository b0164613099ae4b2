#!/bin/sh
# Starts PostgreSQL. With FOLLOWS and an empty folder, it first copies that host, and follows it from then on.
set -eu

if [ -n "${FOLLOWS:-}" ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  export PGPASSWORD="$POSTGRES_PASSWORD"
  until pg_basebackup --pgdata="$PGDATA" --write-recovery-conf --checkpoint=fast \
    --dbname="host=$FOLLOWS user=replicator application_name=$(hostname)"; do
    echo "$FOLLOWS cannot be copied yet; trying again" >&2
    sleep 2
  done
  unset PGPASSWORD
fi

exec docker-entrypoint.sh postgres "$@"
