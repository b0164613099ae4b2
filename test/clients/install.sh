#!/usr/bin/env bash
# Installs the clients that accept.ts runs, in pinned versions, into the folder given as the only argument.
# Needs these Debian packages: borgbackup curl python3-venv swaks wget.
set -euo pipefail
into=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$into"
cd "$into"
# Removes what another version of these files has installed.
stamp=$(cat "$here"/install.sh "$here"/rust/Cargo.toml "$here"/rust/src/main.rs | sha256sum)
if [ "$(cat stamp 2>/dev/null || true)" != "$stamp" ]; then rm -rf venv node_modules bin target stamp; fi
if [ ! -x venv/bin/borgmatic ]; then
  python3 -m venv venv
  venv/bin/pip install --quiet --disable-pip-version-check \
    healthchecks-io==0.4.4 healthchecks-decorator==0.5.0 borgmatic==2.1.10
fi
[ -d node_modules/healthchecks-io-client ] || npm install --silent --no-save healthchecks-io-client@1.0.4
[ -x bin/task-mon ] || cargo install --quiet --root "$PWD" task-mon --version 0.3.2
# Without a lock file the crate gets the dependencies that its users get.
[ -x bin/accept ] || CARGO_TARGET_DIR="$PWD/target" cargo install --quiet --root "$PWD" --path "$here/rust"
echo "$stamp" >stamp
