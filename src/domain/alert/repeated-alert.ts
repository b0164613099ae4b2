/** Repeated alerts: starting with the third similar alert in a row, alerts include advice about the check. */
import type { Advice, AdviceKind } from '../advice/advice.ts'
import { type AdviceState, spokenAdvice } from '../advice/stored-advice.ts'
import type { Flip } from '../check/flip.ts'

/** Minimum number of consecutive similar alerts. */
export const EQUAL_ALERTS = 3

/** Kinds of advice that explain why alerts repeat. */
const TELLING: ReadonlySet<AdviceKind> = new Set([
  ...(['unwatched', 'ignored', 'senders', 'overlap', 'text', 'zone', 'time'] as const),
  ...(['rare', 'grace', 'flapping', 'slow'] as const),
])

/**
 * Returns the advice to include in the alert about the newest flip.
 * @param downs the newest flips to the status `down`, newest first
 * @param state null: no advice is stored for the check
 * @param now milliseconds since 1970
 * @returns null if the last three alerts are not similar, or no advice explains them
 */
export function adviceOfAlert(downs: readonly Flip[], state: AdviceState | null, now: number): Advice | null {
  const [newest] = downs
  const equal = downs.filter(({ reason }) => reason === newest?.reason)
  if (state === null || equal.length < EQUAL_ALERTS) return null
  // A change of the settings since then may have fixed the cause.
  if (equal.some(({ createdAt }) => createdAt.epochMilliseconds < state.changedAt)) return null
  return spokenAdvice(state, now).find(({ kind }) => TELLING.has(kind)) ?? null
}
