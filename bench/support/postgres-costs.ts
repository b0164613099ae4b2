/** Costs of pings in PostgreSQL: processor time of its processes, and bytes of its write-ahead log. */
import type { LoadResult } from './load.ts'
import type { PostgresServer } from './postgres.ts'
import { cpuMillisecondsPerThousand } from './rounds.ts'
import type { Row } from './table.ts'

export interface Cost {
  readonly pings: number
  readonly cpuSeconds: number
  readonly walBytes: number
}

/** Measures until the signal aborts. @param database the one that is pinged */
export async function watchCosts(server: PostgresServer, database: string, over: AbortSignal): Promise<Cost> {
  return server.on(database, async (sql) => {
    const countPings = async () => Number((await sql.unsafe('SELECT SUM(n_pings) AS pings FROM counters'))[0].pings)
    const position = async () => {
      const [row] = await sql.unsafe("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes")
      return { cpuSeconds: server.cpuSeconds(), walBytes: Number(row.bytes) }
    }
    // Counting costs something itself.
    const pings = await countPings()
    const from = await position()
    await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))
    const to = await position()
    return {
      pings: (await countPings()) - pings,
      cpuSeconds: to.cpuSeconds - from.cpuSeconds,
      walBytes: to.walBytes - from.walBytes,
    }
  })
}

/** @param results of the pings with these costs */
export function costRow(label: string, results: readonly LoadResult[], costs: readonly Cost[]): Row {
  const perPing = (of: (cost: Cost) => number) => costs.map((cost) => of(cost) / cost.pings)
  return {
    what: `what 1,000 pings cost, ${label}`,
    figures: [
      { name: 'processor time of Overdue', values: results.map(cpuMillisecondsPerThousand), digits: 1, unit: ' ms' },
      { name: 'of PostgreSQL', values: perPing((cost) => cost.cpuSeconds * 1e6), digits: 1, unit: ' ms' },
      { name: 'write-ahead log', values: perPing((cost) => cost.walBytes), digits: 0, unit: ' kB' },
    ],
    ratio: null,
    aim: null,
  }
}
