/** The sentence of a check of which nothing is expected. A list has it, because the row of such a check has no times. */
import type { CheckView } from '../list/check-view.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { pauserWords, resumeWords } from './sentence.ts'

/** Empty for a check that is neither paused nor new, and for one that was resumed, whose sentence says it already. */
export function idleSentence({ check, state, isResumed, pause }: CheckView): Sentence {
  if (state === 'paused')
    return join(pause === null ? [] : ['Paused since ', { clock: pause.at }, ...pauserWords(pause), '.'], [
      resumeWords(check),
    ])
  if (state !== 'new' || isResumed) return []
  return ['Made ', { ago: check.createdAt }, '. The first ping begins the watch.']
}
