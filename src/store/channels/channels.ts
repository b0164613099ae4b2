/** Stores channels and which checks they are assigned to. */

import type { DeliveryState } from '../../domain/alert/delivery.ts'
import { auditedChannel } from '../../domain/audit/subjects.ts'
import { type Channel, expandGroups } from '../../domain/channel/channel.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import { fromMicroseconds, toMicroseconds } from '../../lib/time.ts'
import { lookSoonOfChannel, lookSoonOfUntold } from '../advice/looks.ts'
import type { AuditTrail } from '../audit.ts'
import type { ChannelChange } from '../interface/channels.ts'
import type { Sql } from '../sql/database.ts'
import { allOf } from '../sql/key-lists.ts'
import { KEYS } from '../sql/rows.ts'
import { CHANNELS } from '../tables/alerts.ts'
import { wakeOthers } from './held-deliveries.ts'
import { writeWanted } from './mailing-dates.ts'

const NEWEST = 'SELECT MAX(created_at) AS created_at FROM channels WHERE project_id = $1'

/** Creates a channel. If needed, moves its `createdAt` past that of the project's newest channel, because channels are sorted by it. */
export async function createChannel(
  sql: Sql,
  trail: AuditTrail,
  channel: Channel,
  mailings: WantedMailings,
): Promise<void> {
  await sql.lock('project', [channel.projectId])
  await insertChannel(sql, channel)
  await writeWanted(sql, channel, mailings)
  await trail.note(null, auditedChannel(channel))
}

/**
 * Inserts a channel. If needed, moves its `createdAt` past that of the project's newest channel, because channels are sorted by it. The
 * caller must have locked the project.
 */
export async function insertChannel(sql: Sql, channel: Channel): Promise<void> {
  const newest = await sql.get<{ created_at: number | null }>(NEWEST, [channel.projectId])
  const createdAt = Math.max(toMicroseconds(channel.createdAt), (newest?.created_at ?? 0) + 1)
  await CHANNELS.insert(sql, { ...channel, createdAt: fromMicroseconds(createdAt) })
}

const update = CHANNELS.updating(
  'name',
  'settings',
  'disabledReason',
  'lastError',
  'host',
  'awaitsConfirmation',
  'quietHours',
)

/**
 * Replaces the stored channel with the result of `change`, except for its id, project, kind and `createdAt`.
 * @param trail null if the change was made by the server itself, not by a user
 * @param change called inside the transaction. If it throws a Refusal, nothing is written
 * @returns the stored channel after the change; null if it does not exist
 */
export async function changeChannel(
  sql: Sql,
  trail: AuditTrail | null,
  id: string,
  change: (channel: Channel) => ChannelChange,
): Promise<Channel | null> {
  await sql.lock('channel', [id])
  const stored = await findChannel(sql, id)
  if (!stored) return null
  const { channel, mailings = {} } = change(stored)
  await update(sql, { ...channel, id })
  if (isUsable(channel) !== isUsable(stored)) await lookSoonOfChannel(sql, id)
  if (trail !== null && !Bun.deepEquals(channel.quietHours, stored.quietHours))
    await wakeOthers(sql, { ...channel, id }, trail.author.at)
  await writeWanted(sql, stored, mailings)
  await trail?.note(auditedChannel(stored), auditedChannel(channel, stored))
  return findChannel(sql, id)
}

function isUsable({ disabledReason, awaitsConfirmation }: Channel): boolean {
  return disabledReason === null && !awaitsConfirmation
}

/** Deletes a channel with its assignments, deliveries and mailings. @returns false if it does not exist */
export async function deleteChannel(sql: Sql, trail: AuditTrail, id: string): Promise<boolean> {
  await sql.lock('channel', [id])
  const channel = await findChannel(sql, id)
  if (!channel) return false
  await lookSoonOfChannel(sql, id)
  await sql.run('DELETE FROM channels WHERE id = $1', [id])
  await trail.note(auditedChannel(channel), null)
  return true
}

const oldestOf = (state: DeliveryState) => `
  SELECT * FROM (
    SELECT id, created_at FROM deliveries WHERE channel_id = $1 AND state = '${state}' ORDER BY created_at LIMIT $2
  ) AS ${state}`
export const DELETE_ENDED = `
  DELETE FROM deliveries WHERE id IN (
    SELECT id FROM (${oldestOf('failed')} UNION ALL ${oldestOf('sent')} ORDER BY created_at LIMIT $2) AS oldest
  )`

/** Deletes the oldest finished deliveries to a channel, before the channel itself is deleted. @returns number of deleted deliveries */
export function deleteEndedDeliveries(sql: Sql, channelId: string, limit: number): Promise<number> {
  return sql.run(DELETE_ENDED, [channelId, limit])
}

/** Lists a project's channels, in order of creation. */
export function listChannels(sql: Sql, projectId: string): Promise<Channel[]> {
  return CHANNELS.all(sql, 'SELECT * FROM channels WHERE project_id = $1 ORDER BY created_at', [projectId])
}

const FIND = 'SELECT * FROM channels WHERE id = $1'

export function findChannel(sql: Sql, id: string): Promise<Channel | null> {
  return CHANNELS.get(sql, FIND, [id])
}

/** Finds channels in the order of the ids; null for a channel that does not exist. Pass only a few ids at a time. */
export function findChannels(sql: Sql, ids: readonly string[]): Promise<(Channel | null)[]> {
  return CHANNELS.getEach(
    sql,
    FIND,
    ids.map((id) => [id]),
  )
}

// Selects the ids as a single string instead of one row each, because a check may have thousands of channels.
const USABLE_OF_CHECKS = `
  SELECT check_channels.check_id, string_agg(channels.id, ',' ORDER BY channels.created_at) AS ids
  FROM check_channels JOIN channels ON channels.id = check_channels.channel_id
  WHERE check_channels.check_id IN (${KEYS}) AND channels.disabled_reason IS NULL
  GROUP BY check_channels.check_id`

/**
 * Lists the enabled channels of each check, in the order of the checks. Replaces groups with their members. Each channel is read once, and
 * checks with the same channels share a list.
 */
export async function listUsableChannels(sql: Sql, checkIds: readonly string[]): Promise<(readonly Channel[])[]> {
  const rows = await allOf<{ check_id: string; ids: string }>(sql, USABLE_OF_CHECKS, [...new Set(checkIds)])
  const assigned = new Map(rows.map(({ ids }) => [ids, ids.split(',')]))
  const ids = new Set([...assigned.values()].flat())
  const channels = (await findChannels(sql, [...ids])).filter((channel) => channel !== null)
  const known = new Map(channels.map((channel) => [channel.id, channel]))
  const grouped = new Set(channels.filter(({ kind }) => kind === 'group').map(({ projectId }) => projectId))
  const usable = new Map<string, readonly Channel[]>()
  for (const projectId of grouped) {
    const ofProject = await listChannels(sql, projectId)
    usable.set(
      projectId,
      ofProject.filter(({ disabledReason }) => disabledReason === null),
    )
  }
  const expand = (ids: readonly string[]) => {
    const ofCheck = ids.flatMap((id) => known.get(id) ?? [])
    // A group may contain a channel from another project. Such a channel receives no alerts about this project's checks.
    const ofProject = usable.get(ofCheck[0]?.projectId ?? '') ?? []
    return expandGroups(ofCheck, ofProject)
  }
  const expanded = new Map(Array.from(assigned, ([text, ids]) => [text, expand(ids)]))
  const ofChecks = new Map(rows.map((row) => [row.check_id, expanded.get(row.ids) ?? []]))
  return checkIds.map((id) => ofChecks.get(id) ?? [])
}

const ASSIGNED = 'SELECT channel_id FROM check_channels WHERE check_id = $1 ORDER BY channel_id'

/** Lists the ids of a check's channels, in ascending order. */
export async function listChannelIds(sql: Sql, checkId: string): Promise<string[]> {
  const rows = await sql.all<{ channel_id: string }>(ASSIGNED, [checkId])
  return rows.map((row) => row.channel_id)
}

/**
 * Assigns channels to a check. Writes only the differences, because a check may have thousands of channels.
 * @param before the channels that are already assigned; the caller has locked the check
 */
export async function assignChannels(
  sql: Sql,
  checkId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const values = (ids: ReadonlySet<string>) => [...ids].map((id) => [checkId, id])
  const [old, wanted] = [new Set(before), new Set(after)]
  await sql.runEach(
    'DELETE FROM check_channels WHERE check_id = $1 AND channel_id = $2',
    values(old.difference(wanted)),
  )
  await sql.runEach('INSERT INTO check_channels (check_id, channel_id) VALUES ($1, $2)', values(wanted.difference(old)))
}

export async function assignAllChannels(sql: Sql, checkId: string, projectId: string): Promise<void> {
  await sql.run('INSERT INTO check_channels (check_id, channel_id) SELECT $1, id FROM channels WHERE project_id = $2', [
    checkId,
    projectId,
  ])
}

const RECORD = `
  UPDATE channels SET last_error = $2 WHERE id = $1
  RETURNING project_id`
const FAILED = 'SELECT 1 FROM channels WHERE id = $1 AND last_error IS NOT NULL'
const DISABLE = 'UPDATE channels SET disabled_reason = $2 WHERE id = $1 AND disabled_reason IS NULL'

/**
 * Records the result of the last message to a channel that the caller has locked. If the channel was disabled in the meantime, the reason
 * for disabling it is kept.
 * @param error null if the receiver accepted the message
 */
export async function recordOutcome(
  sql: Sql,
  channelId: string,
  error: string | null,
  disablesChannel: boolean,
): Promise<void> {
  const worksAgain = error === null && (await sql.get(FAILED, [channelId])) !== null
  const channel = await sql.get<{ project_id: string }>(RECORD, [channelId, error])
  if (worksAgain && channel) await lookSoonOfUntold(sql, channel.project_id)
  if (disablesChannel && (await sql.run(DISABLE, [channelId, error])) > 0) await lookSoonOfChannel(sql, channelId)
}
