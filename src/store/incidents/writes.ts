/** Writes the results of incident transactions: rows, events, and alert deliveries. */
import type { Advanced, Telling } from '../../domain/incident/advance.ts'
import { isHeardByServices } from '../../domain/incident/take.ts'
import { toMicroseconds } from '../../lib/time.ts'
import { listUsableChannels } from '../channels/channels.ts'
import type { IncidentKey, KeptIncident } from '../interface/incidents.ts'
import type { Rules, Told } from '../interface/rules.ts'
import type { Sql } from '../sql/database.ts'
import { insertRows } from '../sql/insertion.ts'
import { DELIVERIES } from '../tables/alerts.ts'
import { INCIDENT_EVENTS, INCIDENTS, type StoredIncidentEvent } from '../tables/incidents.ts'
import { numberEvents, toStored } from './rows.ts'

// A delivery is not scheduled while an earlier delivery of the same check to the same channel is pending. The statement uses VALUES instead
// of SELECT: it reads the table that it writes to, so SQLite would first build a temporary table for a SELECT.
/**
 * A statement whose parameters are the values of a row in `deliveries`: $2 is its check, $3 its event, $4 its channel, $7 its creation
 * time.
 */
export const INSERT_DELIVERY = `
  INSERT INTO deliveries (${DELIVERIES.written.join(', ')}, next_attempt_at)
  VALUES (${DELIVERIES.parameters}, CASE WHEN EXISTS (
    SELECT 1 FROM deliveries WHERE check_id = $2 AND channel_id = $4 AND event_n < $3 AND state = 'pending'
  ) THEN NULL ELSE $7 END)`

// The last condition selects deliveries that are waiting for a retry: the result of their newest attempt is stored. If an attempt is in
// progress, `recordDeliveries` ends the delivery instead.
/**
 * A statement that marks the acknowledgements of check $1 that channel $2 has not accepted as failed, because event $3 is being sent to the
 * channel at time $4.
 */
export const GIVE_UP_ACKNOWLEDGEMENTS = `
  UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, ended_at = $4
  WHERE check_id = $1 AND channel_id = $2 AND event_n < $3 AND event_n > (
    SELECT MAX(begun.n) FROM incidents AS begun WHERE begun.check_id = $1 AND begun.n < $3
  ) AND state = 'pending' AND EXISTS (
    SELECT 1 FROM events WHERE events.check_id = $1 AND events.n = deliveries.event_n AND events.kind = 'acknowledged'
  ) AND EXISTS (
    SELECT 1 FROM attempts WHERE attempts.delivery_id = deliveries.id AND attempts.n = deliveries.attempts
  )`

/** Writes alert deliveries to the checks' current channels. @returns true if it wrote at least one */
export async function tell(sql: Sql, told: readonly Told[], rules: Pick<Rules, 'deliveriesFor'>): Promise<boolean> {
  const channels = await listUsableChannels(
    sql,
    told.map(({ checkId }) => checkId),
  )
  const deliveries = told.flatMap((one, index) => rules.deliveriesFor(one, channels[index] ?? []))
  const overtaking = deliveries.filter(({ givesUpAcknowledgements }) => givesUpAcknowledgements)
  await sql.runEach(
    GIVE_UP_ACKNOWLEDGEMENTS,
    overtaking.map(({ checkId, channelId, eventN, createdAt }) => [
      checkId,
      channelId,
      eventN,
      toMicroseconds(createdAt),
    ]),
  )
  await sql.runEach(
    INSERT_DELIVERY,
    deliveries.map((delivery) => DELIVERIES.values(delivery)),
  )
  return deliveries.length > 0
}

export function toldOf(checkId: string, { eventN, news }: Telling): Told {
  return { checkId, n: eventN, news: news === 'up' ? 'up' : 'down' }
}

const COUNT_EVENTS = 'UPDATE checks SET n_events = n_events + $2 WHERE id = $1'

/** Writes events other than flips, and updates their checks' numbers of events. The caller must have locked the checks. */
export async function writeEvents(sql: Sql, events: readonly StoredIncidentEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertRows(
    sql,
    INCIDENT_EVENTS.name,
    INCIDENT_EVENTS.written,
    events.map((event) => INCIDENT_EVENTS.values(event)),
  )
  const counts = [...Map.groupBy(events, ({ checkId }) => checkId)]
  await sql.runEach(
    COUNT_EVENTS,
    counts.map(([checkId, { length }]) => [checkId, length]),
  )
}

export function insertIncidents(sql: Sql, incidents: readonly KeptIncident[]): Promise<void> {
  const rows = incidents.map((incident) => INCIDENTS.values(toStored(incident)))
  return insertRows(sql, INCIDENTS.name, INCIDENTS.written, rows)
}

/** Compares incidents for sorting them into the order in which their rows are locked. */
export function byKey(a: IncidentKey, b: IncidentKey): number {
  if (a.checkId === b.checkId) return a.n - b.n
  return a.checkId < b.checkId ? -1 : 1
}

const writeEndsOf = INCIDENTS.updatingEach('resolvedAt', 'held', 'nextLookAt', 'lastN', 'revision')

/** Marks incidents as ended or as open again, and increments their revisions. The caller must have locked the incidents' checks. */
export function writeEnds(sql: Sql, incidents: readonly KeptIncident[]): Promise<void> {
  return writeEndsOf(sql, incidents.toSorted(byKey).map(toStored))
}

const writeTold = INCIDENTS.updatingEach('told', 'toldAt', 'held', 'acknowledgement', 'nextLookAt', 'lastN', 'revision')

/** An incident after a domain rule was applied to it. */
export interface AdvancedIncident {
  readonly before: KeptIncident
  readonly advanced: Advanced
  /** number of the check's newest event */
  readonly newest: number
}

/** Writes the current state of incidents, with their events and alerts. @returns the incidents, and whether it wrote a delivery */
export async function writeAdvanced(
  sql: Sql,
  changes: readonly AdvancedIncident[],
  rules: Pick<Rules, 'deliveriesFor'>,
): Promise<{ readonly incidents: readonly KeptIncident[]; readonly owed: boolean }> {
  const [events, told]: [StoredIncidentEvent[], Told[]] = [[], []]
  const incidents = changes.map(({ before, advanced, newest }): KeptIncident => {
    const numbered = numberEvents(before.n, advanced.events, newest)
    events.push(...numbered)
    told.push(...advanced.tellings.map((telling) => toldOf(before.checkId, telling)))
    const heard = numbered.filter((event) => isHeardByServices(advanced.incident, event))
    told.push(...heard.map(({ checkId, n }): Told => ({ checkId, n, news: 'acknowledged' })))
    return { ...advanced.incident, lastN: numbered.at(-1)?.n ?? before.lastN, revision: before.revision + 1 }
  })
  await writeEvents(sql, events)
  await writeTold(sql, incidents.map(toStored))
  return { incidents, owed: await tell(sql, told, rules) }
}
