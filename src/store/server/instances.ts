/** Stores a row for each running server. A server updates its row with every heartbeat. */
import { type Instant, microsecondsBetween, toMicroseconds } from '../../lib/time.ts'
import type { Instance, InstanceLoad } from '../interface/instances.ts'
import { instant, table, text } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { fromExcluded } from '../sql/rows.ts'

const MICROSECONDS = 1_000_000

const INSTANCES = table<Instance>('instances', 'id', {
  id: text,
  name: text,
  version: text,
  startedAt: instant,
  seenAt: instant,
  clockAhead: {
    read: (microseconds: number) => microseconds / MICROSECONDS,
    write: (seconds) => Math.round(seconds * MICROSECONDS),
  },
  load: { read: toLoad, write: JSON.stringify },
})

const RECORD = `
  ${INSTANCES.insertion} ON CONFLICT (id) DO UPDATE SET ${fromExcluded(['seen_at', 'clock_ahead', 'load'])}`

export async function recordInstance(sql: Sql, instance: Instance): Promise<void> {
  await sql.run(RECORD, INSTANCES.values(instance))
}

/** Maximum number of instances to list. An instance that is killed repeatedly leaves a row each time. */
const LISTED = 200
const NEWEST = 'SELECT * FROM instances ORDER BY seen_at DESC, id LIMIT $1'

/**
 * Lists the 200 most recently seen instances, in the order in which they were started. Includes killed instances until {@link
 * removeInstances} removes them.
 */
export async function listInstances(sql: Sql): Promise<Instance[]> {
  const newest = await INSTANCES.all(sql, NEWEST, [LISTED])
  return newest.sort((a, b) => microsecondsBetween(b.startedAt, a.startedAt) || (a.id < b.id ? -1 : 1))
}

/** Parses an instance's load figures. An instance that runs another version may report more or fewer of them. */
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

/** Removes instances that were last seen before `before`. */
export async function removeInstances(sql: Sql, before: Instant): Promise<void> {
  await sql.run('DELETE FROM instances WHERE seen_at < $1', [toMicroseconds(before)])
}
