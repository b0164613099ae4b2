/** A PostgreSQL database with one project whose checks each alert one channel: a webhook, or a room. */
import { SQL } from 'bun'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { overdue } from '../../../test/support/served.ts'
import type { PostgresDatabase } from '../../postgres/support/database.ts'
import { createRoom, createWebhook } from '../../support/channels.ts'
import { client } from '../../support/client.ts'
import { TAGS } from '../../support/kills/people.ts'
import type { Received } from '../../support/kills/quiet-hours.ts'
import { type QuietChannel, roomFields, webhookFields } from '../../support/kills/quiet-people.ts'
import { answering, type Homeserver } from '../../support/receivers.ts'

/** Time to answer, slow enough that kills interrupt deliveries. */
const ANSWER_MS = 5
/** Number of webhooks. A channel has one delivery in progress at a time, so several channels are faster. */
const WEBHOOKS = 8
const ROOMS = ['!one:example.org', '!two:example.org']
/** Number of webhooks whose quiet hours people edit, besides those of the rooms. */
const QUIET_WEBHOOKS = 2
/** Timing with which no check becomes overdue by itself, not even one that has started and does not end. */
const SCHEDULE = { timeout: 86_400, grace: 86_400 }
/** microseconds from the last ping of a check to its deadline */
const SPAN = (SCHEDULE.timeout + SCHEDULE.grace) * 1_000_000

export interface Target {
  readonly id: string
  readonly name: string
}

export interface Filled {
  readonly projectId: string
  /** slug of the project */
  readonly slug: string
  /** two keys with all rights */
  readonly apiKeys: readonly [string, string]
  /** new checks, never pinged */
  readonly checks: readonly Target[]
  readonly quietChannels: readonly QuietChannel[]
  /** Returns what has arrived so far. */
  received(): Received
  /** a connection of its own, open until {@link Filled.close} */
  readonly sql: SQL
  /** Moves the deadlines of checks that are up and not pinged. @param at in microseconds */
  moveDeadlines(checks: readonly Target[], at: number): Promise<void>
  close(): Promise<void>
}

/**
 * @param name of the database, which contains only the data model
 * @param baseUrl of a server on it
 * @param count of checks
 * @param homes of the rooms; null: there are none
 */
export async function fill(
  database: PostgresDatabase,
  name: string,
  baseUrl: string,
  count: number,
  homes: Homeserver | null = null,
): Promise<Filled> {
  const url = database.urlOf(name)
  const { projectId, apiKey, createCheck } = await client(url, baseUrl)
  const { key } = await overdue<{ key: string }>(url, 'key', 'create', projectId)
  const made = Array.from({ length: WEBHOOKS }, () => answering(ANSWER_MS))
  const [first] = made
  if (first === undefined) throw new Error('there is no receiver')
  const channel = await createWebhook(url, projectId, first.url)
  const model = await createCheck({ name: 'check 0', channels: '*', ...SCHEDULE })
  const sql = new SQL(database.cluster.tcpUrl(name), { max: 1 })
  // The copies are consistent, and the server would check each reference of each row.
  await sql`SET session_replication_role = replica`
  const receivers = new Map([[channel, first]])
  for (const [index, receiver] of made.entries())
    if (index > 0) receivers.set(await copyChannel(sql, channel, index, [first.url, receiver.url]), receiver)
  const rooms = new Map<string, string>()
  for (const room of homes === null ? [] : ROOMS) rooms.set(await createRoom(url, projectId, room), room)
  await multiply(sql, model, count, [...receivers.keys(), ...rooms.keys()])
  const [{ slug }] = await sql`SELECT slug FROM projects WHERE id = ${projectId}`
  const checks: Target[] = await sql`SELECT id, name FROM checks ORDER BY counter_id`
  return {
    projectId,
    slug,
    apiKeys: [apiKey, key],
    // Plain objects, without what the driver adds to its answer.
    checks: [...checks],
    quietChannels: [
      ...[...receivers].slice(0, QUIET_WEBHOOKS).map(([id, receiver]) => ({ id, fields: webhookFields(receiver.url) })),
      ...Array.from(rooms, ([id, room]) => ({ id, fields: roomFields(room) })),
    ],
    received: () => ({
      alone: new Map(Array.from(receivers, ([id, { arrivals }]) => [id, arrivals])),
      rooms: new Map(Array.from(rooms, ([id, room]) => [id, homes?.messagesIn(room) ?? []])),
    }),
    sql,
    async moveDeadlines(moved, at) {
      const ids = sql.array(
        moved.map(({ id }) => id),
        'TEXT',
      )
      await sql.begin(async (tx) => {
        // In the order in which the program locks them.
        await tx`UPDATE counters SET last_ping_at = ${at - SPAN} FROM checks
          WHERE checks.counter_id = counters.counter_id AND checks.id = ANY(${ids})`
        await tx`UPDATE checks SET alert_after = ${at} WHERE id = ANY(${ids}) AND status = 'up'`
      })
    },
    async close() {
      await sql.close()
      for (const receiver of receivers.values()) await receiver.stop()
    },
  }
}

/** @returns id of the copy */
async function copyChannel(
  sql: SQL,
  model: string,
  index: number,
  [from, to]: readonly [string, string],
): Promise<string> {
  const [row] = await sql`INSERT INTO channels SELECT copy.* FROM channels
    CROSS JOIN LATERAL jsonb_populate_record(channels, jsonb_build_object('id', gen_random_uuid(),
      'created_at', created_at + ${index}::int, 'settings', replace(settings, ${from}, ${to}))) AS copy
    WHERE channels.id = ${model} RETURNING id`
  return row.id
}

/** Copies a check until there are so many, and gives each of them one of the channels and one of the tags. */
async function multiply(sql: SQL, model: string, count: number, channels: readonly string[]): Promise<void> {
  const ids = Array.from({ length: count - 1 }, () => crypto.randomUUID())
  const [listed, keys] = [sql.array(ids, 'TEXT'), sql.array(ids.map(uniqueKey), 'TEXT')]
  await sql`INSERT INTO checks SELECT copy.* FROM checks
    CROSS JOIN unnest(${listed}::text[], ${keys}::text[]) WITH ORDINALITY AS made (id, key, n)
    CROSS JOIN LATERAL jsonb_populate_record(checks, jsonb_build_object(
      'id', made.id, 'badge_key', gen_random_uuid(), 'public_id', lpad(n::text, 8, '0'), 'unique_key', key,
      'name', 'check ' || n, 'slug', 'check-' || n, 'tags', (${sql.array([...TAGS], 'TEXT')}::text[])[1 + n % 2],
      'created_at', checks.created_at + n, 'counter_id', checks.counter_id + n)) AS copy
    WHERE checks.id = ${model}`
  await sql`INSERT INTO counters SELECT copy.* FROM counters JOIN checks AS model USING (counter_id) CROSS JOIN checks
    CROSS JOIN LATERAL jsonb_populate_record(counters, jsonb_build_object('counter_id', checks.counter_id)) AS copy
    WHERE model.id = ${model} AND checks.id <> ${model}`
  await sql`DELETE FROM check_channels`
  await sql`INSERT INTO check_channels (check_id, channel_id)
    SELECT id, (${sql.array([...channels], 'TEXT')}::text[])[1 + counter_id % ${channels.length}] FROM checks`
  await sql`ANALYZE`
}
