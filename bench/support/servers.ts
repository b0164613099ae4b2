/** The servers that are measured: a bare one, the program as it is served, and whoever else runs on this machine. */
import { freePort } from '../../test/support/free-port.ts'
import { type Child, startChild, stopChild } from './children.ts'
import { databaseFile } from './prepare.ts'

/** Somebody to send requests to. */
export interface Contestant {
  readonly name: string
  readonly port: number
  readonly paths: readonly string[]
  /** Null when the process is not ours. */
  readonly pid: number | null
}

const READY_WITHIN_MS = 20_000

/** A server on 127.0.0.1 that was started here. */
export interface Served {
  readonly port: number
  readonly pid: number
  readonly child: Child
}

/** @param documents files of JSON that it serves as `/lists/0`, `/lists/1`, … */
export async function startBare(documents: readonly string[] = []): Promise<Served> {
  const child = startChild(['bench/support/bare-server.ts', ...documents])
  const { value } = await child.stdout.getReader().read()
  return { port: Number(new TextDecoder().decode(value)), pid: child.pid, child }
}

export interface App extends Served {
  /** From the spawn to the first answered request. */
  readonly startMilliseconds: number
}

/** Starts the program on the database file `bench.db` of a directory and waits for its first answer. */
export async function startApp(directory: string): Promise<App> {
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = startChild(['src/main.ts', 'serve'], {
    HOST: '127.0.0.1',
    PORT: String(port),
    SITE_ROOT: baseUrl,
    DATABASE_URL: `sqlite:${databaseFile(directory)}`,
    API_RATE_LIMIT: '0',
    // A warning of an outage comes with every database that was prepared a while ago.
    LOG_LEVEL: 'error',
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
