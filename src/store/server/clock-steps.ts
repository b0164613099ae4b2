/** Corrects stored times after the clock was set back. Times that are now in the future are wrong, and would delay alerts. */
import { LONGEST_PAUSE } from '../../domain/advice/next-look.ts'
import { SPARED_SECONDS_MAX } from '../../domain/check/status.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { NO_END } from '../tables/incidents.ts'

/** Returns SQL that limits a column's value to a maximum. NULL stays NULL. */
const atMost = (limit: string, column: string) => `CASE WHEN ${column} > ${limit} THEN ${limit} ELSE ${column} END`

const SPARED_SECONDS = `CASE WHEN grace_seconds > ${SPARED_SECONDS_MAX} THEN ${SPARED_SECONDS_MAX} ELSE grace_seconds END`
const SPARED_UNTIL = `$1 + (${SPARED_SECONDS}) * 1000000`
const AHEAD = `last_ping_at > $1 OR last_success_at > $1 OR last_start_at > $1 OR spared_until > ${SPARED_UNTIL}`

const AHEAD_OF_CLOCK = `
  SELECT checks.id FROM checks JOIN counters ON counters.counter_id = checks.counter_id WHERE ${AHEAD}`

// `alert_after` may be earlier than the deadline. In that case, the loop examines the check early and sets the correct time.
const DEADLINES = `
  UPDATE checks SET alert_after = ${atMost('$1', 'alert_after')}
  FROM counters WHERE counters.counter_id = checks.counter_id AND (${AHEAD})`

const COUNTERS = `
  UPDATE counters SET
    last_ping_at = ${atMost('$1', 'last_ping_at')}, last_success_at = ${atMost('$1', 'last_success_at')},
    last_start_at = ${atMost('$1', 'last_start_at')},
    last_start_occurred_at = ${atMost('$1', 'last_start_occurred_at')}, spared_until = ${atMost(SPARED_UNTIL, 'spared_until')}
  FROM checks WHERE checks.counter_id = counters.counter_id AND (${AHEAD})`

// Held deliveries can be made due immediately, because claimDeliveries checks whether the channel's quiet hours have ended.
const DELIVERIES = `
  UPDATE deliveries SET next_attempt_at = $1, held_until = ${atMost('$1', 'held_until')}
  WHERE state = 'pending' AND next_attempt_at > $1`

const FIRST_REMINDER = '$1 + period_seconds * 1000000'
const REMINDERS = `
  UPDATE mailings SET due_at = ${FIRST_REMINDER}, attempts = 0, next_attempt_at = ${FIRST_REMINDER}
  WHERE kind = 'reminder' AND due_at > ${FIRST_REMINDER}`

// A mailing that is not due yet will be sent on its date, so its number of attempts is reset. A mailing that is already due is retried
// immediately.
const TRIED_MAILINGS = `
  UPDATE mailings SET
    attempts = CASE WHEN due_at > $1 THEN 0 ELSE attempts END,
    next_attempt_at = CASE WHEN due_at > $1 THEN due_at ELSE $1 END
  WHERE attempts > 0 AND next_attempt_at > $1`

// A silence that was created while the clock was wrong keeps its length and the time between its creation and its start.
const SILENCES = `
  UPDATE silences SET starts_at = starts_at - (created_at - $1), created_at = $1,
    ends_at = CASE WHEN ends_at = ${NO_END} THEN ends_at ELSE ends_at - (created_at - $1) END
  WHERE created_at > $1`

// Open incidents become due, and examining them sets the time of the next look. An acknowledgement keeps its length.
const INCIDENTS = `
  UPDATE incidents SET
    opened_at = ${atMost('$1', 'opened_at')}, told_at = ${atMost('$1', 'told_at')}, acked_at = ${atMost('$1', 'acked_at')},
    acked_until = CASE WHEN acked_at > $1 THEN acked_until - (acked_at - $1) ELSE acked_until END,
    next_look_at = ${atMost('$1', 'next_look_at')}, revision = revision + 1
  WHERE resolved_at IS NULL AND (opened_at > $1 OR told_at > $1 OR acked_at > $1 OR next_look_at > $1)`

const LATEST_LOOK = `$1 + ${LONGEST_PAUSE * 1000}`
const LOOKS = `UPDATE advice SET look_after = ${LATEST_LOOK} WHERE look_after > ${LATEST_LOOK}`

/**
 * Corrects times after the clock was set back. Timestamps of checks and deliveries that are after `now` are set to `now`. `sparedUntil` is
 * limited to what an outage that ends at `now` would grant. A reminder becomes due at most one period after `now`. A mailing that is
 * waiting for a retry is retried immediately, or sent when it is due. The advice loop examines each check within the longest pause between
 * two looks. Open incidents whose next look is after `now` become due now. Silences and acknowledgements that were created after `now` are
 * moved to `now`. Reads all checks and incidents.
 * @returns number of changed checks
 */
export async function pullBack(sql: Sql, now: Instant): Promise<number> {
  const values = [toMicroseconds(now)]
  const ahead = await sql.all<{ id: string }>(AHEAD_OF_CLOCK, values)
  await sql.lock(
    'check',
    ahead.map(({ id }) => id),
  )
  const checks = await sql.run(DEADLINES, values)
  for (const statement of [COUNTERS, SILENCES, INCIDENTS, DELIVERIES, REMINDERS, TRIED_MAILINGS, LOOKS])
    await sql.run(statement, values)
  return checks
}
