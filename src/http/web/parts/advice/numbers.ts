/** Counts of checks whose failures nobody would notice. */
import type { Doubt } from '../../../../domain/advice/doubt.ts'

/** Returns numbers and words for {@link numbered}, such as `2 alert no one` and `1 was due and never pinged`. */
export function adviceNumbers({
  untold,
  unwatched,
}: Readonly<Record<Doubt, number>>): readonly (readonly [number: number, words: string])[] {
  return [
    [untold, untold === 1 ? 'alerts no one' : 'alert no one'],
    [unwatched, unwatched === 1 ? 'was due and never pinged' : 'were due and never pinged'],
  ]
}
