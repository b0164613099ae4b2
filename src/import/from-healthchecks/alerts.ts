/** Converts Healthchecks' notifications to alerts, and finds the flip that caused each alert. */

import { keptError } from '../../domain/alert/delivery.ts'
import { type Flip, sendsAlerts } from '../../domain/check/flip.ts'
import type { ImportedAlert } from '../../domain/import/import-source.ts'
import { type Instant, isAtOrAfter } from '../../lib/time.ts'
import type { SourceRow } from './tables.ts'
import { instantOf, textOf, uuidOf } from './values.ts'

/** Error of a notification whose process ended while sending it, or whose transport failed unexpectedly. */
const SENDING = 'Sending'
const UNFINISHED = 'Healthchecks did not finish sending it'

/**
 * Converts notifications. A notification does not name its flip, so the newest earlier flip to the same status is used. If a channel got
 * several notifications about one flip, the last notification is used.
 * @param flips flips of the check, in order @param channels channel ids, by the value of `api_channel.id` @returns alerts whose flip and
 * channel exist
 */
export function mapAlerts(
  rows: readonly SourceRow[],
  checkId: string,
  flips: readonly Flip[],
  channels: ReadonlyMap<string, string>,
): ImportedAlert[] {
  const told = Map.groupBy(flips.filter(sendsAlerts), ({ newStatus }) => String(newStatus))
  const alerts = new Map<string, ImportedAlert>()
  for (const row of rows) {
    const [id, createdAt, channelId] = [uuidOf(row.code), instantOf(row.created), channels.get(textOf(row.channel_id))]
    if (id === null || createdAt === null || channelId === undefined) continue
    const eventN = newestUntil(told.get(row.check_status ?? '') ?? [], createdAt)?.n
    if (eventN === undefined) continue
    alerts.set(`${eventN} ${channelId}`, {
      id,
      checkId,
      eventN,
      channelId,
      createdAt,
      error: errorOf(textOf(row.error)),
    })
  }
  return [...alerts.values()]
}

/** @param flips in chronological order */
function newestUntil(flips: readonly Flip[], at: Instant): Flip | undefined {
  let [from, to] = [0, flips.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const flip = flips[middle]
    if (flip !== undefined && isAtOrAfter(at, flip.createdAt)) from = middle + 1
    else to = middle
  }
  return flips[from - 1]
}

function errorOf(error: string): string | null {
  if (error === '') return null
  return keptError(error === SENDING ? UNFINISHED : error)
}
