import { describe, expect, test } from 'bun:test'
import { readSpanOfSystemd } from '../../../../src/import/proposals/span.ts'
import { writeDropIns } from '../../../../src/import/proposals/systemd/drop-ins.ts'
import { splitCat } from '../../../../src/import/proposals/systemd/units.ts'
import { DAY, plan, service, URL } from '../unit-files.ts'

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
    ['OnBootSec=5min', 'It starts its service once after each boot or start of the timer, so it has no expected time.'],
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
      const { checks, notes } = plan({ 'a.timer': `[Timer]\nOnCalendar=${text}\n` })
      expect(checks).toEqual([])
      expect(notes).toMatchObject([
        {
          reason: `systemd ignores OnCalendar=${text}, which is in the form of cron.`,
          advice: expect.stringContaining('OnCalendar=daily'),
        },
      ])
    },
  )

  test.each([
    ['OnCalendar=@daily\nOnCalendar=hourly', { schedule: 'hourly', tz: 'Europe/Riga' }, 'OnCalendar=@daily'],
    [
      'OnCalendar=Mon 03:00\nOnCalendar=03:00 # at night\nOnCalendar=Tue 04:00',
      { schedule: 'Mon 03:00\nTue 04:00', tz: 'Europe/Riga' },
      'OnCalendar=03:00 # at night',
    ],
    ['OnCalendar=daily\nOnCalendar=25:00', { schedule: 'daily', tz: 'Europe/Riga' }, 'OnCalendar=25:00'],
    ['OnCalendar=someday\nOnBootSec=5min\nOnUnitActiveSec=1h', { timeout: 3600 }, 'OnCalendar=someday'],
    ['OnCalendar=hourly\nOnUnitActiveSec=often', { schedule: 'hourly', tz: 'Europe/Riga' }, 'OnUnitActiveSec=often'],
    ['OnUnitActiveSec=often\nOnUnitActiveSec=2h', { timeout: 7200 }, 'OnUnitActiveSec=often'],
  ])('a time that systemd cannot read keeps no other out, and is named: %p', (timer, timing, wrong) => {
    const { checks, notes } = plan({ 'a.timer': `[Timer]\n${timer}\n` })
    expect(checks).toMatchObject([{ timing }])
    expect(notes.filter(({ subject }) => subject === 'timer')).toMatchObject([
      { kind: 'to-do', name: 'a.timer', reason: expect.stringContaining(wrong), advice: expect.any(String) },
    ])
  })

  test('a delay that systemd cannot read leaves the one before', () => {
    expect(one('OnCalendar=hourly\nRandomizedDelaySec=2h\nRandomizedDelaySec=some')).toMatchObject({
      grace: 3660 + 7200,
    })
  })

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
    plan(files, [], linked).checks[0]?.why.join('; ') ?? ''

  test.each([
    ['OnUnitActiveSec=1h', true],
    ['OnUnitInactiveSec=1h\nOnUnitActiveSec=2h', true],
    ['OnBootSec=\nOnUnitActiveSec=1h', true],
    ['OnBootSec=0\nOnUnitActiveSec=1h', false],
    ['OnActiveSec=1min\nOnUnitInactiveSec=1h', false],
    ['OnStartupSec=1min\nOnUnitActiveSec=1h', false],
    ['OnCalendar=daily\nOnUnitActiveSec=1h', false],
  ])('a timer that waits for a first run by others says so: %p', (timer, waits) => {
    expect(why({ 'a.timer': `[Timer]\n${timer}\n` }).includes('until another unit starts')).toBe(waits)
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
      'ConditionACPower= may prevent the timer from starting',
    )
  })

  test.each([
    ['Unit=backup.target', 'It starts backup.target, and only services can ping.'],
    ['Unit=other.timer', 'It starts other.timer, and only services can ping.'],
    ['Unit=dump@.service', 'It starts dump@.service, a template without an instance.'],
    ['Unit=dump@%H.service', 'It starts dump@%H.service, a name that only the machine itself can complete.'],
    ['Unit=my job', 'It starts my job, which is not the name of a unit.'],
  ])('%s gets no check', (setting, reason) => {
    const { checks, notes } = plan({ 'a.timer': `[Timer]\nOnCalendar=daily\n${setting}\n` })
    expect([checks, notes]).toMatchObject([[], [{ name: 'a.timer', reason }]])
  })

  test.each(['Unit=b.service\nUnit=c.service', 'Unit=my job\nUnit=b.service'])(
    'of several units to start, the first counts: %p',
    (units) => {
      expect(plan({ 'a.timer': `[Timer]\nOnCalendar=daily\n${units}\n` }).checks).toMatchObject([{ name: 'b' }])
    },
  )

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
    expect(checks[0]?.why).not.toContainEqual(expect.stringContaining('are additional to the schedule'))
  })

  test('an empty span is ignored, so that before it counts', () => {
    expect(one('OnCalendar=hourly\nRandomizedDelaySec=2h\nRandomizedDelaySec=')).toMatchObject({ grace: 3660 + 7200 })
  })

  test('an empty condition resets those of all kinds', () => {
    const unit =
      '[Unit]\nConditionACPower=true\nConditionPathExists=\nAssertPathExists=/a\n[Service]\nExecStart=/bin/job\n'
    expect(service(unit).checks[0]?.why).toContain(
      'a run skipped by AssertPathExists= does not ping, so the check goes down',
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
