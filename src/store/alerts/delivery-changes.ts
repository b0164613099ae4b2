/** Lets members retry a delivery, send it immediately or cancel it. */
import { cancelledBy, type Delivery, type DeliveryAction, UNDER_WAY_SECONDS } from '../../domain/alert/delivery.ts'
import type { Audited } from '../../domain/audit/audit.ts'
import { auditedDelivery } from '../../domain/audit/subjects.ts'
import type { Author } from '../../domain/author.ts'
import { addSeconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import { columns, instant, orNull, text } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { DELIVERIES } from '../tables/alerts.ts'
import { type ChangedAlert, RELEASE } from './deliveries.ts'

// The flips of a check reach a channel in order, so no other delivery of this check to this channel may be pending. The condition on
// event_n keeps SQLite from searching all deliveries of the channel.
const RETRY = `
  UPDATE deliveries SET state = 'pending', next_attempt_at = $2, ended_at = NULL, held_until = NULL
  WHERE id = $1 AND state = 'failed' AND EXISTS (SELECT 1 FROM checks WHERE checks.id = deliveries.check_id)
    AND NOT EXISTS (
      SELECT 1 FROM deliveries AS other
      WHERE other.check_id = deliveries.check_id AND other.channel_id = deliveries.channel_id AND other.event_n > 0
        AND other.state = 'pending'
    )`

// The newest attempt has ended if its result is stored. If the process was killed before it stored the result, the attempt counts as ended
// after a while.
const IS_IDLE = `(
  attempts = 0 OR next_attempt_at > $3
  OR EXISTS (SELECT 1 FROM attempts AS ended WHERE ended.delivery_id = deliveries.id AND ended.n = deliveries.attempts)
)`

// If a message with several alerts was rejected, several deliveries of one check may have a time for their next attempt.
const HURRY = `
  UPDATE deliveries SET next_attempt_at = $2
  WHERE id = $1 AND state = 'pending' AND next_attempt_at > $2 AND (held_until IS NULL OR held_until <= $2) AND ${IS_IDLE}
    AND NOT EXISTS (
      SELECT 1 FROM deliveries AS earlier
      WHERE earlier.check_id = deliveries.check_id AND earlier.channel_id = deliveries.channel_id
        AND earlier.event_n < deliveries.event_n AND earlier.state = 'pending'
    )`

const CANCEL = `
  UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, ended_at = $2, error = $4
  WHERE id = $1 AND state = 'pending' AND (next_attempt_at IS NULL OR next_attempt_at <= $2 OR ${IS_IDLE})`

const FIND = `
  SELECT deliveries.*, channels.project_id, channels.name AS channel_name, channels.kind AS channel_kind,
    COALESCE(checks.name, '') AS check_name
  FROM deliveries JOIN channels ON channels.id = deliveries.channel_id
    LEFT JOIN checks ON checks.id = deliveries.check_id
  WHERE deliveries.id = $1`

const FOUND = columns({
  delivery: DELIVERIES,
  projectId: text,
  channelName: text,
  channelKind: text,
  checkName: text,
  nextAttemptAt: orNull(instant),
  error: orNull(text),
})
type Found = ReturnType<typeof FOUND.read>

/**
 * Retries a delivery, sends it immediately or cancels it. The author's time counts as the current time. Cancelling a delivery releases the
 * one that is waiting for it. While an attempt may be in progress, no second one is started, and the result of the first one counts.
 * @returns the changed alert; null if the delivery is unchanged because it is unknown, is in another state, belongs to a deleted check, or
 * may have an attempt in progress. A retry is not possible while another of the check's deliveries to the channel is pending
 */
export async function changeDelivery(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  action: DeliveryAction,
): Promise<ChangedAlert | null> {
  const found = await FOUND.get(sql, FIND, [id])
  if (!found) return null
  await sql.lock('check', [found.delivery.checkId])
  const before = await FOUND.get(sql, FIND, [id])
  if (!before || !(await isChanged(sql, before.delivery, action, trail.author))) return null
  await trail.note(audited(before), audited(await FOUND.get(sql, FIND, [id])))
  return { projectId: before.projectId, checkId: before.delivery.checkId }
}

async function isChanged(sql: Sql, delivery: Delivery, action: DeliveryAction, author: Author): Promise<boolean> {
  const now = toMicroseconds(author.at)
  const later = toMicroseconds(addSeconds(author.at, UNDER_WAY_SECONDS))
  switch (action) {
    case 'retry':
      return (await sql.run(RETRY, [delivery.id, now])) > 0
    case 'send-now':
      return (await sql.run(HURRY, [delivery.id, now, later])) > 0
    case 'cancel':
      if ((await sql.run(CANCEL, [delivery.id, now, later, cancelledBy(author)])) === 0) return false
      await sql.run(RELEASE, [delivery.checkId, delivery.channelId])
      return true
  }
}

function audited(found: Found | null): Audited | null {
  if (found === null) return null
  const { delivery, projectId, nextAttemptAt, error } = found
  const name = `${found.checkName} → ${found.channelName || found.channelKind}`
  return auditedDelivery({ id: delivery.id, projectId, name, state: delivery.state, nextAttemptAt, error })
}

const WAITING = `
  SELECT id FROM deliveries
  WHERE channel_id = $1 AND next_attempt_at IS NOT NULL AND next_attempt_at > $2 AND (held_until IS NULL OR held_until <= $2)
  ORDER BY next_attempt_at LIMIT $3`

/**
 * Lists the ids of the channel's pending deliveries whose next attempt is after `now`, soonest first. Omits deliveries that are held during
 * quiet hours.
 */
export async function listWaiting(sql: Sql, channelId: string, now: Instant, limit: number): Promise<string[]> {
  const rows = await sql.all<{ id: string }>(WAITING, [channelId, toMicroseconds(now), limit])
  return rows.map(({ id }) => id)
}
