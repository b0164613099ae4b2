/** A project's rows in PostgreSQL, in the form for the judge of the kill suite. */
import type { SQL } from 'bun'
import type {
  CheckFound,
  DeliveryFound,
  EventFound,
  FlipFound,
  IncidentFound,
  PingFound,
  SilenceFound,
  Snapshot,
} from '../../support/kills/snapshot.ts'

// The driver gives bigint as text, and float8 as a number. All numbers here are below 2 ** 53.
const CHECKS = `
  SELECT id, name, tags, "desc", timeout_seconds::float8 AS "timeoutSeconds", status, n_pings::float8 AS "nPings",
    n_events::float8 AS "nEvents",
    (SELECT string_agg(channel_id, ',' ORDER BY channel_id) FROM check_channels WHERE check_id = checks.id) AS "channelIds"
  FROM checks JOIN counters USING (counter_id) WHERE project_id = $1 ORDER BY created_at`
const PINGS = `
  SELECT check_id AS "checkId", n::float8 AS n, received_at::float8 AS "receivedAt", pings.kind,
    exit_status::float8 AS "exitStatus", rid, method, ua AS agent, convert_from(body, 'UTF8') AS body
  FROM pings JOIN checks ON checks.id = check_id WHERE project_id = $1 ORDER BY check_id, n`
const FLIPS = `
  SELECT check_id AS "checkId", n::float8 AS n, events.created_at::float8 AS "createdAt", old_status AS "oldStatus",
    new_status AS "newStatus", reason
  FROM events JOIN checks ON checks.id = check_id WHERE project_id = $1 AND events.kind = 'flip' ORDER BY check_id, n`
const DELIVERIES = `
  SELECT deliveries.id, check_id AS "checkId", event_n::float8 AS "eventN", channel_id AS "channelId", state, error,
    attempts::float8 AS attempts, held_until::float8 AS "heldUntil", ended_at::float8 AS "endedAt",
    (SELECT created_at FROM attempts WHERE delivery_id = deliveries.id ORDER BY n DESC LIMIT 1)::float8 AS "attemptedAt"
  FROM deliveries JOIN channels ON channels.id = channel_id WHERE project_id = $1`

const EVENTS = `
  SELECT check_id AS "checkId", n::float8 AS n, events.created_at::float8 AS "createdAt", events.kind, detail
  FROM events JOIN checks ON checks.id = check_id WHERE project_id = $1 AND events.kind <> 'flip' ORDER BY check_id, n`
const INCIDENTS = `
  SELECT check_id AS "checkId", n::float8 AS n, opened_at::float8 AS "openedAt", resolved_at::float8 AS "resolvedAt",
    told_at::float8 AS "toldAt", next_look_at::float8 AS "nextLookAt"
  FROM incidents JOIN checks ON checks.id = check_id WHERE project_id = $1`
const SILENCES = `
  SELECT id, checks, tags, starts_at::float8 AS "startsAt", ends_at::float8 AS "endsAt", until_healthy::float8 AS "untilHealthy",
    schedule, duration_seconds::float8 AS "durationSeconds", created_by_kind AS "createdByKind"
  FROM silences WHERE project_id = $1`

export function readSnapshot(sql: SQL, projectId: string): Promise<Snapshot> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const all = async <Row>(statement: string): Promise<Row[]> => [...(await tx.unsafe(statement, [projectId]))]
    return {
      checks: await all<CheckFound>(CHECKS),
      pings: await all<PingFound>(PINGS),
      flips: await all<FlipFound>(FLIPS),
      deliveries: await all<DeliveryFound>(DELIVERIES),
      events: await all<EventFound>(EVENTS),
      incidents: await all<IncidentFound>(INCIDENTS),
      silences: await all<SilenceFound>(SILENCES),
    }
  })
}

const LEFT = `
  SELECT (SELECT count(*) FROM deliveries WHERE state = 'pending')
    + greatest(0, $1 - (SELECT count(*) FROM events WHERE reason = 'timeout'))
    + (SELECT count(*) FROM incidents WHERE next_look_at <= $2) AS left`

/**
 * @param deadlines number of checks that must time out
 * @returns number of deliveries, time-outs and looks at incidents that are still pending in all projects
 */
export async function readLeft(sql: SQL, deadlines: number): Promise<number> {
  const [row] = await sql.unsafe(LEFT, [deadlines, Date.now() * 1_000])
  return Number(row.left)
}

// A flip has the time of its deadline, and its deliveries that of the judgement.
const LONGEST = `
  SELECT coalesce(round(max(deliveries.created_at - events.created_at) / 1000), 0) AS ms
  FROM events JOIN deliveries ON deliveries.check_id = events.check_id AND event_n = events.n WHERE reason = 'timeout'`

/** @returns most milliseconds from the deadline of a check until it went down; 0 if none went down by itself */
export async function readLongest(sql: SQL): Promise<number> {
  const [row] = await sql.unsafe(LONGEST)
  return Number(row.ms)
}
