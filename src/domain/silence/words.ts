/** Silences in words. Pages say "muted"; the API says silence. */
import { quoteAtEnd, type Sentence } from '../words/sentence-parts.ts'
import type { Silence } from './silence.ts'

/** `Muted until tomorrow 08:00.`, `Muted until healthy, 24 Nov 08:00 at the latest: ‘The new disk comes on Monday.’` */
export function mutedSentence({
  endsAt,
  untilHealthy,
  reason,
}: Pick<Silence, 'endsAt' | 'untilHealthy' | 'reason'>): Sentence {
  const until: Sentence = untilHealthy ? ['healthy, ', { clock: endsAt }, ' at the latest'] : [{ clock: endsAt }]
  return ['Muted until ', ...until, ...(reason === '' ? ['.'] : [': ', ...quoteAtEnd(reason)])]
}

/** `silence ‘upgrade’`, `a silence`: after "by". @param silence null: it is deleted */
export function silenceName(silence: Pick<Silence, 'reason'> | null): Sentence {
  return silence === null || silence.reason === '' ? ['a silence'] : ['silence ', { quote: silence.reason }]
}
