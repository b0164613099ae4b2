/** The sentence about a check from which nothing is expected. Lists show it, because the check's row has no times. */
import type { CheckView } from '../list/check-view.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { pauserWords, resumeWords } from './sentence.ts'

/** Returns an empty sentence for a check that is neither paused nor new, and for a resumed check, whose own sentence has these words. */
export function idleSentence({ check, state, isResumed, pause }: CheckView): Sentence {
  if (state === 'paused')
    return join(pause === null ? [] : ['Paused since ', { clock: pause.at }, ...pauserWords(pause), '.'], [
      resumeWords(check),
    ])
  if (state !== 'new' || isResumed) return []
  return ['Made ', { ago: check.createdAt }, '. The first ping begins the watch.']
}
