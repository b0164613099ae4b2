/**
 * The program on PostgreSQL, compared with itself on SQLite: pings, the list over the API and the page of the checks. For pings, also the
 * resource usage of the database server. PostgreSQL runs on this machine, too, so both share its processors.
 */
import type { Bench } from './support/bench.ts'
import { whole } from './support/figures.ts'
import type { LoadResult } from './support/load.ts'
import { onPostgres, type PostgresServer } from './support/postgres.ts'
import { type Cost, costRow, watchCosts } from './support/postgres-costs.ts'
import { databaseUrl } from './support/prepare.ts'
import { preparePostgres } from './support/prepare-postgres.ts'
import { answersPerSecond, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { stopServer } from './support/servers.ts'
import { openSite, READERS, readsOf, type Site } from './support/sites.ts'
import { atLeast, below, type Figure, type Row, ratios } from './support/table.ts'

const CHECKS = 1_000
/** Number of connections for which aims are defined. */
const USUAL = 64
const RATIO_AIM = 0.2
const RATE_AIM = 7_095
const P99_MS = 20

export function measurePostgres(bench: Bench): Promise<Row[]> {
  return onPostgres((server) => compareEngines(bench, server))
}

async function compareEngines(bench: Bench, server: PostgresServer): Promise<Row[]> {
  const file = await bench.database(CHECKS)
  const prepared = await preparePostgres(server, CHECKS)
  const sites = [
    await openSite('SQLite', databaseUrl(file.directory), file),
    await openSite('PostgreSQL', prepared.url, prepared),
  ] as const
  const [sqlite, postgres] = sites
  const matches = bench.options.connections.map((connections) => {
    const costs: Cost[] = []
    const beside = (over: AbortSignal) => watchCosts(server, prepared.database, over).then((cost) => costs.push(cost))
    const label = `${whole(connections)} ${connections === 1 ? 'connection' : 'connections'}, ${whole(CHECKS)} checks`
    const turn = (site: Site): Turn => ({ target: site.target, load: pingLoad(connections), label })
    return { connections, label, costs, sqlite: turn(sqlite), postgres: { ...turn(postgres), beside } }
  })
  const reads = readsOf(CHECKS).map(({ what, path, load }) => {
    const turn = (site: Site): Turn => ({
      target: { ...site.target, paths: [path] },
      load: load(site, READERS),
      label: what,
    })
    return { what, sqlite: turn(sqlite), postgres: turn(postgres) }
  })
  const results = await takeTurns(
    bench,
    [...matches, ...reads].flatMap((match) => [match.sqlite, match.postgres]),
  )
  await Promise.all(sites.map(({ app }) => stopServer(app)))
  const of = (turn: Turn) => results.get(turn) ?? []
  return [
    ...matches.flatMap((match) => [
      ...pingRows(match.label, of(match.postgres), of(match.sqlite), match.connections === USUAL),
      costRow(match.label, of(match.postgres), match.costs),
    ]),
    ...reads.map((match) => readRow(match.what, of(match.postgres), of(match.sqlite))),
  ].map((row) => ({ ...row, what: `${server.version}: ${row.what}` }))
}

function pingRows(
  label: string,
  results: readonly LoadResult[],
  sqlite: readonly LoadResult[],
  hasAim: boolean,
): Row[] {
  const rates = results.map(answersPerSecond)
  const toSqlite = ratios(rates, sqlite.map(answersPerSecond))
  const p99 = results.map(({ p99Milliseconds }) => p99Milliseconds)
  const rate: Figure = { name: '', values: rates, digits: 0, unit: '/s' }
  return [
    {
      what: `pings a second, ${label}`,
      figures: [rate],
      ratio: { values: toSqlite, to: 'SQLite' },
      aim: hasAim ? atLeast(toSqlite, RATIO_AIM, 'ratio') : null,
    },
    ...(hasAim
      ? [{ what: `pings a second, ${label}`, figures: [rate], ratio: null, aim: atLeast(rates, RATE_AIM, 'rate') }]
      : []),
    {
      what: `latency of a ping, ${label}`,
      figures: [
        { name: 'p50', values: results.map(({ p50Milliseconds }) => p50Milliseconds), digits: 2, unit: ' ms' },
        { name: 'p99', values: p99, digits: 2, unit: ' ms' },
      ],
      ratio: {
        values: ratios(
          p99,
          sqlite.map(({ p99Milliseconds }) => p99Milliseconds),
        ),
        to: 'SQLite (p99)',
        digits: 1,
      },
      aim: hasAim ? below(p99, P99_MS, 'p99', ' ms') : null,
    },
  ]
}

function readRow(what: string, results: readonly LoadResult[], sqlite: readonly LoadResult[]): Row {
  const p50 = results.map(({ p50Milliseconds }) => p50Milliseconds)
  return {
    what,
    figures: [
      { name: '', values: results.map(answersPerSecond), digits: 1, unit: '/s' },
      { name: 'p50', values: p50, digits: 1, unit: ' ms' },
      { name: 'p99', values: results.map(({ p99Milliseconds }) => p99Milliseconds), digits: 1, unit: ' ms' },
    ],
    ratio: {
      values: ratios(
        p50,
        sqlite.map(({ p50Milliseconds }) => p50Milliseconds),
      ),
      to: 'SQLite (p50)',
      digits: 1,
    },
    aim: null,
  }
}
