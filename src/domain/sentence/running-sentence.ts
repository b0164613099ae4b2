/** Sentences about a run that goes on: whether it takes longer than those before it. */
import type { Check } from '../check/check.ts'
import type { ShownCheck } from '../check/shown.ts'
import { usualWords } from '../check/usual-duration.ts'
import { type Headline, join, type Sentence } from '../words/sentence-parts.ts'

export type RunningCheck = Pick<ShownCheck, 'usual' | 'isSlow'> & { readonly check: Pick<Check, 'lastStartAt'> }

/** Empty for a run that takes as long as usual, and while it is not known what is usual. */
export function slowSentence(running: RunningCheck): Sentence {
  const { lastStartAt } = running.check
  if (lastStartAt === null || !running.isSlow) return []
  return ['Started ', { clock: lastStartAt }, '. ', ...usualSentence(running)]
}

/** @param next what happens if the run does not end */
export function runningHeadline(running: RunningCheck, next: Sentence): Headline {
  const { lastStartAt } = running.check
  if (lastStartAt === null) return { lead: ['Running.'], detail: next }
  return {
    lead: ['Running for ', { lasting: lastStartAt }, ', since ', { clock: lastStartAt }, '.'],
    detail: join(usualSentence(running), next),
  }
}

/** `Longer than usual: 52 min to 1 h 1 min.` */
export function usualSentence({ usual, isSlow }: RunningCheck): Sentence {
  return usual === null ? [] : [`${isSlow ? 'Longer than usual' : 'Usually'}: ${usualWords(usual)}.`]
}
