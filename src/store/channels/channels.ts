/** Channels and their assignment to checks. */

import type { DeliveryState } from '../../domain/alert/delivery.ts'
import { auditedChannel } from '../../domain/audit/subjects.ts'
import { type Channel, expandGroups } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import { fromMicroseconds, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { ChannelChange } from '../interface/channels.ts'
import type { Sql } from '../sql/database.ts'
import { writeWanted } from './mailing-dates.ts'

export interface ChannelRow {
  id: string
  project_id: string
  name: string
  kind: ChannelKind
  settings: string
  created_at: number
  disabled_reason: string | null
  last_error: string | null
  host: string
  awaits_confirmation: number
}

export function toChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    kind: row.kind,
    settings: JSON.parse(row.settings),
    createdAt: fromMicroseconds(row.created_at),
    disabledReason: row.disabled_reason,
    lastError: row.last_error,
    host: row.host,
    awaitsConfirmation: row.awaits_confirmation !== 0,
  }
}

const INSERT = `
  INSERT INTO channels (
    id, project_id, name, kind, settings, created_at, disabled_reason, last_error, host, awaits_confirmation
  )
  SELECT $1, $2, $3, $4, $5, CASE WHEN newest >= $6 THEN newest + 1 ELSE $6 END, $7, $8, $9, $10
  FROM (SELECT COALESCE(MAX(created_at), 0) AS newest FROM channels WHERE project_id = $2) AS siblings`

/** Channels are ordered by `createdAt`: if it is not later than that of the project's newest channel, it is moved past that. */
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
 * Moves `createdAt` past that of the project's newest channel if needed, because it orders the channels. The caller has locked the
 * project.
 */
export async function insertChannel(sql: Sql, channel: Channel): Promise<void> {
  await sql.run(INSERT, [
    channel.id,
    channel.projectId,
    channel.name,
    channel.kind,
    JSON.stringify(channel.settings),
    toMicroseconds(channel.createdAt),
    channel.disabledReason,
    channel.lastError,
    channel.host,
    Number(channel.awaitsConfirmation),
  ])
}

const UPDATE = `
  UPDATE channels
  SET name = $2, settings = $3, disabled_reason = $4, last_error = $5, host = $6, awaits_confirmation = $7
  WHERE id = $1`

/**
 * Replaces the stored channel by what `change` returns, except its id, project, kind and `createdAt`.
 * @param change called inside the transaction; may throw a Refusal, and then nothing is written
 * @returns the channel as it is stored now; null if it does not exist
 * @param trail null: the server has found something out about the channel, and nobody has changed it
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
  const { name, settings, disabledReason, lastError, host, awaitsConfirmation } = channel
  const values = [id, name, JSON.stringify(settings), disabledReason, lastError, host, Number(awaitsConfirmation)]
  await sql.run(UPDATE, values)
  await writeWanted(sql, stored, mailings)
  await trail?.note(auditedChannel(stored), auditedChannel(channel, stored))
  return findChannel(sql, id)
}

/** Also deletes its assignments, deliveries and mailings. @returns false if it does not exist */
export async function deleteChannel(sql: Sql, trail: AuditTrail, id: string): Promise<boolean> {
  await sql.lock('channel', [id])
  const channel = await findChannel(sql, id)
  if (!channel) return false
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

/** Deletes the oldest deliveries to a channel that have ended, before the channel is deleted. @returns how many */
export function deleteEndedDeliveries(sql: Sql, channelId: string, limit: number): Promise<number> {
  return sql.run(DELETE_ENDED, [channelId, limit])
}

/** In order of creation. */
export async function listChannels(sql: Sql, projectId: string): Promise<Channel[]> {
  const rows = await sql.all<ChannelRow>('SELECT * FROM channels WHERE project_id = $1 ORDER BY created_at', [
    projectId,
  ])
  return rows.map(toChannel)
}

const FIND = 'SELECT * FROM channels WHERE id = $1'

export async function findChannel(sql: Sql, id: string): Promise<Channel | null> {
  const row = await sql.get<ChannelRow>(FIND, [id])
  return row && toChannel(row)
}

/** In the order of the ids; null where there is none. Give few ids at a time. */
export async function findChannels(sql: Sql, ids: readonly string[]): Promise<(Channel | null)[]> {
  const rows = await sql.getEach<ChannelRow>(
    FIND,
    ids.map((id) => [id]),
  )
  return rows.map((row) => row && toChannel(row))
}

const USABLE_OF_CHECK = `
  SELECT channels.* FROM check_channels JOIN channels ON channels.id = check_channels.channel_id
  WHERE check_channels.check_id = $1 AND channels.disabled_reason IS NULL
  ORDER BY channels.created_at`

/** The enabled channels of a check, with groups replaced by their members. */
export async function listUsableChannels(sql: Sql, checkId: string): Promise<Channel[]> {
  const assigned = (await sql.all<ChannelRow>(USABLE_OF_CHECK, [checkId])).map(toChannel)
  const group = assigned.find(({ kind }) => kind === 'group')
  if (!group) return assigned
  const usable = (await listChannels(sql, group.projectId)).filter(({ disabledReason }) => disabledReason === null)
  return expandGroups(assigned, usable)
}

const ASSIGNED = 'SELECT channel_id FROM check_channels WHERE check_id = $1 ORDER BY channel_id'

/** In ascending order. */
export async function listChannelIds(sql: Sql, checkId: string): Promise<string[]> {
  const rows = await sql.all<{ channel_id: string }>(ASSIGNED, [checkId])
  return rows.map((row) => row.channel_id)
}

/** Writes only what differs: a check may have thousands. @param before what is assigned; the caller has locked the check */
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

const DISABLE = 'UPDATE channels SET disabled_reason = $2 WHERE id = $1 AND disabled_reason IS NULL'

/**
 * Records the result of the last message to a channel, which the caller has locked. A channel that was disabled in the
 * meantime keeps its reason.
 * @param error null if the receiver accepted the message
 */
export async function recordOutcome(
  sql: Sql,
  channelId: string,
  error: string | null,
  disablesChannel: boolean,
): Promise<void> {
  await sql.run('UPDATE channels SET last_error = $2 WHERE id = $1', [channelId, error])
  if (disablesChannel) await sql.run(DISABLE, [channelId, error])
}
