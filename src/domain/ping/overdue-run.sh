#!/bin/sh
# overdue-run runs a command and reports its start, its output and its exit status to Overdue.
# Requires a POSIX shell, and either curl, or wget and timeout(1). See docs/jobs.md.
# shellcheck disable=SC2086,SC2094,SC2317
set -fu
usage='overdue-run --check SLUG|UUID|URL [--check …] [--create "SCHEDULE" [--tz ZONE] [--grace DURATION]] -- COMMAND…'
# The server that provides this file fills in its own URL, and the number of bytes of an output that it stores.
server='http://localhost:8000'
limit=10000

warn() { printf 'overdue-run: %s\n' "$1" >&2; }
fail() { warn "$1"; printf 'usage: %s\n' "$usage" >&2; exit 2; }
encoded() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'; }
# Other characters would have to be quoted for curl, and no URL needs them.
is_address() { case $1 in '' | *[!]A-Za-z0-9._~:/%@[-]*) return 1 ;; esac; }

checks='' create='' tz='' grace=''
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    --*=*) option=${1%%=*} value=${1#*=}; shift ;;
    --check | --create | --tz | --grace) [ "${2:---}" != -- ] || fail "$1 needs a value"; option=$1 value=$2; shift 2 ;;
    *) fail "unexpected word \"$1\": write -- before the command" ;;
  esac
  case $option in
    --check) is_address "$value" || fail "--check takes a slug, a UUID or a ping URL"; checks="$checks $value" ;;
    --create) create=$value ;;
    --tz) tz=$value ;;
    --grace) grace=$value ;;
    *) fail "there is no option $option" ;;
  esac
done
[ $# -gt 1 ] || fail 'the command is missing: write it behind --'
shift
case $1 in -*) fail "a command cannot begin with a hyphen: $1" ;; esac
[ -n "$create" ] || [ -z "$tz$grace" ] || fail '--tz and --grace need --create: they belong to the check that is made'

# From here on, the command runs even if something is missing.
server=${OVERDUE_URL:-$server}
key=${OVERDUE_PING_KEY:-}
[ -n "$key" ] || [ -z "${OVERDUE_PING_KEY_FILE:-}" ] || key=$(tr -d '[:space:]' <"$OVERDUE_PING_KEY_FILE")
urls=''
for check in ${checks:-${OVERDUE_CHECK:-}}; do
  case $check in
    http://* | https://*) url=${check%/} ;;
    ????????-????-????-????-????????????) url=${server%/}/ping/$check ;;
    *) url=${server%/}/ping/$key/$check; [ -n "$key" ] || { warn "set OVERDUE_PING_KEY to ping $check by its slug"; continue; } ;;
  esac
  if is_address "$url"; then urls="$urls $url"; else warn "the ping URL of a check is none: see OVERDUE_URL and OVERDUE_PING_KEY"; fi
done
client=''
if command -v curl >/dev/null; then client=curl
elif command -v wget >/dev/null && timeout 5 true 2>/dev/null; then
  client=wget
  case $(wget --version 2>&1) in 'GNU Wget'*) client='GNU wget' ;; esac
else warn 'no ping is sent: install curl, or wget and timeout'; fi
if [ -z "$urls" ] || [ -z "$client" ]; then
  [ -n "$urls" ] || warn 'no ping is sent: name a check with --check or OVERDUE_CHECK'
  exec "$@"
fi

{ read -r rid </proc/sys/kernel/random/uuid || rid=$(uuidgen) ||
  rid=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | sed 's/^\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)/\1-\2-\3-\4-/'); } 2>/dev/null
query="?rid=$rid"
[ -z "$create" ] || query="$query&create=1&schedule=$(encoded "$create")"
[ -z "$tz" ] || query="$query&tz=$(encoded "$tz")"
[ -z "$grace" ] || query="$query&grace=$(encoded "$grace")"

# request URL FILE: prints the answer, or the error with its HTTP status. Other users can see a program's arguments, so the URL is passed on
# standard input, except to BusyBox wget, which can't read it there.
request() {
  case $client in
    curl) printf 'url = "%s"\n' "$1" | curl -fsSgL --post301 --post302 -m 4 -A overdue-run -H Content-Type:text/plain --data-binary "@$2" -K - ;;
    'GNU wget') printf '%s\n' "$1" | timeout 4 wget -qS -t 1 -U overdue-run --header Content-Type:text/plain --post-file "$2" -O - -i - ;;
    wget) timeout 4 wget -q -U overdue-run --header Content-Type:text/plain --post-file "$2" -O - "$1" ;;
  esac 2>&1 | head -c 4000
}
# deliver URL FILE TRIES: sends a ping until the server accepts or rejects it.
deliver() {
  tries=$3
  while :; do
    answer=$(request "$1" "$2")
    case "
$answer" in *"
OK"* | *"
Created"*) return ;; esac
    code=$(printf '%s\n' "$answer" | sed -n -e 's/.*HTTP\/[0-9.]* \([1-9][0-9][0-9]\).*/\1/p' -e 's/^curl: .*error: \([1-9][0-9][0-9]\).*/\1/p' | tail -n 1)
    tries=$((tries - 1))
    case $code in 408 | 429) ;; 4??) tries=0 ;; esac
    [ "$tries" -gt 0 ] || break
    sleep 1
  done
  reason=$(printf '%s\n' "$answer" | sed -n -e '/^curl: /p' -e '/^wget: /p' | tail -n 1 | tr -d '[:cntrl:]')
  warn "a ping did not arrive: ${reason:-the server answered ${code:-nothing}}"
}
# A signal to the whole process group, for example from a terminal, must end the command but not the processes that report it.
deaf() { trap '' HUP INT TERM; "$@"; }
# tell WHAT FILE TRIES: pings all checks at once, in the background. Sets `pings` to the ids of the processes.
tell() {
  pings=''
  for url in $urls; do
    deaf deliver "$url/$1$query" "$2" "$3" </dev/null >/dev/null &
    pings="$pings $!"
  done
}

pid='' caught='' tmp=''
pass() { caught=$1; [ -z "$pid" ] || kill -s "$1" "$pid" 2>/dev/null; }
trap 'pass HUP' HUP
# A shell starts background processes so that they ignore SIGINT. The command therefore gets SIGTERM instead.
trap 'pass TERM' INT TERM
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
{ true <&0; } 2>/dev/null || exec </dev/null

tell start /dev/null 1
starts=$pings
half=$(((limit - 40) / 2))
# Keeps the beginning and the end of its input. The end has one more byte, which shows whether anything was left out between them. Reads all
# input, even after the directory was removed, because background processes of the command may still write.
keep() { dd bs=1 count="$half"; tail -c $((half + 1)) >"$tmp/end" && : >"$tmp/kept"; cat >/dev/null; }
# Becomes the command. If a signal arrived before that, ends with the same signal.
become() { [ -z "$caught" ] || exec sh -c 'kill -s "$1" $$' sh "$caught"; exec "$@"; }
tmp=$(umask 077; mktemp -d "${TMPDIR:-/tmp}/overdue-run.XXXXXX" 2>/dev/null)
if [ "$half" -gt 0 ] && [ -n "$tmp" ] && mkfifo "$tmp/out" "$tmp/err" "$tmp/all" 2>/dev/null; then
  # Opening one end of a FIFO waits for the other end, and any signal interrupts the wait, even the signal that a ping process has ended.
  # Each FIFO is therefore opened for both ends first. Subshells are used because a shell keeps copies of descriptors closed for a function.
  exec 3<>"$tmp/all" 4>"$tmp/all" 3<"$tmp/all"
  (deaf keep) <&3 >"$tmp/begin" 2>/dev/null 3<&- 4>&- &
  keeper=$!
  # Both tees inherit descriptor 4, so the keeper's input ends only after both tees have ended.
  exec 3<>"$tmp/out" 5>"$tmp/out" 3<"$tmp/out"
  (deaf tee "$tmp/all") <&3 3<&- 5>&- &
  exec 3<>"$tmp/err" 6>"$tmp/err" 3<"$tmp/err"
  (deaf tee "$tmp/all") <&3 >&2 3<&- 5>&- 6>&- &
  exec 3<&0
  (become "$@") <&3 >&5 2>&6 3<&- 4>&- 5>&- 6>&- &
  pid=$!
  exec 4>&- 5>&- 6>&-
else
  keeper=''
  [ "$half" -le 0 ] || warn 'the output is not sent: no temporary directory can be made'
  exec 3<&0
  (become "$@") <&3 3<&- &
  pid=$!
fi
[ -z "$caught" ] || pass "$caught"
# A signal ends `wait`, but not the command. 127: the shell has already returned the status.
status=''
while :; do
  caught=''
  wait "$pid" 2>/dev/null
  code=$?
  [ "$code" -eq 127 ] && [ -n "$status" ] || status=$code
  [ -n "$caught" ] || break
done
pid=''

body=/dev/null
if [ -n "$keeper" ]; then
  # Background processes of the command may keep its output open forever, so wait at most one second for its end.
  trap : USR1
  (sleep 1; [ ! -p "$tmp/all" ] || [ -e "$tmp/kept" ] || kill -s USR1 $$) </dev/null >/dev/null 2>&1 3<&- &
  wait "$keeper" 2>/dev/null
  body=$tmp/body
  {
    cat "$tmp/begin"
    if [ ! -s "$tmp/end" ]; then :
    elif [ "$(wc -c <"$tmp/end")" -le "$half" ]; then cat "$tmp/end"
    else printf '\n[overdue-run: left out here]\n'; tail -c "$half" "$tmp/end"; fi
  } 2>/dev/null >"$body" || body=/dev/null
fi
# If the start arrived after the end, it would look like another run.
wait $starts 2>/dev/null
tell "$status" "$body" 3
wait $pings 2>/dev/null
exit "$status"
