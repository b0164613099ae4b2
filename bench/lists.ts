/**
 * Lists of checks over the API, compared with a bare server that serializes the same value for each request. Measured while
 * pings change the list before each request, and while nothing changes, when the server caches a short list.
 */
import { join } from 'node:path'
import type { Bench } from './support/bench.ts'
import { whole } from './support/figures.ts'
import type { LoadResult } from './support/load.ts'
import { keepPinging } from './support/pinging.ts'
import { answersPerSecond, type Load, type Turn, takeTurns } from './support/rounds.ts'
import { type Served, startApp, startBare, stopServer, type Target } from './support/servers.ts'
import { atLeast, type Row, ratios } from './support/table.ts'

const PATH = '/api/v3/checks/'
/** Number of connections, enough to keep a server busy. The latency is that of so many concurrent clients. */
const CONNECTIONS = 4
export async function measureLists(bench: Bench): Promise<Row[]> {
  const started: Served[] = []
  const matches: Match[] = []
  for (const checks of bench.options.lists) {
    const { directory, apiKey, paths } = await bench.database(checks)
    const app = await startApp(directory)
    const headers = { 'X-Api-Key': apiKey }
    const document = await fetchList(app, headers)
    const file = join(bench.newDirectory(), 'list.json')
    await Bun.write(file, document)
    const bare = await startBare([file])
    started.push(app, bare)
    const bytes = Buffer.byteLength(document)
    // A further ping can make the list a digit longer, so its length is not checked.
    const load: Load = { connections: CONNECTIONS, bodyBytes: 0, headers, answer: { bytes: null, end: ']}' } }
    const turn = (name: string, { port, pid }: Served, path: string, how: string): Turn => {
      const target: Target = { name, port, pid, paths: [path] }
      return { target, load, label: `list of ${whole(checks)} checks${how}` }
    }
    // Often enough that the project has changed before each list.
    const pinging = (over: AbortSignal) => keepPinging(`http://127.0.0.1:${app.port}${paths[0]}`, over)
    matches.push({
      checks,
      bytes,
      bare: turn('bare', bare, '/lists/0', ''),
      anew: { ...turn('app', app, PATH, ', pinged meanwhile'), beside: pinging },
      unchanged: turn('app', app, PATH, ', unchanged'),
    })
  }
  const results = await takeTurns(
    bench,
    matches.flatMap(({ bare, anew, unchanged }) => [bare, anew, unchanged]),
  )
  await Promise.all(started.map(stopServer))
  const of = (turn: Turn) => results.get(turn) ?? []
  return matches.flatMap(({ checks, bytes, anew, unchanged, bare }) => {
    const what = `list of ${whole(checks)} checks (${whole(bytes / 1000)} kB)`
    return [
      ...rowsOf(`${what}, pinged meanwhile, ${CONNECTIONS} connections`, of(anew), of(bare), checks === CHECKS_OF_AIM),
      ...rowsOf(`${what}, unchanged, ${CONNECTIONS} connections`, of(unchanged), of(bare), false),
    ]
  })
}

interface Match {
  readonly checks: number
  readonly bytes: number
  readonly bare: Turn
  readonly anew: Turn
  readonly unchanged: Turn
}

const CHECKS_OF_AIM = 1_000
const RATIO_AIM = 0.25

/** @throws Error when the bare server would answer with other bytes */
async function fetchList({ port }: Served, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers })
  const document = await response.text()
  if (response.status !== 200) throw new Error(`the list of checks was answered with ${response.status} ${document}`)
  if (JSON.stringify(JSON.parse(document)) !== document)
    throw new Error('the list differs from what JSON.stringify produces')
  return document
}

function rowsOf(what: string, results: readonly LoadResult[], bare: readonly LoadResult[], hasAim: boolean): Row[] {
  const rates = results.map(answersPerSecond)
  const [p50, bareP50] = [results.map((r) => r.p50Milliseconds), bare.map((r) => r.p50Milliseconds)]
  const p99 = results.map((r) => r.p99Milliseconds)
  const toBare = ratios(rates, bare.map(answersPerSecond))
  return [
    {
      what: `lists a second, ${what}`,
      figures: [{ name: '', values: rates, digits: 1, unit: '/s' }],
      ratio: { values: toBare, to: 'bare' },
      aim: hasAim ? atLeast(toBare, RATIO_AIM, 'ratio') : null,
    },
    {
      what: `latency, ${what}`,
      figures: [
        { name: 'p50', values: p50, digits: 1, unit: ' ms' },
        { name: 'p99', values: p99, digits: 1, unit: ' ms' },
      ],
      ratio: { values: ratios(p50, bareP50), to: 'bare (p50)', digits: 1 },
      aim: null,
    },
  ]
}
