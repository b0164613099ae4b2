/** The sentence about a check that expects no ping. Lists show it because the row of such a check contains no times. */
import type { CheckView } from '../list/check-view.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { pauserWords, resumeWords } from './sentence.ts'

/**
 * Describes a check that is paused or new, and returns an empty sentence for any other check. The sentence is also empty for a resumed
 * check, whose own sentence says the same.
 */
export function idleSentence({ check, state, isResumed, pause }: CheckView): Sentence {
  if (state === 'paused')
    return join(pause === null ? [] : ['Paused since ', { clock: pause.at }, ...pauserWords(pause), '.'], [
      resumeWords(check),
    ])
  if (state !== 'new' || isResumed) return []
  return ['Created ', { ago: check.createdAt }, '. Monitoring starts with the first ping.']
}
