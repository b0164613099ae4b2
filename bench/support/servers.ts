/** The servers that are measured: a bare one, the program as it is served, and whoever else runs on this machine. */
import { join } from 'node:path'
import { type Child, freePort, outputOf, startChild, stopChild } from './children.ts'

/** Somebody to send pings to. */
export interface Contestant {
  readonly name: string
  readonly port: number
  readonly paths: readonly string[]
  /** Null when the process is not ours. */
  readonly pid: number | null
}

const READY_WITHIN_MS = 20_000
const CHECKS_AT_A_TIME = 16

/** @param paths what it is asked for; it knows no checks and answers every one */
export async function startBare(paths: readonly string[]): Promise<Contestant> {
  const child = startChild(['bench/support/bare-server.ts'])
  const { value } = await child.stdout.getReader().read()
  return { name: 'bare', port: Number(new TextDecoder().decode(value)), paths, pid: child.pid }
}

export interface App {
  readonly baseUrl: string
  readonly port: number
  readonly databaseUrl: string
  readonly child: Child
  /** From the spawn to the first answered request. */
  readonly startMilliseconds: number
}

/** Starts the program on the database file `bench.db` of a directory and waits for its first answer. */
export async function startApp(directory: string): Promise<App> {
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const databaseUrl = `sqlite:${join(directory, 'bench.db')}`
  const startedAt = performance.now()
  const child = startChild(['src/main.ts', 'serve'], {
    HOST: '127.0.0.1',
    PORT: String(port),
    SITE_ROOT: baseUrl,
    DATABASE_URL: databaseUrl,
    API_RATE_LIMIT: '0',
    LOG_LEVEL: 'warning',
  })
  while (!(await isUp(`${baseUrl}/api/v3/status/`))) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode} before it answered`)
    if (performance.now() - startedAt > READY_WITHIN_MS) throw new Error('the program does not answer')
    await Bun.sleep(1)
  }
  return { baseUrl, port, databaseUrl, child, startMilliseconds: performance.now() - startedAt }
}

export const stopApp = (app: App) => stopChild(app.child)

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(url, { keepalive: false }).catch(() => null)
  await response?.body?.cancel()
  return response?.status === 200
}

/** Makes a project with so many checks through the command line and the API; resolves with the checks' ping paths. */
export async function prepareChecks(app: App, count: number): Promise<string[]> {
  const command = startChild(['src/main.ts', 'project', 'create', 'bench', '--json'], { DATABASE_URL: app.databaseUrl })
  const project: { api_key: string } = JSON.parse(await outputOf(command, '', 20))
  const headers = { 'X-Api-Key': project.api_key, 'Content-Type': 'application/json' }
  const paths: string[] = []
  let begun = 0
  const createSome = async () => {
    while (begun < count) {
      begun += 1
      const body = JSON.stringify({ name: `Check ${begun}`, timeout: 3600, grace: 3600 })
      const signal = AbortSignal.timeout(10_000)
      const response = await fetch(`${app.baseUrl}/api/v3/checks/`, { method: 'POST', headers, body, signal })
      if (response.status !== 201) throw new Error(`creating a check: ${response.status} ${await response.text()}`)
      const check = (await response.json()) as { ping_url: string }
      paths.push(new URL(check.ping_url).pathname)
    }
  }
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, createSome))
  return paths
}

/**
 * @param urls ping URLs of one server on 127.0.0.1 that was started by somebody else
 * @throws Error for any other address: a benchmark is no guest in a foreign network
 */
export function peerAt(urls: readonly string[]): Contestant {
  const parsed = urls.map((url) => new URL(url))
  const [first] = parsed
  const isLocal = ({ protocol, hostname }: URL) => protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
  if (first === undefined || !parsed.every((url) => isLocal(url) && url.host === first.host)) {
    throw new Error('--peer takes http://127.0.0.1:PORT/… ping URLs of one server')
  }
  return {
    name: 'peer',
    port: Number(first.port || 80),
    paths: parsed.map(({ pathname, search }) => pathname + search),
    pid: null,
  }
}
