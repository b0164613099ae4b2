import { describe, expect, test } from 'bun:test'
import { type CrontabOptions, planCrontab, writeCrontab } from '../../../../src/import/proposals/crontab/crontab.ts'
import { readCrontabLine } from '../../../../src/import/proposals/crontab/lines.ts'
import { Temporal } from '../../../../src/lib/time.ts'
import { AS_COMMAND, CURL } from '../crontab-plan.ts'

const ENDPOINT = 'https://overdue.example.org/ping/'
const OPTIONS: CrontabOptions = {
  layout: 'user',
  isLayoutCertain: false,
  zone: 'Europe/Riga',
  prefix: '',
  taken: new Set(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
  pingEndpoint: ENDPOINT,
  ...AS_COMMAND,
}
const NEITHER =
  'The line is neither a setting nor a job: a job has five fields, or a word such as @daily, and a command.'
const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'

const plan = (text: string, options: Partial<CrontabOptions> = {}) => planCrontab(text, { ...OPTIONS, ...options })
const checksOf = (text: string, options: Partial<CrontabOptions> = {}) =>
  plan(text, options).checks.map(({ slug, timing, graceSeconds }) => ({ slug, ...timing, grace: graceSeconds }))
const notesOf = (text: string, options: Partial<CrontabOptions> = {}) =>
  plan(text, options).notes.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`)
const written = (text: string, options: Partial<CrontabOptions> = {}) =>
  writeCrontab(plan(text, options), options.pinging ?? CURL, () => ENDPOINT + ID).after.join('')

describe('schedules', () => {
  test.each([
    ['30 3 * * MON-FRI', '30 3 * * MON-FRI', 3600],
    ['*/5 * * * *', '*/5 * * * *', 300],
    ['@daily', '0 0 * * *', 3600],
    ['@midnight', '0 0 * * *', 3600],
    ['@weekly', '0 0 * * 0', 3600],
    ['@monthly', '0 0 1 * *', 3600],
    ['@yearly', '0 0 1 1 *', 3600],
    ['@annually', '0 0 1 1 *', 3600],
    ['@hourly', '0 * * * *', 3600],
    ['@every_minute', '* * * * *', 300],
    ['0~30 4 * * *', '0 4 * * *', 3600 + 30 * 60],
    ['~ 4 * * *', '0 4 * * *', 3600 + 59 * 60],
    ['0 2~4 * * *', '0 2 * * *', 3600 + 2 * 3600],
    ['-15 3 * * *', '15 3 * * *', 3600],
    ['15\t3  * * *', '15 3 * * *', 3600],
  ])('%p gives %p with %p seconds of grace', (given, schedule, grace) => {
    expect(checksOf(`${given} /opt/job\n`)).toEqual([{ slug: 'job', schedule, tz: 'Europe/Riga', grace }])
  })

  test.each([
    ['*/90 * * * *', ['steps start again every hour, so "*/90" is once an hour']],
    ['0 */30 * * *', ['steps start again every day, so "*/30" is once a day']],
    ['0 0 */40 * *', ['steps start again every month, so "*/40" is once a month']],
    ['*/60 */24 */31 */12 */7', []],
    ['*/45 * * * *', []],
  ])('%p is kept, and what a step does that is longer than its field is told', (schedule, why) => {
    expect(plan(`${schedule} /opt/job\n`).checks.map((check) => [check.timing, check.why])).toEqual([
      [{ schedule, tz: 'Europe/Riga' }, why],
    ])
  })

  test('@300 is a period', () => {
    expect(checksOf('@300 /opt/job\n')).toEqual([{ slug: 'job', timeout: 300, grace: 300 }])
  })

  test.each([
    ['@reboot /opt/job', 'The job runs when the machine starts, so it has no expected time.'],
    ['@5 /opt/job', 'The period of a check is 60 seconds to 365 days.'],
    ['@often /opt/job', 'No known cron daemon understands this schedule.'],
    ['5,~ * * * * /opt/job', 'The random value "5,~" cannot be read.'],
    ['61 * * * * /opt/job', '"61" is not valid for the minute; allowed: 0-59.'],
    ['0 0 30 2 * /opt/job', 'None of the months has day 30; the longest has 29 days.'],
    ['nonsense', NEITHER],
    ['* * * * *', NEITHER],
    ['@Daily /opt/job', 'cron accepts this word only in lower case, and rejects the line; write "@daily".'],
    ['0 3 * * * root /opt/job', 'A user seems to be between the schedule and the command.'],
    [`0 3 * * * /opt/job && curl ${ENDPOINT}${ID}`, 'The job pings a check already.'],
    [`0 3 * * * ${'x'.repeat(990)}`, 'With pings, the command is longer than the 998 characters that cron accepts.'],
    ['0 3 * * * /opt/job\r', 'The line ends with a carriage return, which cron passes to the command.'],
  ])('%p is left out', (line, reason) => {
    expect(notesOf(`${line}\n`)).toEqual([`left-out line 1: ${reason}`])
    expect(written(`${line}\n`)).toBe(`${line}\n`)
  })
})

test('lines that hide the exit status of their job are named by what hides it, without their words', () => {
  const { checks, notes } = plan(
    '0 1 * * * mysqldump -psecret shop | gzip > x\n0 2 * * * /opt/a secret || true\n0 3 * * * nohup /opt/b secret &\n0 4 * * * /opt/c\n',
  )
  expect(checks).toHaveLength(4)
  expect(notes.map(({ kind, name, reason }) => [kind, name, /"[|&]+"/.exec(reason)?.[0]])).toEqual([
    ['to-do', 'line 1', '"|"'],
    ['to-do', 'line 2', '"||"'],
    ['to-do', 'line 3', '"&"'],
  ])
  expect(JSON.stringify(notes)).not.toContain('secret')
})

test.each([
  ['*/15 * * * * run-parts /etc/periodic/15min', 900],
  ['0 * * * * run-parts /etc/cron.hourly', 3600],
  ['0 */2 * * * run-parts /etc/cron.daily', 3600],
  ['0 2 * * * run-parts /etc/periodic/daily', 3600 + 86_400],
  ['0 5 1 * * cd / && run-parts --report /etc/cron.hourly', 3600 + 86_400],
])('the rhythm of %p gives a grace time of %i seconds', (line, grace) => {
  expect(checksOf(`${line}\n`)[0]?.grace).toBe(grace)
})

test.each([
  ['0 3 * * * sleep $((RANDOM \\% 7200)); /opt/a', 3600 + 7200],
  ['*/5 * * * * sleep 2m; /opt/a', 300 + 120],
  ['* * * * * sleep 30; /opt/a', 300],
  ['WAIT=600\n0 3 * * * sleep $WAIT; /opt/a', 3600 + 600],
  ['0 3 * * * sleep $WAIT; /opt/a', 3600],
])('the grace time of %p has what the command sleeps before its job', (text, grace) => {
  const { checks, notes } = plan(`${text}\n`)
  expect(checks[0]?.graceSeconds).toBe(grace)
  expect(notes.map(({ reason }) => reason)).toEqual(
    text.includes('WAIT') && grace === 3600
      ? ['The command sleeps before it runs its job, for a time that cannot be determined.']
      : [],
  )
})

test.each([
  ['0 3 * * * timeout 3h /opt/a', 3600 + 3 * 3600],
  ['0 3 * * * timeout -k 10 90m /opt/a', 3600 + 90 * 60 + 10],
  ['0 3 * * * timeout --signal=KILL --kill-after=1m 2h /opt/a', 3600 + 2 * 3600 + 60],
  ['0 3 * * * sudo -u app timeout 1.5d /opt/a', 3600 + 36 * 3600],
  ['0 3 * * * cd /x && flock -n /l timeout 600 /opt/a > log 2>&1', 3600 + 600],
  ["0 3 * * * bash -c 'timeout 10m /opt/a && timeout 20m /opt/b'", 3600 + 30 * 60],
  ["0 3 * * * timeout 1h bash -c 'timeout 10m /opt/a'", 3600 + 3600],
  ['LIMIT=2h\n0 3 * * * timeout $LIMIT /opt/a', 3600 + 2 * 3600],
  ['0 3 * * * timelimit -t 3600 -T 60 /opt/a', 3600 + 3660],
  ['0 3 * * * systemd-run --wait -p RuntimeMaxSec=2h /opt/a', 3600 + 2 * 3600],
  ['*/5 * * * * timeout 30 /opt/a', 300],
  ['0 3 * * * timeout 0 /opt/a', 3600],
  ['0 3 * * * timeout $UNKNOWN /opt/a', 3600],
  ['0 3 * * * echo timeout 3h', 3600],
])('the grace time of %p has the limit that it sets to its run', (text, grace) => {
  expect(checksOf(`${text}\n`)[0]?.grace).toBe(grace)
})

test.each([
  'flock -w 600 /l /opt/a',
  '( flock -w 600 9 || exit 1; /opt/a ) 9>/l',
  'lckdo -W 600 /l /opt/a',
  'lockf -t 600 /l /opt/a',
])('the grace time of %p has what it waits for a lock', (command) => {
  expect(checksOf(`0 3 * * * ${command}\n`)[0]?.grace).toBe(3600 + 600)
})

describe('a last line without a newline', () => {
  const NO_NEWLINE =
    'The last line has no newline at its end: the cron of Debian and Ubuntu ignores the whole file, and most others the line.'

  test('gets one, and is told', () => {
    expect(written('0 1 * * * /a\n# end')).toMatch(/ \/a; .*\n# end\n$/)
    expect(written('# begin\n0 1 * * * /a')).toMatch(/; exit \$s\n$/)
    expect(notesOf('# begin\n0 1 * * * /a')).toEqual([`changed line 2: ${NO_NEWLINE} The crontab with pings has it.`])
  })

  test('is told where no job gets pings', () => {
    expect(notesOf('@reboot /a')[1]).toBe(`to-do line 1: ${NO_NEWLINE}`)
    expect(written('@reboot /a')).toBe('@reboot /a')
  })

  test('is read by anacron', () => {
    expect(notesOf('1 5 a /opt/a', { layout: 'anacron' })).toEqual([])
    expect(written('1 5 a /opt/a', { layout: 'anacron' })).toEndWith('\n')
  })
})

test('what sh reads otherwise than bash is told by the SHELL above the line', () => {
  const text = '0 1 * * * /opt/a &> log\nSHELL=/bin/bash\n0 2 * * * /opt/b &> log\n'
  expect(notesOf(text)).toEqual([
    'to-do line 1: `sh` of Debian and Ubuntu reads the "&" of `&> FILE` as the background operator, so the line ends at once, and always with a success.',
  ])
})

describe('settings', () => {
  test('hold for the lines below them', () => {
    const text = '0 1 * * * /a\nCRON_TZ = "Asia/Tokyo"\nRANDOM_DELAY=45\n0 1 * * * /b\nCRON_TZ=\n0 1 * * * /c\n'
    expect(checksOf(text)).toEqual([
      { slug: 'a', schedule: '0 1 * * *', tz: 'Europe/Riga', grace: 3600 },
      { slug: 'b', schedule: '0 1 * * *', tz: 'Asia/Tokyo', grace: 3600 + 45 * 60 },
      { slug: 'c', schedule: '0 1 * * *', tz: 'Europe/Riga', grace: 3600 + 45 * 60 },
    ])
  })

  test('an empty zone is that of the machine again, which is told', () => {
    const why = plan('0 1 * * * /a\nCRON_TZ=""\n0 1 * * * /b\n').checks.map((check) => check.why)
    expect(why).toEqual([[], ['CRON_TZ is empty, so the zone is that of the machine']])
  })

  test('a zone that is mistyped is told with the one that was meant', () => {
    expect(plan('CRON_TZ=Europe/Berln\n').notes[0]?.advice).toStartWith('Write Europe/Berlin;')
  })

  test('a zone that is unknown leaves out the jobs below it', () => {
    const text = 'CRON_TZ=Mars/Base\n0 1 * * * /a\n'
    expect(checksOf(text)).toEqual([])
    expect(notesOf(text)).toEqual([
      'to-do line 1: CRON_TZ is not an IANA name.',
      'left-out line 2: The time zone is not an IANA name such as Europe/Riga.',
    ])
  })

  test('TZ and MAILTO are told, without the address', () => {
    const notes = notesOf('TZ=Asia/Tokyo\nMAILTO=jane@example.org\nMAILTO=""\n')
    expect(notes).toHaveLength(2)
    expect(notes.join()).not.toContain('jane')
  })

  test('SHELL decides what the command runs in, and a shell of another family leaves it out', () => {
    expect(written("SHELL=/bin/bash\n0 1 * * * a 'b'\n")).toContain("; /bin/bash -c 'a '\\''b'\\'''; s=$?;")
    expect(notesOf('SHELL=/usr/bin/fish\n0 1 * * * a\n')).toEqual([
      'left-out line 2: Pings can be written for sh, bash, dash, ksh and zsh, but its SHELL is another one.',
    ])
  })
})

describe('names', () => {
  test.each<[string, readonly string[]]>([
    ['0 1 * * * /opt/a.sh shop\n0 2 * * * /opt/a.sh blog', ['a.sh (at 01:00 every day)', 'a.sh (at 02:00 every day)']],
    ['0 1 * * * /srv/a/run\n0 1 * * * /srv/b/bin/run', ['run (a)', 'run (b)']],
    ['0 1 * * * cd /srv/a && php artisan x\n0 1 * * * cd /srv/b && php artisan x', ['artisan x (a)', 'artisan x (b)']],
    ['0 1 * * * /opt/run /etc/a.conf\n0 1 * * * /opt/run --config=/etc/b.conf', ['run (a.conf)', 'run (b.conf)']],
    ['0 1 * * * docker exec a dump\n0 1 * * * docker exec b dump', ['dump (a)', 'dump (b)']],
    ['0 1 * * * ssh a /opt/run\n0 1 * * * ssh b -t /opt/run', ['run (a)', 'run (b)']],
    ['0 1 * * * restic backup /srv\n0 2 * * * restic forget', ['restic (backup)', 'restic (forget)']],
    [
      '0 1 * * * /srv/a/run\n0 1 * * * /srv/b/run\n0 2 * * * /srv/b/run',
      ['run (a)', 'run (b, at 01:00 every day)', 'run (b, at 02:00 every day)'],
    ],
    ['0 1 * * * mysqldump -psecret a\n0 1 * * * mysqldump -p secret', ['mysqldump', 'mysqldump 2']],
    ['0 1 * * * /opt/run secret\n*/5 * * * * /opt/run /secret', ['run (at 01:00 every day)', 'run (every 5 minutes)']],
  ])('of jobs with the same program tell what differs: %j', (text, names) => {
    expect(plan(`${text}\n`).checks.map(({ name }) => name)).toEqual([...names])
    const reversed = text.split('\n').toReversed().join('\n')
    if (!text.includes('secret a'))
      expect(
        plan(`${reversed}\n`)
          .checks.map(({ name }) => name)
          .toReversed(),
      ).toEqual([...names])
  })

  test.each([
    'run --password=/etc/hunter2',
    'run --api-token=hunter2.txt',
    'run -phunter2.json hunter2',
    'curl https://example.org/hunter2.json',
    'sshpass -p hunter2 ssh user:hunter2@host run',
    'php -d x=hunter2 /opt/x.php hunter2',
  ])('of two jobs as %p do not have what may be a password', (command) => {
    const { checks } = plan(`0 1 * * * ${command}\n0 2 * * * ${command}\n0 3 * * * /opt/z\n`)
    expect(checks).toHaveLength(3)
    expect(JSON.stringify(checks)).not.toContain('hunter2')
  })

  test('may have a prefix', () => {
    const { checks } = plan('0 1 * * * /a.sh\n', { prefix: 'db 1' })
    expect(checks.map(({ name, slug }) => [name, slug])).toEqual([['db 1 a.sh', 'db-1-a-sh']])
  })

  test.each<[string, readonly string[], readonly string[]]>([
    ['a job of the same name comes above it', ['run 1'], ['0 9 * * * /srv/b/run', '0 1 * * * /srv/a/run']],
    ['one without anything to tell it comes above it', ['run 1'], ['0 9 * * * run', '0 1 * * * /srv/a/run']],
    ['the others have numbers', ['run 1', 'run-2 2'], ['0 9 * * * /srv/b/run', '0 1 * * * run', '0 2 * * * run']],
    ['the others are gone', ['run-a 1'], ['0 1 * * * /srv/a/run']],
    ['its schedule is another one', ['run 9'], ['0 1 * * * /srv/a/run']],
  ])('stay with the check that a job has when %s', (_, known, jobs) => {
    const entries = known.map((one) => one.split(' ') as [string, string])
    const here = new Map(entries.map(([slug, hour]) => [slug, { schedule: `0 ${hour} * * *`, tz: 'Europe/Riga' }]))
    const slugs = checksOf(`${jobs.join('\n')}\n`, { here }).map(({ slug }) => slug)
    expect(slugs.slice(jobs.length - known.length)).toEqual([...here.keys()])
    expect(new Set(slugs).size).toBe(jobs.length)
  })

  test('leave alone what other jobs of the file ping', () => {
    expect(checksOf('0 1 * * * /a.sh\n', { taken: new Set(['a-sh']) })[0]?.slug).toBe('a-sh-2')
  })
})

describe('crontabs of the system', () => {
  test('have a user in each line', () => {
    const text =
      '17 *\t* * *\troot\tcd / && run-parts --report /etc/cron.hourly\n25 6 * * * root run-parts /etc/cron.daily\n'
    expect(checksOf(text, { layout: 'system' }).map(({ slug, grace }) => [slug, grace])).toEqual([
      ['cron-hourly', 3600],
      ['cron-daily', 3600 + 86_400],
    ])
    expect(written(text, { layout: 'system' })).toStartWith(
      `17 *\t* * *\troot\tcurl -fsSL -m 5 -o /dev/null ${ENDPOINT}${ID}/start; /bin/sh -c 'cd /`,
    )
  })

  test('a line of anacron that goes on in the next one is left out, and so is that one', () => {
    const text = '7 5 tapes /opt/verify --set A \\\n --set B\n1 5 a /opt/a\n'
    expect(checksOf(text, { layout: 'anacron' })).toMatchObject([{ slug: 'a' }])
    expect(written(text, { layout: 'anacron' })).toStartWith('7 5 tapes /opt/verify --set A \\\n --set B\n1 5 a ')
  })

  test('anacron has periods in days, delays in minutes, and names', () => {
    const text =
      'START_HOURS_RANGE=3-22\n7 25 cron.weekly nice run-parts /etc/cron.weekly\n@monthly 45 cron.monthly x %\n'
    expect(checksOf(text, { layout: 'anacron' })).toEqual([
      { slug: 'cron-weekly', timeout: 7 * 86_400, grace: 3600 + 86_400 + 25 * 60 },
      { slug: 'cron-monthly', timeout: 31 * 86_400, grace: 3600 + 86_400 + 45 * 60 },
    ])
    expect(written(text, { layout: 'anacron' })).toContain("; /bin/sh -c 'x %'; s=$?;")
  })
})

describe('the written crontab', () => {
  test('keeps every byte of what is no job', () => {
    const text = '# caf\u00e9 \u00ff\n\n \t\nMAILTO=x\n@reboot /opt/a%b\n\tfoo\r\n#end'
    expect(written(text)).toBe(text)
  })

  test('keeps escaped percent signs, and the input behind the first other one', () => {
    expect(written('0 1 * * * date +\\%F%one%two\n')).toBe(
      `0 1 * * * curl -fsSL -m 5 -o /dev/null ${ENDPOINT}${ID}/start; /bin/sh -c 'date +\\%F'; s=$?; curl -fsSL -m 7 --retry 3 --retry-connrefused --retry-max-time 12 -o /dev/null ${ENDPOINT}${ID}/$s; exit $s%one%two\n`,
    )
  })

  test('keeps options of OpenBSD before the command', () => {
    expect(written('0 1 * * * -ns /a\n')).toStartWith('0 1 * * * -ns curl ')
  })

  test.each([
    ['0 1 * * * /opt/a --full\n', `/opt/a --full`],
    ['0 1 * * * /opt/a >> /var/log/a 2>&1\n', '/opt/a >> /var/log/a 2>&1'],
    ['0 1 * * * cat%one%two\n', 'cat%one%two'],
    ['0 1 * * * date +\\%F\n', "/bin/sh -c 'date +\\%F'"],
    ["0 1 * * * cd /x && echo 'a b'\n", "/bin/sh -c 'cd /x && echo '\\''a b'\\'''"],
    ['0 1 * * * echo a\n', "/bin/sh -c 'echo a'"],
  ])('of a wrapper run a plain command, and anything else in a shell: %j', (line, job) => {
    for (const [by, program] of [
      ['overdue-run', '/usr/local/bin/overdue-run'],
      ['overdue', '/usr/local/bin/overdue run'],
    ] as const) {
      expect(written(line, { pinging: { by } })).toBe(`0 1 * * * ${program} --check ${ENDPOINT}${ID} -- ${job}\n`)
    }
  })

  test('of a wrapper keep the user and the shell', () => {
    const text = 'SHELL=/bin/bash\n@daily root a | b\n'
    const options = { layout: 'system', isLayoutCertain: true, pinging: { by: 'overdue-run' } } as const
    expect(written(text, options)).toEndWith(
      `\n@daily root /usr/local/bin/overdue-run --check ${ENDPOINT}${ID} -- /bin/bash -c 'a | b'\n`,
    )
  })

  test('of a wrapper are not wrapped again', () => {
    for (const by of ['overdue-run', 'overdue'] as const) {
      const once = written('0 1 * * * cd /x && /opt/a\n', { pinging: { by } })
      expect(notesOf(once, { pinging: { by } })).toEqual(['left-out line 1: The job pings a check already.'])
    }
  })

  test.each([
    ['cd /x && ./a > /dev/null 2>&1', true],
    ['cd /x && ./a >> log 2> errors', true],
    ['cd /x; ./a &> log', true],
    ['./a > /dev/null 2>&1', false],
    ['cd /x && ./a 2>&1', false],
    ['cd /x && ./a "> b"', false],
    ['cd /x && ./a 2> errors', false],
  ])('of a wrapper come with a note if the shell in it sends the output elsewhere: %j', (command, isNamed) => {
    const text = `SHELL=/bin/bash\n0 1 * * * ${command}\n`
    const said = notesOf(text, { pinging: { by: 'overdue-run' } }).filter((note) => note.includes('redirects'))
    expect(said).toHaveLength(isNamed ? 1 : 0)
    expect(notesOf(text).filter((note) => note.includes('redirects'))).toEqual([])
  })

  test('escapes percent signs of the URL', () => {
    const { after } = writeCrontab(plan('0 1 * * * /a\n'), CURL, () => 'https://x.example/a%20b')
    expect(after[0]).toContain("'https://x.example/a\\%20b/start'")
  })

  /** Parses a line as cron does: what the shell gets as the command, and as standard input (crontab(5)). */
  function asCronReads(line: string): { head: string; command: string; input: string } | null {
    const [, head = '', rest] = /^(-?(?:@\w+|\S+(?: \S+){4}) )([^\n]*)\n?$/.exec(line) ?? []
    if (rest === undefined) return null
    let command = ''
    for (let at = 0; at < rest.length; at++) {
      if (rest[at] === '%') return { head, command, input: rest.slice(at + 1) }
      // A backslash escapes the next character, and is removed only before a percent sign.
      if (rest[at] === '\\' && rest[at + 1] !== '%') command += rest[at]
      if (rest[at] === '\\') at++
      command += rest[at] ?? ''
    }
    return { head, command, input: '' }
  }

  test('has the same jobs as before, with pings around them, whatever their commands are', () => {
    let seed = 20_260_504
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item
    const parts = [
      'a',
      "'",
      '"',
      '\\%',
      '%',
      ' ',
      '#',
      ';',
      '|',
      '&',
      '$x',
      '\\',
      '(',
      ')',
      '>',
      '2>&1',
      '/opt/b.sh',
      '=',
      '\u00e9',
      '`',
    ]
    // The path shows that its lines have no users before the commands.
    const other = '0 5 * * * /z\n'
    for (let round = 0; round < 2_000; round++) {
      const command = `${pick(['x', '/y', 'cd'])}${Array.from({ length: random(12) }, () => pick(parts)).join('')}`
      const line = `${pick(['0 3 * * *', '@daily', '-*/7 1-5 * * 1,3'])} ${command}\n`
      const before = asCronReads(line)
      const changed = written(`${other}${line}`).split('\n').slice(1).join('\n')
      const after = asCronReads(changed)
      if (plan(`${other}${line}`).checks.length < 2) throw new Error(`no check for ${line}`)
      expect(after?.head).toBe(before?.head)
      expect(after?.input).toBe(before?.input as string)
      const [, job = ''] = /\/start; (.*); s=\$\?; curl [^;]*\/\$s; exit \$s$/s.exec(after?.command ?? '') ?? []
      const [, quoted] = /^\/bin\/sh -c '(.*)'$/s.exec(job) ?? []
      expect(quoted?.replaceAll("'\\''", "'") ?? job).toBe(before?.command as string)
      expect(readCrontabLine(changed, 'user').kind).toBe('job')
      expect(plan(changed).checks).toEqual([])
    }
  })
})

describe('jobs that ping already', () => {
  test.each([
    '0 3 * * * /opt/job && curl -fsS http://localhost:8000/ping/$PING_KEY/job',
    `0 3 * * * runitor -uuid ${ID} -- /opt/job`,
    `HC_URL=https://hc.example.org/ping/${ID}\n0 3 * * * /opt/job && curl $HC_URL`,
    `U=https://hc.example.org/ping/${ID}\n0 3 * * * /opt/job; wget -qO- "$\{U}/$?"`,
    'BASE=https://hc.example.org\n0 3 * * * /opt/job; curl $BASE/ping/key/job',
    `MAILTO=${ID}@ping.example.org\n0 3 * * * /opt/job`,
    `0 3 * * * /opt/job; curl ${ENDPOINT}key/job`,
  ])('%p', (text) => {
    const { checks, notes } = plan(`${text}\n`)
    expect(checks).toEqual([])
    expect(notes.at(-1)).toMatchObject({ kind: 'left-out', subject: 'job' })
  })

  test('are known by the ping URLs of this server, wherever they begin', () => {
    const text = '0 3 * * * /opt/job; curl https://p.example.org/x/key/job\n'
    expect(checksOf(text, { pingEndpoint: 'https://p.example.org/x/' })).toEqual([])
  })

  test('may do so by a setting, which is told', () => {
    const { checks, notes } = plan(`CHECK_UUID=${ID}\n0 3 * * * /opt/job\n`)
    expect(checks).toHaveLength(1)
    expect(notes).toMatchObject([{ kind: 'to-do', name: 'line 1', reason: expect.stringContaining('and ping too') }])
  })
})

test.each([
  ['PATH=/opt/bin:/usr/sbin\n0 3 * * * job\n', 'line 1', 'no directory that usually contains curl'],
  ['0 3 * * * mail -s "day $(date +%F)" root\n', 'line 1', 'the first "%", which is within quotes'],
  ['0 3 * * * pg_dump shop > /x/shop.$(date +%F).sql\n', 'line 1', 'the first "%", which is within quotes'],
  ['0 3 * * * pg_dump shop > /x/shop.`date +%F`.sql\n', 'line 1', 'the first "%", which is within quotes'],
])('%p gets a check, and what keeps it from pinging is told', (text, name, reason) => {
  const { checks, notes } = plan(text)
  expect(checks).toHaveLength(1)
  expect(notes).toMatchObject([{ kind: 'to-do', name, reason: expect.stringContaining(reason) }])
})
