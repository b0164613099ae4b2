import { expect, test } from 'bun:test'
import { startDelay } from '../../../../src/import/proposals/command/start-delay.ts'

test.each([
  ['sleep $((RANDOM % 3600)); /opt/a', 3600],
  ['sleep $((RANDOM \\% 3600)) && /opt/a', 3600],
  ['sleep $[ ( $RANDOM % 60 ) + 1 ]m; /opt/a', 61 * 60],
  ['sleep $(($RANDOM/10)); /opt/a', 3276.7],
  ['sleep $((1 + RANDOM % (4 * 60))); /opt/a', 241],
  ['sleep $RANDOM; /opt/a', 32_767],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for a shell
  ['sleep ${RANDOM:0:2}m; /opt/a', 99 * 60],
  ['sleep $(shuf -i 0-900 -n 1); /opt/a', 900],
  ['sleep $(jot -r 1 0 7200); /opt/a', 7200],
  ['sleep `expr $RANDOM % 600`; /opt/a', 600],
  ["sleep $(awk 'BEGIN{srand(); print int(rand()*3600)}'); /opt/a", 3600],
  ['sleep $(( $(od -vAn -N2 -tu2 < /dev/urandom) % 600 )); /opt/a', 600],
  ['N=$((RANDOM % 600)); sleep $N; /opt/a', 600],
  ["test -x /usr/bin/certbot && perl -e 'sleep int(rand(43200))' && certbot -q renew", 43_200],
  ["perl -e 'sleep rand 60*60'; /opt/a", 3600],
  ["python3 -c 'import random, time; time.sleep(random.random() * 3600)'; /opt/a", 3600],
  ["python3 -c 'from time import sleep; sleep(randint(0, 600))'; /opt/a", 600],
  ["php -r 'sleep(mt_rand(0, 600));'; /opt/a", 600],
  ["ruby -e 'sleep rand(600)'; /opt/a", 600],
  ["bash -c 'sleep $((RANDOM % 600)); /opt/a'", 600],
  ['bash -c "sleep \\$((RANDOM % 600)); /opt/a"', 600],
  ['sleep 1h 30m; /opt/a', 5400],
  ['sleep 10m && sleep 30; /opt/a', 630],
  ['sleep $UNKNOWN; /opt/a', Infinity],
  ['sleep infinity; /opt/a', Infinity],
  ['/opt/a; sleep 600', 0],
  ['/opt/a || (sleep 600; /opt/a)', 0],
  ['/opt/a', 0],
])('%p waits for %p seconds at most', (command, seconds) => {
  expect(startDelay(command)).toBe(seconds)
})
