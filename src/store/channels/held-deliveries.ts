/** Wakes deliveries that wait for the end of quiet hours, after the quiet hours of their channel have changed. */
import type { Channel } from '../../domain/channel/channel.ts'
import { quietUntil } from '../../domain/channel/quiet-hours.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'

/** Most deliveries that a statement holds, or wakes of one side of the end, so that it keeps no ping waiting. */
export const HELD_AT_ONCE = 500

// A held delivery has no attempt under way, so its next attempt is at the end for which it waits.
/** Selects the deliveries of channel $1 that are held until a time in this range. */
const heldIn = (range: string) => `
    SELECT * FROM (
      SELECT id FROM deliveries WHERE channel_id = $1 AND ${range} AND held_until = next_attempt_at
      ORDER BY next_attempt_at LIMIT ${HELD_AT_ONCE}
    ) AS held`

/** Makes the deliveries of channel $1 due at $2 that wait for another end than $3, which is not earlier. */
export const WAKE = `
  UPDATE deliveries SET next_attempt_at = $2, held_until = $2 WHERE id IN (
    ${heldIn('next_attempt_at > $2 AND next_attempt_at < $3')} UNION ALL ${heldIn('next_attempt_at > $3')}
  ) AND next_attempt_at > $2 AND held_until = next_attempt_at`

/** Returns the end of the quiet hours that a channel is in; null: it is in none. */
export function quietHoursEnd({ quietHours }: Channel, now: Instant): Instant | null {
  return quietUntil(quietHours, { severity: 'warning' }, now)
}

/**
 * Makes deliveries due that wait for an end that the quiet hours of their channel no longer have. A change of the quiet hours calls it, and
 * the claim of a woken delivery calls it for the next ones.
 */
export async function wakeOthers(sql: Sql, channel: Channel, now: Instant): Promise<void> {
  const until = quietHoursEnd(channel, now) ?? now
  await sql.run(WAKE, [channel.id, toMicroseconds(now), toMicroseconds(until)])
}
