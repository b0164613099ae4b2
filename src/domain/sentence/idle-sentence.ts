/** The sentence about a check from which nothing is expected. Lists show it, because the row of such a check has no times. */
import type { CheckView } from '../list/check-view.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { pauserWords, resumeWords } from './sentence.ts'

/** Empty for a check that is neither paused nor new, and for a resumed one, whose sentence already contains it. */
export function idleSentence({ check, state, isResumed, pause }: CheckView): Sentence {
  if (state === 'paused')
    return join(pause === null ? [] : ['Paused since ', { clock: pause.at }, ...pauserWords(pause), '.'], [
      resumeWords(check),
    ])
  if (state !== 'new' || isResumed) return []
  return ['Made ', { ago: check.createdAt }, '. The first ping begins the watch.']
}
