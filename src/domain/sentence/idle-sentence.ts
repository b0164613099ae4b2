/** The sentence about a check that expects no ping. Lists show it because the row of such a check doesn't show any times. */
import type { CheckView } from '../list/check-view.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { pauserWords, resumeWords } from './sentence.ts'

/**
 * Describes a check that is paused or new. Returns an empty sentence for any other check, and for a resumed check, because its own sentence
 * says the same thing.
 */
export function idleSentence({ check, state, isResumed, pause }: CheckView): Sentence {
  if (state === 'paused')
    return join(pause === null ? [] : ['Paused since ', { clock: pause.at }, ...pauserWords(pause), '.'], [
      resumeWords(check),
    ])
  if (state !== 'new' || isResumed) return []
  return ['Created ', { ago: check.createdAt }, '. Monitoring starts with the first ping.']
}
