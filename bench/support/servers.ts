/** Measured servers: a bare one and the program. */
import { readFileSync } from 'node:fs'
import type { Subprocess } from 'bun'
import { freePort } from '../../test/support/free-port.ts'
import { type ProgramPlace, startChild, startProgram, stopChild } from './children.ts'
import { databaseUrl } from './prepare.ts'

/** A server that receives requests. */
export interface Target {
  readonly name: string
  readonly port: number
  readonly paths: readonly string[]
  /** null when its process is not known */
  readonly pid: number | null
}

const READY_WITHIN_MS = 60_000

/** A server on 127.0.0.1 that the benchmark has started. */
export interface Served {
  readonly port: number
  readonly pid: number
  readonly child: Subprocess
}

/** @param documents JSON files that it serves as `/lists/0`, `/lists/1`, … */
export async function startBare(documents: readonly string[] = []): Promise<Served> {
  const child = startChild(['bench/support/bare-server.ts', ...documents])
  const { value } = await child.stdout.getReader().read()
  return { port: Number(new TextDecoder().decode(value)), pid: child.pid, child }
}

export interface App extends Served {
  /** time from the start of the process to its first answer */
  readonly startMilliseconds: number
}

/**
 * Starts the program on the database file `bench.db` of a directory and waits for its first answer.
 * @param settings in addition to the usual ones
 */
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
  return {
    port,
    pid: child.pid,
    child,
    startMilliseconds: await firstAnswer(child, `${baseUrl}/api/v3/status/`, startedAt),
  }
}

/**
 * Starts another program, which answers `path` with 200 when it is ready.
 * @throws Error when it does not, with the end of its output
 */
export async function startOther(
  command: readonly string[],
  place: ProgramPlace,
  port: number,
  path: string,
): Promise<App> {
  const startedAt = performance.now()
  const child = startProgram(command, place)
  try {
    const startMilliseconds = await firstAnswer(child, `http://127.0.0.1:${port}${path}`, startedAt)
    return { port, pid: child.pid, child, startMilliseconds }
  } catch (error) {
    throw new Error(`${error}\n${readFileSync(place.log, 'utf8').slice(-2000)}`)
  }
}

/**
 * Waits until a server answers with 200.
 * @param startedAt its start by `performance.now()`
 * @returns milliseconds since then
 * @throws Error when the server ends before, or does not answer within a minute
 */
async function firstAnswer(child: Subprocess, url: string, startedAt: number): Promise<number> {
  const elapsed = () => performance.now() - startedAt
  while (!(await isUp(url))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it answered`)
    if (elapsed() > READY_WITHIN_MS) throw new Error(`${url} does not answer`)
    // A server that needs seconds needs the processors more than the measurement needs milliseconds.
    await Bun.sleep(elapsed() < 1000 ? 1 : 20)
  }
  return elapsed()
}

export const stopServer = ({ child }: Served) => stopChild(child)

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(url, { keepalive: false }).catch(() => null)
  await response?.body?.cancel()
  return response?.status === 200
}
