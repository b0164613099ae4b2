/** The sentence about a check that expects no ping. Lists show it, because such a check has no times in its row. */
import type { CheckView } from '../list/check-view.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'
import { pauserWords, resumeWords } from './sentence.ts'

/** Returns an empty sentence unless the check is paused or new. Also empty for a resumed check, because its own sentence says the same. */
export function idleSentence({ check, state, isResumed, pause }: CheckView): Sentence {
  if (state === 'paused')
    return join(pause === null ? [] : ['Paused since ', { clock: pause.at }, ...pauserWords(pause), '.'], [
      resumeWords(check),
    ])
  if (state !== 'new' || isResumed) return []
  return ['Created ', { ago: check.createdAt }, '. Monitoring starts with the first ping.']
}
