/** Runs commands by the real client, against a server that only records requests. */
import { environment } from '../support/environment.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { FROM_SOURCE } from '../support/served.ts'

export const PING_KEY = '0123456789abcdefghijkl'

/** A request for a ping. */
interface Told {
  /** path behind the ping key: `backup/start` */
  readonly what: string
  readonly query: URLSearchParams
  readonly body: string
}

interface Ran {
  /** exit status; 128 and the number of the signal that killed the command, as in a shell */
  readonly status: number
  readonly out: string
  readonly err: string
  /** requests to the server, in order of arrival */
  readonly told: readonly Told[]
}

export interface Place {
  /** environment of a job: server, ping key and spool */
  readonly settings: Readonly<Record<string, string>>
  readonly folder: Folder
  /** Runs words in bash, where `run` is `overdue run --check backup`, and `$PROGRAM run` is without a check. */
  sh(script: string, settings?: Readonly<Record<string, string>>): Promise<Ran>
  close(): Promise<void>
}

/** @param limit bytes of a body that the server announces to keep */
export function place(limit = 100_000): Place {
  const folder = temporaryFolder()
  const told: Told[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      told.push({ what: pathname.replace(`/ping/${PING_KEY}/`, ''), query: searchParams, body: await request.text() })
      return new Response('OK', { headers: { 'ping-body-limit': String(limit) } })
    },
  })
  const settings = {
    OVERDUE_URL: `http://127.0.0.1:${server.port}`,
    OVERDUE_PING_KEY: PING_KEY,
    OVERDUE_SPOOL: folder.file('spool'),
  }
  return {
    settings,
    folder,
    async sh(script, others = {}) {
      const from = told.length
      const program = FROM_SOURCE.command.join(' ')
      const child = Bun.spawn(['bash', '-c', `run() { $PROGRAM run --check backup "$@"; }\n${script}`], {
        cwd: FROM_SOURCE.cwd,
        env: environment({ ...settings, PROGRAM: program, ...others }),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, err, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return { status, out, err, told: told.slice(from) }
    },
    async close() {
      await server.stop(true)
      folder.remove()
    },
  }
}
