#!/bin/sh
# Installs this version of Overdue, or replaces the installed one: the runtime in /usr/local, the program in /opt/overdue, the unit,
# and an empty /etc/overdue/overdue.env if there is none. It starts and stops nothing. DESTDIR puts everything below an absolute path.
set -eu
umask 022

root=${DESTDIR-}
bun=$root/usr/local/bin/bun
program=$root/opt/overdue
settings=$root/etc/overdue/overdue.env
cd "$(dirname "$0")/../.."

runtime=$(sed -n 's/^ *"packageManager": "\(bun@.*\)",$/\1/p' package.json)
if [ "bun@$("$bun" --version 2>/dev/null)" != "$runtime" ]; then
  npm install --global --prefix "$root/usr/local" "$runtime"
fi

# The new version is complete before anything is replaced, so a failed download leaves the installed one as it is.
rm -rf "$program.new"
mkdir -p "$program.new" "$program"
set -- package.json bun.lock schema.sql src README.md CHANGELOG.md docs
cp -r "$@" "$program.new"
# The service runs as another user, and a clone made under a strict umask is readable by its owner only.
chmod -R a+rX "$program.new"
(cd "$program.new" && "$bun" install --frozen-lockfile --production --omit=peer)
# Only what belongs to the program: a database may be in the same folder.
for name in "$@" node_modules; do
  rm -rf "${program:?}/$name"
  mv "$program.new/$name" "$program/"
done
rm -rf "$program.new"

[ -e "$settings" ] || install -D -m 600 /dev/null "$settings"
install -D -m 644 deploy/single-host/overdue.service "$root/etc/systemd/system/overdue.service"
[ -n "$root" ] || systemctl daemon-reload
