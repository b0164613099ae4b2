#!/usr/bin/env bash
# Compiles the clients that accept.ts beside it runs, in pinned versions, into the folder "rust" of CLIENTS_FOLDER. Needs cargo.
set -euo pipefail
into=${CLIENTS_FOLDER:-${TMPDIR:-/tmp}/overdue-clients}/rust
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# What another version of these files has installed is removed.
stamp=$(cat "$here"/install.sh "$here"/Cargo.toml "$here"/src/main.rs | sha256sum)
mkdir -p "$into"
cd "$into"
[ "$(cat stamp 2>/dev/null || true)" != "$stamp" ] || exit 0
rm -rf bin
cargo install --quiet --root "$PWD" task-mon --version 0.3.2
# Without a lock file the crate gets the dependencies that its users get.
CARGO_TARGET_DIR="$PWD/target" cargo install --quiet --root "$PWD" --path "$here"
echo "$stamp" >stamp
