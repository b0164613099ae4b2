/** Shared parts of the tests of real clients: a server with a project, and calls of programs and of the API. */
import { afterAll, beforeAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { overdue, type Served, serve } from '../support/served.ts'

/** Folder in which the scripts beside the tests install clients. It is kept between runs. */
export const CLIENTS = process.env.CLIENTS_FOLDER ?? join(tmpdir(), 'overdue-clients')

interface Made {
  readonly api_key: string
  readonly ping_key: string
}

interface Logged {
  readonly type: string
  readonly method: string
  readonly rid: string | null
  readonly body_url: string | null
}

interface ClientFixture {
  readonly baseUrl: string
  readonly pingKey: string
  /** working directory of clients; empty at first */
  readonly folder: string
  /** Runs a client to its end. @returns its output @throws with its output when it fails */
  run(words: readonly string[], settings?: Readonly<Record<string, string>>): Promise<string>
  createCheck(slug: string): Promise<string>
  uuidOf(slug: string): Promise<string>
  /** oldest first */
  logged(uuid: string): Promise<readonly Logged[]>
  /** type and method of each ping, oldest first */
  pings(uuid: string): Promise<readonly string[]>
}

/** Call it at the top level of a test file. */
export function clientFixture(): ClientFixture {
  let server: Served
  let keys: Made
  let folder: string
  beforeAll(async () => {
    server = await serve()
    keys = await overdue<Made>(server.databaseUrl, 'project', 'create', 'Clients')
    folder = mkdtempSync(join(tmpdir(), 'overdue-accept-'))
  })
  afterAll(async () => {
    await server?.stop()
    if (folder) rmSync(folder, { recursive: true })
  })

  const api = (path: string, body?: object) =>
    fetch(`${server.baseUrl}/api/v3/${path}`, {
      headers: { 'X-Api-Key': keys.api_key },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
  const self: ClientFixture = {
    get baseUrl() {
      return server.baseUrl
    },
    get pingKey() {
      return keys.ping_key
    },
    get folder() {
      return folder
    },
    async run(words, settings = {}) {
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
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${out}${err}`)
      return out
    },
    async createCheck(slug) {
      const answer = await api('checks/', { name: slug, slug, timeout: 3600, grace: 60, unique: ['slug'] })
      return ((await answer.json()) as { uuid: string }).uuid
    },
    async uuidOf(slug) {
      const { checks } = (await (await api(`checks/?slug=${slug}`)).json()) as { checks: { uuid: string }[] }
      const [found] = checks
      if (!found) throw new Error(`there is no check with the slug ${slug}`)
      return found.uuid
    },
    async logged(uuid) {
      return ((await (await api(`checks/${uuid}/pings/`)).json()) as { pings: Logged[] }).pings.toReversed()
    },
    pings: async (uuid) => (await self.logged(uuid)).map(({ type, method }) => `${type} ${method}`),
  }
  return self
}
