/** Installs real clients of the API and of ping URLs, and runs them against a real server: `bun run test:clients`. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { overdue, type Served, serve } from '../support/served.ts'

/** Kept between runs. */
const CLIENTS = process.env.CLIENTS_FOLDER ?? join(tmpdir(), 'overdue-clients')
const HERE = import.meta.dir

interface Made {
  readonly api_key: string
  readonly ping_key: string
}

interface Run {
  readonly code: number
  readonly out: string
}

let server: Served
let keys: Made
let folder: string

beforeAll(async () => {
  const installed = Bun.spawnSync([join(HERE, 'install.sh'), CLIENTS])
  if (!installed.success) throw new Error(`the clients cannot be installed:\n${installed.stderr}`)
  server = await serve()
  keys = await overdue<Made>(server.databaseUrl, 'project', 'create', 'Clients')
  folder = mkdtempSync(join(tmpdir(), 'overdue-accept-'))
}, 300_000)
afterAll(async () => {
  await server?.stop()
  if (folder) rmSync(folder, { recursive: true })
})

/** Runs a client to its end. @throws with its output when its exit status is not `code` */
async function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}, code = 0): Promise<Run> {
  const { PATH = '' } = process.env
  const child = Bun.spawn([...words], {
    cwd: folder,
    env: {
      PATH,
      HOME: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      NODE_PATH: join(CLIENTS, 'node_modules'),
      BASE: server.baseUrl,
      API_KEY: keys.api_key,
      PING_KEY: keys.ping_key,
      ...settings,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, ended] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (ended !== code) throw new Error(`${words.join(' ')} ended with ${ended}:\n${out}${err}`)
  return { code: ended, out }
}

const api = (path: string, body?: object) =>
  fetch(`${server.baseUrl}/api/v3/${path}`, {
    headers: { 'X-Api-Key': keys.api_key },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })

async function createCheck(slug: string): Promise<string> {
  const answer = await api('checks/', { name: slug, slug, timeout: 3600, grace: 60, unique: ['slug'] })
  return ((await answer.json()) as { uuid: string }).uuid
}

interface Logged {
  readonly type: string
  readonly method: string
  readonly rid: string | null
  readonly body_url: string | null
}

async function logged(uuid: string): Promise<readonly Logged[]> {
  return ((await (await api(`checks/${uuid}/pings/`)).json()) as { pings: Logged[] }).pings.toReversed()
}

/** Oldest first. */
const pings = async (uuid: string) => (await logged(uuid)).map(({ type, method }) => `${type} ${method}`)

async function uuidOf(slug: string): Promise<string> {
  const { checks } = (await (await api(`checks/?slug=${slug}`)).json()) as { checks: { uuid: string }[] }
  const [found] = checks
  if (!found) throw new Error(`there is no check with the slug ${slug}`)
  return found.uuid
}

const python = (...words: readonly string[]) => [join(CLIENTS, 'venv/bin/python'), ...words]

describe('from a shell', () => {
  test('curl pings with every form of the URL', async () => {
    const uuid = await createCheck('curl')
    const url = `${server.baseUrl}/ping/${uuid}`
    await run(['curl', '-fsS', '-m', '10', '--retry', '5', '-o', '/dev/null', url])
    await run(['curl', '-fsS', '--data-raw', 'hello', url])
    const head = await run(['curl', '-sI', url])
    expect(head.out.toLowerCase()).toContain('ping-body-limit: 10000')
    await run(['curl', '-fsS', `${url}/7`])
    await run(['sh', '-c', `printf x | curl -fsS --data-binary @- ${url}/log`])
    await run(['curl', '-fsS', `${server.baseUrl}/ping/${keys.ping_key}/curl/start?rid=${crypto.randomUUID()}`])
    expect(await pings(uuid)).toEqual([
      'success GET',
      'success POST',
      'success HEAD',
      'fail GET',
      'log POST',
      'start GET',
    ])
  })

  test('wget pings', async () => {
    const uuid = await createCheck('wget')
    await run(['wget', '-q', '-T', '10', '-t', '5', '-O', '/dev/null', `${server.baseUrl}/ping/${uuid}`])
    expect(await pings(uuid)).toEqual(['success GET'])
  })
})

describe('in Python', () => {
  test.each(['1', '3'])('healthchecks-io makes every call of the API v%s', async (version) => {
    expect((await run(python(join(HERE, 'call_healthchecks_io.py'), version))).out).toBe('passed\n')
  })

  test('healthchecks-decorator reports a job that succeeds and one that fails', async () => {
    const uuid = await createCheck('decorator')
    await run(python(join(HERE, 'call_decorator.py')), { HEALTHCHECK_URL: `${server.baseUrl}/ping/${uuid}` })
    const types = (await logged(uuid)).map(({ type }) => type)
    expect(types).toEqual(['start', 'success', 'start', 'fail'])
  })
})

test('in Node, healthchecks-io-client makes every call of the API v1, v2 and v3', async () => {
  const { out } = await run(['node', join(HERE, 'call-healthchecks-io-client.cjs')])
  const expected = [1, 2, 3].map((version) => ({
    answers: ['OK', 'OK', 'OK'],
    found: [`node-${version}`],
    pings: ['fail', 'success', 'start'],
    flips: [0, 1],
    channels: 0,
    paused: 'paused',
    deleted: `node-${version}`,
  }))
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(expected)
})

test('in Rust, task-mon reports start and end of a command, by UUID and by slug', async () => {
  const uuid = await createCheck('task-mon')
  const taskMon = [join(CLIENTS, 'bin/task-mon'), '--base-url', `${server.baseUrl}/ping`]
  await run([...taskMon, '--uuid', uuid, '--time', '--detailed', '--', 'sh', '-c', 'echo out; exit 1'])
  await run([...taskMon, '--ping-key', keys.ping_key, '--slug', 'task-mon', '--', 'true'])
  expect(await pings(uuid)).toEqual(['start GET', 'fail POST', 'success POST'])
  const [start, end] = await logged(uuid)
  expect(start?.rid).toMatch(/^[0-9a-f-]{36}$/)
  expect(end?.rid).toBe(start?.rid as string)
})

test('in Rust, the crate healthchecks makes every call of the API v3', async () => {
  expect((await run([join(CLIENTS, 'bin/accept')])).out).toBe('passed\n')
})

test('borgmatic reports backups to an existing check and to one that it creates', async () => {
  const uuid = await createCheck('borg')
  const config = (name: string, url: string, more = '') => {
    const path = join(folder, `${name}.yaml`)
    const repository = join(folder, `${name}.borg`)
    writeFileSync(
      path,
      `source_directories: [${HERE}]
repositories: [{path: ${repository}}]
encryption_passphrase: secret
healthchecks: {ping_url: "${url}", send_logs: true, states: [start, finish, fail, log]${more}}
`,
    )
    return path
  }
  const borgmatic = [join(CLIENTS, 'venv/bin/borgmatic'), '-c']
  const known = config('known', `${server.baseUrl}/ping/${uuid}`)
  await run([...borgmatic, known, 'repo-create', '-e', 'repokey'])
  await run([...borgmatic, known, 'create'])
  const types = await pings(uuid)
  expect(types.filter((type) => type === 'success POST').length).toBeGreaterThan(0)
  expect(types).toContain('start POST')
  expect(types).toContain('log POST')
  expect((await logged(uuid)).at(-1)?.body_url).not.toBeNull()

  const made = config('made', `${server.baseUrl}/ping/${keys.ping_key}/borg-made`, ', create_slug: true')
  await run([...borgmatic, made, 'repo-create', '-e', 'repokey'])
  await run([...borgmatic, made, 'create'])
  expect(await pings(await uuidOf('borg-made'))).toContain('success POST')
})
