/**
 * How many pings a second the served program answers, next to a bare server that does nothing: both are driven in
 * turn in the same run, because ratios survive a noisy machine and figures do not. `--help` tells the options.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killAllChildren, outputOf, startChild, stopAllChildren } from './support/children.ts'
import { print, whole, withSpread } from './support/figures.ts'
import type { LoadJob, LoadResult } from './support/load.ts'
import { type Memory, memoryOf } from './support/process-figures.ts'
import { type Contestant, peerAt, prepareChecks, startApp, startBare } from './support/servers.ts'
import { measureStart } from './support/start-time.ts'

const HELP = `bun bench/ping.ts [options]
  --seconds N      of counting in each round (5)
  --rounds N       of all contestants in turn (3)
  --connections N  kept alive, each with one ping on the way (64)
  --checks N       to be pinged at random (1000)
  --pings N        afterwards send the program N pings more and look at its memory
  --peer URL       a ping URL of another server on 127.0.0.1, driven as well; may be repeated
  --start          measure the time to the first answer instead
`
const WARM_UP_SECONDS = 1
/** Bounds `--pings`: at less than this rate it stops before the number is reached. */
const SLOWEST_PINGS_PER_SECOND = 1000

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    checks: { type: 'string', default: '1000' },
    pings: { type: 'string', default: '0' },
    peer: { type: 'string', multiple: true, default: [] },
    start: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const seconds = positive(values.seconds)
const rounds = positive(values.rounds)
const connections = positive(values.connections)
const checks = positive(values.checks)

if (values.help) print(HELP)
else await inOwnDirectory(values.start ? (directory) => measureStart(directory, checks) : measurePings)

function positive(text: string): number {
  const value = Number(text)
  if (value > 0) return value
  process.stderr.write(HELP)
  process.exit(2)
}

/** Whatever happens, the children end and the directory goes. */
async function inOwnDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'overdue-bench-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      killAllChildren()
      remove()
      process.exit(1)
    })
  }
  try {
    await work(directory)
  } finally {
    await stopAllChildren()
    remove()
  }
}

async function measurePings(directory: string): Promise<void> {
  const peers = values.peer.length > 0 ? [peerAt(values.peer)] : []
  const app = await startApp(directory)
  const { pid } = app.child
  const paths = await prepareChecks(app, checks)
  const program: Contestant = { name: 'app', port: app.port, paths, pid }
  const contestants = [await startBare(paths), program, ...peers]
  await Bun.sleep(1000)
  const idle = memoryOf(pid)
  print(`${checks} checks, ${connections} connections, ${rounds} rounds of ${seconds} s`)

  const results = new Map<Contestant, LoadResult[]>(contestants.map((contestant) => [contestant, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const contestant of contestants) {
      const result = await drive(contestant, seconds, null)
      results.get(contestant)?.push(result)
      print(`round ${round}  ${describe(contestant, result)}`)
    }
  }
  const [bare = [], ...others] = results.values()
  for (const [index, result] of others.entries()) compare(contestants[index + 1]?.name ?? '', result, bare)

  print(`\nresident memory of the app: idle ${describeMemory(idle)}`)
  print(`  after these rounds ${describeMemory(memoryOf(pid))}`)
  if (Number(values.pings) > 0) {
    const pings = positive(values.pings)
    const result = await drive(program, Math.max(60, pings / SLOWEST_PINGS_PER_SECOND), pings)
    print(`  after ${whole(result.pings)} pings more ${describeMemory(memoryOf(pid))}`)
    await Bun.sleep(5000)
    print(`  five quiet seconds later ${describeMemory(memoryOf(pid))}`)
    results.get(program)?.push(result)
  }
  const errors = [...results.values()].flat().reduce((sum, result) => sum + result.errors, 0)
  if (errors > 0) {
    print(`${errors} answers were not 200 OK: the figures mean nothing`)
    process.exitCode = 1
  }
}

async function drive({ port, paths, pid }: Contestant, longest: number, pings: number | null): Promise<LoadResult> {
  const job: LoadJob = { port, paths, connections, warmUpSeconds: WARM_UP_SECONDS, seconds: longest, pings, pid }
  const generator = startChild(['bench/support/load.ts'])
  return JSON.parse(await outputOf(generator, JSON.stringify(job), longest + WARM_UP_SECONDS + 15))
}

function pingsPerSecond(result: LoadResult): number {
  return result.pings / result.seconds
}

function cpuMillisecondsPerThousand(result: LoadResult): number {
  return ((result.serverCpuSeconds ?? Number.NaN) * 1e6) / result.pings
}

function describe({ name }: Contestant, result: LoadResult): string {
  const parts = [
    name.padEnd(4),
    `${whole(pingsPerSecond(result)).padStart(9)}/s`,
    `p50 ${result.p50Milliseconds.toFixed(2)} ms`,
    `p99 ${result.p99Milliseconds.toFixed(2)} ms`,
  ]
  if (result.serverCpuSeconds !== null) {
    parts.push(`server ${cpuMillisecondsPerThousand(result).toFixed(2)} ms CPU per 1000`)
  }
  parts.push(`generator ${(result.ownLoad * 100).toFixed(0)} % busy`, `${result.errors} errors`)
  return parts.join('  ')
}

function compare(name: string, results: readonly LoadResult[], bare: readonly LoadResult[]): void {
  const ratios = (figure: (result: LoadResult) => number) =>
    results.map((result, round) => figure(result) / figure(bare[round] ?? result))
  print(
    `\n${name} to bare, pings a second: ${withSpread(ratios(pingsPerSecond), 3)}  each round: ${list(ratios(pingsPerSecond))}`,
  )
  if (results[0]?.serverCpuSeconds !== null) {
    print(`${name} to bare, CPU a ping: ${withSpread(ratios(cpuMillisecondsPerThousand), 2)}`)
  }
}

function list(numbers: readonly number[]): string {
  return numbers.map((number) => number.toFixed(3)).join(' ')
}

function describeMemory({ residentMegabytes, peakMegabytes }: Memory): string {
  return `${residentMegabytes.toFixed(0)} MB (highest ${peakMegabytes.toFixed(0)} MB)`
}
