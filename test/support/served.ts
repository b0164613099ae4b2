/** The real program in a process of its own, on a throwaway database: for tests that knock at the door from outside. */
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const ROOT = join(import.meta.dir, '../..')
const READY_WITHIN_MS = 15_000
const POLL_EVERY_MS = 10
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

export const FROM_SOURCE: Program = { command: [process.execPath, 'src/main.ts'], cwd: ROOT }

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
  const port = freePort()
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
      PUBLIC_RATE_LIMIT: '0',
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

  await untilAnswers(baseUrl, child).catch(async (error: Error) => {
    await stop()
    throw new Error(`${error.message}:\n${written}`)
  })
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
  const { code, out, err } = await runProgram(program, [...words, '--json'], { DATABASE_URL: databaseUrl })
  if (code !== 0) throw new Error(`overdue ${words.join(' ')} failed (${code}):\n${out}${err}`)
  return JSON.parse(out)
}

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/**
 * Runs a command to its end.
 * @param settings all that it has
 * @param input what it reads from standard input
 */
export async function runProgram(
  program: Program,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ran> {
  const child = Bun.spawn([...program.command, ...words], {
    cwd: program.cwd,
    env: environment(settings),
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

/** Nothing of the developer's own settings gets through; only what a process needs to run at all. */
export function environment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const needed = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(needed), ...settings }
}

/** @throws when a server has ended, or does not answer in time */
export async function untilAnswers(
  baseUrl: string,
  child: Pick<Bun.Subprocess, 'exitCode' | 'signalCode'>,
): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  for (const until = performance.now() + READY_WITHIN_MS; !hasEnded(); await Bun.sleep(POLL_EVERY_MS)) {
    const response = await fetch(`${baseUrl}/api/v3/status/`).catch(() => null)
    await response?.body?.cancel()
    if (response?.status === 200) return
    if (performance.now() > until) break
  }
  throw new Error(`the server does not answer (exit code ${child.exitCode ?? child.signalCode ?? 'none'})`)
}
