/** How long an incident has lasted and who is working on it, for the second line of an event in a list. */
import { type Instant, microsecondsBetween } from '../../lib/time.ts'
import type { Sentence } from '../words/sentence-parts.ts'
import { whoIsOn } from './headline.ts'
import type { Incident } from './incident.ts'
import { byAtStart } from './words.ts'

/**
 * Returns text such as `Down for 48 min. Ann is on it.`, `Was down for 30 min.` or `After 30 min.`
 * @param isEnd true: the event is the end of the incident
 */
export function lastingSentence(incident: Incident, isEnd: boolean, now: Instant): Sentence {
  const { openedAt, resolvedAt } = incident
  if (resolvedAt !== null) {
    const took = { took: microsecondsBetween(openedAt, resolvedAt) / 1_000_000 }
    return [isEnd ? 'After ' : 'Was down for ', took, '.']
  }
  const onIt = whoIsOn(incident, now)
  const who: Sentence = onIt === null ? ['Nobody is on it.'] : [byAtStart(onIt.by), ' is on it.']
  return ['Down for ', { lasting: openedAt }, '. ', ...who]
}
