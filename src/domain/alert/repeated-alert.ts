/** Repeated alerts: from the third equal one on, an alert includes the advice about the check. */
import type { Advice, AdviceKind } from '../advice/advice.ts'
import { type AdviceState, spokenAdvice } from '../advice/stored-advice.ts'
import type { Flip } from '../check/flip.ts'

/** Number of consecutive alerts that are compared. */
export const EQUAL_ALERTS = 3

/** Kinds of advice that explain why alerts recur. */
const TELLING: ReadonlySet<AdviceKind> = new Set([
  ...(['unwatched', 'ignored', 'senders', 'overlap', 'text', 'zone', 'time'] as const),
  ...(['rare', 'grace', 'flapping', 'slow'] as const),
])

/**
 * Returns the advice that an alert about the newest of these flips includes.
 * @param downs the newest flips to down, newest first @param state null: nothing is stored about the check
 * @param now milliseconds since 1970 @returns null if the alert is not the third of its kind, or no advice explains it
 */
export function adviceOfAlert(downs: readonly Flip[], state: AdviceState | null, now: number): Advice | null {
  const [newest] = downs
  const equal = downs.filter(({ reason }) => reason === newest?.reason)
  if (state === null || equal.length < EQUAL_ALERTS) return null
  // Settings that were changed since may have fixed the cause.
  if (equal.some(({ createdAt }) => createdAt.epochMilliseconds < state.changedAt)) return null
  return spokenAdvice(state, now).find(({ kind }) => TELLING.has(kind)) ?? null
}
