/**
 * Reads the data that is shown in lists of channels besides their settings: how many checks use each channel, and the results of its newest
 * deliveries.
 */

import { CANCELLED, type DeliveryState } from '../../domain/alert/delivery.ts'
import { LIST_ORDER } from '../../domain/alert/delivery-list.ts'
import {
  type ChannelActivity,
  type DeliveryLook,
  MOST_WAITING,
  NEWEST_DELIVERIES,
} from '../../domain/channel/channel-state.ts'
import { fromMicroseconds, type Instant } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'

export const COUNT_ASSIGNED = 'SELECT COUNT(*) AS count FROM check_channels WHERE channel_id = $1'

/** Selects the newest results. Cancelled deliveries are left out, because they say nothing about the channel. */
const newestOf = (state: DeliveryState) => `
  SELECT * FROM (
    SELECT state, created_at, CASE WHEN error IS NULL THEN 0 ELSE 1 END AS has_error
    FROM deliveries WHERE channel_id = $1 AND state = '${state}' AND (error IS NULL OR error NOT LIKE '${CANCELLED}%')
    ORDER BY created_at DESC LIMIT ${NEWEST_DELIVERIES}
  ) AS ${state}`

export const NEWEST = `
  ${LIST_ORDER.map(newestOf).join(' UNION ALL ')}
  ORDER BY created_at DESC LIMIT ${NEWEST_DELIVERIES}`

export const WAITING = `
  SELECT COUNT(*) AS count, MIN(CASE WHEN error IS NOT NULL THEN next_attempt_at END) AS next_try_at
  FROM (
    SELECT error, next_attempt_at FROM deliveries
    WHERE channel_id = $1 AND state = 'pending' ORDER BY created_at DESC LIMIT ${MOST_WAITING}
  ) AS newest`

export const COUNT_CHECKS = 'SELECT COUNT(*) AS count FROM checks WHERE project_id = $1'

interface NewestRow {
  state: DeliveryState
  created_at: number
  has_error: number
}

/**
 * Returns each channel's number of checks and the outcomes of its newest alerts, in the order of the ids. For a channel that does not
 * exist, all counts are 0. Pass only a few ids at a time.
 */
export async function listChannelActivities(sql: Sql, ids: readonly string[]): Promise<ChannelActivity[]> {
  const lists = ids.map((id) => [id])
  const assigned = await sql.getEach<{ count: number }>(COUNT_ASSIGNED, lists)
  const waiting = await sql.getEach<{ count: number; next_try_at: number | null }>(WAITING, lists)
  const newest = await Promise.all(ids.map((id) => sql.all<NewestRow>(NEWEST, [id])))
  return ids.map((channelId, index) => {
    const rows = newest[index] ?? []
    return {
      channelId,
      checks: assigned[index]?.count ?? 0,
      newest: rows.map(lookOf).reverse(),
      lastAt: instantOrNull(rows[0]?.created_at ?? null),
      waiting: waiting[index]?.count ?? 0,
      nextTryAt: instantOrNull(waiting[index]?.next_try_at ?? null),
    }
  })
}

function lookOf({ state, has_error }: NewestRow): DeliveryLook {
  if (state !== 'pending') return state
  return has_error === 1 ? 'retrying' : 'under way'
}

export async function countChecks(sql: Sql, projectId: string): Promise<number> {
  const row = await sql.get<{ count: number }>(COUNT_CHECKS, [projectId])
  return row?.count ?? 0
}

/** Selects the oldest failure. A cancelled delivery does not count as a failure of the channel. */
const oldestOf = (state: DeliveryState) => `
  SELECT * FROM (
    SELECT created_at FROM deliveries
    WHERE channel_id = $1 AND state = '${state}' AND error IS NOT NULL AND error NOT LIKE '${CANCELLED}%'
      AND created_at > COALESCE((SELECT MAX(created_at) FROM deliveries WHERE channel_id = $1 AND state = 'sent'), -1)
    ORDER BY created_at LIMIT 1
  ) AS ${state}`

export const FAILING_SINCE = `SELECT MIN(created_at) AS since FROM (${oldestOf('failed')} UNION ALL ${oldestOf('pending')}) AS failing`

/**
 * Finds each channel's oldest alert after its last sent one that has failed or is being retried, and returns these alerts' times by channel
 * id. Leaves out channels without such an alert. Cancelled alerts do not count.
 */
export async function listFailingSince(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
  const rows = await sql.getEach<{ since: number | null }>(
    FAILING_SINCE,
    ids.map((id) => [id]),
  )
  return new Map(
    ids.flatMap((id, index): [string, Instant][] => {
      const since = rows[index]?.since ?? null
      return since === null ? [] : [[id, fromMicroseconds(since)]]
    }),
  )
}
