#!/bin/sh
# Does what the entrypoint of PostgreSQL's image does, with the programs of this machine: in an empty folder it first makes a database, and
# runs the scripts for the first start. PGHOST is the folder of the socket.
set -eu
shift

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > "$PGHOST/password"
  initdb --pgdata="$PGDATA" --no-sync --username=postgres --pwfile="$PGHOST/password" --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  rm "$PGHOST/password"
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --wait --silent -o "-c listen_addresses='' -k $PGHOST -p $PGPORT" start >/dev/null
  "$FIRST_START"
  pg_ctl --pgdata="$PGDATA" --wait --silent --mode=fast stop
fi

exec postgres "$@" -k "$PGHOST" -p "$PGPORT" -c listen_addresses=127.0.0.1
