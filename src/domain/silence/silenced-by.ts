/** Finds the silence that holds a check, and so its end. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { holds, type Silence, type SilencedCheck } from './silence.ts'

/** Returns the silence that ends last among those that hold a check that is down, or would hold it; null: it is not silenced. */
export function silencedBy(silences: readonly Silence[], check: SilencedCheck, now: Instant): Silence | null {
  return silences
    .filter((silence) => holds(silence, check, 'down', now))
    .reduce<Silence | null>((last, one) => (last !== null && !isBefore(last.endsAt, one.endsAt) ? last : one), null)
}
