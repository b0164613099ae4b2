/** Finds the silence that holds back a check's alerts, and the time at which it will stop doing so. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { holding, type Silence, type SilencedCheck } from './silence.ts'

export interface Silenced {
  readonly silence: Silence
  /** time at which the silence will stop holding back alerts, unless a user ends it earlier */
  readonly until: Instant
}

/**
 * Returns the silence that ends last among those that hold back the check's alerts, or would hold them back if the check were down; null if
 * there is none.
 */
export function silencedBy(silences: readonly Silence[], check: SilencedCheck, now: Instant): Silenced | null {
  let last: Silenced | null = null
  for (const silence of silences) {
    const occurrence = holding(silence, check, 'down', now)
    if (occurrence === null) continue
    if (last === null || isBefore(last.until, occurrence.endsAt)) last = { silence, until: occurrence.endsAt }
  }
  return last
}
