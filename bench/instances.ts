/**
 * Two instances on one database, compared with one alone on a database of its own under the same load: pings, the list over the API and the
 * page of the checks. Instances, PostgreSQL and the load share the processors of this machine.
 */
import { availableParallelism } from 'node:os'
import type { Bench } from './support/bench.ts'
import { whole } from './support/figures.ts'
import type { LoadResult } from './support/load.ts'
import { onPostgres, type PostgresServer } from './support/postgres.ts'
import { type Cost, costRow, watchCosts } from './support/postgres-costs.ts'
import { type PreparedPostgres, preparePostgres } from './support/prepare-postgres.ts'
import { answersPerSecond, drive, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { stopServer } from './support/servers.ts'
import { openSite, READERS, readsOf, type Site } from './support/sites.ts'
import { type Row, ratios } from './support/table.ts'

/** Few checks, so that pings of two instances often wait for the same rows. */
const FEW = 1_000
const MANY = 20_000
const CONNECTIONS = 64

export function measureInstances(bench: Bench): Promise<Row[]> {
  return onPostgres(async (server) => [
    ...(await compareCounts(bench, server, FEW)),
    ...(await compareCounts(bench, server, MANY)),
  ])
}

/** The same load on one instance, and shared by two. */
interface Match {
  readonly one: Turn
  /** turn on the first of two instances */
  readonly two: Turn
  /** results of the second instance at the same time; one for each round */
  readonly ofSecond: LoadResult[]
}

async function compareCounts(bench: Bench, server: PostgresServer, checks: number): Promise<Row[]> {
  const own = await preparePostgres(server, checks, `one_${checks}`)
  const shared = await preparePostgres(server, checks, `two_${checks}`)
  const alone = await openSite('one instance', own.url, own)
  const first = await openSite('the first of two', shared.url, shared)
  const second = await openSite('the second of two', shared.url, shared)
  const costs = { one: [] as Cost[], two: [] as Cost[] }
  const watch = async (into: Cost[], { database }: PreparedPostgres, over: AbortSignal) => {
    into.push(await watchCosts(server, database, over))
  }

  const match = (
    label: string,
    turn: (site: Site, share: number) => Pick<Turn, 'target' | 'load'>,
    beside: Partial<Record<'one' | 'two', Turn['beside']>> = {},
  ): Match => {
    const ofSecond: LoadResult[] = []
    const ofBoth = async (over: AbortSignal) => {
      const watched = beside.two?.(over)
      ofSecond.push(
        await drive(bench, { ...turn(second, 1 / 2), label: `a half of ${label}` }, bench.options.seconds, null),
      )
      await watched
    }
    return {
      one: { ...turn(alone, 1), label, ...(beside.one && { beside: beside.one }) },
      two: { ...turn(first, 1 / 2), label: `a half of ${label}`, beside: ofBoth },
      ofSecond,
    }
  }
  const where = `on ${availableParallelism()} processors shared by all`
  const ofPings = `${CONNECTIONS} connections, ${whole(checks)} checks`
  const pings = match(ofPings, ({ target }, share) => ({ target, load: pingLoad(CONNECTIONS * share) }), {
    one: (over) => watch(costs.one, own, over),
    two: (over) => watch(costs.two, shared, over),
  })
  const reads = (checks === FEW ? readsOf(checks) : []).map(({ what, path, load }) => ({
    what,
    ...match(what, (site, share) => ({
      target: { ...site.target, paths: [path] },
      load: load(site, READERS * share),
    })),
  }))
  const results = await takeTurns(
    bench,
    [pings, ...reads].flatMap(({ one, two }) => [one, two]),
  )
  await Promise.all([alone, first, second].map(({ app }) => stopServer(app)))
  const of = ({ one, two, ofSecond }: Match) => ({
    one: results.get(one) ?? [],
    two: (results.get(two) ?? []).map((result, round) => sum(result, ofSecond[round])),
  })
  return [
    rateRow(`pings, ${ofPings}, two instances ${where}`, of(pings)),
    costRow(`${ofPings}, one instance`, of(pings).one, costs.one),
    costRow(`${ofPings}, two instances`, of(pings).two, costs.two),
    ...reads.map((read) => rateRow(`${read.what}, two instances ${where}`, of(read))),
  ].map((row) => ({ ...row, what: `${server.version}: ${row.what}` }))
}

/** Adds two results. Latencies are those of the slower one. */
function sum(one: LoadResult, other: LoadResult | undefined): LoadResult {
  if (other === undefined) throw new Error('the second instance has no result')
  return {
    ...one,
    answers: one.answers + other.answers,
    errors: one.errors + other.errors,
    p50Milliseconds: Math.max(one.p50Milliseconds, other.p50Milliseconds),
    p99Milliseconds: Math.max(one.p99Milliseconds, other.p99Milliseconds),
    serverCpuSeconds: (one.serverCpuSeconds ?? Number.NaN) + (other.serverCpuSeconds ?? Number.NaN),
  }
}

function rateRow(
  what: string,
  { one, two }: { readonly one: readonly LoadResult[]; readonly two: readonly LoadResult[] },
): Row {
  const rates = two.map(answersPerSecond)
  return {
    what,
    figures: [
      { name: '', values: rates, digits: 0, unit: '/s' },
      { name: 'p50', values: two.map(({ p50Milliseconds }) => p50Milliseconds), digits: 1, unit: ' ms' },
      { name: 'p99', values: two.map(({ p99Milliseconds }) => p99Milliseconds), digits: 1, unit: ' ms' },
      { name: 'one instance: p50', values: one.map(({ p50Milliseconds }) => p50Milliseconds), digits: 1, unit: ' ms' },
      { name: 'p99', values: one.map(({ p99Milliseconds }) => p99Milliseconds), digits: 1, unit: ' ms' },
    ],
    ratio: { values: ratios(rates, one.map(answersPerSecond)), to: 'one instance' },
    aim: null,
  }
}
