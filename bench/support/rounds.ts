/** Loads that take turns, round after round, so that a busy machine is as unkind to one as to the other. */
import type { ExpectedAnswer } from './answer-reader.ts'
import type { Bench } from './bench.ts'
import { outputOf, startChild } from './children.ts'
import { fixed, tell, whole } from './figures.ts'
import type { LoadJob, LoadResult } from './load.ts'
import type { Contestant } from './servers.ts'

export interface Load {
  readonly connections: number
  /** That each request carries; 0 sends GETs. */
  readonly bodyBytes: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: ExpectedAnswer
}

/** One line of the rounds. */
export interface Turn {
  readonly contestant: Contestant
  readonly load: Load
  /** What tells it from the other turns of the same contestant. */
  readonly label: string
  /** What goes on meanwhile, until the signal says that the turn is over. */
  readonly beside?: (over: AbortSignal) => Promise<unknown>
}

/** A ping on each of so many connections. */
export function pingLoad(connections: number, bodyBytes = 0): Load {
  return { connections, bodyBytes, headers: {}, answer: { bytes: null, end: 'OK' } }
}

const WARM_UP_SECONDS = 1
const GRACE_SECONDS = 30

/** @returns the results of each turn, one for each round */
export async function takeTurns(bench: Bench, turns: readonly Turn[]): Promise<Map<Turn, LoadResult[]>> {
  const { rounds, seconds } = bench.options
  const results = new Map<Turn, LoadResult[]>(turns.map((turn) => [turn, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const turn of turns) {
      const over = new AbortController()
      const beside = turn.beside?.(over.signal)
      const result = await drive(bench, turn, seconds, null)
      over.abort()
      await beside
      results.get(turn)?.push(result)
      tell(`round ${round}  ${describe(turn, result)}`)
    }
  }
  return results
}

/**
 * One load, for so long at most or until so many answers have come.
 * @param warmUpSeconds in which answers do not count
 */
export async function drive(
  bench: Bench,
  { contestant, load, label }: Turn,
  seconds: number,
  limit: number | null,
  warmUpSeconds = WARM_UP_SECONDS,
): Promise<LoadResult> {
  const { name, port, paths, pid } = contestant
  const job: LoadJob = { port, paths, pid, ...load, warmUpSeconds, seconds, limit }
  const generator = startChild(['bench/support/load.ts'])
  const output = await outputOf(generator, JSON.stringify(job), seconds + warmUpSeconds + GRACE_SECONDS)
  // JSON has no NaN, which a latency is without any answer.
  const result: LoadResult = JSON.parse(output, (key, value) =>
    key.endsWith('Milliseconds') ? (value ?? Number.NaN) : value,
  )
  if (result.errors > 0) bench.complain(`${name}, ${label}: ${result.errors} answers were wrong or missing`)
  if (result.answers === 0) bench.complain(`${name}, ${label}: no answer in ${seconds} s`)
  return result
}

export function answersPerSecond({ answers, seconds }: LoadResult): number {
  return answers / seconds
}

/** NaN for a server whose process is not ours. */
export function cpuMillisecondsPerThousand({ serverCpuSeconds, answers }: LoadResult): number {
  return ((serverCpuSeconds ?? Number.NaN) * 1e6) / answers
}

function describe({ contestant, label }: Turn, result: LoadResult): string {
  const parts = [
    contestant.name.padEnd(4),
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
