/** Crontabs of users and of the system are distinguished: no user name becomes a command, and no argument a user name. */
import { expect, test } from 'bun:test'
import { planCrontab } from '../../../../src/import/proposals/crontab/crontab.ts'
import { Temporal } from '../../../../src/lib/time.ts'
import { AS_COMMAND } from '../crontab-plan.ts'

const NOW = Temporal.Instant.from('2026-05-04T10:00:00Z')
const ENDPOINT = 'https://overdue.example.org/ping/'
const plan = (layout: 'user' | 'system', commands: readonly string[], isLayoutCertain = false) =>
  planCrontab(commands.map((command) => `*/5 * * * * ${command}\n`).join(''), {
    ...AS_COMMAND,
    layout,
    isLayoutCertain,
    zone: 'UTC',
    prefix: '',
    taken: new Set(),
    now: NOW,
    pingEndpoint: ENDPOINT,
  })
const namesOf = (layout: 'user' | 'system', commands: readonly string[], isLayoutCertain = false) =>
  plan(layout, commands, isLayoutCertain).checks.map(({ name }) => name)

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
  [['mysql /srv/a', 'deploy /srv/b']],
  [['git git -C /srv gc', 'git cd /srv && bin/x']],
  [['mysql mysqldump shop']],
  [['node node /srv/x.js']],
  [['EXAMPLE\\svc report', 'svc@ad.example.org report', 'EXAMPLE\\\\svc$ /opt/job']],
  [['Debian-exim report']],
  [['svc$ /opt/job', 'EXAMPLE+svc /opt/job', 'j\u00c3\u00b6rg /opt/job']],
])('%j has a user in each line, and is left out', (commands) => {
  const { checks, notes } = plan('user', commands)
  expect(checks).toEqual([])
  expect(notes.map(({ kind }) => kind)).toEqual(commands.map(() => 'left-out' as const))
  expect(notes[0]?.advice).toContain('system crontab')
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
  [
    ['git fetch --all', 'mysql -e x'],
    ['git', 'mysql'],
  ],
  [['git -C /srv pull'], ['git']],
  [
    ['nginx -s reload', 'asterisk -rx reload', 'gitea dump', 'http POST example.org', 'vagrant up'],
    ['nginx', 'asterisk', 'gitea', 'http', 'vagrant'],
  ],
  [['\\rm /srv/x'], ['rm']],
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
  [['push /run/hunter2'], []],
  [['deploy /run/hunter2', 'push /run/hunter2'], []],
  [['mysql /run/hunter2'], []],
  [['admin hunter2', 'list hunter2'], []],
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

test('a path in /etc/cron.d says that unknown users and those of programs are users', () => {
  const commands = ['deploy /srv/a', 'mysql /usr/bin/mysqldump shop', 'git cd /srv && bin/x', 'mysql mysqlcheck']
  expect(namesOf('system', ['list [ -x /opt/a ] && /opt/a', 'gitea gitea dump'], true)).toEqual(['a', 'gitea'])
  expect(namesOf('system', commands.slice(0, 2))).toEqual([])
  expect(namesOf('system', commands, true)).toEqual(['a', 'mysqldump', 'x', 'mysqlcheck'])
})

test.each([
  '# m h dom mon dow user\tcommand',
  '# *  *  *  *  * user-name  command to be executed',
  '#minute\thour\tmday\tmonth\twday\twho\tcommand',
])('the heading %p says that unknown users are users', (heading) => {
  const options = { zone: 'UTC', prefix: '', taken: new Set<string>(), now: NOW, pingEndpoint: ENDPOINT, ...AS_COMMAND }
  const text = `${heading}\n0 3 * * * deploy /srv/a\n`
  const { checks } = planCrontab(text, { ...options, layout: 'system', isLayoutCertain: false })
  expect(checks.map(({ name }) => name)).toEqual(['a'])
})

test('a path in /var/spool/cron says that an unknown word before a path is a program, and a known user is none', () => {
  expect(namesOf('user', ['push /run/hunter2', 'root /opt/a'])).toEqual([])
  expect(namesOf('user', ['push /run/hunter2'], true)).toEqual(['push'])
  expect(namesOf('user', ['push /run/hunter2', 'root /opt/a'], true)).toEqual([])
})

test('a path in /etc/cron.d makes no user of a program', () => {
  expect(namesOf('system', ['/opt/a hunter2', 'mysqldump hunter2', 'push /run/hunter2'], true)).toEqual([])
})

test.each([
  ['mysql /usr/bin/mysqldump shop', 'not clear', 'cron.d'],
  ['deploy report', 'not clear', 'with its path'],
  ['mysqldump shop', 'A program is in the place of the user', 'Write the user'],
])('%p as a line of the system is left out with advice that can be followed', (command, reason, advice) => {
  const [note] = plan('system', [command]).notes
  expect(note?.reason).toContain(reason)
  expect(note?.advice).toContain(advice)
})

test('lines that cron does not run as jobs do not show whether users stand in the others', () => {
  expect(namesOf('user', ['? /opt/a', '* root /opt/b', 'deploy /srv/c'])).toEqual([])
})
