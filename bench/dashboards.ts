/** Pings while many dashboards are open, compared with the same server without them. */
import type { Bench } from './support/bench.ts'
import { type Child, startChild } from './support/children.ts'
import { type Dashboard, prepareDashboards } from './support/dashboards-database.ts'
import { median, progress, whole } from './support/figures.ts'
import type { LoadResult } from './support/load.ts'
import { memoryOf } from './support/process-figures.ts'
import type { ReadersResult } from './support/readers.ts'
import { answersPerSecond, cpuMillisecondsPerThousand, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { startApp, stopServer, type Target } from './support/servers.ts'
import { atLeast, below, type Row, ratios } from './support/table.ts'

const SIZE = { projects: 20, checksEach: 100, readersEach: 10 }
/** Number of readers that are too slow: they read nothing at all. */
const STALLED = 10
/** Numbers of connections. With one, pings are so slow that every change is a row. */
const CONNECTIONS = [64, 1]
const GROWTH_LIMIT_MB = 20
const ROUNDS_TO_JUDGE = 20

interface Watched {
  readonly results: ReadersResult[]
  /** resident megabytes at the end of each round */
  readonly memory: number[]
}

export async function measureDashboards(bench: Bench): Promise<Row[]> {
  const directory = bench.newDirectory()
  const { paths, dashboards } = await prepareDashboards(directory, SIZE)
  const app = await startApp(directory)
  const target: Target = { name: 'app', port: app.port, pid: app.pid, paths }
  const pairs = CONNECTIONS.map((connections) => {
    const watched: Watched = { results: [], memory: [] }
    const load = pingLoad(connections)
    let close = async () => {}
    const before = async () => {
      close = await openDashboards(app, dashboards, watched)
    }
    const beside = async (over: AbortSignal) => {
      if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
      await close()
    }
    return {
      connections,
      watched,
      without: { target, load, label: `${connections} connections, nobody looks` } satisfies Turn,
      with: {
        target,
        load,
        label: `${connections} connections, ${dashboards.length} dashboards`,
        before,
        beside,
      } satisfies Turn,
    }
  })
  const results = await takeTurns(
    bench,
    pairs.flatMap((pair) => [pair.without, pair.with]),
  )
  await stopServer(app)
  const broken = pairs.flatMap(({ watched }) => watched.results).reduce((sum, { broken }) => sum + broken, 0)
  if (broken > 0) bench.reportProblem(`dashboards: ${broken} streams were refused or cut`)
  const of = (turn: Turn) => results.get(turn) ?? []
  return pairs.flatMap((pair) => rows(bench, pair.connections, of(pair.with), of(pair.without), pair.watched))
}

function rows(
  { options: { seconds } }: Bench,
  connections: number,
  watched: readonly LoadResult[],
  alone: readonly LoadResult[],
  { results, memory }: Watched,
): Row[] {
  const dashboards = SIZE.projects * SIZE.readersEach
  const label = `${connections} ${connections === 1 ? 'connection' : 'connections'}, ${dashboards} dashboards`
  const rates = watched.map(answersPerSecond)
  const rateRatios = ratios(rates, alone.map(answersPerSecond))
  const cpu = watched.map(cpuMillisecondsPerThousand)
  const perSecond = (name: 'events' | 'rows' | 'stale', unit: string) => ({
    name,
    values: results.map((result) => result[name] / (seconds + 1)),
    digits: 0,
    unit,
  })
  const half = Math.ceil(memory.length / 2)
  const growth = median(memory.slice(half)) - median(memory.slice(0, half))
  return [
    {
      what: `pings a second, ${label}`,
      figures: [{ name: '', values: rates, digits: 0, unit: '/s' }],
      ratio: { values: rateRatios, to: 'nobody looks' },
      // One connection waits for each answer, so its rate says more about the machine than about the work.
      aim: connections === 1 ? null : atLeast(rateRatios, 0.95, 'ratio'),
    },
    {
      what: `processor time of 1,000 pings, ${label}`,
      figures: [{ name: '', values: cpu, digits: 2, unit: ' ms' }],
      ratio: { values: ratios(cpu, alone.map(cpuMillisecondsPerThousand)), to: 'nobody looks' },
      aim: null,
    },
    {
      what: `what ${dashboards} dashboards get, ${STALLED} of them too slow, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
      figures: [perSecond('events', '/s'), perSecond('rows', '/s'), perSecond('stale', '/s')],
      ratio: null,
      aim: null,
    },
    {
      what: `resident memory after each round, ${label}`,
      figures: [
        { name: '', values: memory, digits: 0, unit: ' MB' },
        { name: 'second half of the rounds over the first', values: [growth], digits: 1, unit: ' MB' },
      ],
      ratio: null,
      // A server that has just started still grows.
      aim: memory.length < ROUNDS_TO_JUDGE ? null : below([growth], GROWTH_LIMIT_MB, 'growth', ' MB'),
    },
  ]
}

/** Opens dashboards. @returns a function that closes them and records what they received */
async function openDashboards(
  { port, pid }: { readonly port: number; readonly pid: number },
  streams: readonly Dashboard[],
  watched: Watched,
): Promise<() => Promise<void>> {
  const child = startChild(['bench/support/readers.ts'])
  const lines = linesOf(child)
  if (typeof child.stdin === 'object') child.stdin.write(`${JSON.stringify({ port, streams, stalled: STALLED })}\n`)
  await lines.next()
  return async () => {
    watched.memory.push(memoryOf(pid).residentMegabytes)
    if (typeof child.stdin === 'object') child.stdin.end()
    const { value } = await lines.next()
    const result: ReadersResult = JSON.parse(value ?? '{}')
    watched.results.push(result)
    await child.exited
    const [events, rows, bytes] = [result.events, result.rows, result.bytes].map(whole)
    progress(`         readers got ${events} events, ${rows} rows, ${bytes} bytes`)
  }
}

async function* linesOf(child: Child): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
