/** Muted stretches in words: times, author and reason. */
import { oneLine, within } from '../../lib/text/text.ts'
import { fromMilliseconds } from '../../lib/time.ts'
import type { MutedStretch } from '../silence/muted-stretch.ts'
import { quoteAtEnd, type Sentence } from '../words/sentence-parts.ts'
import { byWords } from './words.ts'

/** UTF-16 units of a reason that are shown. The page Mute and the audit log show the rest. */
const REASON_SHOWN = 200

/** Returns `from 22:00 to 02:00 by Ann: ‘The new disk comes.’` */
export function mutedStretchWords({ from, until, silence }: MutedStretch): Sentence {
  const { createdBy, reason } = silence
  const by = createdBy === null ? 'its ping URL' : byWords(createdBy)
  const why: Sentence = reason === '' ? ['.'] : [': ', ...quoteAtEnd(within(oneLine(reason), REASON_SHOWN))]
  return ['from ', { clock: fromMilliseconds(from) }, ' to ', { clock: fromMilliseconds(until) }, ' by ', by, ...why]
}
