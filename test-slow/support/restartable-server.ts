/** The real program on its own port. It can be killed and started again on the same database. */

import { environment } from '../../test/support/environment.ts'
import { freePort } from '../../test/support/free-port.ts'
import { FROM_SOURCE, untilAnswers } from '../../test/support/served.ts'

export interface RestartableServer {
  readonly baseUrl: string
  /**
   * Resolves when the server answers.
   * @returns milliseconds until then
   * @throws when it does not answer, or after {@link RestartableServer.stop}
   */
  start(): Promise<number>
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>
  /** Sends SIGTERM when the server runs. It cannot be started again. */
  stop(): Promise<void>
}

/** @param more settings, added to the usual ones */
export function restartableServer(databaseUrl: string, more: Readonly<Record<string, string>> = {}): RestartableServer {
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
      if (isOver) throw new Error('the server was stopped')
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
