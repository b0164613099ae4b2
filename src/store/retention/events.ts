/** Removes events and their deliveries: old events, and events of deleted or cleared checks. */
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import type { Hold } from './log-retention.ts'

// A flip is timestamped with the check's deadline, which may be long ago, so the flip is kept until its deliveries have ended. An
// incident's events are kept until the incident has been over for long enough. Foreign keys delete the incident together with the event
// that opened it.
export const FORGETTABLE = `
  SELECT check_id, n FROM events
  WHERE created_at < $1 AND NOT EXISTS (
    SELECT 1 FROM deliveries
    WHERE deliveries.check_id = events.check_id AND deliveries.event_n = events.n AND deliveries.state = 'pending'
  ) AND NOT EXISTS (
    SELECT 1 FROM incidents
    WHERE incidents.check_id = events.check_id AND (incidents.resolved_at IS NULL OR incidents.resolved_at >= $1)
      AND incidents.n = (SELECT MAX(begun.n) FROM incidents AS begun WHERE begun.check_id = events.check_id AND begun.n <= events.n)
  )
  ORDER BY created_at LIMIT $2`
const DELETE = 'DELETE FROM events WHERE check_id = $1 AND n = $2'

interface EventKey {
  readonly check_id: string
  readonly n: number
}

/** Finds events older than `before`, oldest first. */
export function findForgettable(sql: Sql, before: Instant, limit: number): Promise<EventKey[]> {
  return sql.all<EventKey>(FORGETTABLE, [toMicroseconds(before), limit])
}

/** Deletes events. Foreign keys delete their deliveries and incidents. @returns number of events that still existed */
export function deleteEvents(steps: Steps, events: readonly EventKey[]): Promise<number> {
  return steps.runEach(
    DELETE,
    events.map(({ check_id, n }) => [check_id, n]),
  )
}

const EVENTS_AT_ONCE = 500
const OF_CHECK = 'SELECT n FROM events WHERE check_id = $1 AND n <= $2 ORDER BY n LIMIT $3'

/** Deletes a check's events and their deliveries. @param newest number of the last event to delete @returns number of deleted events */
export async function deleteEventsUntil(steps: Steps, checkId: string, newest: number, hold: Hold): Promise<number> {
  let [deleted, found] = [0, 0]
  do {
    const events = await steps.read((sql) => sql.all<{ n: number }>(OF_CHECK, [checkId, newest, EVENTS_AT_ONCE]))
    found = events.length
    deleted += await steps.each(events, {
      atBegin: hold,
      atOnce: () => 1,
      work: async (sql, [event]) => (event ? sql.run(DELETE, [checkId, event.n]) : 0),
    })
  } while (found === EVENTS_AT_ONCE)
  return deleted
}
