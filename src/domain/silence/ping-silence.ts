/** The silence that a job requests in its ping URL, such as `/silence?for=20m` or `/silence?until=healthy`. */
import { addSeconds, type Instant } from '../../lib/time.ts'
import type { Silence, SilencedCheck } from './silence.ts'
import { SILENCE_SECONDS_MAX, UNTIL_HEALTHY_SECONDS_MAX } from './times.ts'

export interface PingSilence {
  readonly seconds: number
  /** true if the check's next success ends the silence early */
  readonly untilHealthy: boolean
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const SECONDS_MIN = 60
const DURATION = /^(\d{1,7})([smhd])$/

/**
 * Parses the query, which must have exactly one of the two parameters.
 * @param query the URL's parameters; null if missing
 * @returns null for an invalid query, to which the server responds with 400 `invalid url format`
 */
export function readPingSilence(query: {
  readonly for: string | null
  readonly until: string | null
}): PingSilence | null {
  if (query.for === null) {
    return query.until === 'healthy' ? { seconds: UNTIL_HEALTHY_SECONDS_MAX, untilHealthy: true } : null
  }
  if (query.until !== null) return null
  const [, digits, unit = ''] = DURATION.exec(query.for) ?? []
  const seconds = Number(digits) * (UNITS[unit] ?? 0)
  return seconds >= SECONDS_MIN && seconds <= SILENCE_SECONDS_MAX ? { seconds, untilHealthy: false } : null
}

/**
 * Returns the requested silence, which begins immediately and applies only to this check. It replaces any earlier silence that the check
 * requested through a ping URL.
 */
export function silenceOfPing(
  id: string,
  check: Pick<SilencedCheck, 'id' | 'projectId'>,
  { seconds, untilHealthy }: PingSilence,
  now: Instant,
): Silence {
  return {
    id,
    projectId: check.projectId,
    match: { checks: [check.id], tags: [] },
    startsAt: now,
    endsAt: addSeconds(now, seconds),
    untilHealthy,
    window: null,
    upTo: 'down',
    reason: '',
    createdAt: now,
    createdBy: null,
  }
}
