/** Wakes held deliveries when their channel's quiet hours have changed. */
import type { Channel } from '../../domain/channel/channel.ts'
import { quietUntil } from '../../domain/channel/quiet-hours.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'

/**
 * Maximum number of deliveries that one statement holds or wakes, so that it does not delay pings. A statement that wakes deliveries
 * applies the limit separately to those held until before the new end of the quiet hours and to those held until after it.
 */
export const HELD_AT_ONCE = 500

// A held delivery has no attempt in progress, so the time of its next attempt is the end of the quiet hours.
/** Selects the deliveries of channel $1 that are held until a time in this range. */
const heldIn = (range: string) => `
    SELECT * FROM (
      SELECT id FROM deliveries WHERE channel_id = $1 AND ${range} AND held_until = next_attempt_at
      ORDER BY next_attempt_at LIMIT ${HELD_AT_ONCE}
    ) AS held`

/** Makes held deliveries of channel $1 due at $2, unless they are held until $3, which is not earlier than $2. */
export const WAKE = `
  UPDATE deliveries SET next_attempt_at = $2, held_until = $2 WHERE id IN (
    ${heldIn('next_attempt_at > $2 AND next_attempt_at < $3')} UNION ALL ${heldIn('next_attempt_at > $3')}
  ) AND next_attempt_at > $2 AND held_until = next_attempt_at`

/** Returns when a channel's current quiet hours end; null outside of quiet hours. */
export function quietHoursEnd({ quietHours }: Channel, now: Instant): Instant | null {
  return quietUntil(quietHours, { severity: 'warning' }, now)
}

/**
 * Makes a channel's held deliveries due if its quiet hours no longer end at the time that they are held until. Called when the quiet hours
 * change, and again when such a delivery is claimed.
 */
export async function wakeOthers(sql: Sql, channel: Channel, now: Instant): Promise<void> {
  const until = quietHoursEnd(channel, now) ?? now
  await sql.run(WAKE, [channel.id, toMicroseconds(now), toMicroseconds(until)])
}
