/** Channels and their assignment to checks. */
import { type Channel, expandGroups } from '../domain/channel.ts'
import type { WantedMailings } from '../domain/mailing.ts'
import { toMicroseconds } from '../domain/time.ts'
import type { Sql } from './database.ts'
import { writeWanted } from './mailing-dates.ts'
import { type ChannelRow, toChannel } from './rows.ts'
import type { ChannelChange } from './store.ts'

const INSERT = `
  INSERT INTO channels (
    id, project_id, name, kind, settings, created_at, disabled_reason, last_error, host, awaits_confirmation
  )
  SELECT $1, $2, $3, $4, $5, CASE WHEN newest >= $6 THEN newest + 1 ELSE $6 END, $7, $8, $9, $10
  FROM (SELECT COALESCE(MAX(created_at), 0) AS newest FROM channels WHERE project_id = $2) AS siblings`

/** The time of creation is moved on where needed, since it orders the channels of a project. */
export async function createChannel(sql: Sql, channel: Channel, mailings: WantedMailings = {}): Promise<void> {
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
  await writeWanted(sql, channel, mailings)
}

const UPDATE = `
  UPDATE channels
  SET name = $2, settings = $3, disabled_reason = $4, last_error = $5, host = $6, awaits_confirmation = $7
  WHERE id = $1`

export async function changeChannel(
  sql: Sql,
  id: string,
  change: (channel: Channel) => ChannelChange,
): Promise<Channel | null> {
  const stored = await findChannel(sql, id)
  if (!stored) return null
  const { channel, mailings = {} } = change(stored)
  const { name, settings, disabledReason, lastError, host, awaitsConfirmation } = channel
  const values = [id, name, JSON.stringify(settings), disabledReason, lastError, host, Number(awaitsConfirmation)]
  await sql.run(UPDATE, values)
  await writeWanted(sql, stored, mailings)
  return findChannel(sql, id)
}

/** With its assignments and deliveries. @returns false when there is no such channel (any more) */
export async function deleteChannel(sql: Sql, id: string): Promise<boolean> {
  return (await sql.run('DELETE FROM channels WHERE id = $1', [id])) === 1
}

export async function listChannels(sql: Sql, projectId: string): Promise<Channel[]> {
  const rows = await sql.all<ChannelRow>('SELECT * FROM channels WHERE project_id = $1 ORDER BY created_at', [
    projectId,
  ])
  return rows.map(toChannel)
}

export async function findChannel(sql: Sql, id: string): Promise<Channel | null> {
  const row = await sql.get<ChannelRow>('SELECT * FROM channels WHERE id = $1', [id])
  return row && toChannel(row)
}

const USABLE_OF_CHECK = `
  SELECT channels.* FROM check_channels JOIN channels ON channels.id = check_channels.channel_id
  WHERE check_channels.check_id = $1 AND channels.disabled_reason IS NULL
  ORDER BY channels.created_at`

/** The channels that a check's flips go to. */
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

export async function assignChannels(sql: Sql, checkId: string, channelIds: readonly string[]): Promise<void> {
  await sql.run('DELETE FROM check_channels WHERE check_id = $1', [checkId])
  await sql.runEach(
    'INSERT INTO check_channels (check_id, channel_id) VALUES ($1, $2)',
    channelIds.map((id) => [checkId, id]),
  )
}

export async function assignAllChannels(sql: Sql, checkId: string, projectId: string): Promise<void> {
  await sql.run('INSERT INTO check_channels (check_id, channel_id) SELECT $1, id FROM channels WHERE project_id = $2', [
    checkId,
    projectId,
  ])
}

const DISABLE = 'UPDATE channels SET disabled_reason = $2 WHERE id = $1 AND disabled_reason IS NULL'

/**
 * What the last message to a channel came to. A channel that was disabled while it was on its way keeps its reason.
 * @param error null for one that was taken
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
