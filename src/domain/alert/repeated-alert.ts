/** Alerts that come again and again: from the third equal one on, they say what advice says about the check. */
import type { Advice, AdviceKind } from '../advice/advice.ts'
import { type AdviceState, spokenAdvice } from '../advice/stored-advice.ts'
import type { Flip } from '../check/flip.ts'

/** So many alerts in a row are looked at. */
export const EQUAL_ALERTS = 3

/** Other kinds do not tell why alerts come. */
const TELLING: ReadonlySet<AdviceKind> = new Set([
  ...(['unwatched', 'ignored', 'senders', 'overlap', 'text', 'zone', 'time'] as const),
  ...(['rare', 'grace', 'flapping', 'slow'] as const),
])

/**
 * The advice that an alert about the newest of these flips carries.
 * @param downs the newest flips to down, newest first @param state null: nothing is stored of the check
 * @param now milliseconds since 1970 @returns null if the alert is not the third of its kind, or nothing tells why it comes
 */
export function adviceOfAlert(downs: readonly Flip[], state: AdviceState | null, now: number): Advice | null {
  const [newest] = downs
  const equal = downs.filter(({ reason }) => reason === newest?.reason)
  if (state === null || equal.length < EQUAL_ALERTS) return null
  // Settings that were changed since may have mended it.
  if (equal.some(({ createdAt }) => createdAt.epochMilliseconds < state.changedAt)) return null
  return spokenAdvice(state, now).find(({ kind }) => TELLING.has(kind)) ?? null
}
