/** An incident's first lines: how long it has lasted, and who is working on it or which flip ended it. */
import { type Instant, microsecondsBetween } from '../../lib/time.ts'
import type { Flip } from '../check/flip.ts'
import type { CheckView } from '../list/check-view.ts'
import { stripOf } from '../run/strip.ts'
import { whyDown } from '../sentence/down-sentence.ts'
import type { Headline, Sentence } from '../words/sentence-parts.ts'
import { type Acknowledgement, isLapsed } from './acknowledgement.ts'
import type { Incident } from './incident.ts'
import { byAtStart, onItSentence } from './words.ts'

/** Returns the acknowledgement in effect at `now`. If the incident has ended, returns the one in effect at its end. */
export function whoIsOn({ acknowledgement, resolvedAt }: Incident, now: Instant): Acknowledgement | null {
  if (acknowledgement === null) return null
  return isLapsed(acknowledgement, resolvedAt ?? now) ? null : acknowledgement
}

/** @param end the flip that ended the incident; null if the incident is open or ended without a flip */
export function incidentHeadline(incident: Incident, view: CheckView, end: Flip | null, now: Instant): Headline {
  const { openedAt, resolvedAt } = incident
  const onIt = whoIsOn(incident, now)
  if (resolvedAt === null) {
    const { check, trouble, expected, uncounted } = view
    const why = trouble && whyDown(check, trouble, stripOf(check, now, expected), uncounted)
    return { lead: ['Down for ', { lasting: openedAt }, '. ', ...onItSentence(onIt)], detail: why ?? [] }
  }
  const took = microsecondsBetween(openedAt, resolvedAt) / 1_000_000
  return { lead: [endWord(end), ' after ', { took }, '.'], detail: wasOnIt(onIt) }
}

function endWord(end: Flip | null): string {
  if (end === null) return 'Ended'
  return end.newStatus === 'paused' ? 'Paused' : 'Recovered'
}

function wasOnIt(onIt: Acknowledgement | null): Sentence {
  return onIt === null ? ['Nobody was on it.'] : [byAtStart(onIt.by), ' was on it.']
}
