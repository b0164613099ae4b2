/** Commands that import proposals: their output, their refusals, and a second run. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, runOnTerminal } from '../../../support/command-line.ts'
import { type Folder, folder } from '../../support.ts'

const ENV = { SITE_ROOT: 'https://overdue.example.org', TZ: 'Europe/Riga' }
let place: Folder
beforeEach(() => {
  place = folder()
})
afterEach(() => place.remove())

const settings = () => ({ ...ENV, DATABASE_URL: place.url })
const write = (name: string, text: string | Uint8Array) => {
  writeFileSync(join(place.path, name), text)
  return join(place.path, name)
}
const pipe = (name: string) => {
  Bun.spawnSync(['mkfifo', join(place.path, name)])
  return join(place.path, name)
}
async function json(...words: readonly string[]) {
  const { code, out, err } = await run([...words, '--json'], settings())
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
const hasProject = () => run(['project', 'create', 'Home'], settings())

describe('import crontab', () => {
  test('without a project needs no database, and prints placeholders in a diff', async () => {
    const path = write('crontab', Buffer.from('# caf\xe9\n0 3 * * * /opt/job\n', 'latin1'))
    const { code, out, err } = await run(['import', 'crontab', path], settings())
    expect(code).toBe(0)
    expect(err).toContain('line 2  job   job   0 3 * * *  Europe/Riga  1h     new')
    expect(out).toContain('https://overdue.example.org/ping/PLACEHOLDER-UNTIL-APPLY-job -- /opt/job\n')
    expect(err).toContain('Nothing was written.')
    expect(err).toContain('curl -fsSo /usr/local/bin/overdue-run https://overdue.example.org/overdue-run')
  })

  test('refuses another program that pings, and writes the executable', async () => {
    const path = write('crontab', '0 3 * * * /opt/job\n')
    const refused = await run(['import', 'crontab', path, '--with', 'wget'], settings())
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('overdue-run, overdue, curl')])
    const { out } = await run(['import', 'crontab', path, '--with', 'overdue'], settings())
    expect(out).toContain('+0 3 * * * /usr/local/bin/overdue run --check https://')
  })

  test.each([
    ['cron.d/app', [], ['a']],
    ['etc/crontab', [], ['a']],
    ['app', ['--system'], []],
    ['app', [], []],
    ['crontabs/app', [], ['deploy']],
    ['crontabs/app', ['--system'], []],
  ])('the path %j with %j tells whether an unknown word may be a user', async (path, options, names) => {
    const file = join(place.path, path)
    await Bun.write(file, '0 3 * * * deploy /srv/a\n')
    const { out } = await run(['import', 'crontab', file, '--json', ...options], settings())
    const { checks } = JSON.parse(out)
    expect(checks.map(({ name }: { name: string }) => name)).toEqual([...names])
  })

  test('without a terminal, standard output has only what is for another program', async () => {
    const path = write('crontab', '0 3 * * * /opt/job\n')
    const { out } = await run(['import', 'crontab', path], settings())
    expect(out).toStartWith(`--- ${path}`)
    const onTerminal = await runOnTerminal(['import', 'crontab', path], settings(), 200)
    expect(onTerminal).toMatchObject({ out: expect.stringMatching(/ZONE.+Nothing was written.+\n--- /s), err: '' })
  })

  test('a long grace time and several lines of a schedule are written so that they can be read', async () => {
    const timer = '[Timer]\nOnCalendar=Mon 03:00\nOnCalendar=Tue 04:00\nPersistent=true\n'
    const service = '[Service]\nType=oneshot\nExecStart=/bin/job\nTimeoutStartSec=150min\n'
    const cat = `# /etc/systemd/system/a.timer\n${timer}# /etc/systemd/system/a.service\n${service}`
    const { err } = await run(['import', 'systemd', '-'], settings(), cat)
    expect(err).toContain('  Mon 03:00; Tue 04:00  Europe/Riga  1d 3h 31m  new')
  })

  test('a check whose job gets nothing that pings is listed with its ping URL', async () => {
    await hasProject()
    const apply = ['--project', 'Home', '--apply'] as const
    const jobs = [JOB, JOB.replace('name: a}', 'name: b}').replace('containers: [', 'containers: [{name: x}, ')]
    const { out, err } = await run(['import', 'kubernetes', '-', ...apply], settings(), jobs.join('---\n'))
    const [{ ping_url }] = (await json('check', 'list', '--project', 'Home')).filter(
      ({ slug }: { slug: string }) => slug === 'b',
    )
    expect(err).toContain(`Their ping URLs:\n  b: ${ping_url}\n`)
    expect(out).toContain('kubectl patch cronjob a ')
    expect(out).not.toContain(ping_url)
  })

  test.skipIf(Bun.which('patch') === null)(
    'the output can be given to patch, and keeps bytes that are no UTF-8',
    async () => {
      const bytes = Buffer.from('# caf\xe9\r\n\t\n0 3 * * * /opt/job\n', 'latin1')
      const path = write('crontab', bytes)
      const child = Bun.spawn(
        ['sh', '-c', '"$0" src/main.ts import crontab "$1" | patch "$1"', process.execPath, path],
        {
          env: { ...process.env, ...settings() },
          stdout: 'pipe',
          stderr: 'pipe',
        },
      )
      expect(await child.exited).toBe(0)
      const after = Buffer.from(await Bun.file(path).bytes())
      expect(after.subarray(0, 10)).toEqual(bytes.subarray(0, 10))
      expect(after.toString('latin1')).toContain('\n0 3 * * * /usr/local/bin/overdue-run --check ')
    },
  )

  test('creates the checks once, and leaves alone jobs that ping', async () => {
    await hasProject()
    const path = write('crontab', '0 3 * * * /opt/job\n')
    const apply = ['--project', 'Home', '--apply'] as const
    const first = await json('import', 'crontab', path, ...apply)
    expect(first).toMatchObject({ applied: true, checks: [{ outcome: 'created', slug: 'job' }] })
    expect(first.notes).toMatchObject([{ kind: 'to-do', name: 'the jobs' }])
    expect(first.diff).toContain(
      `+0 3 * * * /usr/local/bin/overdue-run --check ${first.checks[0].ping_url} -- /opt/job\n`,
    )
    const plain = await json('import', 'crontab', path, ...apply, '--with', 'curl')
    expect(plain.notes).toEqual([])
    expect(plain.diff).toContain(`+0 3 * * * curl -fsSL -m 5 -o /dev/null ${first.checks[0].ping_url}/start; /opt/job;`)
    const again = await json('import', 'crontab', path, ...apply)
    expect(again.checks).toMatchObject([{ outcome: 'found', ping_url: first.checks[0].ping_url }])
    expect(again.diff).toBe(first.diff)
    const changed = write('changed', `${/^\+(0 .*)$/m.exec(first.diff)?.[1]}\n0 4 * * * /opt/job\n`)
    const third = await json('import', 'crontab', changed, ...apply)
    expect(third.checks).toMatchObject([{ outcome: 'created', slug: 'job-2' }])
    expect(third.notes).toMatchObject([{ kind: 'left-out', name: 'line 1' }, { name: 'the jobs' }])
    expect(await json('check', 'list', '--project', 'Home')).toHaveLength(2)
  })

  test('a job keeps its check when another one of the same name comes above it', async () => {
    await hasProject()
    const apply = ['--project', 'Home', '--apply'] as const
    const [first] = (await json('import', 'crontab', write('a', '0 3 * * * /srv/a/job\n'), ...apply)).checks
    const again = await json('import', 'crontab', write('b', '0 1 * * * /srv/b/job\n0 3 * * * /srv/a/job\n'), ...apply)
    expect(again.checks).toMatchObject([
      { outcome: 'created', slug: 'job-b' },
      { outcome: 'found', slug: 'job', ping_url: first.ping_url },
    ])
  })

  test('says who gets the alerts, before and after: all integrations of the project unless --channels says otherwise', async () => {
    await hasProject()
    const path = write('crontab', '0 3 * * * /opt/job\n0 4 * * * /opt/other\n')
    const says = async (...words: readonly string[]) =>
      (await run(['import', 'crontab', path, '--project', 'Home', ...words], settings())).err
    const nobody = '→ 2 checks alert no one. The project has no channel: create one with `overdue channel create`,'
    expect(await says()).toContain(nobody)
    for (const name of ['Ops', 'Mail']) {
      const channel = ['--kind', 'webhook', '--name', name, '--settings', '{"url":"https://example.org/hook"}']
      await run(['channel', 'create', '--project', 'Home', ...channel], settings())
    }
    expect(await says()).toContain('Alerts of the new checks will be sent to: Ops, Mail.')
    expect(await says('--channels', '')).toContain('→ 2 checks alert no one. Choose who is alerted')
    expect(await says('--channels', 'Ops')).toContain('Alerts of the new checks will be sent to: Ops.')
    const given = async (...words: readonly string[]) => {
      const { alerts, checks } = await json('import', 'crontab', path, ...words)
      return { alerts, first: checks[0] }
    }
    expect(await given('--project', 'Home', '--channels', 'Ops')).toMatchObject({
      alerts: ['Alerts of the new checks will be sent to: Ops.'],
      first: { channels: expect.stringMatching(/^[-0-9a-f]{36}$/), alerts_nobody: false },
    })
    expect(await given('--project', 'Home', '--channels', '')).toMatchObject({
      alerts: ['2 checks alert no one. Choose who is alerted with `overdue check set --channels`.'],
      first: { channels: '', alerts_nobody: true },
    })
    expect(await given()).toMatchObject({ alerts: [], first: { channels: null, alerts_nobody: null } })
    expect(await says('--apply')).toContain('Alerts of the new checks are sent to: Ops, Mail.')
    for (const { channels } of await json('check', 'list', '--project', 'Home')) expect(channels).toContain(',')
    expect(await says('--apply')).not.toContain('Alerts of')
  })

  test.each([
    ['binary', () => write('x', new Uint8Array(100)), 'is not text: it has NUL bytes'],
    ['endless', () => '/dev/zero', '/dev/zero is larger than 1.0 MB'],
    ['a long line', () => write('x', 'x'.repeat(200_000)), 'has a line of more than 100000 bytes'],
    ['missing', () => join(place.path, 'none'), 'there is no such file'],
    ['a folder', () => place.path, 'cannot read'],
    ['a pipe', () => pipe('fifo'), 'fifo is a pipe, not a regular file'],
  ])('refuses a file that is %s with a sentence', async (_, path, message) => {
    const { code, out, err } = await run(['import', 'crontab', path()], settings())
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).toContain('\n→ ')
  })

  test.each([
    [['--zone', 'Mars/Base'], 'unknown time zone "Mars/Base"'],
    [['--prefix', 'a/b'], '--prefix is not valid'],
  ])('refuses %p', async (words, message) => {
    const { code, err } = await run(['import', 'crontab', write('c', '0 3 * * * a\n'), ...words], settings())
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

test('import systemd reads a folder, and what systemctl cat prints', async () => {
  mkdirSync(join(place.path, 'units/job.timer.d'), { recursive: true })
  write('units/job.timer', '[Timer]\nOnCalendar=daily\n')
  write('units/job.timer.d/a.conf', '[Timer]\nOnCalendar=\nOnCalendar=hourly\n')
  write('units/other.txt', 'x')
  const { checks, files } = await json('import', 'systemd', join(place.path, 'units'))
  expect(checks).toMatchObject([{ slug: 'job', schedule: 'hourly', tz: 'Europe/Riga' }])
  expect(files).toMatchObject([{ path: '/etc/systemd/system/job.service.d/zz-overdue.conf' }])
  const cat = '# /usr/lib/systemd/system/a.timer\n[Timer]\nOnCalendar=daily\n'
  const { code, out } = await run(['import', 'systemd', '-'], settings(), cat)
  expect(code).toBe(0)
  expect(out).toContain(
    '# /etc/systemd/system/a.service.d/zz-overdue.conf\n# The pings need curl 7.52 and systemd 232 (both of 2016) or newer.\n[Service]\nExecStartPre=-',
  )
})

test('import systemd puts a wrapper before a command, and says how it gets onto the machine', async () => {
  const units = '# /etc/systemd/system/a.timer\n[Timer]\nOnCalendar=daily\n# /etc/systemd/system/a.service\n'
  const cat = `${units}[Service]\nType=oneshot\nExecStart=-/bin/a --day %j "$$1"\n`
  const script = await run(['import', 'systemd', '-'], settings(), cat)
  expect(script.out).toContain('[Service]\nExecStart=\nExecStart=-/usr/local/bin/overdue-run --check http')
  expect(script.out).toContain(' -- /bin/a --day %j "$$1"\nSyslogIdentifier=a\n')
  expect(script.err).toContain('Run there as root: curl -fsSo /usr/local/bin/overdue-run ')
  const executable = await run(['import', 'systemd', '-', '--with', 'overdue'], settings(), cat)
  expect(executable.out).toContain('ExecStart=-/usr/local/bin/overdue run --check http')
  const curl = await run(['import', 'systemd', '-', '--with', 'curl'], settings(), cat)
  expect(curl.out).toContain('ExecStopPost=')
  expect(curl.err).not.toContain('/usr/local/bin')
})

test('import systemd leaves out the links of a folder to units, and names what it cannot read', async () => {
  const units = join(place.path, 'units')
  mkdirSync(join(units, 'timers.target.wants'), { recursive: true })
  const timer = write('units/job.timer', '[Timer]\nOnCalendar=*-*-* 04:00\n')
  write('units/job.service', '[Service]\nExecStart=/bin/true\n')
  symlinkSync(timer, join(units, 'timers.target.wants/job.timer'))
  symlinkSync('/nowhere/a.timer', join(units, 'timers.target.wants/a.timer'))
  symlinkSync('/nowhere/b.timer', join(units, 'b.timer'))
  const { checks, notes } = await json('import', 'systemd', units)
  expect(checks).toMatchObject([{ slug: 'job', schedule: '*-*-* 04:00' }])
  expect(notes).toContainEqual(
    expect.objectContaining({ name: join(units, 'b.timer'), reason: 'It cannot be read: there is no such file.' }),
  )
  const enabled = await json('import', 'systemd', join(units, 'timers.target.wants'))
  expect(enabled.checks).toMatchObject([{ slug: 'job', schedule: '*-*-* 04:00' }])
})

test('import systemd knows instances by links and by --instance, and names a file without units', async () => {
  const units = join(place.path, 'units')
  mkdirSync(join(units, 'timers.target.wants'), { recursive: true })
  const template = write('units/dump@.timer', '[Timer]\nOnCalendar=daily\n')
  write('units/dump@.service', '[Service]\nExecStart=/bin/dump %i\n')
  write('units/bad.timer', 'hello\n')
  symlinkSync(template, join(units, 'timers.target.wants/dump@shop.timer'))
  const { checks, files, notes, reloads } = await json('import', 'systemd', units, '--instance', 'dump@club')
  expect(checks).toMatchObject([{ slug: 'dump-club' }, { slug: 'dump-shop' }])
  expect(files[1].path).toBe('/etc/systemd/system/dump@shop.service.d/zz-overdue.conf')
  expect(reloads).toEqual(['systemctl daemon-reload'])
  expect(notes).toMatchObject([{ subject: 'file', name: join(units, 'bad.timer') }, { subject: 'machine of' }])
})

test('import systemd reads links to /dev/null as masks, and links in timers.target.wants as what starts at boot', async () => {
  const units = join(place.path, 'units')
  mkdirSync(join(units, 'timers.target.wants'), { recursive: true })
  for (const name of ['job', 'other']) write(`units/${name}.timer`, '[Timer]\nOnCalendar=daily\n')
  symlinkSync('/dev/null', join(units, 'masked.timer'))
  symlinkSync('/dev/null', join(units, 'other.service'))
  symlinkSync(join(units, 'job.timer'), join(units, 'timers.target.wants/job.timer'))
  const { checks, notes } = await json('import', 'systemd', units)
  expect(checks).toMatchObject([{ slug: 'job', why: ['the grace time includes 1 minute for a late start'] }])
  expect(notes).toMatchObject([
    { name: 'masked.timer', reason: expect.stringContaining('It is masked') },
    { name: 'other.timer', reason: expect.stringContaining('Its service is masked') },
    { name: 'job.service' },
  ])
})

test.each(['a b', 'dump@.timer', '@shop', 'dump.timer', 'dump.service'])(
  'import systemd refuses --instance %p',
  async (name) => {
    const timer = write('dump@.timer', '[Timer]\nOnCalendar=daily\n')
    const { code, err } = await run(['import', 'systemd', timer, '--instance', name], settings())
    expect([code, err]).toEqual([2, expect.stringContaining('dump@shop')])
  },
)

test('import systemd refuses a list of timers, and a text without units', async () => {
  expect((await run(['import', 'systemd', '-'], settings(), '[{"next":1}]')).err).toContain(
    'a list of timers has no schedules',
  )
  expect((await run(['import', 'systemd', '-'], settings(), 'hello\n')).err).toContain(
    'standard input: it has no unit files',
  )
})

test.each([
  ['is not there', () => join(place.path, 'none')],
  ['lies below a file', () => join(write('file', 'x'), 'job.timer')],
])('import systemd refuses a file that %s with a sentence', async (_, path) => {
  const { code, err } = await run(['import', 'systemd', path()], settings())
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^cannot read \S+: .+\n→ check the name and the permissions\n$/),
  ])
})

test('import kubernetes and gatus read YAML, of several files and documents', async () => {
  const job = (name: string) => `kind: CronJob\nmetadata: {name: ${name}}\nspec: {schedule: "@daily"}\n`
  const [a, b] = [write('a.yaml', `${job('a')}---\n${job('b')}`), write('b.yaml', job('c'))]
  expect((await json('import', 'kubernetes', a, b)).checks).toMatchObject([{ slug: 'a' }, { slug: 'b' }, { slug: 'c' }])
  const inBraces = write('braces.yaml', '{kind: CronJob, metadata: {name: d}, spec: {schedule: "@daily"}}\n')
  expect((await json('import', 'kubernetes', inBraces)).checks).toMatchObject([{ slug: 'd' }])
  const gatus = write('g.yaml', 'x: &x {interval: 1h}\nexternal-endpoints:\n- {name: a, heartbeat: *x}\n')
  expect((await json('import', 'gatus', gatus)).checks).toMatchObject([{ slug: 'a', timeout: 3600 }])
})

const JOB =
  'kind: CronJob\nmetadata: {name: a}\nspec: {schedule: "@daily", jobTemplate: {spec: {template: {spec: {containers: [{name: a}]}}}}}\n'

test.each([
  ['a template of Helm', 'metadata:\n  name: {{ .Release.Name }}\n', 2, 'it is a template', 'helm template'],
  ['a quote that is never closed', 'a: "b\n', 1, 'a quote is not closed', null],
] as const)(
  '%s: the document is named with its line of the file, and the others are read',
  async (_, text, line, reason, advice) => {
    const path = write('jobs.yaml', `${JOB}---\n${text}\n--- # last\n${JOB.replace('a}', 'z}')}`)
    const { checks, notes } = await json('import', 'kubernetes', path, '--with', 'curl')
    expect(checks).toMatchObject([{ slug: 'a' }, { slug: 'z' }])
    // The first document has three lines, and the marker one.
    expect(notes).toMatchObject([{ kind: 'left-out', subject: 'document', name: `${path} line ${line + 4}` }])
    expect(notes[0].reason).toContain(reason)
    expect(notes[0].advice).toEqual(advice === null ? null : expect.stringContaining(advice))
  },
)

test('without one document that can be read, the command fails, and names all of them', async () => {
  const { code, out, err } = await run(['import', 'gatus', '-'], settings(), 'hello\n---\na: [1\n')
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^nothing can be read:\n {2}standard input line 1: .+\n {2}standard input line 4: .+\n→ .+\n$/)
})

test('a file of a folder that is no text, or a pipe, is named, and the others are read', async () => {
  mkdirSync(join(place.path, 'jobs'))
  const [binary, long] = [write('jobs/b.yaml', new Uint8Array(9)), write('jobs/c.yaml', `a: ${'x'.repeat(200_000)}`)]
  const fifo = pipe('jobs/d.yaml')
  const good = write('jobs/e.yaml', JOB)
  for (const given of [[join(place.path, 'jobs')], [binary, long, good]]) {
    const { checks, notes } = await json('import', 'kubernetes', ...given, '--with', 'curl')
    expect(checks).toMatchObject([{ slug: 'a' }])
    const names = notes.map(({ name }: { name: string }) => name)
    expect(names.toSorted()).toEqual(given.length === 1 ? [binary, long, fifo] : [binary, long])
  }
  expect((await run(['import', 'kubernetes', binary, long], settings())).code).toBe(2)
  expect((await run(['import', 'kubernetes', good, join(place.path, 'none')], settings())).code).toBe(2)
})

test('import kubernetes says which zone it assumes, and how to set another', async () => {
  const why = async (...words: readonly string[]) =>
    (await json('import', 'kubernetes', write('jobs.yaml', JOB), ...words)).checks[0].why
  expect(await why()).toContain('it names no zone, so UTC is assumed: --zone sets another')
  expect(await why('--zone', 'Asia/Tokyo')).toContain('it names no zone, so Asia/Tokyo is assumed: --zone sets another')
})

test('a file in UTF-16, as PowerShell writes it, is read', async () => {
  const path = write('jobs.json', Buffer.from(`\uFEFF${JOB}`, 'utf16le'))
  expect((await json('import', 'kubernetes', path)).checks).toMatchObject([{ slug: 'a' }])
})

test.each([
  ['crontab', '', 1],
  ['crontab', '# nothing yet\nMAILTO=ops@example.org\n', 1],
  ['crontab', '*/30 * * * * * * /app/beat\n', 1],
  ['crontab', '0 3 * * * curl https://overdue.example.org/ping/6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1\n', 0],
  ['crontab', 'MAILTO=6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1@example.org\n0 3 * * * /opt/job\n', 0],
  ['crontab', '0 3 * * * /opt/job\n', 0],
  ['systemd', '', 2],
  ['systemd', '# /etc/systemd/system/a.service\n[Service]\nExecStart=/bin/a\n', 1],
  ['systemd', '# /etc/systemd/system/a.timer\n[Timer]\nOnBootSec=1h\n', 1],
  ['kubernetes', '', 1],
  ['kubernetes', 'kind: Service\nmetadata: {name: a}\n', 1],
  ['kubernetes', JOB.replace('{name: a}]', '{name: a, command: [curl, https://hc-ping.com/a]}]'), 0],
  ['gatus', 'endpoints: []\n', 1],
  ['gatus', 'endpoints: [{name: a, url: "https://example.org"}]\n', 1],
])(
  'import %s of %j: exit status %i, which tells whether it has a job for a check or one that pings',
  async (scheduler, text, status) => {
    expect((await run(['import', scheduler, '-'], settings(), text)).code).toBe(status)
  },
)

test.each(['systemd', 'kubernetes', 'gatus'])(
  'import %s refuses a folder in which no file is of its kind',
  async (scheduler) => {
    write('notes.txt', 'hello\n')
    const { code, out, err } = await run(['import', scheduler, place.path], settings())
    expect([code, out]).toEqual([2, ''])
    expect(err).toStartWith(`${place.path}: there is no file of the right kind\n→ `)
  },
)

test('the exit status is 1 if something is left out unread, and no job is found in the rest', async () => {
  const broken = 'a: "x\n---\n'
  const [service, template] = ['kind: Service\nmetadata: {name: a}\n', 'a: {{ x }}\n---\n']
  expect((await run(['import', 'kubernetes', '-'], settings(), `${template}${service}`)).code).toBe(1)
  expect((await run(['import', 'kubernetes', '-'], settings(), `${template}${JOB}`)).code).toBe(0)
  expect((await run(['import', 'gatus', '-'], settings(), `${broken}endpoints: []\n`)).code).toBe(1)
})

test.each([
  ['root', 2],
  ['0', 2],
  ['1000', 0],
  ['cluster', 0],
])('import kubernetes --user %s: exit status %i', async (user, expected) => {
  const { code } = await run(['import', 'kubernetes', '-', '--user', user], settings(), JOB)
  expect(code).toBe(expected)
})

test('YAML that contains itself ends', async () => {
  const { code, err } = await run(['import', 'gatus', '-'], settings(), 'external-endpoints: &x\n- *x\n')
  expect([code, err.includes('It has no name.')]).toEqual([1, true])
})
