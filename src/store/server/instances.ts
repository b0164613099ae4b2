/** Rows of the running servers. Each writes its own with its heartbeat. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Instance, InstanceLoad } from '../interface/instances.ts'
import type { Sql } from '../sql/database.ts'

interface InstanceRow {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly started_at: number
  readonly seen_at: number
  readonly clock_ahead: number
  readonly load: string
}

const MICROSECONDS = 1_000_000

const RECORD = `
  INSERT INTO instances (id, name, version, started_at, seen_at, clock_ahead, load) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, clock_ahead = excluded.clock_ahead, load = excluded.load`

export async function recordInstance(sql: Sql, instance: Instance): Promise<void> {
  const { id, name, version, startedAt, seenAt, clockAhead, load } = instance
  await sql.run(RECORD, [
    ...[id, name, version, toMicroseconds(startedAt), toMicroseconds(seenAt)],
    ...[Math.round(clockAhead * MICROSECONDS), JSON.stringify(load)],
  ])
}

/** One that is killed again and again leaves a row each time. */
const LISTED = 200
const NEWEST = 'SELECT * FROM instances ORDER BY seen_at DESC, id LIMIT $1'

/** The 200 that were seen last, in order of their start; also those that were killed, until {@link removeInstances}. */
export async function listInstances(sql: Sql): Promise<Instance[]> {
  const rows = await sql.all<InstanceRow>(NEWEST, [LISTED])
  const inOrder = rows.toSorted((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1))
  return inOrder.map((row) => ({
    id: row.id,
    name: row.name,
    version: row.version,
    startedAt: fromMicroseconds(row.started_at),
    seenAt: fromMicroseconds(row.seen_at),
    clockAhead: row.clock_ahead / MICROSECONDS,
    load: toLoad(row.load),
  }))
}

/** An instance of another version may tell more, or less. */
function toLoad(json: string): InstanceLoad {
  const told: Readonly<Record<string, unknown>> = JSON.parse(json)
  const figure = (name: keyof InstanceLoad) => (typeof told[name] === 'number' ? told[name] : null)
  return {
    pingsPerSecond: figure('pingsPerSecond'),
    commitMilliseconds: figure('commitMilliseconds'),
    processorShare: figure('processorShare'),
    memoryMegabytes: figure('memoryMegabytes'),
  }
}

export async function removeInstance(sql: Sql, id: string): Promise<void> {
  await sql.run('DELETE FROM instances WHERE id = $1', [id])
}

/** Removes those that were last seen before. */
export async function removeInstances(sql: Sql, before: Instant): Promise<void> {
  await sql.run('DELETE FROM instances WHERE seen_at < $1', [toMicroseconds(before)])
}
