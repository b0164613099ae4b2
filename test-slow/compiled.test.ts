/**
 * The executable of a release: compiled for this machine, run by a user without rights in an empty folder, away from the
 * source and its modules. It answers every recorded case, and what is loaded late is inside.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { buildExecutable, ownTarget } from '../scripts/executable.ts'
import { readPackages } from '../scripts/packages.ts'
import { readCases } from '../test/conformance/case.ts'
import { conformanceSuite } from '../test/conformance/suite.ts'
import { otlpReceiver } from '../test/support/otlp-receiver.ts'
import { freePort, type Program, type Served, serve } from '../test/support/served.ts'
import { type Folder, temporaryFolder } from '../test/support/sqlite.ts'

const ROOT = join(import.meta.dir, '..')
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
const BUILT_WITHIN_MS = 120_000
const SENT_WITHIN_MS = 20_000
/** The loop looks once a minute. */
const BACKED_UP_WITHIN_MS = 90_000

const folder: Folder = temporaryFolder()
const executable = folder.file('overdue')
const empty = folder.file('empty')
const program: Program = isRoot
  ? { command: [...AS_NOBODY, executable], cwd: empty, owner: NOBODY }
  : { command: [executable], cwd: empty }

beforeAll(async () => {
  mkdirSync(empty)
  // Not ours to write to where we are somebody else.
  chmodSync(folder.path, 0o755)
  await buildExecutable(ownTarget(), executable)
}, BUILT_WITHIN_MS)

afterAll(() => folder.remove())

const cases = readCases(join(ROOT, 'test/conformance/cases')).filter((item) => item.slow !== true)
conformanceSuite('conformance of the executable', cases, 30_000, () => program)

interface Ran {
  readonly code: number
  readonly output: string
  readonly errors: string
}

async function run(
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  cwd = empty,
): Promise<Ran> {
  const { PATH = '' } = process.env
  const env = { PATH, ...settings }
  const child = Bun.spawn([...program.command, ...words], { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, output, errors }
}

test('it tells its version and its commands', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, output: `${manifest.version}\n`, errors: '' })
  const { code, output } = await run(['--help'])
  expect(code).toBe(0)
  expect(output).toContain('overdue COMMAND')
  expect(output).toContain('project create')
})

test('it shows its settings, and a wrong one ends it with a sentence', async () => {
  const { code, output } = await run(['check-config'], { SITE_NAME: 'Watch' })
  expect(code).toBe(0)
  expect(output).toMatch(/^SITE_NAME +Watch +environment$/m)
  expect(await run(['check-config'], { PORT: 'eighty' })).toMatchObject({
    code: 2,
    errors: expect.stringContaining('PORT'),
  })
})

test('files for Bun in the folder that it is started in are nothing to it', async () => {
  const elsewhere = folder.file('elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, '.env'), 'SITE_NAME=Elsewhere\n')
  writeFileSync(join(elsewhere, 'bunfig.toml'), 'preload = ["./loud.ts"]\n')
  writeFileSync(join(elsewhere, 'loud.ts'), 'process.stdout.write("loud\\n")\n')
  const { output } = await run(['check-config'], {}, elsewhere)
  expect(output).toMatch(/^SITE_NAME +Overdue +default$/m)
  expect(output).not.toContain('loud')
})

test('whatever is compiled in is a package that the list of a release names', async () => {
  const listed = new Set(readPackages(ROOT).flatMap(({ name, isProduction }) => (isProduction ? name : [])))
  const { metafile } = await Bun.build({ entrypoints: [join(ROOT, 'src/main.ts')], target: 'bun', metafile: true })
  const inside = Object.keys(metafile?.inputs ?? {}).flatMap(
    (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  )
  expect(new Set(inside).size).toBeGreaterThan(10)
  expect([...new Set(inside)].filter((name) => !listed.has(name))).toEqual([])
})

describe('a server of it with mail, traces and backups', () => {
  const receiver = otlpReceiver()
  let served: Served
  const backups = folder.file('backups')
  let mailPort: number
  let url: string

  beforeAll(async () => {
    mailPort = await freePort()
    mkdirSync(backups)
    if (program.owner !== undefined) chownSync(backups, program.owner, program.owner)
    const settings = {
      BACKUP_DIRECTORY: backups,
      SMTPD_PORT: String(mailPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '200',
    }
    served = await serve(settings, program)
    const { ping_key } = await served.overdue<{ ping_key: string }>('project', 'create', 'Compiled')
    url = `${served.baseUrl}/ping/${ping_key}/job`
    expect((await fetch(`${url}?create=1`)).status).toBe(201)
  }, 60_000)

  afterAll(async () => {
    await served.stop()
    await receiver.stop()
  })

  test('takes a ping by mail, which it has sent itself', async () => {
    const project = await served.overdue<{ api_key: string }>('project', 'create', 'Mailed')
    const headers = { 'X-Api-Key': project.api_key }
    const made = await fetch(`${served.baseUrl}/api/v3/checks/`, {
      method: 'POST',
      headers,
      body: '{"name": "Mailed"}',
    })
    const { uuid } = (await made.json()) as { uuid: string }
    const out = { EMAIL_HOST: '127.0.0.1', EMAIL_PORT: String(mailPort), EMAIL_USE_TLS: 'False' }
    expect(await run(['mail', 'test', `${uuid}@localhost`], out)).toMatchObject({ code: 0 })
    const log = await fetch(`${served.baseUrl}/api/v3/checks/${uuid}/pings/`, { headers })
    expect(await log.json()).toMatchObject({ pings: [{ n: 1, scheme: 'email', type: 'success' }] })
  })

  test('hands out spans of its pings', async () => {
    expect(await (await fetch(url)).text()).toBe('OK')
    const names = () => receiver.spans.map(({ name }) => name)
    const until = performance.now() + SENT_WITHIN_MS
    while (!names().includes('GET /ping/*') && performance.now() < until) await Bun.sleep(50)
    expect(names()).toEqual(expect.arrayContaining(['GET /ping/*', 'commit pings']))
  })

  test('takes backups, for which it runs itself once more', async () => {
    const kept = () => readdirSync(backups).filter((file) => file.endsWith('.db'))
    const until = performance.now() + BACKED_UP_WITHIN_MS
    while (kept().length === 0 && performance.now() < until) await Bun.sleep(50)
    const [first = 'none'] = kept()
    using copy = new Database(join(backups, first), { readonly: true })
    expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']])
    const own = join(backups, 'own.db')
    await served.overdue('backup', own)
    expect(statSync(own).size).toBeGreaterThan(0)
  }, 120_000)

  test('shows the reference page of its API', async () => {
    const page = await fetch(`${served.baseUrl}/docs/api`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('/api/v3/checks/')
  })

  test('is found healthy by its own command, until it is gone', async () => {
    const { port } = new URL(served.baseUrl)
    expect(await run(['health'], { PORT: port })).toMatchObject({ code: 0, output: expect.stringContaining('200') })
    const nobody = String(await freePort())
    expect(await run(['health'], { PORT: nobody })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('does not answer'),
    })
  })
})

test('it has left nothing in the folder that it was started in', () => {
  expect(readdirSync(empty)).toEqual([])
  // biome-ignore lint/suspicious/noConsole: what was measured is to be read
  console.info(`the executable for ${ownTarget()} has ${(statSync(executable).size / 2 ** 20).toFixed(1)} MiB`)
})
