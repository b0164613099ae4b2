/** The sentence of an advice, for one reader. */
import { Temporal } from '../../lib/time.ts'
import type { Sentence, SentencePart } from '../words/sentence-parts.ts'
import type { Advice, AdvicePart } from './advice.ts'

/** @param seesAddresses false for readers without the right to change the check: they learn no sender's address */
export function adviceSentence({ says }: Pick<Advice, 'says'>, seesAddresses: boolean): Sentence {
  return says.map((part) => sentencePart(part, seesAddresses))
}

function sentencePart(part: AdvicePart, seesAddresses: boolean): SentencePart {
  if (typeof part === 'string') return part
  if ('at' in part) return { at: Temporal.Instant.fromEpochMilliseconds(part.at) }
  if ('clock' in part) return { clock: Temporal.Instant.fromEpochMilliseconds(part.clock) }
  if ('lasting' in part) return { lasting: Temporal.Instant.fromEpochMilliseconds(part.lasting) }
  if ('sender' in part) return seesAddresses ? { name: part.sender } : 'another address'
  return part
}
