/** The real program on a port of its own, to be killed without warning and started again on the same database. */
import { freePort } from '../../test/support/free-port.ts'
import { environment, FROM_SOURCE, untilAnswers } from '../../test/support/served.ts'

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
export function mortalServer(databaseUrl: string, more: Readonly<Record<string, string>> = {}): MortalServer {
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
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
      child = Bun.spawn([...FROM_SOURCE.command, 'serve'], {
        cwd: FROM_SOURCE.cwd,
        env: environment({ ...settings, ...limits, ...more }),
        stdout: 'ignore',
        stderr: 'inherit',
      })
      await untilAnswers(baseUrl, child)
      return performance.now() - began
    },
    kill: () => end('SIGKILL'),
    stop() {
      isOver = true
      return end('SIGTERM')
    },
  }
}
