/** The silence that a job requests with its ping URL: `/silence?for=20m`, `/silence?until=healthy`. */
import { addSeconds, type Instant } from '../../lib/time.ts'
import type { Silence, SilencedCheck } from './silence.ts'
import { SILENCE_SECONDS_MAX, UNTIL_HEALTHY_SECONDS_MAX } from './times.ts'

export interface PingSilence {
  readonly seconds: number
  /** true: the next success ends it, if that is earlier */
  readonly untilHealthy: boolean
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const SECONDS_MIN = 60
const DURATION = /^(\d{1,7})([smhd])$/

/**
 * Reads the query, which must have exactly one of the two parameters.
 * @param query the parameters of the URL; null for a missing one
 * @returns null for an invalid query: the answer is 400 `invalid url format`
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

/** Returns the silence of this check alone, from now on. It replaces the previous silence that the check's ping URL requested. */
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
