/** The servers that are measured: a bare one, the program, and any other server on this machine. */
import { freePort } from '../../test/support/free-port.ts'
import { type Child, startChild, stopChild } from './children.ts'
import { databaseUrl } from './prepare.ts'

/** A server that gets requests. */
export interface Target {
  readonly name: string
  readonly port: number
  readonly paths: readonly string[]
  /** Null when its process is not known. */
  readonly pid: number | null
}

const READY_WITHIN_MS = 20_000

/** A server on 127.0.0.1 that the benchmark has started. */
export interface Served {
  readonly port: number
  readonly pid: number
  readonly child: Child
}

/** @param documents JSON files that it serves as `/lists/0`, `/lists/1`, … */
export async function startBare(documents: readonly string[] = []): Promise<Served> {
  const child = startChild(['bench/support/bare-server.ts', ...documents])
  const { value } = await child.stdout.getReader().read()
  return { port: Number(new TextDecoder().decode(value)), pid: child.pid, child }
}

export interface App extends Served {
  /** From the start of the process to its first answer. */
  readonly startMilliseconds: number
}

/** Starts the program on the database file `bench.db` of a directory and waits for its first answer. @param settings besides the usual ones */
export function startApp(directory: string, settings: Readonly<Record<string, string>> = {}): Promise<App> {
  return startAppOn(databaseUrl(directory), settings)
}

/** @param url as in DATABASE_URL */
export async function startAppOn(url: string, settings: Readonly<Record<string, string>> = {}): Promise<App> {
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = startChild(['src/main.ts', 'serve'], {
    HOST: '127.0.0.1',
    PORT: String(port),
    SITE_ROOT: baseUrl,
    DATABASE_URL: url,
    API_RATE_LIMIT: '0',
    // A database that was prepared a while ago causes a warning about an outage.
    LOG_LEVEL: 'error',
    ...settings,
  })
  while (!(await isUp(`${baseUrl}/api/v3/status/`))) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode} before it answered`)
    if (performance.now() - startedAt > READY_WITHIN_MS) throw new Error('the program does not answer')
    await Bun.sleep(1)
  }
  return { port, pid: child.pid, child, startMilliseconds: performance.now() - startedAt }
}

export const stopServer = ({ child }: Served) => stopChild(child)

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(url, { keepalive: false }).catch(() => null)
  await response?.body?.cancel()
  return response?.status === 200
}

/**
 * @param urls ping URLs of one server on 127.0.0.1 that was started separately
 * @throws Error for any other address: the benchmark must not put load on other machines
 */
export function peerAt(urls: readonly string[]): Target {
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
