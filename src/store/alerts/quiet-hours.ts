/** Holds deliveries until their channel's quiet hours end. */
import { CANCELLED, type Delivery } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { afterQuietHours, type WaitingAlert } from '../../domain/channel/quiet-hours.ts'
import { covers } from '../../domain/severity.ts'
import { type Instant, isAtOrAfter, Temporal, toMicroseconds } from '../../lib/time.ts'
import { HELD_AT_ONCE, quietHoursEnd, wakeOthers } from '../channels/held-deliveries.ts'
import { columns, instant, number, orNull, word } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { DELIVERIES } from '../tables/alerts.ts'

const INCIDENT = `(
    SELECT MAX(begun.n) FROM incidents AS begun WHERE begun.check_id = deliveries.check_id AND begun.n <= deliveries.event_n
  )`

/** The project of a delivery's channel, for statements that change deliveries. */
export const PROJECT_OF_DELIVERY =
  '(SELECT project_id FROM channels WHERE channels.id = deliveries.channel_id) AS project_id'

/** Holds the due deliveries of channel $1 up to severity $4 until $3. */
export const HOLD = `
  UPDATE deliveries SET next_attempt_at = $3, held_until = $3 WHERE id IN (
    SELECT id FROM deliveries WHERE channel_id = $1 AND next_attempt_at <= $2 AND ($4 = 'down' OR $4 = (
      SELECT severity FROM incidents WHERE incidents.check_id = deliveries.check_id AND incidents.n = ${INCIDENT}
    )) ORDER BY next_attempt_at LIMIT ${HELD_AT_ONCE}
  ) AND next_attempt_at <= $2
  RETURNING check_id`

interface Holding {
  /** check ids of the deliveries that are now held, one for each delivery */
  readonly held: readonly string[]
  /** true if no delivery may be claimed now */
  readonly isQuiet: boolean
}

/** Holds a channel's due deliveries until its quiet hours end. The caller must have locked the channel before reading it. */
export async function holdDue(sql: Sql, channel: Channel, now: Instant): Promise<Holding> {
  const { id, quietHours } = channel
  const until = quietHoursEnd(channel, now)
  if (quietHours === null || until === null) return { held: [], isQuiet: false }
  const values = [id, toMicroseconds(now), toMicroseconds(until), quietHours.upTo]
  const held = (await sql.all<{ check_id: string }>(HOLD, values)).map(({ check_id }) => check_id)
  if (held.length > 0) await wakeOthers(sql, channel, now)
  return { held, isQuiet: held.length === HELD_AT_ONCE || covers(quietHours.upTo, 'down') }
}

/** Number of a channel's due deliveries to examine. One is not enough, because other processes may be claiming the first ones. */
const EXAMINED = 16

/** Selects a row if one of channel $1's longest overdue deliveries was held during quiet hours. */
export const HAS_WAITED = `
  SELECT channel_id FROM (
    SELECT channel_id, held_until FROM deliveries WHERE channel_id = $1 AND next_attempt_at <= $2
    ORDER BY next_attempt_at LIMIT ${EXAMINED}
  ) AS due WHERE held_until IS NOT NULL LIMIT 1`

/** Returns the ids of the channels whose longest overdue deliveries include one that was held during quiet hours. */
export async function haveWaited(sql: Sql, channelIds: readonly string[], now: Instant): Promise<ReadonlySet<string>> {
  const rows = await sql.getEach<{ channel_id: string }>(
    HAS_WAITED,
    channelIds.map((id) => [id, toMicroseconds(now)]),
  )
  return new Set(rows.flatMap((row) => (row === null ? [] : [row.channel_id])))
}

/** Maximum number of checks, and of alerts, to read when looking for alerts to send together. */
const CHECKS_READ = 500
const ALERTS_READ = 500

// Appending '' keeps the engine from searching all of the channel's pending deliveries.
/**
 * Selects alerts that are held for channel $1: first those of check $2, then those of at most $4 checks with a held delivery that is due
 * at $3.
 */
export const WAITING = `
  SELECT deliveries.*, COALESCE(incidents.n, deliveries.event_n) AS incident_n, COALESCE(incidents.severity, 'down') AS severity,
    CASE WHEN events.kind = 'flip' THEN events.new_status ELSE 'acknowledged' END AS news,
    incidents.resolved_at
  FROM deliveries JOIN events ON events.check_id = deliveries.check_id AND events.n = deliveries.event_n
    LEFT JOIN incidents ON incidents.check_id = deliveries.check_id AND incidents.n = ${INCIDENT}
  WHERE deliveries.channel_id = $1 AND deliveries.state || '' = 'pending' AND deliveries.check_id IN (
    SELECT CAST($2 AS TEXT) UNION SELECT check_id FROM (
      SELECT check_id FROM deliveries WHERE channel_id = $1 AND next_attempt_at <= $3 AND held_until IS NOT NULL
      ORDER BY next_attempt_at LIMIT $4
    ) AS due
  )
  ORDER BY CASE WHEN deliveries.check_id = $2 THEN 0 ELSE 1 END, deliveries.check_id, deliveries.event_n LIMIT ${ALERTS_READ}`

interface Waiting extends Omit<WaitingAlert, 'checkId' | 'eventN' | 'heldUntil'> {
  readonly delivery: Delivery
  readonly nextAttemptAt: Instant | null
}

const ROW = columns<Waiting>({
  delivery: DELIVERIES,
  incidentN: number,
  news: word(),
  severity: word(),
  resolvedAt: orNull(instant),
  nextAttemptAt: orNull(instant),
})

type Waited = WaitingAlert & Pick<Waiting, 'delivery'>

/**
 * Reads the alerts that were held until quiet hours ended: a claimed delivery, other held deliveries to its channel that are due, and
 * deliveries that wait for one of these.
 * @param checks maximum number of other checks
 */
async function readWaited(sql: Sql, claimed: Delivery, now: Instant, checks: number): Promise<readonly Waited[]> {
  const read = await ROW.all(sql, WAITING, [claimed.channelId, claimed.checkId, toMicroseconds(now), checks])
  const isFree = ({ delivery, nextAttemptAt: at }: Waiting) =>
    delivery.id === claimed.id || at === null || (delivery.heldUntil !== null && isAtOrAfter(now, at))
  const complete = read.length < ALERTS_READ ? read : wholeIncidents(read)
  const ofChecks = [...Map.groupBy(complete, ({ delivery }) => delivery.checkId).values()]
  return ofChecks
    .flatMap((ofCheck) => leadingOf(ofCheck, isFree))
    .map(({ delivery, ...row }) => {
      const { checkId, eventN, heldUntil } = delivery
      return { ...row, delivery, checkId, eventN, heldUntil }
    })
    .toSorted((a, b) => Temporal.Instant.compare(a.delivery.createdAt, b.delivery.createdAt))
}

/** Returns the alerts of a check before the first one that is not free, because a receiver gets a check's alerts in order. */
function leadingOf(ofCheck: readonly Waiting[], isFree: (alert: Waiting) => boolean): readonly Waiting[] {
  const end = ofCheck.findIndex((alert) => !isFree(alert))
  return end < 0 ? ofCheck : ofCheck.slice(0, end)
}

/**
 * Omits the last check, because some of its alerts may not be among the rows. If all rows belong to one check, omits its last incident. Keeps
 * all rows if they belong to one incident.
 */
function wholeIncidents(rows: readonly Waiting[]): readonly Waiting[] {
  const last = rows.at(-1)
  const ofOthers = rows.filter(({ delivery }) => delivery.checkId !== last?.delivery.checkId)
  if (ofOthers.length > 0) return ofOthers
  const whole = rows.filter(({ incidentN }) => incidentN !== last?.incidentN)
  return whole.length > 0 ? whole : rows
}

// A member may have changed a delivery since it was read.
const CLAIM_WITH = `
  UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = $3, held_until = COALESCE(held_until, $4)
  WHERE id = $1 AND state = 'pending' AND (next_attempt_at IS NULL OR next_attempt_at <= $2)
  RETURNING *`
const GIVE_BACK = 'UPDATE deliveries SET attempts = attempts - 1, next_attempt_at = $2 WHERE id = $1'

/** Selects the time at which the last pending delivery of check $1 to channel $2 before event $3 is attempted next. */
export const LAST_BEFORE = `
  SELECT MAX(next_attempt_at) AS next_attempt_at FROM deliveries
  WHERE check_id = $1 AND channel_id = $2 AND event_n < $3 AND state = 'pending'`

/** Gives a claimed delivery back until its turn: now, or when the earlier alerts of its check have been attempted again. */
async function giveBackUntilTurn(sql: Sql, { id, checkId, channelId, eventN }: Delivery, now: Instant): Promise<void> {
  const before = await sql.get<{ next_attempt_at: number | null }>(LAST_BEFORE, [checkId, channelId, eventN])
  await sql.run(GIVE_BACK, [id, Math.max(toMicroseconds(now), before?.next_attempt_at ?? 0)])
}

/**
 * Claims the deliveries that are sent in one message after quiet hours.
 * @param claimed a delivery that was held until they ended
 * @returns the deliveries in the order of the message. Does not contain `claimed` if checks in a worse state already fill the message, or if
 * an earlier alert of its check is retried later
 */
export async function claimTogether(
  sql: Sql,
  claimed: Delivery,
  now: Instant,
  leaseEndsAt: Instant,
): Promise<readonly Delivery[]> {
  const [message = []] = afterQuietHours(await readWaited(sql, claimed, now, CHECKS_READ), true).messages
  const others = message.filter(({ delivery }) => delivery.id !== claimed.id)
  const times = [now, leaseEndsAt, claimed.heldUntil ?? now].map(toMicroseconds)
  const claims = await DELIVERIES.getEach(
    sql,
    CLAIM_WITH,
    others.map(({ delivery }) => [delivery.id, ...times]),
  )
  if (others.length === message.length) await giveBackUntilTurn(sql, claimed, now)
  const taken = new Map([claimed, ...claims.filter((one) => one !== null)].map((one) => [one.id, one]))
  return message.flatMap(({ delivery }) => taken.get(delivery.id) ?? [])
}

/** Error that is stored for alerts that were not sent because their incident ended before the quiet hours did. */
const ENDED_MEANWHILE = `${CANCELLED}quiet hours: the incident ended before they did`

/**
 * Finds the alerts about incidents that began and ended during quiet hours. If an alert about a check was attempted before, omits all alerts
 * about that check, because the receiver may know about the incident.
 * @param claimed a delivery that was held until quiet hours ended. If it is among the result, no attempt is counted for it, and it can't be
 * claimed again until the lease ends
 * @returns the deliveries to drop; each check's deliveries are in order
 */
export async function findEnded(
  sql: Sql,
  claimed: Delivery,
  now: Instant,
  leaseEndsAt: Instant,
): Promise<readonly Delivery[]> {
  const waited = await readWaited(sql, claimed, now, CHECKS_READ)
  const ended = afterQuietHours(waited, false).dropped.map(({ delivery }) => delivery)
  const isTried = ({ id, attempts }: Delivery) => attempts > (id === claimed.id ? 1 : 0)
  const known = new Set(ended.filter(isTried).map(({ checkId }) => checkId))
  const dropped = ended.filter(({ checkId }) => !known.has(checkId))
  if (dropped.some(({ id }) => id === claimed.id)) await sql.run(GIVE_BACK, [claimed.id, toMicroseconds(leaseEndsAt)])
  return dropped
}

const DROP = `
  UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, ended_at = $2, error = $3
  WHERE id = $1 AND state = 'pending' AND attempts = 0
  RETURNING ${PROJECT_OF_DELIVERY}`

/**
 * Drops deliveries that {@link findEnded} found. The caller has locked their checks. If a check's first delivery was claimed or has ended
 * in the meantime, drops none of that check's deliveries.
 * @returns the first dropped delivery of each check, with its channel's project
 */
export async function dropEnded(
  sql: Sql,
  ended: readonly Delivery[],
  now: Instant,
): Promise<readonly (Delivery & { readonly projectId: string })[]> {
  const drop = (deliveries: readonly Delivery[]) =>
    sql.getEach<{ project_id: string }>(
      DROP,
      deliveries.map(({ id }) => [id, toMicroseconds(now), ENDED_MEANWHILE]),
    )
  const ofChecks = [...Map.groupBy(ended, ({ checkId }) => checkId).values()]
  const firsts = ofChecks.flatMap((ofCheck) => ofCheck.slice(0, 1))
  const rows = await drop(firsts)
  await drop(ofChecks.flatMap((ofCheck, index) => (rows[index] ? ofCheck.slice(1) : [])))
  return firsts.flatMap((first, index) => {
    const row = rows[index]
    return row ? [{ ...first, projectId: row.project_id }] : []
  })
}
