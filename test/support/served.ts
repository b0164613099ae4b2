/** The real program in a process of its own, on a throwaway database: for tests that knock at the door from outside. */
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const READY_WITHIN_MS = 15_000
const POLL_EVERY_MS = 25
const STOPPED_WITHIN_MS = 10_000

/** How the program is run. */
export interface Program {
  /** what its arguments are put behind */
  readonly command: readonly string[]
  /** the folder that it is run in */
  readonly cwd: string
  /** user and group whose the database's folder is to be, where that is not us */
  readonly owner?: number
}

const FROM_SOURCE: Program = { command: [process.execPath, 'src/main.ts'], cwd: ROOT }

export interface Served {
  /** Also the site root that the server writes into its URLs. */
  readonly baseUrl: string
  readonly databaseUrl: string
  readonly pid: number
  /** Runs a command of this very program on the server's database, see {@link overdue}. */
  overdue<Answer>(...words: readonly string[]): Promise<Answer>
  /** Asks this one process to end, waits until it has, and removes its database. */
  stop(): Promise<void>
  /** What the server has written so far, standard output and errors mixed. */
  logs(): string
}

/** @param settings added to, or put over, those that a test server always has */
export async function serve(
  settings: Readonly<Record<string, string>> = {},
  program: Program = FROM_SOURCE,
): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), 'overdue-'))
  if (program.owner !== undefined) await chown(directory, program.owner, program.owner)
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const databaseUrl = `sqlite:${join(directory, 'o.db')}`
  const child = Bun.spawn([...program.command, 'serve'], {
    cwd: program.cwd,
    env: environment({
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_ROOT: baseUrl,
      API_RATE_LIMIT: '0',
      PING_LOG_LIMIT: '100',
      LOG_LEVEL: 'warning',
      ...settings,
    }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let written = ''
  const follow = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) written += decoder.decode(chunk, { stream: true })
  }
  const followed = Promise.all([follow(child.stdout), follow(child.stderr)])

  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const hung = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS)
    await child.exited
    clearTimeout(hung)
    await followed
    await rm(directory, { recursive: true, force: true })
    if (child.signalCode === 'SIGKILL') throw new Error(`the server did not stop when asked to:\n${written}`)
  }

  if (!(await answers(`${baseUrl}/api/v3/status/`, () => child.exitCode === null))) {
    await stop()
    throw new Error(`the server does not answer (exit code ${child.exitCode ?? 'none'}):\n${written}`)
  }
  return {
    baseUrl,
    databaseUrl,
    pid: child.pid,
    overdue: (...words) => runCommand(program, databaseUrl, words),
    stop,
    logs: () => written,
  }
}

/**
 * Runs one command of the program and reads the JSON it prints.
 * @param words for example `'project', 'create', 'Backups'`; `--json` is added
 */
export function overdue<Answer>(databaseUrl: string, ...words: readonly string[]): Promise<Answer> {
  return runCommand(FROM_SOURCE, databaseUrl, words)
}

async function runCommand<Answer>(program: Program, databaseUrl: string, words: readonly string[]): Promise<Answer> {
  const child = Bun.spawn([...program.command, ...words, '--json'], {
    cwd: program.cwd,
    env: environment({ DATABASE_URL: databaseUrl }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`overdue ${words.join(' ')} failed (${code}):\n${output}${errors}`)
  return JSON.parse(output)
}

/** Nothing of the developer's own settings gets through; only what a process needs to run at all. */
function environment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const needed = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(needed), ...settings }
}

async function answers(url: string, alive: () => boolean): Promise<boolean> {
  const until = performance.now() + READY_WITHIN_MS
  while (alive() && performance.now() < until) {
    const response = await fetch(url).catch(() => null)
    await response?.body?.cancel()
    if (response?.status === 200) return true
    await Bun.sleep(POLL_EVERY_MS)
  }
  return false
}

/** A port that was free a moment ago. The server is told a number, because its site root must name it. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new Error('the probe has no port'))
      })
    })
  })
}
