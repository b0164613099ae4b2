/** The history of imported alerts: each has ended, and is never sent. */
import type { ImportedAlert } from '../../domain/import/import-source.ts'
import { toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'

// The flips of a check may be those of an import that has not ended.
const ADD = `
  INSERT INTO deliveries (id, check_id, event_n, channel_id, state, attempts, created_at, next_attempt_at, ended_at, error)
  SELECT $1, events.check_id, events.n, channels.id, $5, 1, $6, NULL, $6, $7
  FROM events JOIN checks ON checks.id = events.check_id JOIN channels ON channels.project_id = checks.project_id
  WHERE events.check_id = $2 AND events.n = $3 AND events.kind = 'flip' AND channels.id = $4
  ON CONFLICT DO NOTHING
  RETURNING id`

/**
 * Adds ended alerts, for display; give a few hundred at a time. One whose flip or channel does not exist, or that already exists, is left
 * out.
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
