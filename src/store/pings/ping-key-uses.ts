/** Stores which checks were pinged by slug with each ping key, and when. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { KeyUses, PingKeyUse } from '../interface/projects.ts'
import type { Sql } from '../sql/database.ts'
import { namedChecks } from './pings.ts'

// Does not insert anything if the check or the key was deleted.
const ADD = `
  INSERT INTO ping_key_uses (lookup, check_id, last_at)
  SELECT keys.lookup, checks.id, $3 FROM keys JOIN checks ON checks.project_id = keys.project_id
  WHERE keys.lookup = $1 AND checks.id = $2
  ON CONFLICT (lookup, check_id) DO NOTHING`
const RENEW = 'UPDATE ping_key_uses SET last_at = $3 WHERE lookup = $1 AND check_id = $2 AND last_at < $3'

/**
 * Records that ping keys were used, unless a later use has been recorded. Leaves out uses whose key or slug no longer exists. Pass only a
 * few at a time, because their checks are locked. Adds new rows before updating existing ones, to prevent deadlocks: a transaction that
 * deletes a key locks the key's row and then waits for rows that are being updated.
 */
export async function notePingKeyUses(sql: Sql, uses: readonly PingKeyUse[]): Promise<void> {
  const named = await namedChecks(
    sql,
    uses.map(({ pingKey, slug }) => ({ kind: 'slug', pingKey, slug, create: false })),
  )
  const rows = uses.flatMap(({ pingKey, at }, index) =>
    (named[index] ?? []).map((id) => [pingKey, id, toMicroseconds(at)] as const),
  )
  if (rows.length === 0) return
  await sql.lock(
    'check',
    rows.map(([, id]) => id),
  )
  await sql.runEach(ADD, rows)
  await sql.runEach(RENEW, rows)
}

// Leaves out a check that has left the project or no longer has a slug, because it is no longer pinged with the key.
const LIST = `
  SELECT uses.lookup, COUNT(CASE WHEN uses.last_at >= $2 THEN 1 END) AS checks, MAX(uses.last_at) AS last_at
  FROM keys JOIN ping_key_uses AS uses ON uses.lookup = keys.lookup
    JOIN checks ON checks.id = uses.check_id AND checks.project_id = keys.project_id AND checks.slug <> ''
  WHERE keys.project_id = $1 GROUP BY uses.lookup`

/**
 * Lists when each of a project's ping keys was last used, and for how many checks, by key. Leaves out keys that were never used.
 * @param since only checks pinged since this time are counted
 */
export async function listPingKeyUses(
  sql: Sql,
  projectId: string,
  since: Instant,
): Promise<ReadonlyMap<string, KeyUses>> {
  type Row = { lookup: string; checks: number; last_at: number }
  const rows = await sql.all<Row>(LIST, [projectId, toMicroseconds(since)])
  return new Map(rows.map(({ lookup, checks, last_at }) => [lookup, { checks, lastAt: fromMicroseconds(last_at) }]))
}
