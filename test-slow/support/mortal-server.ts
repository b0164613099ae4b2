/** The real program on a port of its own, to be killed without warning and started again on the same database. */
import { join } from 'node:path'
import { freePort } from '../../test/support/served.ts'

const ROOT = join(import.meta.dir, '../..')
const READY_WITHIN_MS = 15_000

export interface MortalServer {
  readonly baseUrl: string
  /**
   * Resolves when it answers.
   * @returns milliseconds until then
   * @throws when it does not, or was stopped for good
   */
  start(): Promise<number>
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>
  /** Asks it to end, for good; nothing more when it does not run. */
  stop(): Promise<void>
}

/** @param more settings, added to those that it always has */
export async function mortalServer(
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
): Promise<MortalServer> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const { PATH = '', HOME = '' } = process.env
  const settings = { HOST: '127.0.0.1', PORT: String(port), SITE_ROOT: baseUrl, DATABASE_URL: databaseUrl }
  const limits = { API_RATE_LIMIT: '0', LOG_LEVEL: 'error', INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' }
  let child: Bun.Subprocess | null = null
  let isOver = false

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const ending = child
    child = null
    ending?.kill(signal)
    await ending?.exited
  }

  return {
    baseUrl,
    async start() {
      if (isOver) throw new Error('the server was stopped for good')
      const began = performance.now()
      const started = Bun.spawn([process.execPath, 'src/main.ts', 'serve'], {
        cwd: ROOT,
        env: { PATH, HOME, ...settings, ...limits, ...more },
        stdout: 'ignore',
        stderr: 'inherit',
      })
      child = started
      for (const until = began + READY_WITHIN_MS; performance.now() < until; await Bun.sleep(5)) {
        const response = await fetch(`${baseUrl}/api/v3/status/`).catch(() => null)
        if (response?.status === 200) return performance.now() - began
        if (started.exitCode !== null || started.signalCode !== null) break
      }
      throw new Error(
        `the server does not answer (ended by ${started.exitCode ?? started.signalCode ?? 'nothing yet'})`,
      )
    },
    kill: () => end('SIGKILL'),
    stop() {
      isOver = true
      return end('SIGTERM')
    },
  }
}
