/** Stores the history of imported alerts. These alerts have ended and are never sent. */
import type { ImportedAlert } from '../../domain/import/import-source.ts'
import { toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'

// Joins the checks, because a flip whose check does not exist may have been staged by an import that is still running.
const ADD = `
  INSERT INTO deliveries (id, check_id, event_n, channel_id, state, attempts, created_at, next_attempt_at, ended_at, error)
  SELECT $1, events.check_id, events.n, channels.id, $5, 1, $6, NULL, $6, $7
  FROM events JOIN checks ON checks.id = events.check_id JOIN channels ON channels.project_id = checks.project_id
  WHERE events.check_id = $2 AND events.n = $3 AND events.kind = 'flip' AND channels.id = $4
  ON CONFLICT DO NOTHING
  RETURNING id`

/**
 * Adds ended alerts for display. Pass a few hundred at a time. Leaves out an alert that already exists, and one whose flip or channel does
 * not exist.
 * @returns number of added alerts
 */
export async function addAlerts(sql: Sql, alerts: readonly ImportedAlert[]): Promise<number> {
  const added = await sql.getEach(
    ADD,
    alerts.map(({ id, checkId, eventN, channelId, createdAt, error }) => {
      const state = error === null ? 'sent' : 'failed'
      return [id, checkId, eventN, channelId, state, toMicroseconds(createdAt), error]
    }),
  )
  return added.filter((row) => row !== null).length
}
