import { describe, expect, test } from 'bun:test'
import { planTimers, writeDropIns } from '../../../src/domain/import/systemd.ts'
import { readSpanOfSystemd, splitCat } from '../../../src/domain/import/systemd-units.ts'
import { Temporal } from '../../../src/lib/time.ts'

const OPTIONS = {
  zone: 'Europe/Riga',
  prefix: '',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
}
const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
const URL = `https://overdue.example.org/ping/${ID}`

const plan = (files: Readonly<Record<string, string>>) =>
  planTimers(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    OPTIONS,
  )
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
    [
      'OnBootSec=5min',
      'It starts its service once after the machine or systemd has started, so no time can be expected.',
    ],
    ['OnUnitActiveSec=5', 'The period of a check is 60 seconds to 365 days.'],
    [`OnCalendar=${'Mon,'.repeat(40)}Tue`, 'A schedule has at most 100 characters.'],
  ])('%p', (timer, expected) => {
    expect(one(timer)).toEqual(expected)
  })

  test('a wrong calendar expression is left out with the reason', () => {
    expect(one('OnCalendar=someday')).toBeString()
  })

  test('drop-ins come after the unit, by their names', () => {
    const { checks } = plan({
      '/etc/systemd/system/a.timer.d/20.conf': '[Timer]\nOnCalendar=\nOnCalendar=hourly\n',
      '/etc/systemd/system/a.timer.d/10.conf': '[Timer]\nOnCalendar=weekly\n',
      '/usr/lib/systemd/system/a.timer': '[Timer]\nOnCalendar=daily\nUnit=b.service\n',
    })
    expect(checks.map(({ slug, timing }) => [slug, timing])).toEqual([['b', { schedule: 'hourly', tz: 'Europe/Riga' }]])
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
    expect(notes.map(({ name, reason }) => [name, reason])).toEqual([
      [
        '/usr/lib/systemd/system/a.timer',
        'Of files with the same name one counts: /mnt/host/etc/systemd/system/a.timer.',
      ],
      [
        '/usr/lib/systemd/system/a.timer.d/x.conf',
        'Of files with the same name one counts: /run/systemd/system/a.timer.d/x.conf.',
      ],
    ])
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

  test('templates, and services that ping, are left out', () => {
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
    expect(found.notes).toEqual([])
    expect(found.checks).toMatchObject([{ slug: 'job', place: 'a.timer, b.timer', timing: both, graceSeconds: 3900 }])
    expect(found.checks[0]?.why).toHaveLength(2)
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
    expect(found.notes).toMatchObject([{ name: 'b.timer', advice: expect.stringContaining('a service of its own') }])
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

describe('a drop-in', () => {
  const dropIns = writeDropIns(plan({ 'job.timer': '[Timer]\nOnCalendar=daily\n' }), () => `${URL}%20x`)

  test('belongs to the service, and escapes what systemd reads', () => {
    expect(dropIns.map(({ path }) => path)).toEqual(['/etc/systemd/system/job.service.d/overdue.conf'])
    expect(dropIns[0]?.text).toContain(`${URL}%%20x/start`)
  })

  /** What systemd runs: `$$` and `%%` are one character each. */
  const stop = (/ExecStopPost=-\/bin\/sh -c '(.*)'$/m.exec(dropIns[0]?.text ?? '')?.[1] ?? '')
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replaceAll("\\'", "'")

  test.each([
    ['success', '0', '/0'],
    ['success', '1', '/0'],
    ['exit-code', '7', '/7'],
    ['signal', 'KILL', '/fail'],
    ['timeout', 'TERM', '/fail'],
    ['start-limit-hit', '', '/fail'],
    ['exec-condition', '1', null],
  ])('tells the result %p with status %p as %p', async (result, status, ending) => {
    const command = stop.replace('curl', 'echo')
    const child = Bun.spawn(['sh', '-c', command], {
      env: { SERVICE_RESULT: result, EXIT_STATUS: status },
      stdout: 'pipe',
    })
    const printed = await child.stdout.text()
    expect(printed.trim().split(' ').at(-1)).toBe(ending === null ? '' : `${URL}%20x${ending}`)
  })
})
