/** After the clock was put back: times that lie ahead cannot be true, and would hold up alerts until they come. */
import { type Instant, toMicroseconds } from '../domain/time.ts'
import type { Sql } from './database.ts'

const SPARED_UNTIL = '$1 + grace_seconds * 1000000'
const AHEAD = `last_ping_at > $1 OR last_success_at > $1 OR last_start_at > $1 OR spared_until > ${SPARED_UNTIL}`

// `alert_after` may be earlier than the deadline: the loop looks at once, and moves it on to where it belongs.
const VERDICTS = `
  UPDATE checks SET alert_after = MIN(alert_after, $1)
  FROM counters WHERE counters.counter_id = checks.counter_id AND (${AHEAD})`

const COUNTERS = `
  UPDATE counters SET
    last_ping_at = MIN(last_ping_at, $1), last_success_at = MIN(last_success_at, $1),
    last_start_at = MIN(last_start_at, $1), spared_until = MIN(spared_until, ${SPARED_UNTIL})
  FROM checks WHERE checks.counter_id = counters.counter_id AND (${AHEAD})`

const DELIVERIES = `UPDATE deliveries SET next_attempt_at = $1 WHERE state = 'pending' AND next_attempt_at > $1`

export async function pullBack(sql: Sql, now: Instant): Promise<number> {
  const checks = await sql.run(VERDICTS, [toMicroseconds(now)])
  await sql.run(COUNTERS, [toMicroseconds(now)])
  await sql.run(DELIVERIES, [toMicroseconds(now)])
  return checks
}
