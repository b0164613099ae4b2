/**
 * Entries that retention removes on PostgreSQL beside a moderate load of pings, and the effect on the pings. All processes share the
 * processors of this machine.
 */
import type { Bench } from './support/bench.ts'
import { whole } from './support/figures.ts'
import { onPostgres, type PostgresServer } from './support/postgres.ts'
import { type PreparedPostgres, preparePostgres } from './support/prepare-postgres.ts'
import { answersPerSecond, pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { stopServer } from './support/servers.ts'
import { openSite, type Site } from './support/sites.ts'
import { below, type Row, ratios } from './support/table.ts'

const CHECKS = 10_000
/** Entries of each log. The load adds too few for the program to mark it again. */
const ENTRIES = 220
/** Entries that the project does not keep. */
const EXCESS = ENTRIES - 100
const CONNECTIONS = 4
const P99_RATIO = 2

export function measureRetention(bench: Bench): Promise<Row[]> {
  return onPostgres((server) => measure(bench, server))
}

interface Prepared extends PreparedPostgres {
  /** ids of checks that no load pings */
  readonly spare: string[]
}

async function measure(bench: Bench, server: PostgresServer): Promise<Row[]> {
  const prepared = await prepare(server, bench.options.rounds)
  const site = await openSite('PostgreSQL', prepared.url, prepared)
  const removedASecond: number[] = []
  const label = `${CONNECTIONS} connections, ${whole(CHECKS)} checks`
  const alone: Turn = { target: site.target, load: pingLoad(CONNECTIONS), label }
  const beside: Turn = {
    ...alone,
    label: `${label}, beside retention`,
    beside: async (over) => void removedASecond.push(await watchRetention(server, prepared, site, over)),
  }
  const results = await takeTurns(bench, [alone, beside])
  await stopServer(site.app)
  const of = (turn: Turn) => results.get(turn) ?? []
  const p99 = (turn: Turn) => of(turn).map(({ p99Milliseconds }) => p99Milliseconds)
  const times = ratios(p99(beside), p99(alone))
  return [
    {
      what: `entries removed from logs, beside pings on ${label}`,
      figures: [{ name: '', values: removedASecond, digits: 0, unit: '/s' }],
      ratio: null,
      aim: null,
    },
    {
      what: `pings beside retention, ${label}`,
      figures: [
        { name: '', values: of(beside).map(answersPerSecond), digits: 0, unit: '/s' },
        { name: 'p99', values: p99(beside), digits: 2, unit: ' ms' },
      ],
      ratio: { values: times, to: 'pings alone (p99)', digits: 2 },
      aim: below(times, P99_RATIO, 'ratio', ''),
    },
  ].map((row) => ({ ...row, what: `${server.version}: ${row.what}` }))
}

/** Prepares a database in which the log of every check is too long. */
async function prepare(server: PostgresServer, rounds: number): Promise<Prepared> {
  const { paths, ...prepared } = await preparePostgres(server, CHECKS + rounds, 'retention')
  await server.on(prepared.database, async (sql) => {
    // The entries of a log are far from each other, as if many checks were pinged in turn.
    await sql.unsafe(`
      INSERT INTO pings (id, check_id, n, received_at, kind, scheme, method, ua, remote_addr)
      SELECT newest.id + ROW_NUMBER() OVER (ORDER BY step, pings.id), check_id, n + step, received_at, kind, scheme,
        method, ua, remote_addr
      FROM pings CROSS JOIN generate_series(1, ${ENTRIES - 1}) AS step
      CROSS JOIN (SELECT MAX(id) AS id FROM pings) AS newest
      WHERE n = 1 ORDER BY step, pings.id ON CONFLICT (check_id, n) DO NOTHING`)
    await sql.unsafe(`UPDATE counters SET n_pings = ${ENTRIES}`)
    await sql.unsafe(`SELECT setval('ping_ids', (MAX(id) / increment_by + 1) * increment_by + 1)
      FROM pings CROSS JOIN pg_sequences WHERE sequencename = 'ping_ids' GROUP BY increment_by`)
    await sql.unsafe('VACUUM (ANALYZE)')
    await sql.unsafe('CHECKPOINT')
  })
  const spare = paths.slice(CHECKS).map((path) => path.slice('/ping/'.length))
  return { ...prepared, paths: paths.slice(0, CHECKS), spare }
}

/**
 * Marks the logs that are still too long, and counts shortened ones until the load is over.
 * @returns removed entries per second
 */
async function watchRetention(
  server: PostgresServer,
  { database, apiKey, spare }: Prepared,
  { app }: Site,
  over: AbortSignal,
): Promise<number> {
  return server.on(database, async (sql) => {
    const countMarks = async () => Number((await sql.unsafe('SELECT COUNT(*) AS marks FROM overgrown_logs'))[0].marks)
    await sql.unsafe(`
      INSERT INTO overgrown_logs (check_id, n)
      SELECT check_id, ${ENTRIES} FROM pings JOIN checks ON checks.id = pings.check_id WHERE pings.n = 1`)
    const marks = await countMarks()
    // Retention begins at once when a check is deleted.
    const answer = await fetch(`http://127.0.0.1:${app.port}/api/v3/checks/${spare.pop()}`, {
      method: 'DELETE',
      headers: { 'X-Api-Key': apiKey },
    })
    if (answer.status !== 200) throw new Error(`a check was not deleted: ${answer.status}`)
    const beganAt = performance.now()
    await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
    const left = await countMarks()
    const seconds = (performance.now() - beganAt) / 1000
    if (left === 0) throw new Error('retention has removed all before the load was over; take fewer seconds or rounds')
    await sql.unsafe('DELETE FROM overgrown_logs')
    return ((marks - left) * EXCESS) / seconds
  })
}
