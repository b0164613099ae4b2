/** A project's rows in the file after a kill, read in one transaction while the restarted server runs. */
import { Database } from 'bun:sqlite'
import type { DeliveryState } from '../../../src/domain/alert/delivery.ts'
import type { StoredStatus } from '../../../src/domain/check/check.ts'
import type { FlipReason } from '../../../src/domain/check/flip.ts'
import type { IncidentEvent } from '../../../src/domain/incident/event.ts'
import type { PingKind } from '../../../src/domain/ping/signal.ts'

export interface CheckFound {
  readonly id: string
  readonly name: string
  readonly tags: string
  readonly desc: string
  readonly timeoutSeconds: number
  readonly status: StoredStatus
  readonly nPings: number
  readonly nEvents: number
  /** sorted ids, separated by commas */
  readonly channelIds: string
}

export interface PingFound {
  readonly checkId: string
  readonly n: number
  /** microseconds, like all instants here */
  readonly receivedAt: number
  readonly kind: PingKind
  readonly exitStatus: number | null
  readonly rid: string | null
  readonly method: string
  readonly agent: string
  readonly body: string | null
}

export interface FlipFound {
  readonly checkId: string
  readonly n: number
  readonly createdAt: number
  readonly oldStatus: StoredStatus
  readonly newStatus: StoredStatus
  readonly reason: FlipReason
}

export interface DeliveryFound {
  readonly id: string
  readonly checkId: string
  readonly eventN: number
  readonly channelId: string
  readonly state: DeliveryState
  readonly error: string | null
  /** attempts that have begun */
  readonly attempts: number
  /** end of the quiet hours for which it waits or has waited */
  readonly heldUntil: number | null
  readonly endedAt: number | null
  /** beginning of its last attempt that has ended */
  readonly attemptedAt: number | null
}

/** An event of an incident that is no flip. */
export interface EventFound {
  readonly checkId: string
  readonly n: number
  readonly createdAt: number
  readonly kind: IncidentEvent['kind']
  /** JSON, in which `incident` is the number of its incident */
  readonly detail: string
}

export interface IncidentFound {
  readonly checkId: string
  readonly n: number
  readonly openedAt: number
  readonly resolvedAt: number | null
  readonly toldAt: number | null
  readonly nextLookAt: number | null
}

export interface SilenceFound {
  readonly id: string
  /** JSON: ids, of which a check must have one; []: any check */
  readonly checks: string
  /** JSON: tags, all of which a check must have */
  readonly tags: string
  readonly startsAt: number
  readonly endsAt: number
  readonly untilHealthy: 0 | 1
  /** times in UTC, each on a line, at which windows begin; null: it holds from its start to its end */
  readonly schedule: string | null
  readonly durationSeconds: number | null
  /** null: a request to the ping URL of its check */
  readonly createdByKind: string | null
}

export interface Snapshot {
  readonly checks: readonly CheckFound[]
  /** pings; those of each check are in the order of `n` */
  readonly pings: readonly PingFound[]
  /** flips; those of each check are in the order of `n` */
  readonly flips: readonly FlipFound[]
  /** deliveries, without those of deleted checks */
  readonly deliveries: readonly DeliveryFound[]
  /** events; those of each check are in the order of `n` */
  readonly events: readonly EventFound[]
  readonly incidents: readonly IncidentFound[]
  /** silences, including ended ones, without those that a later request to the same ping URL has replaced */
  readonly silences: readonly SilenceFound[]
}

const CHANNEL_IDS = `
  SELECT GROUP_CONCAT(channel_id, ',' ORDER BY channel_id) FROM check_channels WHERE check_id = checks.id`
const CHECKS = `
  SELECT id, name, tags, "desc", timeout_seconds AS timeoutSeconds, status, n_pings AS nPings, n_events AS nEvents,
    COALESCE((${CHANNEL_IDS}), '') AS channelIds
  FROM checks JOIN counters USING (counter_id) WHERE project_id = $1 ORDER BY created_at`
const PINGS = `
  SELECT check_id AS checkId, n, received_at AS receivedAt, pings.kind, exit_status AS exitStatus, rid, method,
    ua AS agent, CAST(body AS TEXT) AS body
  FROM pings JOIN checks ON checks.id = check_id WHERE project_id = $1 ORDER BY check_id, n`
const FLIPS = `
  SELECT check_id AS checkId, n, events.created_at AS createdAt, old_status AS oldStatus, new_status AS newStatus, reason
  FROM events JOIN checks ON checks.id = check_id WHERE project_id = $1 AND events.kind = 'flip' ORDER BY check_id, n`
const DELIVERIES = `
  SELECT deliveries.id, check_id AS checkId, event_n AS eventN, channel_id AS channelId, state, error, attempts,
    held_until AS heldUntil, ended_at AS endedAt,
    (SELECT created_at FROM attempts WHERE delivery_id = deliveries.id ORDER BY n DESC LIMIT 1) AS attemptedAt
  FROM deliveries JOIN checks ON checks.id = check_id WHERE project_id = $1`

const EVENTS = `
  SELECT check_id AS checkId, n, events.created_at AS createdAt, events.kind, detail
  FROM events JOIN checks ON checks.id = check_id WHERE project_id = $1 AND events.kind <> 'flip' ORDER BY check_id, n`
const INCIDENTS = `
  SELECT check_id AS checkId, n, opened_at AS openedAt, resolved_at AS resolvedAt, told_at AS toldAt, next_look_at AS nextLookAt
  FROM incidents JOIN checks ON checks.id = check_id WHERE project_id = $1`
const SILENCES = `
  SELECT id, checks, tags, starts_at AS startsAt, ends_at AS endsAt, until_healthy AS untilHealthy, schedule,
    duration_seconds AS durationSeconds, created_by_kind AS createdByKind
  FROM silences WHERE project_id = $1`

export function readSnapshot(path: string, projectId: string): Snapshot {
  using database = new Database(path, { readonly: true })
  const all = <Row>(sql: string) => database.query<Row, [string]>(sql).all(projectId)
  return database.transaction(() => ({
    checks: all<CheckFound>(CHECKS),
    pings: all<PingFound>(PINGS),
    flips: all<FlipFound>(FLIPS),
    deliveries: all<DeliveryFound>(DELIVERIES),
    events: all<EventFound>(EVENTS),
    incidents: all<IncidentFound>(INCIDENTS),
    silences: all<SilenceFound>(SILENCES),
  }))()
}

/** Rows without a check, except those of deleted checks that retention has yet to remove, and those staged by an import. */
const strays = (table: 'pings' | 'events') => `
  SELECT COUNT(*) AS count FROM ${table}
  WHERE check_id NOT IN (SELECT id FROM checks) AND check_id NOT IN (SELECT check_id FROM deleted_checks)
    AND check_id NOT IN (SELECT check_id FROM staged_logs)`

/** @returns a sentence for each problem in the file; reads every page */
export function integrityProblems(path: string): string[] {
  using database = new Database(path, { readonly: true })
  const said = database.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
  const broken = said.map(({ integrity_check }) => integrity_check).filter((words) => words !== 'ok')
  const orphans = database.query('PRAGMA foreign_key_check').values()
  const count = (sql: string) => database.query<{ count: number }, []>(sql).get()?.count ?? 0
  return [
    ...broken,
    ...orphans.map((row) => `a row violates a foreign key: ${row.join(' ')}`),
    ...(['pings', 'events'] as const)
      .filter((table) => count(strays(table)) > 0)
      .map((table) => `${count(strays(table))} ${table} belong to no check`),
  ]
}

// Retention removes those of deleted checks, within a minute or so.
const PENDING = `SELECT COUNT(*) AS count FROM deliveries WHERE state = 'pending' AND check_id IN (SELECT id FROM checks)`
const TIMEOUTS = `SELECT COUNT(*) AS count FROM events WHERE reason = 'timeout'`
const DUE_LOOKS = `SELECT COUNT(*) AS count FROM incidents WHERE next_look_at <= $1`

/**
 * @param deadlines number of checks that must time out
 * @returns number of deliveries, time-outs and looks at incidents that are still pending in all projects
 */
export function readLeft(path: string, deadlines: number): number {
  using database = new Database(path, { readonly: true })
  const count = (sql: string, ...values: readonly number[]) =>
    database.query<{ count: number }, number[]>(sql).get(...values)?.count ?? 0
  return count(PENDING) + Math.max(0, deadlines - count(TIMEOUTS)) + count(DUE_LOOKS, Date.now() * 1_000)
}
