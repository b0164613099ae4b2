/** Runs loads in turn, round after round, so that other load on the machine affects all of them alike. */
import type { ExpectedAnswer } from './answer-reader.ts'
import type { Bench } from './bench.ts'
import { outputOf, startChild } from './children.ts'
import { fixed, progress, whole } from './figures.ts'
import type { LoadJob, LoadResult } from './load.ts'
import type { Target } from './servers.ts'

export interface Load {
  readonly connections: number
  /** false for a server that closes each connection after its answer; true by default */
  readonly isKeptAlive?: boolean
  /** requests a second; by default as many as are answered */
  readonly perSecond?: number
  /** GET without a body and POST with one by default */
  readonly method?: 'GET' | 'POST'
  /** size of each request's body */
  readonly bodyBytes: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: ExpectedAnswer
}

/** A load on one target, which is run once in each round. */
export interface Turn {
  readonly target: Target
  readonly load: Load
  /** distinguishes it from other turns on the same target */
  readonly label: string
  /** runs first */
  readonly before?: () => Promise<unknown>
  /** runs at the same time, until the signal aborts */
  readonly beside?: (over: AbortSignal) => Promise<unknown>
}

/** Returns a load of pings over so many connections. */
export function pingLoad(connections: number, bodyBytes = 0): Load {
  return { connections, bodyBytes, headers: {}, answer: { bytes: null, end: 'OK' } }
}

const WARM_UP_SECONDS = 1
const GRACE_SECONDS = 30

/** @returns one result for each round, by turn */
export async function takeTurns(bench: Bench, turns: readonly Turn[]): Promise<Map<Turn, LoadResult[]>> {
  const { rounds, seconds } = bench.options
  const results = new Map<Turn, LoadResult[]>(turns.map((turn) => [turn, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const turn of turns) {
      await turn.before?.()
      const over = new AbortController()
      const beside = turn.beside?.(over.signal)
      const result = await drive(bench, turn, seconds, null)
      over.abort()
      await beside
      results.get(turn)?.push(result)
      progress(`round ${round}  ${describe(turn, result)}`)
    }
  }
  return results
}

/**
 * Runs one load for a time, or until it has `limit` answers.
 * @param warmUpSeconds time in which answers don't count
 */
export async function drive(
  bench: Bench,
  { target, load, label }: Turn,
  seconds: number,
  limit: number | null,
  warmUpSeconds = WARM_UP_SECONDS,
): Promise<LoadResult> {
  const { name, port, paths, pid } = target
  const method = load.bodyBytes === 0 ? 'GET' : 'POST'
  const usual = { method, isKeptAlive: true, perSecond: null } as const
  const job: LoadJob = { port, paths, pid, ...usual, ...load, warmUpSeconds, seconds, limit }
  const generator = startChild(['bench/support/load.ts'])
  const output = await outputOf(generator, JSON.stringify(job), seconds + warmUpSeconds + GRACE_SECONDS)
  // A latency without any answer is NaN, which becomes null in JSON.
  const result: LoadResult = JSON.parse(output, (key, value) =>
    key.endsWith('Milliseconds') ? (value ?? Number.NaN) : value,
  )
  if (result.errors > 0) bench.reportProblem(`${name}, ${label}: ${result.errors} answers were wrong or missing`)
  if (result.answers === 0) bench.reportProblem(`${name}, ${label}: no answer in ${seconds} s`)
  return result
}

export function answersPerSecond({ answers, seconds }: LoadResult): number {
  return answers / seconds
}

/** @returns NaN when the server's processor time is not known */
export function cpuMillisecondsPerThousand({ serverCpuSeconds, answers }: LoadResult): number {
  return ((serverCpuSeconds ?? Number.NaN) * 1e6) / answers
}

function describe({ target, label }: Turn, result: LoadResult): string {
  const parts = [
    target.name.padEnd(4),
    label,
    `${whole(answersPerSecond(result))}/s`,
    `p50 ${result.p50Milliseconds.toFixed(2)} ms`,
    `p99 ${result.p99Milliseconds.toFixed(2)} ms`,
  ]
  if (result.serverCpuSeconds !== null)
    parts.push(`server ${fixed(cpuMillisecondsPerThousand(result), 2)} ms CPU per 1000`)
  parts.push(`generator ${whole(result.ownLoad * 100)} % busy`)
  if (result.errors > 0) parts.push(`${result.errors} errors`)
  return parts.join('  ')
}
