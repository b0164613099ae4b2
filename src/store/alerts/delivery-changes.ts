/** Deliveries that somebody retries or cancels. */
import type { Audited } from '../../domain/audit/audit.ts'
import { auditedDelivery } from '../../domain/audit/subjects.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { type ChangedAlert, type DeliveryRow, RELEASE } from './deliveries.ts'

// The flips of a check reach a channel in order, so no other delivery of this check to this channel may be pending.
const RETRY = `
  UPDATE deliveries SET state = 'pending', next_attempt_at = $2, ended_at = NULL
  WHERE id = $1 AND state = 'failed' AND EXISTS (SELECT 1 FROM checks WHERE checks.id = deliveries.check_id)
    AND NOT EXISTS (
      SELECT 1 FROM deliveries AS other
      WHERE other.check_id = deliveries.check_id AND other.channel_id = deliveries.channel_id AND other.state = 'pending'
    )`

// The newest attempt has ended if its result is there. Where the process ended before it, only time tells.
const IS_IDLE = `(
  attempts = 0 OR next_attempt_at > $3
  OR EXISTS (SELECT 1 FROM attempts AS ended WHERE ended.delivery_id = deliveries.id AND ended.n = deliveries.attempts)
)`

const HURRY = `
  UPDATE deliveries SET next_attempt_at = $2 WHERE id = $1 AND state = 'pending' AND next_attempt_at > $2 AND ${IS_IDLE}`

const CANCEL = `
  UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, ended_at = $2, error = $4
  WHERE id = $1 AND state = 'pending' AND (next_attempt_at IS NULL OR next_attempt_at <= $2 OR ${IS_IDLE})`

type Change = (sql: Sql, row: DeliveryRow) => Promise<boolean>

/** @returns null if it stays as it is; so do the others */
export function retryDelivery(sql: Sql, id: string, now: Instant, trail: AuditTrail): Promise<ChangedAlert | null> {
  return change(sql, id, trail, async () => (await sql.run(RETRY, [id, toMicroseconds(now)])) > 0)
}

export function hurryDelivery(
  sql: Sql,
  id: string,
  now: Instant,
  later: Instant,
  trail: AuditTrail,
): Promise<ChangedAlert | null> {
  return change(sql, id, trail, async () => {
    return (await sql.run(HURRY, [id, toMicroseconds(now), toMicroseconds(later)])) > 0
  })
}

/** The end of a cancelled delivery. */
export interface Cancellation {
  readonly error: string
  readonly now: Instant
  /** an attempt that is due until then, and whose result is missing, may be under way */
  readonly later: Instant
}

export function cancelDelivery(
  sql: Sql,
  id: string,
  { error, now, later }: Cancellation,
  trail: AuditTrail,
): Promise<ChangedAlert | null> {
  return change(sql, id, trail, async (_, { check_id, channel_id }) => {
    if ((await sql.run(CANCEL, [id, toMicroseconds(now), toMicroseconds(later), error])) === 0) return false
    await sql.run(RELEASE, [check_id, channel_id])
    return true
  })
}

const FIND = `
  SELECT deliveries.*, channels.project_id, channels.name AS channel_name, channels.kind AS channel_kind,
    COALESCE(checks.name, '') AS check_name
  FROM deliveries JOIN channels ON channels.id = deliveries.channel_id
    LEFT JOIN checks ON checks.id = deliveries.check_id
  WHERE deliveries.id = $1`

type FoundRow = DeliveryRow & {
  project_id: string
  channel_name: string
  channel_kind: string
  check_name: string
  next_attempt_at: number | null
  error: string | null
}

async function change(sql: Sql, id: string, trail: AuditTrail, work: Change): Promise<ChangedAlert | null> {
  const found = await sql.get<FoundRow>(FIND, [id])
  if (!found) return null
  await sql.lock('check', [found.check_id])
  const before = await sql.get<FoundRow>(FIND, [id])
  if (!before || !(await work(sql, before))) return null
  await trail.note(audited(before), audited(await sql.get<FoundRow>(FIND, [id])))
  return { projectId: before.project_id, checkId: before.check_id }
}

function audited(row: FoundRow | null): Audited | null {
  if (row === null) return null
  const { id, project_id, state, next_attempt_at, error } = row
  const nextAttemptAt = next_attempt_at === null ? null : fromMicroseconds(next_attempt_at)
  const name = `${row.check_name} → ${row.channel_name || row.channel_kind}`
  return auditedDelivery({ id, projectId: project_id, name, state, nextAttemptAt, error })
}

const WAITING = `
  SELECT id FROM deliveries WHERE channel_id = $1 AND next_attempt_at IS NOT NULL AND next_attempt_at > $2
  ORDER BY next_attempt_at LIMIT $3`

/** Ids, soonest first. */
export async function listWaiting(sql: Sql, channelId: string, now: Instant, limit: number): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(WAITING, [channelId, toMicroseconds(now), limit])
  return rows.map(({ id }) => id)
}
