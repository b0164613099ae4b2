/**
 * Ten crontabs and ten timers of systemd, moved by import, run for an hour by a clock that the test advances. Each minute, due jobs run as
 * in cron, by the `SHELL` of the crontab, or as in systemd, and `overdue-run`, downloaded from the server, pings that server.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cron } from 'croner'
import { preview } from '../../src/domain/schedule/schedule.ts'
import { createProposals } from '../../src/import/engine/proposals.ts'
import { planCrontab, writeCrontab } from '../../src/import/proposals/crontab/crontab.ts'
import type { CrontabLayout } from '../../src/import/proposals/crontab/lines.ts'
import { writeDropIns } from '../../src/import/proposals/systemd/drop-ins.ts'
import { planTimers } from '../../src/import/proposals/systemd/systemd.ts'
import { freePort } from '../../test/support/free-port.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { commandsOf } from './service-commands.ts'

/** Exit status and output of each run in the log, by the name of the check. */
type Tells = Readonly<Record<string, readonly [runs: number, status: number, output: string]>>

interface Moved {
  readonly layout?: CrontabLayout
  readonly text: string
  readonly tells: Tells
}

/** Crontabs in which `FOLDER` is a folder that the test creates. */
const CRONTABS: readonly Moved[] = [
  { text: '*/15 * * * * FOLDER/plain --full\n', tells: { plain: [4, 0, 'plain --full\n'] } },
  { text: '*/20 * * * * FOLDER/failing\n', tells: { failing: [3, 7, 'gone\n'] } },
  {
    text: '*/20 * * * * FOLDER/dates "$(echo 100\\%)" it\\\'s\n',
    tells: { dates: [3, 0, "dates 100% it's\n"] },
  },
  { text: '@hourly FOLDER/reader%one%two\n', tells: { reader: [1, 0, 'one\ntwo\n'] } },
  { text: '*/30 * * * * cd FOLDER && ./inside | tr a-z A-Z\n', tells: { inside: [2, 0, 'INSIDE\n'] } },
  { text: '10,40 * * * * FOLDER/logged >> FOLDER/log 2>&1\n', tells: { logged: [2, 0, 'logged\n'] } },
  { text: '5 * * * * cd FOLDER; ./silent > /dev/null 2>&1\n', tells: { silent: [1, 0, ''] } },
  {
    text: 'SHELL=/bin/bash\nMAILTO=""\nWORD="a  b"\n*/30 * * * * FOLDER/worded "$WORD" <(true) | sed "s,/dev/.*,fd,"\n',
    tells: { worded: [2, 0, 'worded a  b fd\n'] },
  },
  {
    layout: 'system',
    text: '17 * * * * root FOLDER/first\n47 * * * * root FOLDER/second; exit 3 # "odd\n',
    tells: { first: [1, 0, 'first\n'], second: [1, 3, 'second\n'] },
  },
  // Lines of two streams could be reordered: the wrapper reads each by itself.
  { text: '0-50/10 * * * * FOLDER/often && FOLDER/failing 2>&1\n', tells: { often: [6, 7, 'often\ngone\n'] } },
]

/** A timer with its service, and its runs in an hour. */
type MovedTimer = readonly [
  name: string,
  calendar: string,
  service: string,
  runs: number,
  status: number,
  output: string,
]
const TIMERS: readonly MovedTimer[] = [
  ['unit-plain', '*:0/15', 'ExecStart=FOLDER/unit-plain --full', 4, 0, 'unit-plain --full\n'],
  ['unit-ignored', '*:0/20', 'ExecStart=-FOLDER/failing', 3, 7, 'gone\n'],
  [
    'unit-quoted',
    '*:5',
    'ExecStart=FOLDER/unit-quoted "a  b" \'c"d\' 100%% $$5 e\\sf',
    1,
    0,
    'unit-quoted a  b c"d 100% $5 e f\n',
  ],
  [
    'unit-variables',
    '*:0/30',
    `Environment=WORDS="one  two"\nExecStart=FOLDER/unit-variables $WORDS \${WORDS}`,
    2,
    0,
    'unit-variables one two one  two\n',
  ],
  ['unit-literal', '*:10', `ExecStart=:FOLDER/unit-literal \${WORDS} $$`, 1, 0, `unit-literal \${WORDS} $$\n`],
  ['unit-specified@shop', '*:25', 'ExecStart=FOLDER/unit-%i %i', 1, 0, 'unit-shop shop\n'],
  [
    'unit-shell',
    '*:50',
    "ExecStart=/bin/sh -c 'FOLDER/unit-shell $$0 | tr a-z A-Z && exit 3' x",
    1,
    3,
    'UNIT-SHELL X\n',
  ],
  ['unit-joined', '*:0/10', 'ExecStart=FOLDER/unit-joined \\\n  --all', 6, 0, 'unit-joined --all\n'],
  // These two ping by curl, without the output.
  ['unit-several', '*:45', 'ExecStart=FOLDER/unit-several\nExecStart=FOLDER/failing', 1, 7, ''],
  ['unit-notifying', '*:55', 'Type=notify\nExecStart=FOLDER/unit-notifying', 1, 0, ''],
]
const PROGRAMS: Readonly<Record<string, string>> = { failing: 'echo gone >&2; exit 7', reader: 'cat' }

let t: TestApp
let server: ReturnType<typeof Bun.serve>
let folder: string
beforeAll(async () => {
  const port = freePort()
  t = await testApp({ env: { SITE_ROOT: `http://127.0.0.1:${port}` } })
  server = Bun.serve({ hostname: '127.0.0.1', port, fetch: (request) => t.app.handle(request) })
  folder = await mkdtemp(join(tmpdir(), 'overdue-moved-'))
  const names = [...CRONTABS.flatMap(({ tells }) => Object.keys(tells)), ...TIMERS.map(([name]) => name)]
  for (const name of [...names, 'unit-shop', 'failing']) {
    await program(name, `#!/bin/sh\n${PROGRAMS[name] ?? `echo "${[name, '$*'].join(' ')}" | sed 's/ $//'`}\n`)
  }
  await mkdir(join(folder, 'bin'))
  await program('bin/overdue-run', await (await fetch(`${server.url.origin}/overdue-run`)).text())
})
afterAll(async () => {
  await server.stop(true)
  await t.close()
  await rm(folder, { recursive: true })
})

async function program(name: string, text: string) {
  await Bun.write(join(folder, name), text)
  await chmod(join(folder, name), 0o755)
}

/** Returns the crontab with the wrapper, after creating its checks in the project. */
async function moved({ text, layout = 'user' }: Moved): Promise<string> {
  const { pingEndpoint } = t.app.deps.site.links
  const pinging = { by: 'overdue-run' } as const
  const plan = planCrontab(text.replaceAll('FOLDER', folder), {
    ...{ layout, isLayoutCertain: true, isZoneCertain: true, zone: 'UTC', prefix: '', taken: new Set() },
    ...{ pinging, pingEndpoint, targetLength: 36, now: t.clock.now() },
  })
  const placed = await createProposals(t.app.deps, t.actor, plan.checks, '')
  const ids = new Map(placed.map(({ check, stored }) => [check.slug, stored?.id]))
  const { after } = writeCrontab(plan, pinging, (slug) => `${pingEndpoint}${ids.get(slug)}`)
  return after.join('').replaceAll('/usr/local/bin', join(folder, 'bin'))
}

interface CronJob {
  readonly schedule: Cron
  readonly command: string
  readonly input: string
  readonly env: Readonly<Record<string, string>>
}

/** Reads a crontab as described in crontab(5). */
function readJobs(text: string, layout: CrontabLayout): readonly CronJob[] {
  const env: Record<string, string> = { PATH: '/usr/bin:/bin', HOME: folder, SHELL: '/bin/sh' }
  return text.split('\n').flatMap((line) => {
    const [, name, value] = /^(\w+)="?(.*?)"?$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) env[name] = value
    const pattern = layout === 'system' ? /^(@\w+|(?:\S+ ){4}\S+) \S+ (.*)$/ : /^(@\w+|(?:\S+ ){4}\S+) (.*)$/
    const [, schedule, rest] = pattern.exec(line) ?? []
    if (schedule === undefined || rest === undefined) return []
    const [command = '', ...input] = rest.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'))
    return [
      { schedule: new Cron(schedule, { timezone: 'UTC' }), command, input: `${input.join('\n')}\n`, env: { ...env } },
    ]
  })
}

async function run({ command, input, env }: CronJob): Promise<void> {
  const child = Bun.spawn([env.SHELL ?? '', '-c', command], {
    env,
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
}

test('every run of ten crontabs that were moved is in the log, with its start, its output and its exit status', async () => {
  const jobs: CronJob[] = []
  for (const one of CRONTABS) jobs.push(...readJobs(await moved(one), one.layout ?? 'user'))
  expect(jobs).toHaveLength(11)
  for (let minute = 0; minute < 60; minute++) {
    const now = new Date(t.clock.now().epochMilliseconds)
    await Promise.all(jobs.filter(({ schedule }) => schedule.match(now)).map(run))
    t.clock.advance({ minutes: 1 })
  }
  for (const { tells } of CRONTABS) await expectTold(tells)
  expect(await Bun.file(join(folder, 'log')).text()).toBe('logged\nlogged\n')
})

/** Expects that each run has its start and its end in the log. */
async function expectTold(tells: Tells) {
  const { store } = t.app.deps
  const checks = new Map(
    (await store.checks.list(t.project.id, {}, null)).items.map(({ check }) => [check.name, check]),
  )
  for (const [name, [runs, status, output]] of Object.entries(tells)) {
    const id = checks.get(name)?.id ?? ''
    const told = await Promise.all(
      (await store.pings.list(id, 100)).map(async ({ n, kind, exitStatus, hasBody }) => ({
        kind,
        exitStatus,
        body: hasBody ? await bodyOf(id, n) : '',
      })),
    )
    const end = { kind: status === 0 ? 'success' : 'fail', exitStatus: status, body: output } as const
    const start = { kind: 'start', exitStatus: null, body: '' } as const
    expect({ name, told }).toEqual({ name, told: Array.from({ length: runs }, () => [end, start]).flat() })
  }
}

/** Returns the commands of a service that runs with a drop-in, after creating its check in the project. */
async function movedTimer([name, calendar, text]: MovedTimer) {
  const { pingEndpoint } = t.app.deps.site.links
  const [prefix = '', instance = ''] = name.split('@')
  const unit = `[Service]\n${text.includes('Type=') ? '' : 'Type=oneshot\n'}${text.replaceAll('FOLDER', folder)}\n`
  const files = [
    { path: `/etc/systemd/system/${name}.timer`, text: `[Timer]\nOnCalendar=${calendar}\nAccuracySec=1s\n` },
    { path: `/etc/systemd/system/${name}.service`, text: unit },
  ]
  const options = { zone: 'UTC', prefix: '', taken: new Set<string>(), pingEndpoint, now: t.clock.now() }
  const plan = planTimers(files, { ...options, by: 'overdue-run' })
  const [placed] = await createProposals(t.app.deps, t.actor, plan.checks, '')
  const [dropIn] = writeDropIns(plan, () => `${pingEndpoint}${placed?.stored?.id}`)
  const moved = dropIn?.text.replaceAll('/usr/local/bin', join(folder, 'bin')) ?? ''
  const joined = [unit, moved].map((one) => one.replaceAll('\\\n', ' '))
  const variables = { WORDS: 'one  two' }
  return { calendar, commands: commandsOf(joined, variables, { i: instance, p: prefix }) }
}

/** Runs a service. The first command that fails ends it, and later commands get the result. */
async function runService({ before, main, after }: ReturnType<typeof commandsOf>) {
  for (const command of before) await spawned(command, {})
  let status = 0
  for (const command of main) status ||= await spawned(command, {})
  const ended = { SERVICE_RESULT: status === 0 ? 'success' : 'exit-code', EXIT_STATUS: String(status) }
  for (const command of after) await spawned(command, ended)
}

async function spawned(command: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const child = Bun.spawn([...command], {
    env: { PATH: '/usr/bin:/bin', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  await Promise.all([child.stdout.text(), child.stderr.text()])
  return child.exited
}

test('every run of ten timers that were moved is in the log, with its start and its exit status, and its output where a wrapper runs it', async () => {
  const timers = []
  for (const one of TIMERS) timers.push(await movedTimer(one))
  for (let minute = 0; minute < 60; minute++) {
    const now = t.clock.now()
    const due = timers.filter(({ calendar }) => {
      const [next] = preview(calendar, 'UTC', now.subtract({ seconds: 1 }), 1)
      return next !== undefined && next.epochMilliseconds < now.add({ minutes: 1 }).epochMilliseconds
    })
    await Promise.all(due.map(({ commands }) => runService(commands)))
    t.clock.advance({ minutes: 1 })
  }
  await expectTold(Object.fromEntries(TIMERS.map(([name, , , ...told]) => [name, told])))
})

const bodyOf = async (id: string, n: number) =>
  (await t.call('GET', `/api/v3/checks/${id}/pings/${n}/body`, { key: t.keys.apiKey })).text()
