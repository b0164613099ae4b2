import { describe, expect, test } from 'bun:test'
import type { PingingWay } from '../../../../src/import/proposals/ping-lines.ts'
import { writeDropIns } from '../../../../src/import/proposals/systemd/drop-ins.ts'
import { plan, service, URL } from '../unit-files.ts'

const RUN = `/usr/local/bin/overdue-run --check ${URL} --`

/** Returns the lines for a service, without its section. */
function written(settings: string, { by = 'overdue-run', url = URL }: { by?: PingingWay; url?: string } = {}) {
  const found = service(`[Service]\n${settings}\n`, by)
  const [dropIn] = writeDropIns(found, () => url)
  return { text: dropIn?.text.replace('[Service]\n', '') ?? '', found }
}

test.each([
  ['/bin/job --all', `${RUN} /bin/job --all`],
  ['-/bin/job', `-${RUN} /bin/job`],
  ['+-/bin/job', `+-${RUN} /bin/job`],
  ['!!/bin/job', `!!${RUN} /bin/job`],
  [':/bin/job $HOME', `:${RUN} /bin/job $HOME`],
  ['/bin/job "a  b" \'c\' $DAY $$x %i %% %h \\; \\x20', `${RUN} /bin/job "a  b" 'c' $DAY $$x %i %% %h \\; \\x20`],
  ['"/opt/my jobs/job" x', `${RUN} "/opt/my jobs/job" x`],
  ['/bin/job \\\n  --all', `${RUN} /bin/job    --all`],
  ['/bin/sh -c "a && b \\" ; c"', `${RUN} /bin/sh -c "a && b \\" ; c"`],
  ["/bin/sh -c 'a && b'", `${RUN} /bin/sh -c 'a && b'`],
])('the command %j gets a wrapper behind its prefix, and stays as it is', (command, line) => {
  const { text, found } = written(`Type=oneshot\nExecStart=${command}`)
  expect(text).toStartWith(`ExecStart=\nExecStart=${line}\n`)
  expect(found.notes.filter(({ kind }) => kind === 'changed')).toEqual([])
})

test('the executable is a wrapper, too', () => {
  expect(written('ExecStart=/bin/job', { by: 'overdue' }).text).toBe(
    `ExecStart=\nExecStart=/usr/local/bin/overdue run --check ${URL} -- /bin/job\nSyslogIdentifier=job\n`,
  )
})

test('the journal names the lines of a job as before', () => {
  expect(written('Type=oneshot\nExecStart=/opt/%p/job.sh').text).toEndWith('\nSyslogIdentifier=job.sh\n')
  expect(written('Type=oneshot\nExecStart=/bin/job\nSyslogIdentifier=mine').text).not.toContain('SyslogIdentifier')
})

test('a service that systemctl stops does not fail by the exit status that the script tells a signal with', () => {
  expect(written('ExecStart=/bin/job').text).toContain('\nSuccessExitStatus=129 130 141 143\n')
  expect(written('Type=oneshot\nExecStart=/bin/job').text).not.toContain('SuccessExitStatus')
})

test.each([
  ['/bin/job', 'https://o.example/a%20b', '--check https://o.example/a%%20b --'],
  ['/bin/job', 'https://o.example/$a;b', "--check 'https://o.example/$$a;b' --"],
  [':/bin/job', 'https://o.example/$a;b', "--check 'https://o.example/$a;b' --"],
])('before %s, the URL %s is one argument', (command, url, part) => {
  expect(written(`ExecStart=${command}`, { url }).text).toContain(part)
})

describe('pings by curl, and says why:', () => {
  test.each([
    ['Type=oneshot\nExecStart=/bin/a\nExecStart=/bin/b', 'It has several commands, and each one would be a run.'],
    ['Type=oneshot\nExecStart=/bin/a ; /bin/b', 'It has several commands, and each one would be a run.'],
    ['Type=oneshot', 'It has no ExecStart=.'],
    ['ExecStart=@/bin/job name', 'The @ before its command gives the program another name.'],
    ['ExecStart=|/bin/job', 'The | before its command makes a shell start it.'],
    ['ExecStart=job', 'Its ExecStart= does not begin with the path of a program.'],
    ['ExecStart=$JOB', 'Its ExecStart= does not begin with the path of a program.'],
    ['ExecStart=/opt/$JOB/run', 'Its ExecStart= does not begin with the path of a program.'],
    ['ExecStart="-/bin/job"', 'Its ExecStart= does not begin with the path of a program.'],
    ['ExecStart=/bin/job \ufffd', 'Its command has characters that are not text.'],
    ['ExecStart=/bin/job \u009b2J', 'Its command has characters that are not text.'],
    ['Type=notify\nExecStart=/bin/job', 'With Type=notify, systemd waits for a signal of the program that it starts.'],
    ['BusName=a.b\nExecStart=/bin/job', 'With Type=dbus, systemd waits for a signal of the program that it starts.'],
    ['ExecStart=/bin/job\nSuccessExitStatus=3', 'SuccessExitStatus= may not fit overdue-run.'],
    ['ExecStart=/bin/job\nBindPaths=/srv/a:/usr/local', 'BindPaths= may not fit overdue-run.'],
    ['ExecStart=/bin/job\nExecStop=/bin/kill -INT $MAINPID', 'Its commands use $MAINPID.'],
    ['ExecStart=/bin/job\nKillSignal=SIGINT', 'KillSignal= may not fit overdue-run.'],
    ['ExecStart=/bin/job\nRestart=on-abnormal', 'Restart=on-abnormal depends on whether a signal ended the job.'],
  ])('%j', (settings, reason) => {
    const { text, found } = written(settings)
    expect(text).toContain('ExecStopPost=')
    expect(found.notes).toContainEqual(expect.objectContaining({ kind: 'changed', name: 'job.service', reason }))
  })

  test('what the executable does and the script does not', () => {
    const settings = 'ExecStart=/bin/job\nMemoryDenyWriteExecute=yes'
    expect(written(settings).found.notes).toEqual([])
    expect(written(settings, { by: 'overdue' }).found.notes).toMatchObject([
      { reason: 'MemoryDenyWriteExecute= may not fit overdue.' },
    ])
  })
})

test('a service whose own file is not known keeps its command', () => {
  const found = plan({ 'job.timer': '[Timer]\nOnCalendar=daily\n' }, [], [], 'overdue-run')
  expect(writeDropIns(found, () => URL)[0]?.text).toContain('ExecStopPost=')
  expect(found.notes).toMatchObject([{ kind: 'to-do', name: 'job.service' }])
})

test('the drop-in comes after the one of `systemctl edit`, whose command it has', () => {
  const found = plan(
    {
      'job.timer': '[Timer]\nOnCalendar=daily\n',
      'job.service': '[Service]\nExecStart=/bin/old\n',
      'job.service.d/override.conf': '[Service]\nExecStart=\nExecStart=/bin/new\n',
    },
    [],
    [],
    'overdue-run',
  )
  const [{ path, text } = { path: '', text: '' }] = writeDropIns(found, () => URL)
  expect(text).toContain(`ExecStart=${RUN} /bin/new\n`)
  expect('/etc/systemd/system/job.service.d/override.conf' < path).toBe(true)
})

test.each([
  ['ExecStart=-/bin/job', []],
  ['ExecStart=/bin/job\nExecStopPost=/bin/clean', []],
  [
    'ExecStart=/bin/job\nExecStartPre=/bin/mount',
    ['if its ExecStartPre= fails, its command does not run or ping, and the check goes down after the grace time'],
  ],
])('the check of a wrapped job says what its pings cannot tell: %j', (settings, why) => {
  expect(written(settings).found.checks[0]?.why.filter((one) => /Exec|hides/.test(one))).toEqual(why)
})
