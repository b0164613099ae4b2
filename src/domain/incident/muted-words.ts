/** Describes an interval during which a check was muted: when, by whom and why. */
import { oneLine, within } from '../../lib/text/text.ts'
import { fromMilliseconds } from '../../lib/time.ts'
import type { MutedStretch } from '../silence/muted-stretch.ts'
import { quoteAtEnd, type Sentence } from '../words/sentence-parts.ts'
import { byWords } from './words.ts'

/** Maximum length of a reason, in UTF-16 code units. The Mute page and the audit log show the complete reason. */
const REASON_SHOWN = 200

/** Returns a phrase such as `from 22:00 to 02:00 by Ann: ‘Replacing the disk.’` */
export function mutedStretchWords({ from, until, silence }: MutedStretch): Sentence {
  const { createdBy, reason } = silence
  const by = createdBy === null ? 'its ping URL' : byWords(createdBy)
  const why: Sentence = reason === '' ? ['.'] : [': ', ...quoteAtEnd(within(oneLine(reason), REASON_SHOWN))]
  return ['from ', { clock: fromMilliseconds(from) }, ' to ', { clock: fromMilliseconds(until) }, ' by ', by, ...why]
}
