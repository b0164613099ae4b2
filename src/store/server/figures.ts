/** Reads figures about the store, for monitoring, without reading all pings or all checks. */

import type { Outbox } from '../interface/deliveries.ts'
import type { Totals } from '../interface/upkeep.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'

// A delivery that is waiting for another one is never older than that one, so it can be ignored.
export const OUTBOX = `
  SELECT COUNT(*) AS pending, MIN(CASE
    WHEN next_attempt_at IS NULL THEN NULL WHEN held_until > created_at THEN held_until ELSE created_at
  END) AS oldest_at FROM deliveries WHERE state = 'pending'`

export async function readOutbox(sql: Sql): Promise<Outbox> {
  const row = await sql.get<{ pending: number; oldest_at: number | null }>(OUTBOX, [])
  return { pending: row?.pending ?? 0, oldestAt: instantOrNull(row?.oldest_at ?? null) }
}

const NEWEST_PING = 'SELECT MAX(id) AS id FROM pings'
const DELIVERIES = 'SELECT COUNT(*) AS count FROM deliveries'
// Counts one expression instead of two columns. With two columns, SQLite would scan an index of all deliveries, because that index has the
// same order.
export const UNTRIED_EVENTS = `
  SELECT COUNT(DISTINCT check_id || ' ' || event_n) AS count FROM deliveries WHERE state = 'pending' AND attempts = 0`

export async function readTotals(sql: Sql): Promise<Totals> {
  const newest = await sql.get<{ id: number | null }>(NEWEST_PING, [])
  const deliveries = await sql.get<{ count: number }>(DELIVERIES, [])
  const untried = await sql.get<{ count: number }>(UNTRIED_EVENTS, [])
  return { newestPingId: newest?.id ?? null, deliveries: deliveries?.count ?? 0, untriedEvents: untried?.count ?? 0 }
}
