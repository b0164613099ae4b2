/** The state of a check as pages show it. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from './check.ts'
import { expectedIfReadable, isStarted, statusAt } from './status.ts'

/** `late` is what the API calls `grace`, and `started` is a run without an end. */
export const SHOWN_STATES = ['new', 'up', 'started', 'late', 'down', 'paused'] as const
export type ShownState = (typeof SHOWN_STATES)[number]

/** A run that goes on stands in place of up, new and paused; late and down stay. */
export function shownState(check: Check, now: Instant, expected = expectedIfReadable(check)): ShownState {
  const status = statusAt(check, now, expected)
  if (status === 'grace') return 'late'
  return isStarted(check) && status !== 'down' ? 'started' : status
}
