import { describe, expect, test } from 'bun:test'
import { planTimers } from '../../../src/domain/import/systemd.ts'
import { writeDropIns } from '../../../src/domain/import/systemd-drop-ins.ts'
import { readSpanOfSystemd } from '../../../src/domain/import/systemd-span.ts'
import { splitCat } from '../../../src/domain/import/systemd-units.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { temporaryFolder } from '../../support/folder.ts'

const OPTIONS = {
  zone: 'Europe/Riga',
  prefix: '',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
}
const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
const DAY = 86_400
const URL = `https://overdue.example.org/ping/${ID}`

const plan = (files: Readonly<Record<string, string>>, instances: readonly string[] = []) =>
  planTimers(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    OPTIONS,
    { instances },
  )
const service = (text: string) => plan({ 'job.timer': '[Timer]\nOnCalendar=daily\n', 'job.service': text })
const one = (timer: string) => {
  const { checks, notes } = plan({ '/etc/systemd/system/job.timer': `[Timer]\n${timer}\n` })
  return checks.map(({ timing, graceSeconds }) => ({ ...timing, grace: graceSeconds }))[0] ?? notes[0]?.reason
}

describe('timers', () => {
  test.each([
    ['OnCalendar=daily', { schedule: 'daily', tz: 'Europe/Riga', grace: 3660 }],
    [
      'OnCalendar=Mon..Fri 03:00\nOnCalendar=Sat 05:00 Asia/Tokyo',
      { schedule: 'Mon..Fri 03:00\nSat 05:00 Asia/Tokyo', tz: 'Europe/Riga', grace: 3660 },
    ],
    ['OnCalendar=daily\nOnCalendar=\nOnCalendar=hourly', { schedule: 'hourly', tz: 'Europe/Riga', grace: 3660 }],
    [
      'OnCalendar=daily\nRandomizedDelaySec=1h 30min\nAccuracySec=1us',
      { schedule: 'daily', tz: 'Europe/Riga', grace: 3600 + 5400 + 1 },
    ],
    ['OnCalendar = \\\n# a comment\n hourly', { schedule: 'hourly', tz: 'Europe/Riga', grace: 3660 }],
    ['OnBootSec=5min\nOnUnitActiveSec=1h 30min', { timeout: 5400, grace: 3660 }],
    ['OnUnitInactiveSec=600', { timeout: 600, grace: 660 }],
    ['OnBootSec=5min', 'It starts its service once after each boot or start of the timer, so no time can be expected.'],
    ['OnCalendar=daily\nPersistent=true', { schedule: 'daily', tz: 'Europe/Riga', grace: 3660 + DAY }],
    ['OnCalendar=Sun 03:00\nPersistent=yes', { schedule: 'Sun 03:00', tz: 'Europe/Riga', grace: 3660 + DAY }],
    ['OnCalendar=Mon..Fri 02:30\nPersistent=on', { schedule: 'Mon..Fri 02:30', tz: 'Europe/Riga', grace: 3660 + DAY }],
    ['OnCalendar=hourly\nPersistent=true', { schedule: 'hourly', tz: 'Europe/Riga', grace: 3660 }],
    ['OnCalendar=6,18:00\nPersistent=true', { schedule: '6,18:00', tz: 'Europe/Riga', grace: 3660 }],
    [
      'OnCalendar=daily\nOnCalendar=Sun 12:00\nPersistent=true',
      { schedule: 'daily\nSun 12:00', tz: 'Europe/Riga', grace: 3660 },
    ],
    ['OnUnitActiveSec=1d\nPersistent=true', { timeout: DAY, grace: 3660 }],
    ['OnCalendar=daily\nPersistent=false', { schedule: 'daily', tz: 'Europe/Riga', grace: 3660 }],
    ['OnUnitActiveSec=5', 'The period of a check is 60 seconds to 365 days.'],
    [`OnCalendar=${'Mon,'.repeat(40)}Tue`, 'A schedule has at most 100 characters.'],
  ])('%p', (timer, expected) => {
    expect(one(timer)).toEqual(expected)
  })

  test('a wrong calendar expression is left out with the reason', () => {
    expect(one('OnCalendar=someday')).toBeString()
  })

  test.each(['@daily', '0 3 * * *', '*/5 * * * *', '0 3 * * MON-FRI', '0 0 3 * * *', '@every 5m'])(
    'OnCalendar=%s, which systemd ignores, is left out with what to write',
    (text) => {
      const { checks, notes } = plan({ 'a.timer': `[Timer]\nOnCalendar=${text}\nOnCalendar=hourly\n` })
      expect(checks).toEqual([])
      expect(notes).toMatchObject([
        {
          reason: `systemd ignores OnCalendar=${text}, which is in the form of cron.`,
          advice: expect.stringContaining('OnCalendar=daily'),
        },
      ])
    },
  )

  test.each(['"daily"', 'midnight', 'TZ=UTC daily', 'daily Mars/Base'])(
    'OnCalendar=%s, which systemd does not understand, is left out',
    (text) => {
      expect(one(`OnCalendar=${text}`)).toStartWith(`OnCalendar=${text}: `)
    },
  )

  test.each([
    ['OnCalendar=*-*-* 04:00 # at night', 'a comment needs a line of its own'],
    ['OnCalendar=2026-01-31', 'in the past'],
    ['OnClockChange=yes', 'clock or the time zone is changed'],
    ['Persistent=true', 'no time that systemd understands'],
    ['OnUnitActiveSec=often', 'no time that systemd understands'],
    ['OnActiveSec=1h', 'once after each boot or start of the timer'],
  ])('%s gives no check', (timer, reason) => {
    expect(one(timer)).toContain(reason)
  })

  const why = (files: Readonly<Record<string, string>>, linked: readonly string[] = []) =>
    planTimers(
      Object.entries(files).map(([path, text]) => ({ path, text })),
      OPTIONS,
      { linked },
    ).checks[0]?.why.join('; ') ?? ''

  test.each([
    ['OnUnitActiveSec=1h', true],
    ['OnUnitInactiveSec=1h\nOnUnitActiveSec=2h', true],
    ['OnBootSec=\nOnUnitActiveSec=1h', true],
    ['OnBootSec=0\nOnUnitActiveSec=1h', false],
    ['OnActiveSec=1min\nOnUnitInactiveSec=1h', false],
    ['OnStartupSec=1min\nOnUnitActiveSec=1h', false],
    ['OnCalendar=daily\nOnUnitActiveSec=1h', false],
  ])('a timer that waits for a first run by others says so: %p', (timer, waits) => {
    expect(why({ 'a.timer': `[Timer]\n${timer}\n` }).includes('until something else has started')).toBe(waits)
  })

  test('a timer that nothing known starts at boot says so', () => {
    const timer = '[Timer]\nOnCalendar=daily\n'
    const isTold = (...given: Parameters<typeof why>) => why(...given).includes('systemctl list-timers')
    expect(isTold({ 'a.timer': timer })).toBe(true)
    expect(isTold({ 'a.timer': `${timer}[Install]\nAlias=b.timer\n` })).toBe(true)
    expect(isTold({ 'a.timer': `${timer}[Install]\nWantedBy=timers.target\n` })).toBe(false)
    expect(isTold({ 'a.timer': timer, 'b.service': '[Unit]\nWants=x.service a.timer\n' })).toBe(false)
    expect(isTold({ 'a.timer': timer }, ['a.timer'])).toBe(false)
  })

  test('a condition of the timer itself is told', () => {
    expect(why({ 'a.timer': '[Unit]\nConditionACPower=true\n[Timer]\nOnCalendar=daily\n' })).toContain(
      'ConditionACPower= may keep the timer from starting',
    )
  })

  test.each([
    ['Unit=backup.target', 'It starts backup.target, and only services can ping.'],
    ['Unit=other.timer', 'It starts other.timer, and only services can ping.'],
    ['Unit=dump@.service', 'It starts dump@.service, a template without an instance.'],
    ['Unit=dump@%H.service', 'It starts dump@%H.service, a name that only the machine itself can fill in.'],
    ['Unit=my job', 'It starts my job, which is not the name of a unit.'],
  ])('%s gets no check', (setting, reason) => {
    const { checks, notes } = plan({ 'a.timer': `[Timer]\nOnCalendar=daily\n${setting}\n` })
    expect([checks, notes]).toMatchObject([[], [{ name: 'a.timer', reason }]])
  })

  test('drop-ins come after the unit, by their names', () => {
    const { checks } = plan({
      '/etc/systemd/system/a.timer.d/20.conf': '[Timer]\nOnCalendar=\nOnCalendar=hourly\n',
      '/etc/systemd/system/a.timer.d/10.conf': '[Timer]\nOnCalendar=weekly\n',
      '/usr/lib/systemd/system/a.timer': '[Timer]\nOnCalendar=daily\nUnit=b.service\n',
    })
    expect(checks.map(({ slug, timing }) => [slug, timing])).toEqual([['b', { schedule: 'hourly', tz: 'Europe/Riga' }]])
  })

  test.each([
    ['OnCalendar=daily\nOnUnitActiveSec=6h', 'OnUnitActiveSec=\nOnUnitActiveSec=2h', { timeout: 7200 }],
    ['OnBootSec=1h\nOnUnitActiveSec=1d', 'OnCalendar=\nOnCalendar=hourly', { schedule: 'hourly', tz: 'Europe/Riga' }],
    ['OnUnitActiveSec=1h', 'OnUnitActiveSec=1d', { timeout: 3600 }],
    ['OnUnitActiveSec=1d', 'OnUnitInactiveSec=1h', { timeout: 3600 }],
  ])('the times of a timer are one list, which an empty one of any kind resets: %p, %p', (unit, dropIn, timing) => {
    const { checks } = plan({ 'a.timer': `[Timer]\n${unit}\n`, 'a.timer.d/x.conf': `[Timer]\n${dropIn}\n` })
    expect(checks).toMatchObject([{ timing }])
    expect(checks[0]?.why).not.toContainEqual(expect.stringContaining('on top of the schedule'))
  })

  test('an empty span is ignored, so that before it counts', () => {
    expect(one('OnCalendar=hourly\nRandomizedDelaySec=2h\nRandomizedDelaySec=')).toMatchObject({ grace: 3660 + 7200 })
  })

  test('an empty condition resets those of all kinds', () => {
    const unit =
      '[Unit]\nConditionACPower=true\nConditionPathExists=\nAssertPathExists=/a\n[Service]\nExecStart=/bin/job\n'
    expect(service(unit).checks[0]?.why).toContain(
      'a run that AssertPathExists= skips pings nothing, so the check goes down',
    )
  })

  test('of files with the same name, that of the first place of systemd counts', () => {
    const { checks, notes } = plan({
      '/usr/lib/systemd/system/a.timer': '[Timer]\nOnCalendar=daily\n',
      '/usr/lib/systemd/system/a.timer.d/x.conf': '[Timer]\nOnCalendar=Sun 05:00\n',
      '/mnt/host/etc/systemd/system/a.timer': '[Timer]\nOnCalendar=hourly\n',
      '/run/systemd/system/a.timer.d/x.conf': '[Timer]\nAccuracySec=1us\n',
      '/lib/systemd/system/a.timer': '[Timer]\nOnCalendar=hourly\n',
    })
    expect(checks.map(({ timing }) => timing)).toEqual([{ schedule: 'hourly', tz: 'Europe/Riga' }])
    const replaced = notes.filter(({ subject }) => subject === 'file')
    expect(replaced.map(({ name, reason }) => [name, reason])).toEqual([
      [
        '/usr/lib/systemd/system/a.timer',
        'Another file of the same name takes precedence: /mnt/host/etc/systemd/system/a.timer.',
      ],
      [
        '/usr/lib/systemd/system/a.timer.d/x.conf',
        'Another file of the same name takes precedence: /run/systemd/system/a.timer.d/x.conf.',
      ],
    ])
  })

  test.each([
    ['/etc/systemd/system', '/run/systemd/system.control'],
    ['/etc/systemd/system', '/run/systemd/transient'],
    ['/run/systemd/generator', '/run/systemd/system'],
    ['/run/systemd/generator.late', '/usr/lib/systemd/system'],
    ['/etc/systemd/user', '/home/ann/.config/systemd/user'],
    ['/home/ann/.config/systemd/user', '/home/ann/.config/systemd/user.control'],
    ['/run/systemd/user', '/run/user/1000/systemd/user'],
    ['/usr/lib/systemd/user', '/home/ann/.local/share/systemd/user'],
  ])('a file in %s gives way to that in %s', (later, first) => {
    const { checks } = plan({
      [`${later}/a.timer`]: '[Timer]\nOnCalendar=daily\n',
      [`${first}/a.timer`]: '[Timer]\nOnCalendar=hourly\n',
    })
    expect(checks.map(({ timing }) => timing)).toMatchObject([{ schedule: 'hourly' }])
  })

  test('of files with the same name in other folders, the first counts', () => {
    const { checks } = plan({
      '/b/a.timer': '[Timer]\nOnCalendar=hourly\n',
      '/a/a.timer': '[Timer]\nOnCalendar=daily\n',
    })
    expect(checks.map(({ timing }) => timing)).toEqual([{ schedule: 'hourly', tz: 'Europe/Riga' }])
  })

  test('a timer that is masked is left out', () => {
    const { checks, notes } = plan({
      '/etc/systemd/system/a.timer': '',
      '/etc/systemd/system/a.timer.d/x.conf': '[Timer]\nOnCalendar=daily\n',
    })
    expect([checks, notes.map(({ name }) => name)]).toEqual([[], ['a.timer']])
  })

  test('templates without an instance, and services that ping, are left out', () => {
    const { checks, notes } = plan({
      'x@.timer': '[Timer]\nOnCalendar=daily\n',
      'y.timer': '[Timer]\nOnCalendar=daily\n',
      'y.service': `[Service]\nExecStart=/bin/sh -c 'job; curl ${URL}'\n`,
      'z.timer': '[Timer]\nOnCalendar=daily\nUnit=z.target\n',
    })
    expect(checks).toEqual([])
    expect(notes.map(({ name }) => name)).toEqual(['x@.timer', 'y.timer', 'z.timer'])
  })

  test('two timers of one service have one check and one drop-in, with the runs of both', () => {
    const found = plan({
      'a.timer': '[Timer]\nOnCalendar=04:00\nUnit=job.service\nPersistent=true\n',
      'b.timer':
        '[Timer]\nOnCalendar=Sun 12:00\nOnCalendar=04:00\nUnit=job.service\nAccuracySec=5min\nPersistent=true\n',
    })
    const both = { schedule: '04:00\nSun 12:00', tz: 'Europe/Riga' }
    expect(found.notes).toMatchObject([{ kind: 'to-do', subject: 'service', name: 'job.service' }])
    expect(found.checks).toMatchObject([{ slug: 'job', place: 'a.timer, b.timer', timing: both, graceSeconds: 3900 }])
    expect(writeDropIns(found, () => URL)).toHaveLength(1)
  })

  test.each([
    ['has a period', 'OnCalendar=04:00', 'OnUnitActiveSec=1h'],
    [
      'makes the schedule too long',
      `OnCalendar=${'Mon,'.repeat(12)}Tue 04:00`,
      `OnCalendar=${'Mon,'.repeat(12)}Tue 05:00`,
    ],
  ])('a second timer of a service that %s is left out with advice', (_, first, second) => {
    const found = plan({
      'a.timer': `[Timer]\n${first}\nUnit=job.service\n`,
      'b.timer': `[Timer]\n${second}\nUnit=job.service\n`,
    })
    expect(found.checks.map(({ place }) => place)).toEqual(['a.timer'])
    expect(found.notes[0]).toMatchObject({ name: 'b.timer', advice: expect.stringContaining('a service of its own') })
    expect(writeDropIns(found, () => URL)).toHaveLength(1)
  })

  test('what systemctl cat prints is split at the paths', () => {
    const text =
      '# /usr/lib/systemd/system/a.timer\n[Timer]\nOnCalendar=daily\n\n# /etc/systemd/system/a.timer.d/x.conf\n[Timer]\nOnCalendar=\n# a comment\n'
    expect(splitCat(text)).toEqual([
      { path: '/usr/lib/systemd/system/a.timer', text: '[Timer]\nOnCalendar=daily\n\n' },
      { path: '/etc/systemd/system/a.timer.d/x.conf', text: '[Timer]\nOnCalendar=\n# a comment\n\n' },
    ])
  })
})

test('what systemctl cat prints is split only at units, and names those that are masked', () => {
  const text = [
    '# /usr/lib/systemd/system/a.service',
    '[Service]',
    '# /etc/nginx/nginx.conf',
    'PrivateNetwork=yes',
    '# /usr/lib/systemd/system/b.socket',
    '[Service]',
    'PrivateNetwork=no',
    '# Unit c.timer is masked.',
    '# /etc/systemd/system/d.slice',
    '[Slice]',
  ].join('\n')
  expect(splitCat(text)).toEqual([
    { path: '/usr/lib/systemd/system/a.service', text: '[Service]\n# /etc/nginx/nginx.conf\nPrivateNetwork=yes\n' },
    { path: 'c.timer', text: '' },
    { path: '/etc/systemd/system/d.slice', text: '[Slice]\n' },
  ])
})

test.each([
  ['90', 90],
  ['1h 30min', 5400],
  ['2h5m3s', 7503],
  ['1.5d', 129_600],
  ['500ms', 0.5],
  ['1 month', 2_629_800],
  ['', null],
  ['5 fortnights', null],
  ['1h x', null],
  ['constructor', null],
])('%p is %p seconds', (text, seconds) => {
  expect(readSpanOfSystemd(text)).toBe(seconds)
})

/** The command of a shell in a line of a unit, as systemd hands it over: `$$` and `%%` are one character each. */
const commandOf = (text: string | undefined, setting: string) =>
  (new RegExp(`^${setting}=-/bin/sh -c '(.*)'(?: %i)?$`, 'm').exec(text ?? '')?.[1] ?? '')
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replaceAll("\\'", "'")

/** @returns the last word of what is printed with `echo` instead of `curl`: the URL; empty: none */
async function urlOf(command: string, env: Readonly<Record<string, string>>) {
  const child = Bun.spawn(['sh', '-c', command.replace('curl', 'echo'), ID], { env, stdout: 'pipe' })
  return (await child.stdout.text()).trim().split(' ').at(-1)
}

describe('a drop-in', () => {
  const dropIns = writeDropIns(plan({ 'job.timer': '[Timer]\nOnCalendar=daily\n' }), () => `${URL}%20x`)

  test('belongs to the service, and escapes what systemd reads', () => {
    expect(dropIns.map(({ path }) => path)).toEqual(['/etc/systemd/system/job.service.d/overdue.conf'])
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

describe('a service whose commands cannot ping', () => {
  const inService = (settings: string) => service(`[Service]\nType=oneshot\nExecStart=/bin/job\n${settings}\n`)

  test('gets units of their own, which ping when it has ended', () => {
    const found = inService('PrivateNetwork=yes')
    expect(found.notes).toMatchObject([
      {
        kind: 'changed',
        name: 'job.service',
        reason: 'Its PrivateNetwork= may keep its commands from reaching the server.',
      },
    ])
    const files = writeDropIns(found, () => URL)
    expect(files.map(({ path }) => path)).toEqual([
      '/etc/systemd/system/job.service.d/overdue.conf',
      '/etc/systemd/system/overdue-success@.service',
      '/etc/systemd/system/overdue-failure@.service',
    ])
    expect(files[0]?.text).toBe(
      `[Unit]\nOnSuccess=overdue-success@${ID}.service\nOnFailure=overdue-failure@${ID}.service\n`,
    )
  })

  test.each([
    'PrivateNetwork=1',
    'NetworkNamespacePath=/run/netns/vpn',
    'IPAddressDeny=any',
    'IPAddressDeny=any\nIPAddressAllow=10.0.0.0/8',
    'IPAddressDeny=localhost',
    'RestrictAddressFamilies=AF_UNIX',
    'RestrictAddressFamilies=none',
    'RestrictAddressFamilies=~AF_INET AF_INET6',
    'RestrictAddressFamilies=AF_UNIX AF_INET\nRestrictAddressFamilies=~AF_INET',
    'RestrictNetworkInterfaces=lo',
    'SystemCallFilter=~@network-io',
    'SystemCallFilter=~socket:EPERM',
    'SystemCallFilter=@basic-io @file-system',
    'SystemCallFilter=@system-service\nSystemCallFilter=~@process @privileged',
    'RootDirectory=/srv/root',
    'RootImage=/srv/image.raw',
    'TemporaryFileSystem=/:ro\nBindReadOnlyPaths=/opt/job',
    'TemporaryFileSystem=/run:mode=0755',
    'InaccessiblePaths=-/usr/bin/curl',
    'InaccessiblePaths=/opt /bin',
    'NoExecPaths=/\nExecPaths=/usr/bin/job /usr/lib',
    'Environment=A=1 "PATH=/opt/bin:/opt/sbin"',
    'ExecSearchPath=/opt/bin',
    'AppArmorProfile=-job',
    'TasksMax=1',
    'MemoryMax=16M',
    'MemoryMax=infinity\nMemoryMax=20971520',
    'MemoryHigh=31.5M',
    'MemoryLimit=8K',
    'CPUQuota=1%',
    'LimitAS=16M',
    'LimitAS=8M:infinity',
    'LimitDATA=1M',
    'LimitSTACK=64K',
    'LimitNOFILE=4',
    'LimitNOFILE=8:524288',
    'User=job\nLimitNPROC=1',
    'DynamicUser=yes\nLimitNPROC=2:4',
    'RestrictFileSystems=ext4',
    'RestrictFileSystems=ext4 tmpfs proc',
    'RestrictFileSystems=~@common-block',
    'RestrictFileSystems=@basic-api @common-block\nRestrictFileSystems=~tmpfs',
    'BPFProgram=connect4:/sys/fs/bpf/filter',
    'BindReadOnlyPaths=/opt/empty:/usr/bin',
    'BindPaths=/var/tmp -/srv/resolv.conf:/etc/resolv.conf',
    'InaccessiblePaths=/etc/pki',
    'Environment=PATH=/usr/bin\nEnvironment=PATH=/opt/bin',
    'Environment=PATH=/usr/bin PATH=/opt/bin',
    'TimeoutStopSec=10',
    'TimeoutStartSec=5s',
    'TimeoutSec=20',
    'StandardOutput=truncate:/var/log/job.log',
    'StandardError=file:/var/log/job.log',
  ])('%s', (settings) => {
    const found = inService(settings)
    expect(found.notes).toMatchObject([{ kind: 'changed', name: 'job.service' }])
    expect(writeDropIns(found, () => URL)[0]?.text).not.toContain('ExecStart')
  })

  test.each([
    'PrivateNetwork=no',
    'PrivateNetwork=yes\nPrivateNetwork=',
    'IPAddressDeny=any\nIPAddressAllow=any',
    'IPAddressDeny=169.254.169.254 multicast',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
    'RestrictAddressFamilies=~AF_PACKET AF_NETLINK',
    'SocketBindDeny=any',
    'SystemCallFilter=@system-service\nSystemCallFilter=~@privileged @resources',
    'SystemCallFilter=~@mount @reboot',
    'RootDirectory=/srv/root\nRootDirectoryStartOnly=yes',
    'RootDirectory=/',
    'NoExecPaths=/\nExecPaths=/usr',
    'NoExecPaths=/tmp /var',
    'InaccessiblePaths=/home /root -/usr/libexec',
    'TemporaryFileSystem=/var:ro',
    'Environment=PATH=/opt/bin:/usr/bin',
    'User=nobody\nDynamicUser=yes\nPrivateUsers=yes',
    'ProtectSystem=strict\nProtectHome=yes\nPrivateTmp=yes\nPrivateDevices=yes\nMemoryDenyWriteExecute=yes',
    'CapabilityBoundingSet=\nNoNewPrivileges=yes\nRestrictNamespaces=yes\nLockPersonality=yes',
    'TimeoutStopSec=90\nTimeoutStartSec=infinity\nRuntimeMaxSec=10',
    'TimeoutSec=0',
    'TimeoutSec=5\nTimeoutSec=3min',
    'TasksMax=10%',
    'TasksMax=1\nTasksMax=infinity',
    'MemoryMax=32M',
    'MemoryMax=1%',
    'MemoryMax=1G\nMemoryHigh=0.5G',
    'MemoryMax=1M\nMemoryMax=infinity',
    'CPUQuota=20%',
    'LimitNOFILE=1024:524288',
    'LimitNPROC=1',
    'User=root\nLimitNPROC=1',
    'User=job\nLimitNPROC=512',
    'LimitAS=infinity\nLimitCORE=0\nLimitFSIZE=0\nLimitMEMLOCK=0',
    'RestrictFileSystems=@basic-api @common-block',
    'RestrictFileSystems=~fuse nfs @security',
    'BindPaths=/srv/data:/data /usr/bin',
    'Environment=PATH=/opt/bin\nEnvironment=PATH=/opt/bin:/usr/bin',
    'Environment=PATH=/opt/bin\nEnvironment=\nEnvironment=A=1',
    'Environment=MANPATH=/opt/man',
    'Slice=system.slice',
    'StandardOutput=append:/var/log/job.log',
  ])('but not by %s', (settings) => {
    const found = inService(settings)
    expect(found.notes).toEqual([])
    expect(writeDropIns(found, () => URL)).toHaveLength(1)
  })

  test('by drop-ins for services with a name before a dash, or for its template', () => {
    for (const folder of ['my-.service.d', 'my-job@.service.d']) {
      const { notes } = plan({
        'my-job@a.timer': '[Timer]\nOnCalendar=daily\n',
        'my-job@.service': '[Service]\nExecStart=/bin/job\n',
        [`/etc/systemd/system/${folder}/10-net.conf`]: '\uFEFF[Service]\nPrivateNetwork=yes\n',
      })
      expect(notes).toMatchObject([{ kind: 'changed', name: 'my-job@a.service' }])
    }
  })
})

describe('slices', () => {
  const inSlice = (name: string, text: string, setting = 'Slice=jobs-nightly.slice') =>
    plan({
      '/etc/systemd/system/job.timer': '[Timer]\nOnCalendar=daily\n',
      '/etc/systemd/system/job.service': `[Service]\n${setting}\nExecStart=/bin/job\n`,
      [`/etc/systemd/system/${name}`]: text,
    })

  test.each([
    ['jobs-nightly.slice', '[Slice]\nIPAddressDeny=any\n', 'IPAddressDeny= of its slice jobs-nightly.slice'],
    ['jobs.slice.d/x.conf', '[Slice]\nMemoryMax=16M\n', 'MemoryMax= of its slice jobs.slice'],
  ])('of the service keep its commands from the server: %s', (name, text, reason) => {
    const { notes } = inSlice(name, text)
    expect(notes[0]).toMatchObject({ kind: 'changed', name: 'job.service', reason: expect.stringContaining(reason) })
  })

  test('allow what the service is denied, and the other way round', () => {
    const allowed = inSlice(
      'jobs-nightly.slice',
      '[Slice]\nIPAddressAllow=any\n',
      'Slice=jobs-nightly.slice\nIPAddressDeny=any',
    )
    const other = inSlice(
      'jobs-nightly.slice',
      '[Slice]\nIPAddressDeny=any\n',
      'Slice=jobs-nightly.slice\nIPAddressAllow=any',
    )
    expect([allowed.notes, other.notes]).toEqual([[], []])
  })

  test('that a service names without their file are named', () => {
    const { notes } = plan({
      'job.timer': '[Timer]\nOnCalendar=daily\n',
      'job.service': '[Service]\nSlice=jobs.slice\nExecStart=/bin/job\n',
    })
    expect(notes).toMatchObject([{ kind: 'to-do', name: 'job.service', reason: expect.stringContaining('jobs.slice') }])
  })

  test('of instances and users are known without Slice=', () => {
    const found = plan(
      {
        '/etc/systemd/system/my-dump@.timer': '[Timer]\nOnCalendar=daily\n',
        '/etc/systemd/system/my-dump@.service': '[Service]\nExecStart=/bin/dump\n',
        '/etc/systemd/system/system-my\\x2ddump.slice': '[Slice]\nTasksMax=3\n',
        '/home/ann/.config/systemd/user/dump.timer': '[Timer]\nOnCalendar=daily\n',
        '/home/ann/.config/systemd/user/dump.service': '[Service]\nExecStart=/bin/dump\n',
        '/home/ann/.config/systemd/user/app.slice': '[Slice]\nMemoryMax=9M\n',
      },
      ['a'],
    )
    expect(found.notes.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'my-dump@a.service: The TasksMax= of its slice system-my\\x2ddump.slice may be too low for curl.',
      'dump.service: The MemoryMax= of its slice app.slice may be too low for curl.',
    ])
  })
})

test('LimitNPROC= counts for every service of a user', () => {
  const found = plan({
    '/home/ann/.config/systemd/user/job.timer': '[Timer]\nOnCalendar=daily\n',
    '/home/ann/.config/systemd/user/job.service': '[Service]\nLimitNPROC=1\nExecStart=/bin/job\n',
  })
  expect(found.notes).toMatchObject([{ kind: 'changed', reason: expect.stringContaining('LimitNPROC=') }])
})

test('drop-ins for all services count for a service whose file was not given', () => {
  const found = plan({
    'job.timer': '[Timer]\nOnCalendar=daily\n',
    '/etc/systemd/system/job-.service.d/x.conf': '[Service]\nPrivateNetwork=yes\n',
    '/etc/systemd/system/service.d/x.conf': '[Service]\nTasksMax=4\n',
  })
  expect(found.notes).toMatchObject([{ kind: 'to-do', reason: 'Its TasksMax= may be too low for curl.' }])
})

test('a timer or a service of which only drop-ins were given says so', () => {
  const { checks, notes } = plan({
    '/etc/systemd/system/job.timer.d/x.conf': '[Timer]\nOnCalendar=daily\n',
    '/etc/systemd/system/job.service.d/x.conf': '[Service]\nNice=5\n',
  })
  expect(checks[0]?.why).toContainEqual(expect.stringContaining('only drop-ins of the timer were given'))
  expect(notes).toMatchObject([{ kind: 'to-do', name: 'job.service', advice: 'Give its file as well.' }])
})

test.each([
  ['service.d/net.conf', '[Service]\nPrivateNetwork=yes\n'],
  ['system.slice', '[Slice]\nIPAddressDeny=any\n'],
  ['-.slice', '[Slice]\nMemoryMax=16M\n'],
  ['job.service.d/x.conf', '[Service]\nPrivateNetwork=yes\n[Unit]\nOnFailureJobMode=isolate\n'],
])('no drop-in is written if units of their own could not ping either: %s', (name, text) => {
  const found = plan({
    '/etc/systemd/system/job.timer': '[Timer]\nOnCalendar=daily\n',
    '/etc/systemd/system/job.service': '[Service]\nExecStart=/bin/job\n',
    [`/etc/systemd/system/${name}`]: text,
  })
  expect(found.checks).toHaveLength(1)
  expect(found.notes).toMatchObject([
    { kind: 'to-do', name: 'job.service', advice: expect.stringContaining('no drop-in') },
  ])
  expect(writeDropIns(found, () => URL)).toEqual([])
})

describe('a service that pings already', () => {
  test.each([
    `ExecStart=/bin/job\nExecStartPre=-curl ${URL}/start`,
    `ExecStart=/bin/job\nExecStartPost=curl ${URL}`,
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
  ['ExecStart=-/bin/job', 'the - before its command hides a failure, so the check shows a success'],
  ['ExecStart=@-/bin/job job', 'the - before its command hides a failure, so the check shows a success'],
  [
    'ExecStart=/bin/job\nRestart=on-failure',
    'Restart= runs it again after a failure: each attempt pings its start and its result',
  ],
  [
    'ExecStart=/bin/job\nRestartForceExitStatus=75',
    'Restart= runs it again after a failure: each attempt pings its start and its result',
  ],
  [
    'ExecStart=/bin/job\nExecStopPost=/bin/clean',
    'if its own ExecStopPost= fails, systemd leaves out the ping after it, and the check goes down when the grace time is over',
  ],
  [
    'ExecStart=/bin/job\n[Unit]\nConditionACPower=true\nConditionPathExists=/mnt/usb',
    'a run that ConditionACPower= or ConditionPathExists= skips pings nothing, so the check goes down',
  ],
  [
    'ExecStart=/bin/job\nExecCondition=/bin/test',
    'a run that ExecCondition= skips pings nothing, so the check goes down',
  ],
  [
    'ExecStart=/bin/job\n[Unit]\nConditionACPower=true',
    'a run that ConditionACPower= skips pings nothing, so the check goes down',
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
    expect(of(folder)).toEqual([`${expected}/dump.service.d/overdue.conf`, true])
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
      '/etc/systemd/system/dump.service.d/overdue.conf',
      '/home/ann/.config/systemd/user/dump.service.d/overdue.conf',
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
      expect(writeDropIns(found, () => URL)[0]?.path).toBe('/etc/systemd/system/dump@04.service.d/overdue.conf')
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
  ['/usr/bin/docker run -d job', ['goes on by itself']],
  ['/opt/a shop | gzip', []],
  ["/bin/sh -ec '/opt/a; /opt/b'", []],
])('ExecStart=%s: what hides its exit status is named', (command, hints) => {
  const { notes } = service(`[Service]\nExecStart=${command}\n`)
  expect(notes.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(hints.map(() => 'to-do service'))
  for (const [index, hint] of hints.entries()) expect(JSON.stringify(notes[index])).toContain(hint)
})
