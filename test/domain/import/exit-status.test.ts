import { expect, test } from 'bun:test'
import { hiddenStatuses } from '../../../src/domain/import/exit-status.ts'

const covers = (command: string) => hiddenStatuses(command).map(({ reason }) => reason)
const said = {
  pipe: 'Of commands that are joined by "|", only the last one tells its exit status.',
  alternative: 'What follows "||" takes the place of the exit status of a job that fails.',
  sequence: 'The job is followed by another command, and only the last one tells its exit status.',
  background: 'The job goes on behind "&", so its end is told at once, and always as a success.',
  negation: 'A "!" turns the exit status around: a job that fails tells a success.',
  loop: 'Of a loop, only the last round tells its exit status.',
  detached: 'What the line begins goes on by itself, so its end is told at once, and always as a success.',
  condition: 'A condition that is false ends the line with a failure, which the check would show.',
}

test.each([
  ['mysqldump db | gzip > x', ['pipe']],
  ['/opt/a 2>&1 | logger -t x', ['pipe']],
  ['(cd /x && /opt/a) | tee log', ['pipe']],
  ['bash -c "mysqldump db | gzip"', ['pipe']],
  ['/opt/a || true', ['alternative']],
  ['{ /opt/a; } || true', ['alternative']],
  ['/opt/a || mail -s failed me', ['alternative']],
  ['/opt/a | grep -v x || exit 0', ['pipe', 'alternative']],
  ['flock -n /l /opt/a || true', ['alternative']],
  ['systemctl start a.service || true', ['alternative']],
  ['/opt/a; true', ['sequence']],
  ['/opt/a; exit 0', ['sequence']],
  ['/opt/a; echo done', ['sequence']],
  ['/opt/a && /opt/b ; /opt/c', ['sequence']],
  ['if [ -f x ]; then /opt/a; fi; echo done', ['sequence']],
  ['if /opt/a; then echo done; fi', ['sequence']],
  ['ssh host "/opt/a; true"', ['sequence']],
  ['nohup /opt/a > /dev/null 2>&1 &', ['background']],
  ['/opt/a & wait', ['background']],
  ['( /opt/a & )', ['background']],
  ['! /opt/a', ['negation']],
  ['for i in a b; do /opt/a $i; done', ['loop']],
  ['systemd-run /opt/a', ['detached']],
  ['systemctl start --no-block a.service', ['detached']],
  ['[ "$(date +%d)" = 01 ] && /opt/a', ['condition']],
  ['test -x /a -a ! -d /run/systemd && sleep 5 && /a | b', ['condition', 'pipe']],
  ['docker exec -d web /opt/a', ['detached']],
  ['screen -dmS x /opt/a', ['detached']],
] as const)('%p hides the exit status of the job', (command, kinds) => {
  expect(covers(command)).toEqual(kinds.map((kind) => said[kind]))
})

test.each([
  '/opt/a > log 2>&1',
  '/opt/a &> log',
  'cd /x; /opt/a',
  'test -x /a || exit 0; /a',
  '[ -f lock ] || /opt/a',
  'set -euo pipefail; a | b; c',
  'bash -o pipefail -c "a | b"',
  'a; s=$?; rm lock; exit $s',
  'a; exit',
  'a || { echo no; exit 1; }',
  'echo yes | a',
  '[ -x /a ] && /a || exit 1',
  'if [ -f /x ]; then /opt/a; else /opt/b; fi',
  'if ! a; then exit 1; fi',
  'for i in a b; do a $i || exit 1; done',
  'a & wait $!',
  '! pgrep a > /dev/null && a',
  '( flock -n 9 || exit 1; a ) 9>/tmp/lock',
  'systemd-run --wait a',
  'a "x | y; z & w" # | gzip',
  'a $(b | c; d)',
  "perl -e 'sleep 5'; certbot renew",
])('%p tells it', (command) => {
  expect(covers(command)).toEqual([])
})
