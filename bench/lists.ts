/** A list of checks fetched over the API, next to a bare server that makes JSON of the same value for each request. */
import { join } from 'node:path'
import type { Bench } from './support/bench.ts'
import { whole } from './support/figures.ts'
import type { LoadResult } from './support/load.ts'
import { answersPerSecond, type Load, type Turn, takeTurns } from './support/rounds.ts'
import { type Contestant, type Served, startApp, startBare, stopServer } from './support/servers.ts'
import { type Row, ratios } from './support/table.ts'

const PATH = '/api/v3/checks/'
/** Enough to keep a server busy; latency is that of as many who wait at once. */
const CONNECTIONS = 4

export async function measureLists(bench: Bench): Promise<Row[]> {
  const started: Served[] = []
  const matches: { checks: number; bytes: number; app: Turn; bare: Turn }[] = []
  for (const checks of bench.options.lists) {
    const { directory, apiKey } = await bench.database(checks)
    const app = await startApp(directory)
    const headers = { 'X-Api-Key': apiKey }
    const document = await fetchList(app, headers)
    const file = join(bench.newDirectory(), 'list.json')
    await Bun.write(file, document)
    const bare = await startBare([file])
    started.push(app, bare)
    const bytes = Buffer.byteLength(document)
    const load: Load = { connections: CONNECTIONS, bodyBytes: 0, headers, answer: { bytes, end: '}' } }
    const turn = (name: string, { port, pid }: Served, path: string): Turn => {
      const contestant: Contestant = { name, port, pid, paths: [path] }
      return { contestant, load, label: `list of ${whole(checks)} checks` }
    }
    matches.push({ checks, bytes, app: turn('app', app, PATH), bare: turn('bare', bare, '/lists/0') })
  }
  const results = await takeTurns(
    bench,
    matches.flatMap(({ bare, app }) => [bare, app]),
  )
  await Promise.all(started.map(stopServer))
  return matches.flatMap(({ checks, bytes, app, bare }) =>
    rowsOf(checks, bytes, results.get(app) ?? [], results.get(bare) ?? []),
  )
}

/** @throws Error when the bare server would not answer with the same bytes */
async function fetchList({ port }: Served, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers })
  const document = await response.text()
  if (response.status !== 200) throw new Error(`the list of checks was answered with ${response.status} ${document}`)
  if (JSON.stringify(JSON.parse(document)) !== document) throw new Error('the list is not what JSON.stringify makes')
  return document
}

function rowsOf(checks: number, bytes: number, results: readonly LoadResult[], bare: readonly LoadResult[]): Row[] {
  const what = `list of ${whole(checks)} checks (${whole(bytes / 1000)} kB), ${CONNECTIONS} connections`
  const rates = results.map(answersPerSecond)
  const [p50, bareP50] = [results.map((r) => r.p50Milliseconds), bare.map((r) => r.p50Milliseconds)]
  const p99 = results.map((r) => r.p99Milliseconds)
  return [
    {
      what: `lists a second, ${what}`,
      figures: [{ name: '', values: rates, digits: 1, unit: '/s' }],
      ratio: { values: ratios(rates, bare.map(answersPerSecond)), to: 'bare' },
      aim: null,
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
