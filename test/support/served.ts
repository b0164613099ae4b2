/** Runs the real program in a separate process on a temporary database, for tests from outside. */
import { chownSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Ran, run } from './command-line.ts'
import { testDatabase } from './databases.ts'
import { environment } from './environment.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import type { TestDatabase } from './opened-stores.ts'

const ROOT = join(import.meta.dir, '../..')
const READY_WITHIN_MS = 60_000
const POLL_EVERY_MS = 10
const STOPPED_WITHIN_MS = 30_000

/** Command that starts the program. */
export interface Program {
  /** the command without its arguments */
  readonly command: readonly string[]
  /** working directory */
  readonly cwd: string
  /** id of the user and group that own the database's folder, which makes the database a file; the current user by default */
  readonly owner?: number
}

/** Entry of the program. It is resolved as a module, so that `bun test --changed` knows the dependencies of tests that start processes. */
const MAIN = relative(ROOT, require.resolve('../../src/main.ts'))
export const FROM_SOURCE: Program = { command: [process.execPath, MAIN], cwd: ROOT }

export interface Served {
  /** address of the server, also its SITE_ROOT */
  readonly baseUrl: string
  readonly databaseUrl: string
  readonly pid: number
  /** Runs a command of this program on the server's database, from source within this process, see {@link overdue}. */
  overdue<Answer>(...words: readonly string[]): Promise<Answer>
  /** Sends SIGTERM, waits until the process has ended, and removes the database unless it was given. */
  stop(): Promise<void>
  /** Returns the server's standard output and standard error so far. */
  logs(): string
}

/** @param settings added to the usual settings of a test server, which they override */
export async function serve(
  settings: Readonly<Record<string, string>> = {},
  program: Program = FROM_SOURCE,
): Promise<Served> {
  const database = await databaseFor(program, settings.DATABASE_URL)
  const databaseUrl = database.url
  const port = freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const child = Bun.spawn([...program.command, 'serve'], {
    cwd: program.cwd,
    env: environment({
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_ROOT: baseUrl,
      API_RATE_LIMIT: '0',
      PUBLIC_RATE_LIMIT: '0',
      PING_LOG_LIMIT: '100',
      LOG_LEVEL: 'warning',
      ...settings,
      DATABASE_URL: databaseUrl,
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
    await database.remove()
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

/** Creates a database, unless one is given. @param given a database that is not removed */
async function databaseFor({ owner }: Program, given: string | undefined): Promise<TestDatabase> {
  if (given !== undefined) return { url: given, remove: async () => {} }
  if (owner === undefined) return testDatabase()
  const folder = temporaryFolder()
  chownSync(folder.path, owner, owner)
  return { url: `sqlite:${folder.file('o.db')}`, remove: async () => folder.remove() }
}

/**
 * Runs one command within this process and reads its JSON output.
 * @param words for example `'project', 'create', 'Backups'`; `--json` is added
 */
export function overdue<Answer>(databaseUrl: string, ...words: readonly string[]): Promise<Answer> {
  return runCommand(FROM_SOURCE, databaseUrl, words)
}

async function runCommand<Answer>(program: Program, databaseUrl: string, words: readonly string[]): Promise<Answer> {
  const settings = { DATABASE_URL: databaseUrl }
  const all = [...words, '--json']
  const { code, out, err } = await (program === FROM_SOURCE ? run(all, settings) : runProgram(program, all, settings))
  if (code !== 0) throw new Error(`overdue ${words.join(' ')} failed (${code}):\n${out}${err}`)
  return JSON.parse(out)
}

/**
 * Runs a command to its end.
 * @param settings its only settings
 * @param input its standard input
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

/** @throws when the server has ended or doesn't answer in time */
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
