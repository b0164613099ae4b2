/** Compares the answers to pings with the contents of the database. */
import { SQL } from 'bun'
import type { Ping } from './ping-load.ts'

interface Ledger {
  readonly acknowledged: number
  /** acknowledged, but not in the log */
  readonly lost: number
  /** in the log, but not acknowledged: if the answer to a commit is lost, nobody knows its result */
  readonly unknown: number
  /** a sentence for each broken promise */
  readonly violations: readonly string[]
}

interface Entry {
  readonly check_id: string
  readonly n: string
  readonly ua: string
}

/** Compares. Call it when no more pings are in progress. */
export async function readLedger(databaseUrl: string, pings: readonly Ping[]): Promise<Ledger> {
  await using sql = new SQL(databaseUrl)
  const entries: Entry[] = await sql`SELECT check_id, n, ua FROM pings ORDER BY check_id, n`
  const counts: { id: string; n_pings: string }[] =
    await sql`SELECT id, n_pings FROM checks JOIN counters USING (counter_id)`
  const sent = new Map(pings.map((ping) => [ping.agent, ping]))
  const logged = new Set<string>()
  const violations: string[] = []
  for (const { check_id, n, ua } of entries) {
    if (logged.has(ua)) violations.push(`the ping ${ua} is there twice, once as number ${n} of ${check_id}`)
    if (sent.get(ua)?.check !== check_id) violations.push(`number ${n} of ${check_id} was never sent`)
    logged.add(ua)
  }
  const logs = Map.groupBy(entries, ({ check_id }) => check_id)
  for (const { id, n_pings } of counts) {
    const log = logs.get(id) ?? []
    if (Number(n_pings) !== log.length) violations.push(`${id} counts ${n_pings} pings, and its log has ${log.length}`)
    const hole = log.findIndex(({ n }, index) => Number(n) !== index + 1)
    if (hole >= 0) violations.push(`number ${hole + 1} is missing in the log of ${id}`)
  }
  const acknowledged = pings.filter(isAcknowledged)
  const lost = acknowledged.filter(({ agent }) => !logged.has(agent))
  for (const { agent, check } of lost) violations.push(`the ping ${agent} to ${check} was acknowledged but is lost`)
  return {
    acknowledged: acknowledged.length,
    lost: lost.length,
    unknown: pings.filter((ping) => !isAcknowledged(ping) && logged.has(ping.agent)).length,
    violations,
  }
}

export function isAcknowledged({ answer }: Ping): boolean {
  return answer === '200 OK'
}
