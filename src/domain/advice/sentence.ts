/** The sentence of an advice, for one reader. */
import { Temporal } from '../../lib/time.ts'
import type { Sentence, SentencePart } from '../words/sentence-parts.ts'
import type { Advice, AdvicePart } from './advice.ts'

/** @param isEditor false for readers without the right to change the check */
export function adviceSentence({ says }: Pick<Advice, 'says'>, isEditor: boolean): Sentence {
  return says.flatMap((part) => {
    if (typeof part === 'string') return [part]
    if ('toEditors' in part) return isEditor ? adviceSentence({ says: part.toEditors }, isEditor) : []
    return [sentencePart(part)]
  })
}

function sentencePart(part: Exclude<AdvicePart, string | { readonly toEditors: unknown }>): SentencePart {
  if ('at' in part) return { at: Temporal.Instant.fromEpochMilliseconds(part.at) }
  if ('clock' in part) return { clock: Temporal.Instant.fromEpochMilliseconds(part.clock) }
  if ('lasting' in part) return { lasting: Temporal.Instant.fromEpochMilliseconds(part.lasting) }
  return part
}
