/** Finds the silence that holds a check, and so its end. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { holding, type Silence, type SilencedCheck } from './silence.ts'

export interface Silenced {
  readonly silence: Silence
  /** when it lets go, unless somebody ends it earlier */
  readonly until: Instant
}

/** Returns the silence that lets go last of those that hold a check that is down, or would hold it; null if none does. */
export function silencedBy(silences: readonly Silence[], check: SilencedCheck, now: Instant): Silenced | null {
  let last: Silenced | null = null
  for (const silence of silences) {
    const occurrence = holding(silence, check, 'down', now)
    if (occurrence === null) continue
    if (last === null || isBefore(last.until, occurrence.endsAt)) last = { silence, until: occurrence.endsAt }
  }
  return last
}
