/** Pings to the program on a PostgreSQL with a million checks, compared with a thousand. */
import type { Bench } from './support/bench.ts'
import { progress, whole } from './support/figures.ts'
import { type PostgresServer, startPostgres } from './support/postgres.ts'
import { type Cost, costRow, watchCosts } from './support/postgres-costs.ts'
import { type PreparedPostgres, preparePostgres } from './support/prepare-postgres.ts'
import { answersPerSecond, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { type App, startAppOn, stopServer } from './support/servers.ts'
import { type Row, ratios } from './support/table.ts'

const FEW = 1_000
const MILLION = 1_000_000
const CONNECTIONS = 64

export async function measurePostgresMillion(bench: Bench): Promise<Row[]> {
  const server = await startPostgres()
  try {
    return await compareSizes(bench, server)
  } finally {
    await server.remove()
  }
}

async function compareSizes(bench: Bench, server: PostgresServer): Promise<Row[]> {
  const few = await preparePostgres(server, FEW)
  const startedAt = performance.now()
  const many = await preparePostgres(server, MILLION)
  const fillSeconds = (performance.now() - startedAt) / 1000
  const [row] = await server.on(many.database, (sql) =>
    sql.unsafe('SELECT pg_database_size(current_database()) AS bytes'),
  )
  const megabytes = Number(row.bytes) / 1e6
  progress(
    `a database with ${whole(MILLION)} checks was filled in ${whole(fillSeconds)} s and has ${whole(megabytes)} MB`,
  )
  const costs: Cost[] = []
  const apps = [await startAppOn(few.url), await startAppOn(many.url)] as const
  const turn = ({ port, pid }: App, { paths }: PreparedPostgres, checks: number): Turn => {
    const label = `${whole(CONNECTIONS)} connections, ${whole(checks)} checks`
    return { target: { name: 'PostgreSQL', port, pid, paths }, load: pingLoad(CONNECTIONS), label }
  }
  const usual = turn(apps[0], few, FEW)
  const million: Turn = {
    ...turn(apps[1], many, MILLION),
    beside: (over) => watchCosts(server, many.database, over).then((cost) => costs.push(cost)),
  }
  const results = await takeTurns(bench, [usual, million])
  await Promise.all(apps.map(stopServer))
  const [ofUsual, ofMillion] = [results.get(usual) ?? [], results.get(million) ?? []]
  const p99 = ofMillion.map(({ p99Milliseconds }) => p99Milliseconds)
  const rates = ofMillion.map(answersPerSecond)
  return [
    {
      what: `a database with ${whole(MILLION)} checks, each with a ping`,
      figures: [
        { name: 'filled in', values: [fillSeconds], digits: 0, unit: ' s' },
        { name: 'size', values: [megabytes], digits: 0, unit: ' MB' },
      ],
      ratio: null,
      aim: null,
    },
    {
      what: `pings a second, ${million.label}`,
      figures: [{ name: '', values: rates, digits: 0, unit: '/s' }],
      ratio: { values: ratios(rates, ofUsual.map(answersPerSecond)), to: `${whole(FEW)} checks` },
      aim: null,
    },
    {
      what: `latency of a ping, ${million.label}`,
      figures: [
        { name: 'p50', values: ofMillion.map(({ p50Milliseconds }) => p50Milliseconds), digits: 2, unit: ' ms' },
        { name: 'p99', values: p99, digits: 2, unit: ' ms' },
      ],
      ratio: {
        values: ratios(
          p99,
          ofUsual.map(({ p99Milliseconds }) => p99Milliseconds),
        ),
        to: `${whole(FEW)} checks (p99)`,
        digits: 1,
      },
      aim: null,
    },
    costRow(million.label, ofMillion, costs),
  ].map((row) => ({ ...row, what: `${server.version}: ${row.what}` }))
}
