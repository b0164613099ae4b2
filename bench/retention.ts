/**
 * Entries that retention removes on PostgreSQL beside a moderate load of pings, and what the pings notice of it. All processes share
 * the processors of this machine.
 */
import type { Bench } from './support/bench.ts'
import { whole } from './support/figures.ts'
import { onPostgres, type PostgresServer } from './support/postgres.ts'
import { type PreparedPostgres, preparePostgres } from './support/prepare-postgres.ts'
import { pingLoad, type Turn, takeTurns } from './support/rounds.ts'
import { stopServer } from './support/servers.ts'
import { openSite, type Site } from './support/sites.ts'
import { type Row, ratios } from './support/table.ts'

const CHECKS = 10_000
/** Of each log; the project keeps a hundred of them, and no ping of the load marks the log again. */
const ENTRIES = 220
const EXCESS = ENTRIES - 100
const CONNECTIONS = 4

export function measureRetention(bench: Bench): Promise<Row[]> {
  return onPostgres((server) => measure(bench, server))
}

/** Removed in one turn. */
interface Removed {
  readonly entries: number
  readonly seconds: number
}

async function measure(bench: Bench, server: PostgresServer): Promise<Row[]> {
  const prepared = await preparePostgres(server, CHECKS, 'retention')
  const spare = await lengthenLogs(server, prepared)
  const site = await openSite('PostgreSQL', prepared.url, prepared)
  const removed: Removed[] = []
  const label = `${CONNECTIONS} connections, ${whole(CHECKS)} checks`
  const turn = { target: site.target, load: pingLoad(CONNECTIONS) }
  const alone: Turn = { ...turn, label }
  const beside: Turn = {
    ...turn,
    label: `${label}, beside retention`,
    beside: async (over) => void removed.push(await watchRetention(server, prepared, site, spare.pop() ?? '', over)),
  }
  const results = await takeTurns(bench, [alone, beside])
  await stopServer(site.app)
  const p99 = (of: Turn) => (results.get(of) ?? []).map(({ p99Milliseconds }) => p99Milliseconds)
  const rates = removed.map(({ entries, seconds }) => entries / seconds)
  return [
    {
      what: `entries of the log removed a second, beside pings on ${label}`,
      figures: [{ name: '', values: rates, digits: 0, unit: '/s' }],
      ratio: null,
      aim: null,
    },
    {
      what: `latency of a ping beside retention, ${label}`,
      figures: [{ name: 'p99', values: p99(beside), digits: 2, unit: ' ms' }],
      ratio: { values: ratios(p99(beside), p99(alone)), to: 'none (p99)', digits: 2 },
      aim: null,
    },
  ].map((row) => ({ ...row, what: `${server.version}: ${row.what}` }))
}

/** Gives all checks a log that is too long. @returns ids of checks that no load pings */
async function lengthenLogs(server: PostgresServer, { database, paths }: PreparedPostgres): Promise<string[]> {
  await server.on(database, async (sql) => {
    // Entries of one log are far from each other, as where many checks are pinged in turn.
    await sql.unsafe(`
      INSERT INTO pings (id, check_id, n, received_at, kind, scheme, method, ua, remote_addr)
      SELECT newest.id + ROW_NUMBER() OVER (ORDER BY step, pings.id), check_id, n + step, received_at, kind, scheme, method, ua, remote_addr
      FROM pings CROSS JOIN generate_series(1, ${ENTRIES} - 1) AS step CROSS JOIN (SELECT MAX(id) AS id FROM pings) AS newest
      WHERE n = 1 ORDER BY step, pings.id ON CONFLICT (check_id, n) DO NOTHING`)
    await sql.unsafe(`UPDATE counters SET n_pings = ${ENTRIES}`)
    await sql.unsafe(`SELECT setval('ping_ids', (MAX(id) / increment_by + 1) * increment_by + 1)
      FROM pings CROSS JOIN pg_sequences WHERE sequencename = 'ping_ids' GROUP BY increment_by`)
    await sql.unsafe('VACUUM (ANALYZE)')
    await sql.unsafe('CHECKPOINT')
  })
  return paths.map((path) => path.slice('/ping/'.length))
}

/** Marks the logs that are still too long, and counts those that retention gets through until the load is over. */
async function watchRetention(
  server: PostgresServer,
  { database, apiKey }: PreparedPostgres,
  { app }: Site,
  deleted: string,
  over: AbortSignal,
): Promise<Removed> {
  return server.on(database, async (sql) => {
    const marks = async () => Number((await sql.unsafe('SELECT COUNT(*) AS marks FROM overgrown_logs'))[0].marks)
    await sql.unsafe(`
      INSERT INTO overgrown_logs (check_id, n)
      SELECT check_id, ${ENTRIES} FROM pings JOIN checks ON checks.id = pings.check_id WHERE pings.n = 1`)
    const before = await marks()
    const url = `http://127.0.0.1:${app.port}/api/v3/checks/${deleted}`
    // The loop begins at once when a check is deleted.
    const answer = await fetch(url, { method: 'DELETE', headers: { 'X-Api-Key': apiKey } })
    if (answer.status !== 200) throw new Error(`a check was not deleted: ${answer.status}`)
    const startedAt = performance.now()
    await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
    const seconds = (performance.now() - startedAt) / 1000
    const entries = (before - (await marks())) * EXCESS
    await sql.unsafe('DELETE FROM overgrown_logs')
    return { entries, seconds }
  })
}
