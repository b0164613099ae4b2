/** Converts silences to the form used by the API. */
import { type Instant, isoSeconds } from '../../lib/time.ts'
import type { Right } from '../actor.ts'
import { representBy } from '../author.ts'
import { uniqueKey } from '../check/unique-key.ts'
import { isActive, nextOccurrence, type Silence } from './silence.ts'

/**
 * Returns a silence for a client. If the client has read-only access, checks are identified by their unique keys instead of UUIDs, because
 * a check's UUID can be used to ping it.
 */
export function representSilence(silence: Silence, right: Right, now: Instant) {
  const { id, match, startsAt, endsAt, untilHealthy, window, upTo, reason, createdAt, createdBy } = silence
  const next = nextOccurrence(silence, now)
  return {
    id,
    match: { checks: right === 'read' ? match.checks.map(uniqueKey) : match.checks, tags: match.tags },
    starts_at: isoSeconds(startsAt),
    ends_at: endsAt && isoSeconds(endsAt),
    until_healthy: untilHealthy,
    schedule: window?.schedule ?? null,
    tz: window?.tz ?? null,
    duration: window?.seconds ?? null,
    next: next && { starts_at: isoSeconds(next.startsAt), ends_at: isoSeconds(next.endsAt) },
    up_to: upTo,
    reason,
    active: isActive(silence, now),
    created_at: isoSeconds(createdAt),
    created_by: createdBy === null ? { kind: 'ping', name: null } : representBy(createdBy),
  }
}
