/** Kinds of advice that lists count separately: the job of such a check may fail without anybody being alerted. */
import type { Advice } from './advice.ts'

/** `untold`: it alerts no one. `unwatched`: it was due and never pinged. */
export const DOUBTS = ['untold', 'unwatched'] as const
export type Doubt = (typeof DOUBTS)[number]

/** Words for a doubt in a list. */
export const DOUBT_WORDS: Readonly<Record<Doubt, string>> = {
  untold: 'alerts no one',
  unwatched: 'never pinged',
}

/** @param advice the advice that the check shows; null: none */
export function doubtOf(advice: Pick<Advice, 'kind' | 'variant'> | null): Doubt | null {
  if (advice?.kind === 'untold' && advice.variant !== 'partly') return 'untold'
  return advice?.kind === 'unwatched' && advice.variant === 'never' ? 'unwatched' : null
}
