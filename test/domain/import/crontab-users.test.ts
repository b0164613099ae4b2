/** Crontabs of users and of the system, told apart: nobody becomes a command, and no argument a name. */
import { expect, test } from 'bun:test'
import { planCrontab } from '../../../src/domain/import/crontab.ts'
import { Temporal } from '../../../src/lib/time.ts'

const plan = (layout: 'user' | 'system', commands: readonly string[]) =>
  planCrontab(commands.map((command) => `*/5 * * * * ${command}\n`).join(''), {
    layout,
    zone: 'UTC',
    prefix: '',
    taken: new Set(),
    now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
    pingEndpoint: 'https://overdue.example.org/ping/',
  })
const namesOf = (layout: 'user' | 'system', commands: readonly string[]) =>
  plan(layout, commands).checks.map(({ name }) => name)

test.each([
  [['www-data php -f /srv/app/cron.php']],
  [['root /opt/job']],
  [['root\tnewsyslog']],
  [['_acme acme-client www.example.net']],
  [['root:wheel/daemon -n /bin/sh /etc/weekly']],
  [['root/daemon /etc/weekly']],
  [['www -n -q /usr/local/bin/queue']],
  [['deploy /srv/app/run.sh']],
  [['deploy cd /srv/app && ./run']],
  [['postgres /usr/bin/vacuumdb --all', 'backup /usr/bin/dump']],
  [['root /opt/a', 'deploy report nightly']],
])('%j has a user in each line, and is left out', (commands) => {
  const { checks, notes } = plan('user', commands)
  expect(checks).toEqual([])
  expect(notes.map(({ kind }) => kind)).toEqual(commands.map(() => 'left-out' as const))
  expect(notes[0]?.advice).toContain('crontab of the system')
})

test.each([
  [['mail -s report boss@example.org'], ['mail']],
  [['mysql shop'], ['mysql']],
  [
    ['restic backup', 'restic forget'],
    ['restic (backup)', 'restic (forget)'],
  ],
  [['find /srv/bin/x.sh -delete'], ['find']],
  [['bin/job --all'], ['job']],
  [['php8.2 /srv/x.php'], ['x.php']],
  [
    ['/opt/a', 'mywrap php /srv/x.php'],
    ['a', 'mywrap'],
  ],
])('%j has no users', (commands, names) => {
  expect(namesOf('user', commands)).toEqual(names)
})

test.each<[readonly string[], readonly string[]]>([
  [['/opt/job.sh hunter2'], []],
  [['mysqldump -phunter2 shop'], []],
  [['mysqldump hunter2'], []],
  [['flock /tmp/lock hunter2'], []],
  [['PASSWORD=hunter2 hunter3'], []],
  [['~/bin/job hunter2'], []],
  [['backup.sh hunter2'], []],
  [['push hunter2'], []],
  [['/opt/a hunter2', 'push /opt/hunter2'], []],
  [['root /opt/a', '/opt/b hunter2', 'push hunter2'], ['a']],
])('with --system, %j gives no name that is an argument', (commands, names) => {
  const { checks, notes } = plan('system', commands)
  expect(checks.map(({ name }) => name)).toEqual([...names])
  expect(notes).toHaveLength(commands.length - names.length)
  expect(JSON.stringify([checks, notes])).not.toContain('hunter')
})

test.each([
  [['root newsyslog'], ['newsyslog']],
  [['operator /usr/libexec/save-entropy'], ['save-entropy']],
  [['deploy cd /srv && bin/rails runner'], ['rails']],
  [
    ['root test -x /a && /a', 'deploy report'],
    ['a', 'report'],
  ],
])('with --system, %j has users', (commands, names) => {
  expect(namesOf('system', commands)).toEqual(names)
})
