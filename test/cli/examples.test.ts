/** Runs the example in the help of each command as a shell reads it; the first one of each group as a process. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR, operatorIn } from '../../src/domain/actor.ts'
import { Temporal } from '../../src/lib/time.ts'
import { createAccount } from '../../src/services/accounts/accounts.ts'
import { createChannel } from '../../src/services/channels/channels.ts'
import { setMember } from '../../src/services/projects/members.ts'
import { deleteProject } from '../../src/services/projects/project-deletion.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { createSilence } from '../../src/services/silences/silences.ts'
import { type Ran, run, type Settings } from '../support/command-line.ts'
import { type Folder as Files, temporaryFolder } from '../support/folder.ts'
import { SECRET, smallFixture } from '../support/healthchecks/fixture.ts'
import { FROM_SOURCE, type Served, serve } from '../support/served.ts'
import { webhook } from '../support/store-builders.ts'
import { testApp } from '../support/test-app.ts'
import { createKumaFile } from '../support/uptime-kuma.ts'
import { type Folder, folder } from './support.ts'

/** Commands that run until stopped, use a fixed port, need a mail server or a receiver, or run another program. */
const NOT_RUN = new Set(['run', 'serve', 'health', 'mail test', 'mail show', 'channel test'])

/** Commands that create the account that other examples name. */
const WITHOUT_ACCOUNT = new Set(['account link', 'account create'])

interface Example {
  readonly command: string
  readonly example: string
}

const help: readonly Example[] = JSON.parse((await run(['help', '--json'])).out)
const examples = help.filter(({ command }) => !NOT_RUN.has(command))

let place: Folder
let files: Files
let server: Served
let usual: Prepared
let withoutAccount: Prepared
beforeAll(async () => {
  place = folder()
  files = temporaryFolder()
  server = await serve()
  await server.overdue('check', 'create', '--project', 'Default', '--name', 'Backup', '--slug', 'backup')
  usual = await prepare('usual', true)
  withoutAccount = await prepare('without-account', false)
  const words = [...FROM_SOURCE.command.slice(0, -1), join(FROM_SOURCE.cwd, 'src/main.ts')]
  writeProgram('process', `exec ${words.map((word) => `'${word}'`).join(' ')} "$@"`)
  writeProgram('read', `printf '%s\\0' "$@" > "$HOME/words"; cat > "$HOME/input"`)
})
afterAll(async () => {
  await server.stop()
  place.remove()
  files.remove()
})

/** @param name of a folder, in which the program is called `overdue` */
function writeProgram(name: string, script: string): void {
  mkdirSync(join(place.path, name))
  writeFileSync(join(place.path, name, 'overdue'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** A folder with a database that contains everything that examples name, and ids that replace invented ones. */
interface Prepared {
  readonly path: string
  readonly key: string
  readonly delivery: string
  readonly silence: string
}

async function prepare(name: string, hasAccount: boolean): Promise<Prepared> {
  const path = join(place.path, name)
  mkdirSync(path)
  const t = await testApp({ env: { DATABASE_URL: `sqlite:${path}/o.db` } })
  const { project, keys } = await createProject(t.app.deps, 'Default')
  await createChannel(t.app.deps, operatorIn(project), { kind: 'webhook', name: 'Ops', settings: webhook() })
  if (hasAccount) {
    const { account } = await createAccount(t.app.deps, OPERATOR, 'jane@example.org', false)
    await setMember(t.app.deps, operatorIn(project), account.id, 'member')
  }
  const json = { name: 'Backup', slug: 'backup', channels: '*' }
  const made = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: keys.apiKey, json })
  t.answerWith({ kind: 'unreachable', error: 'gone', permanent: true })
  await t.call('GET', `/ping/${made.uuid}/fail`)
  await t.app.settle('deliveries')
  const [failed] = await t.app.deps.store.deliveries.list(project.id, 'failed', 1)
  const startsAt = t.clock.now()
  const window = { startsAt, endsAt: Temporal.Now.instant().add({ hours: 1 }), untilHealthy: false, window: null }
  const quiet = { checks: [], tags: ['quiet'] }
  const silence = await createSilence(t.app.deps, operatorIn(project), {
    ...window,
    match: quiet,
    upTo: 'down',
    reason: '',
  })
  // Examples leave out --project, so only one project may exist.
  await deleteProject(t.app.deps, t.actor)
  await t.close()
  return {
    path,
    key: keys.apiKey.slice(0, 8),
    delivery: failed?.delivery.id.slice(0, 8) ?? '',
    silence: silence.id.slice(0, 8),
  }
}

/** Additional preparations for a few commands, in the folder of the example. */
const NEEDS: Readonly<Record<string, (home: string, overdue: (...words: string[]) => Promise<Ran>) => unknown>> = {
  restore: (home, overdue) => overdue('backup', `${home}/b.db`),
  'check resume': (_, overdue) => overdue('check', 'pause', 'backup', '--project', 'Default'),
  'incident release': (_, overdue) => overdue('incident', 'take', 'backup', '--project', 'Default'),
  doctor: (home) =>
    writeFileSync(
      `${home}/cases.jsonl`,
      '{"check": {"kind": "simple", "timeout": 3600, "grace": 900}, "now": "2026-05-03T04:00:00Z", "log": []}',
    ),
  'import project': (home, overdue) => overdue('project', 'export', 'Default', '--output', `${home}/default.json`),
  'import healthchecks'(home) {
    const file = smallFixture(files, "name = 'Hourly sync'")
    // Otherwise the command prints a warning.
    chmodSync(file, 0o600)
    renameSync(file, `${home}/hc.sqlite`)
    writeFileSync(`${home}/secret`, SECRET)
  },
  'import uptime-kuma'(home) {
    createKumaFile(`${home}/kuma.db`, 2).withPush().close()
    chmodSync(`${home}/kuma.db`, 0o600)
  },
}

/** Replaces invented names in the line with existing ones. */
function asTyped({ command, example }: Example, { key, delivery, silence }: Prepared, home: string): string {
  return example
    .replace('odw_1a2b', key)
    .replace('1a2b3c4d', delivery)
    .replace('7c9e6679', silence)
    .replaceAll('/old/', `${home}/`)
    .replace('/backups/overdue.db', `${home}/b.db`)
    .replace('sqlite:/data/overdue.db', `sqlite:${home}/o.db`)
    .replace('kuma.db', `${home}/kuma.db`)
    .replace('cases.jsonl', `${home}/cases.jsonl`)
    .replace('default.json', `${home}/default.json`)
    .replace(/postgres:\S+/, `sqlite:${home}/copy.db`)
    .replace('--name Ops', command === 'channel create' ? '--name Email' : '--name Ops')
}

/** Runs the line in a shell. `overdue` is the program of that name. */
async function sh(line: string, program: string, settings: Settings): Promise<Ran> {
  const child = Bun.spawn(['sh', '-c', line], {
    env: { ...settings, PATH: `${join(place.path, program)}:${process.env.PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

/** Runs the line within this process, after a shell has read it. */
async function typed(line: string, home: string, settings: Settings): Promise<Ran> {
  expect(await sh(line, 'read', { HOME: home })).toEqual({ code: 0, out: '', err: '' })
  const words = readFileSync(`${home}/words`, 'utf8').split('\0').slice(0, -1)
  return run(words, settings, readFileSync(`${home}/input`, 'utf8'))
}

const groupOf = (command: string) => command.split(' ')[0]

/** First command of each group. It runs as a process. */
const asProcess = new Set(
  [...Map.groupBy(examples, ({ command }) => groupOf(command)).values()]
    .filter((group) => group.length > 1)
    .map((group) => group[0]),
)

/** Commands whose exit status reports a finding: the check of the fixture is down. */
const FINDING = new Set(['status'])

/** Commands with a report on standard error, because standard output is for another program. */
const REPORTING = new Set(['crontab', 'systemd', 'kubernetes', 'gatus'].map((scheduler) => `import ${scheduler}`))

test('most commands have an example that is run', () => {
  expect(examples.length).toBeGreaterThan(30)
  expect(asProcess.size).toBeGreaterThan(5)
})

test.each(examples.map((example) => [example.command, example] as const))(
  'the example of %s works',
  async (command, example) => {
    const prepared = WITHOUT_ACCOUNT.has(command) ? withoutAccount : usual
    const home = folder()
    cpSync(prepared.path, home.path, { recursive: true })
    await NEEDS[command]?.(home.path, (...words) => run(words, { DATABASE_URL: home.url }))
    const settings =
      command === 'ping'
        ? { DATABASE_URL: server.databaseUrl, SITE_ROOT: server.baseUrl }
        : { DATABASE_URL: command === 'restore' ? `sqlite:${home.path}/new.db` : home.url }
    const line = asTyped(example, prepared, home.path)
    const ran = asProcess.has(example) ? await sh(line, 'process', settings) : await typed(line, home.path, settings)
    const code = FINDING.has(command) ? 1 : 0
    expect(ran).toEqual({ code, out: ran.out, err: REPORTING.has(command) ? ran.err : '' })
    home.remove()
  },
)
