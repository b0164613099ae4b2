/** Slots: the times at which a run of a check is expected. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import { nextAfter } from '../schedule/schedule.ts'
import type { Check } from './check.ts'

/** Expected times strictly after `after` and up to `until`. STAND-IN for core's. */
export function slotsBetween(
  timing: Pick<Check, 'kind' | 'timeoutSeconds' | 'schedule' | 'tz'>,
  after: Instant,
  until: Instant,
  limit: number,
): { slots: Instant[]; more: boolean } {
  const slots: Instant[] = []
  for (let at = after; ; ) {
    const next =
      timing.kind === 'simple' ? addSeconds(at, timing.timeoutSeconds) : nextAfter(timing.schedule, timing.tz, at)
    if (next === null || isBefore(until, next)) return { slots, more: false }
    if (slots.length === limit) return { slots, more: true }
    slots.push(next)
    at = next
  }
}
