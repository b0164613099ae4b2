/** Numbers of checks whose failures nobody would notice. */
import type { Doubt } from '../../../../domain/advice/doubt.ts'

/** Numbers and words for {@link numbered}: `2 alert nobody`, `1 was due and never pinged`. */
export function adviceNumbers({
  untold,
  unwatched,
}: Readonly<Record<Doubt, number>>): readonly (readonly [number: number, words: string])[] {
  return [
    [untold, untold === 1 ? 'alerts nobody' : 'alert nobody'],
    [unwatched, unwatched === 1 ? 'was due and never pinged' : 'were due and never pinged'],
  ]
}
