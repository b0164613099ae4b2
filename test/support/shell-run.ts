/** `overdue-run`, run by a shell against a server that records its pings. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import script from '../../src/domain/ping/overdue-run.sh' with { type: 'text' }

interface Ping {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

interface ShellRun {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  /** command of the shell that reads the script */
  readonly shell?: readonly string[]
  readonly options?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** called with the process once it runs */
  readonly during?: (process: { readonly exited: Promise<number>; kill(signal: NodeJS.Signals): void }) => Promise<void>
}

export interface Bench {
  readonly url: string
  readonly folder: string
  /** Returns the pings since the last call. */
  pings(): Ping[]
  /** Sets later answers; initially `OK`. */
  answerWith(answer: (ping: Ping) => Response | Promise<Response>): void
  run(command: readonly string[], options?: RunOptions): Promise<ShellRun>
  /** Creates a folder for PATH with these programs only. */
  pathOf(programs: readonly string[]): string
  close(): void
}

/** Programs that the script needs besides a client. */
export const TOOLS = [
  'cat',
  'dd',
  'head',
  'mkfifo',
  'mktemp',
  'od',
  'rm',
  'sed',
  'sh',
  'sleep',
  'tail',
  'tee',
  'timeout',
  'tr',
  'true',
  'wc',
]

export const UUID = '5f1a2b3c-0000-4000-8000-00000000abcd'

export function openBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'overdue-shell-'))
  const file = join(folder, 'overdue-run')
  writeFileSync(file, script)
  let pings: Ping[] = []
  let answer: (ping: Ping) => Response | Promise<Response> = () => new Response('OK')
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const ping = { path: pathname, query: searchParams, body: await request.text() }
      pings.push(ping)
      return answer(ping)
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    folder,
    pings() {
      const taken = pings
      pings = []
      return taken
    },
    answerWith(given) {
      answer = given
    },
    async run(command, { shell = ['sh'], options = ['--check', UUID], env = {}, stdin = '', during } = {}) {
      const process_ = Bun.spawn([...shell, file, ...options, '--', ...command], {
        env: { PATH: process.env.PATH, OVERDUE_URL: url, TMPDIR: folder, ...env },
        stdin: new Blob([stdin]),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const texts = Promise.all([new Response(process_.stdout).text(), new Response(process_.stderr).text()])
      await during?.(process_)
      const [stdout, stderr] = await texts
      return { status: await process_.exited, stdout, stderr }
    },
    pathOf(programs) {
      const path = mkdtempSync(join(folder, 'path-'))
      for (const program of programs) symlinkSync(Bun.which(program) ?? `/missing/${program}`, join(path, program))
      return path
    },
    close() {
      server.stop(true)
      rmSync(folder, { recursive: true })
    },
  }
}
