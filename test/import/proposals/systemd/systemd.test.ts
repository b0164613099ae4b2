import { describe, expect, test } from 'bun:test'
import { writeDropIns } from '../../../../src/import/proposals/systemd/drop-ins.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { DAY, ID, plan, service, URL } from '../unit-files.ts'

/** Returns the shell command in a line of a unit as systemd runs it: `$$` and `%%` are one character each. */
const commandOf = (text: string | undefined, setting: string) =>
  (new RegExp(`^${setting}=-/bin/sh -c '(.*)'(?: %i)?$`, 'm').exec(text ?? '')?.[1] ?? '')
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replaceAll("\\'", "'")

/** @returns the URL, the last word of the output with `echo` instead of `curl`; empty: none */
async function urlOf(command: string, env: Readonly<Record<string, string>>) {
  const child = Bun.spawn(['sh', '-c', command.replace('curl', 'echo'), ID], { env, stdout: 'pipe' })
  return (await child.stdout.text()).trim().split(' ').at(-1)
}

describe('a drop-in', () => {
  const dropIns = writeDropIns(plan({ 'job.timer': '[Timer]\nOnCalendar=daily\n' }), () => `${URL}%20x`)

  test('belongs to the service, and escapes what systemd reads', () => {
    expect(dropIns.map(({ path }) => path)).toEqual(['/etc/systemd/system/job.service.d/zz-overdue.conf'])
    expect(dropIns[0]?.text).toContain(`${URL}%%20x/start`)
  })

  test.each([
    ['success', '0', '/0'],
    ['success', '1', '/0'],
    ['exit-code', '7', '/7'],
    ['signal', 'KILL', '/fail'],
    ['timeout', 'TERM', '/fail'],
    ['start-limit-hit', '', '/fail'],
    ['exec-condition', '1', null],
  ])('tells the result %p with status %p as %p', async (result, status, ending) => {
    const command = commandOf(dropIns[0]?.text, 'ExecStopPost')
    const url = await urlOf(command, { SERVICE_RESULT: result, EXIT_STATUS: status })
    expect(url).toBe(ending === null ? '' : `${URL}%20x${ending}`)
  })
})

describe('a unit of its own', () => {
  const found = service('[Service]\nPrivateNetwork=yes\n')
  const [, success, failure] = writeDropIns(found, () => URL).map(({ text }) => commandOf(text, 'ExecStart'))

  // Without variables: systemd before version 251.
  test.each([
    [success, {}, URL],
    [success, { MONITOR_SERVICE_RESULT: 'success', MONITOR_EXIT_STATUS: '0' }, URL],
    [success, { MONITOR_SERVICE_RESULT: 'exec-condition', MONITOR_EXIT_STATUS: '1' }, ''],
    [failure, {}, `${URL}/fail`],
    [failure, { MONITOR_SERVICE_RESULT: 'exit-code', MONITOR_EXIT_STATUS: '7' }, `${URL}/7`],
    [failure, { MONITOR_SERVICE_RESULT: 'oom-kill', MONITOR_EXIT_STATUS: 'KILL' }, `${URL}/fail`],
  ])('%# tells the result of the service', async (command = '', env, url) => {
    expect(await urlOf(command, env)).toBe(url)
  })
})

test.skipIf(Bun.which('systemd-analyze') === null)('systemd understands what is written', async () => {
  const place = temporaryFolder()
  const found = plan({
    'inside.timer': '[Timer]\nOnCalendar=daily\n',
    'outside.timer': '[Timer]\nOnCalendar=daily\n',
    'outside.service': '[Service]\nPrivateNetwork=yes\n',
  })
  const names = ['inside.service', 'outside.service', `overdue-success@${ID}.service`, `overdue-failure@${ID}.service`]
  for (const { path, text } of writeDropIns(found, () => URL)) {
    await Bun.write(place.file(path.replace('/etc/systemd/system/', '').replace('@.', `@${ID}.`)), text)
  }
  for (const name of names.slice(0, 2))
    await Bun.write(place.file(name), '[Service]\nType=oneshot\nExecStart=/bin/true\n')
  const child = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', ...names.map(place.file)], {
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${place.path}:` },
  })
  place.remove()
  expect(child.stderr.toString()).toBe('')
})

describe('a service that pings already', () => {
  test.each([
    `ExecStart=/bin/job\nExecStartPre=-curl ${URL}/start`,
    `ExecStart=/bin/job\nExecStartPost=curl ${URL}`,
    'ExecStart=/bin/job\nExecStartPost=curl https://example.net/here/key/job',
    `ExecStart=/bin/job\nExecStop=curl ${URL}`,
    `ExecStart=/bin/job\nEnvironment=HC_URL=${URL}`,
    `ExecStart=/bin/job\n[Unit]\nOnSuccess=overdue-success@${ID}.service`,
    'ExecStart=/bin/job\n[Unit]\nOnFailure=mail.service tell@%n.service',
  ])('is left out: %s', (settings) => {
    const found = plan({
      'job.timer': '[Timer]\nOnCalendar=daily\n',
      'job.service': `[Service]\n${settings}\n`,
      'tell@.service': `[Service]\nExecStart=curl ${URL}/fail\n`,
    })
    expect(found.checks).toEqual([])
    expect(found.notes).toMatchObject([{ name: 'job.timer', reason: 'The job pings a check already.' }])
  })

  test('is known by the instance that is the UUID', () => {
    const files = {
      'ping@.timer': '[Timer]\nOnCalendar=daily\n',
      'ping@.service': '[Service]\nExecStart=curl https://overdue.example.org/ping/%i\n',
    }
    expect(plan(files, [ID]).checks).toEqual([])
    expect(plan(files, ['shop']).checks).toHaveLength(1)
  })
})

test.each([
  ['rand\\x2dup', 'rand-up'],
  ['caf\\xc3\\xa9', 'café'],
  ['nightly-backup', 'nightly-backup'],
  ['db-dump@srv-my\\x2ddata', 'db-dump@srv/my-data'],
])('the check of %s.timer is named %s', (unit, name) => {
  expect(plan({ [`${unit}.timer`]: '[Timer]\nOnCalendar=daily\n' }).checks).toMatchObject([
    { name, place: `${unit}.timer` },
  ])
})

test.each([
  ['ExecStart=-/bin/job', 'the - before its command hides failures, so the check shows a success'],
  ['ExecStart=@-/bin/job job', 'the - before its command hides failures, so the check shows a success'],
  [
    'ExecStart=/bin/job\nRestart=on-failure',
    'Restart= runs it again after a failure, and each attempt pings its start and its result',
  ],
  [
    'ExecStart=/bin/job\nRestartForceExitStatus=75',
    'Restart= runs it again after a failure, and each attempt pings its start and its result',
  ],
  [
    'ExecStart=/bin/job\nExecStopPost=/bin/clean',
    'if its own ExecStopPost= fails, systemd skips the ping after it, and the check goes down after the grace time',
  ],
  [
    'ExecStart=/bin/job\n[Unit]\nConditionACPower=true\nConditionPathExists=/mnt/usb',
    'a run skipped by ConditionACPower= or ConditionPathExists= does not ping, so the check goes down',
  ],
  [
    'ExecStart=/bin/job\nExecCondition=/bin/test',
    'a run skipped by ExecCondition= does not ping, so the check goes down',
  ],
  [
    'ExecStart=/bin/job\n[Unit]\nConditionACPower=true',
    'a run skipped by ConditionACPower= does not ping, so the check goes down',
  ],
])('%s is told', (settings, remark) => {
  expect(service(`[Service]\n${settings}\n`).checks[0]?.why).toContain(remark)
})

test.each([
  'Restart=no',
  'Restart=yes',
  'ExecStopPost=-/bin/clean',
  'ExecStop=/bin/clean',
  'PrivateNetwork=yes\nRestart=on-failure',
])('%s needs no remark', (settings) => {
  const { why } = service(`[Service]\nExecStart=/bin/job\n${settings}\n`).checks[0] ?? {}
  expect(why?.join()).not.toMatch(/Restart|ExecStop/)
})

test.each([
  ['Type=oneshot\nExecStart=/bin/job\nTimeoutSec=8h', 8 * 3600],
  ['Type=oneshot\nExecStart=/bin/a\nExecStart=/bin/b\nTimeoutStartSec=25min', 2 * 1500],
  ['Type=exec\nExecStart=/bin/job\nTimeoutStartSec=5min\nRuntimeMaxSec=5d', 5 * DAY],
  ['Type=oneshot\nExecStart=/bin/job\nTimeoutStartSec=infinity\nRuntimeMaxSec=5d', 0],
  ['Type=oneshot\nExecStart=/usr/bin/timeout -k 1m 5d /bin/job', 5 * DAY + 60],
  ["Type=exec\nExecStart=-/bin/sh -c 'timeout 5d /bin/job'", 5 * DAY],
  ['Type=oneshot\nExecStart=/usr/bin/timeout 5d /bin/job\nTimeoutStartSec=6d', 6 * DAY],
])('how long a run may take goes into the grace time: %p', (settings, longest) => {
  expect(service(`[Service]\n${settings}\n`).checks[0]?.graceSeconds).toBe(3660 + longest)
})

test.each([
  'Type=oneshot\nRemainAfterExit=yes',
  'Type=notify\nRestart=always',
  'Restart=on-success',
  'Type=oneshot\nRestart=on-success',
])(
  'a service that stays active, starts again after its run, or that systemd refuses is left out with advice: %s',
  (settings) => {
    const { checks, notes } = service(`[Service]\n${settings}\nExecStart=/bin/job\n`)
    expect([checks, notes]).toMatchObject([[], [{ name: 'job.timer', advice: expect.stringContaining('Remove') }]])
  },
)

test.each(['forking', 'notify', 'dbus'])('a service of Type=%s may be a daemon, which is told', (type) => {
  const { checks, notes } = service(`[Service]\nType=${type}\nExecStart=/bin/job\n`)
  expect([checks, notes]).toMatchObject([[{ name: 'job' }], [{ kind: 'to-do', name: 'job.service' }]])
})

describe('units of users', () => {
  const of = (folder: string) => {
    const found = plan({
      [`${folder}/dump.timer`]: '[Timer]\nOnCalendar=daily\n',
      [`${folder}/dump.service`]: '[Service]\nExecStart=/bin/dump\n',
    })
    return [writeDropIns(found, () => URL)[0]?.path, ...[...found.services.values()].map(({ isOfUser }) => isOfUser)]
  }

  test.each([
    ['/home/ann/.config/systemd/user', '/home/ann/.config/systemd/user'],
    ['/home/ann/.local/share/systemd/user', '/home/ann/.config/systemd/user'],
    ['/etc/systemd/user', '/etc/systemd/user'],
    ['/usr/lib/systemd/user', '/etc/systemd/user'],
    ['/home/ann/.config/systemd/user.control', '/home/ann/.config/systemd/user'],
    ['/etc/xdg/systemd/user', '/etc/systemd/user'],
    ['/run/systemd/user', '/etc/systemd/user'],
    ['/usr/share/systemd/user', '/etc/systemd/user'],
    ['/run/user/1000/systemd/user', '~/.config/systemd/user'],
    ['/run/user/1000/systemd/user.control', '~/.config/systemd/user'],
    ['/run/user/1000/systemd/transient', '~/.config/systemd/user'],
    ['/srv/dotfiles/systemd/user', '~/.config/systemd/user'],
  ])('of %s have their drop-ins in %s', (folder, expected) => {
    expect(of(folder)).toEqual([`${expected}/dump.service.d/zz-overdue.conf`, true])
  })

  test('and units of the system are apart, also with the same name', () => {
    const found = plan({
      '/etc/systemd/system/dump.timer': '[Timer]\nOnCalendar=daily\n',
      '/etc/systemd/system/dump.service': '[Service]\nExecStart=/bin/dump\n',
      '/home/ann/.config/systemd/user/dump.timer': '[Timer]\nOnCalendar=hourly\n',
      '/usr/lib/systemd/user/dump.service': '[Service]\nExecStart=/bin/dump\n',
    })
    expect(found.checks.map(({ slug, timing }) => [slug, timing])).toMatchObject([
      ['dump', { schedule: 'daily' }],
      ['dump-2', { schedule: 'hourly' }],
    ])
    expect(found.notes).toEqual([])
    expect(writeDropIns(found, () => URL).map(({ path }) => path)).toEqual([
      '/etc/systemd/system/dump.service.d/zz-overdue.conf',
      '/home/ann/.config/systemd/user/dump.service.d/zz-overdue.conf',
    ])
    expect([...found.services.values()].map(({ isOfUser }) => isOfUser)).toEqual([false, true])
  })
})

describe('instances', () => {
  const templates = {
    '/etc/systemd/system/dump@.timer': '[Timer]\nOnCalendar=*-*-* %i:30\n',
    '/etc/systemd/system/dump@.service': '[Service]\nExecStart=/bin/dump %i\n',
  }

  test.each(['04', 'dump@04', 'dump@04.timer', 'dump@04.service'])(
    'of a template are named by --instance %s',
    (wanted) => {
      const found = plan(templates, [wanted])
      expect(found.notes).toEqual([])
      expect(found.checks).toMatchObject([
        { name: 'dump@04', place: 'dump@04.timer', timing: { schedule: '*-*-* 04:30' } },
      ])
      expect(writeDropIns(found, () => URL)[0]?.path).toBe('/etc/systemd/system/dump@04.service.d/zz-overdue.conf')
    },
  )

  test('are known by their files, and by drop-ins of their own', () => {
    const found = plan({
      ...templates,
      '/etc/systemd/system/timers.target.wants/dump@05.timer': '[Timer]\nOnCalendar=*-*-* %i:30\n',
      '/etc/systemd/system/dump@06.timer.d/x.conf': '[Timer]\nOnCalendar=*-*-* 07:00\n',
    })
    expect(found.checks.map(({ name, timing }) => [name, timing])).toMatchObject([
      ['dump@05', { schedule: '*-*-* 05:30' }],
      ['dump@06', { schedule: '*-*-* 06:30\n*-*-* 07:00' }],
    ])
    expect(found.notes).toEqual([])
  })

  test('that have no template are named', () => {
    const { checks, notes } = plan(templates, ['04', 'other@05'])
    expect(checks).toHaveLength(1)
    expect(notes).toMatchObject([{ kind: 'left-out', subject: 'instance', name: 'other@05' }])
  })

  test.each([
    ['Unit=%p@%i.service', 'backup-db@a-b.service'],
    ['Unit=%j-%i.service', 'db-a-b.service'],
    ['Unit=x@%N.service', 'x@backup-db@a-b.service'],
    ['', 'backup-db@a-b.service'],
  ])('have the service that %p says', (setting, expected) => {
    const found = plan({ 'backup-db@a-b.timer': `[Timer]\nOnCalendar=daily\n${setting}\n` })
    expect([...found.services.values()].map(({ name }) => name)).toEqual([expected])
  })

  test('have a schedule with what was escaped', () => {
    const found = plan({ 'x@.timer': '[Timer]\nOnCalendar=%I\n' }, ['Mon\\x2003:00'])
    expect(found.checks).toMatchObject([{ timing: { schedule: 'Mon 03:00' } }])
  })
})

test.each([
  [`/bin/sh -c 'mysqldump shop | gzip > "/x/$$(date)"'`, ['pipe']],
  ['-/bin/bash -c "/opt/a || true"', ['||']],
  ['/usr/bin/docker run -d job', ['continues by itself']],
  ['/opt/a shop | gzip', []],
  ["/bin/sh -ec '/opt/a; /opt/b'", []],
])('ExecStart=%s: what hides its exit status is named', (command, hints) => {
  const { notes } = service(`[Service]\nExecStart=${command}\n`)
  expect(notes.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(hints.map(() => 'to-do service'))
  for (const [index, hint] of hints.entries()) expect(JSON.stringify(notes[index])).toContain(hint)
})
