/** Doubts: two kinds of advice that lists count separately, because the check's job can fail without anyone being alerted. */
import type { Advice } from './advice.ts'

/** `untold`: the check alerts no one. `unwatched`: a run was due, but the check has never been pinged. */
export const DOUBTS = ['untold', 'unwatched'] as const
export type Doubt = (typeof DOUBTS)[number]

/** Labels for doubts in lists. */
export const DOUBT_WORDS: Readonly<Record<Doubt, string>> = {
  untold: 'alerts no one',
  unwatched: 'never pinged',
}

/** @param advice the advice that the check's page shows; null: none */
export function doubtOf(advice: Pick<Advice, 'kind' | 'variant'> | null): Doubt | null {
  if (advice?.kind === 'untold' && advice.variant !== 'partly') return 'untold'
  return advice?.kind === 'unwatched' && advice.variant === 'never' ? 'unwatched' : null
}
