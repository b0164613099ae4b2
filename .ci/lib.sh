# What `.ci/run` and `.ci/long` share: they install what tests need, run suites and checks, count what passed and failed, and say at
# the end where the time went. Debian, root or sudo. To be sourced in bash.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

passed=0
failed=0
work=$(mktemp -d)
touch "$work/failures" "$work/retried" "$work/steps"
trap 'rm -rf "$work"' EXIT

# Where `install` and clients put programs.
export SCHEMATHESIS="$work/schemathesis/bin/schemathesis" DEPLOY_TOOLS="$work/deploy/bin" CLIENTS_FOLDER="$work/clients"

bun() { npx -y bun@1.4.5 "$@"; }
# Processes, browsers and clocks of a busy machine are late now and then, so a slow test gets a second attempt. What failed in the
# first stays in the output, and a test that passed in the second is listed at the end.
# Tests on PostgreSQL get one too, because they share a server.
slow_tests() { bun test --retry=1 --timeout 300000 "$@"; }
# The same on PostgreSQL, on a server of their own.
on_postgres() { bun scripts/test-postgres.ts --retry=1 --timeout 300000 "$@"; }

# Slow tests spend much of their time waiting, so more of them than there are cores share a machine.
AT_ONCE=3

# The files of slow tests below files and folders. Those that run alone say why in their first lines: they measure time or memory.
sharing() { grep -rL --include='*.test.ts' 'Runs alone: ' "$@" | sort; }
alone() { grep -rl --include='*.test.ts' 'Runs alone: ' "$@" | sort; }

# Runs the slow tests in files and folders: those that share the machine, then the others.
slow_suites() {
  local title=$1 files
  shift
  mapfile -t files < <(sharing "$@")
  [ "${#files[@]}" -eq 0 ] || suite "$title" slow_tests "--parallel=$AT_ONCE" "${files[@]}"
  mapfile -t files < <(alone "$@")
  [ "${#files[@]}" -eq 0 ] || suite "$title, alone" slow_tests "${files[@]}"
}

# Walks of which an engine can make each step fail: lists, changes as they happen, and the words that a search finds.
ENGINE_WALKS=(./test-slow/browser/{checks,live,search}.test.ts)

title() { echo "=== $1 ($SECONDS s)"; }

# Notes how long a step took. Its second argument is $SECONDS at its beginning.
took() { printf '%5d s  %s\n' "$((SECONDS - $2))" "$1" >>"$work/steps"; }

# The output of tests, without those that passed in their first attempt and files of which nothing is left.
without_passed() {
  awk '
    /^[^ ]+\.test\.ts:$/ { file = $0; next }
    /^$/ || (/^\(pass\)/ && !/\(attempt [0-9]+\)/) { next }
    file != "" { print "\n" file; file = "" }
    { print }
  ' "$@"
}

# Adds the counts of Bun's test runner. A run that has no summary, or that fails without a failed test, counts as a failure.
count() {
  local title=$1 log=$2 status=$3 pass fail
  pass=$(sed -n 's/^ *\([0-9][0-9]*\) pass$/\1/p' "$log" | tail -n 1)
  fail=$(sed -n 's/^ *\([0-9][0-9]*\) fail$/\1/p' "$log" | tail -n 1)
  passed=$((passed + ${pass:-0}))
  failed=$((failed + ${fail:-0}))
  sed -n "s/^(fail)/$title:/p" "$log" >>"$work/failures"
  sed -n "s/^(pass)\(.*(attempt [0-9]*).*\)/$title:\1/p" "$log" >>"$work/retried"
  if [ "$status" -ne 0 ] && [ "${fail:-0}" -eq 0 ]; then
    echo "$title: exit status $status" | tee -a "$work/failures"
    failed=$((failed + 1))
  elif [ -z "$pass" ]; then
    echo "$title: no test was counted" | tee -a "$work/failures"
    failed=$((failed + 1))
  fi
}

# Runs a suite and shows its output.
suite() {
  local title=$1 began=$SECONDS status
  shift
  title "$title"
  "$@" 2>&1 | tee "$work/suite.log" | without_passed
  status=${PIPESTATUS[0]}
  count "$title" "$work/suite.log" "$status"
  took "$title" "$began"
}

# Starts a command in the background. Its output and then its exit status go to files.
start() {
  local name=$1 began=$SECONDS
  shift
  {
    "$@" >"$work/$name.log" 2>&1
    echo $? >"$work/$name.status"
    took "$name, beside others" "$began"
  } &
}

# Waits for a command in the background and shows its output. Returns its exit status.
finish() {
  local name=$1
  until [ -s "$work/$name.status" ]; do sleep 0.2; done
  without_passed "$work/$name.log"
  return "$(cat "$work/$name.status")"
}

# Waits for a suite in the background and shows its output.
finish_suite() {
  local name=$1 status
  title "$name"
  finish "$name"
  status=$?
  count "$name" "$work/$name.log" "$status"
}

# A check that passes or fails as a whole.
whole() {
  local title=$1 began=$SECONDS
  shift
  title "$title"
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$title" >>"$work/failures"
  fi
  took "$title" "$began"
}

# The end of the output, whose last line counts. Returns whether nothing failed.
summary() {
  title 'end'
  # Bun names a failed test where it failed and again at its end.
  sort -u "$work/failures"
  if [ -s "$work/retried" ]; then
    echo 'passed only in a second attempt:'
    sort -u "$work/retried"
  fi
  cat "$work/steps"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

from_debian() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

from_python() {
  python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
}

# Programs that the slow suites and the clients run. The README's test command needs none of them.
install() {
  as_root apt-get update -qq &&
    # Debian would start a server. Tests start their own.
    from_debian postgresql-common &&
    as_root sed -i 's/^#*create_main_cluster .*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf &&
    from_debian \
      borgbackup busybox chromium curl e2fsprogs faketime fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core haproxy \
      libnet-ssleay-perl php-cli php-curl postgresql procps prometheus python3-venv ruby strace swaks systemd util-linux wget &&
    from_python "$work/schemathesis" test-slow/fuzz/schemathesis/requirements.txt &&
    from_python "$work/deploy" test-slow/deploy/requirements.txt
}
