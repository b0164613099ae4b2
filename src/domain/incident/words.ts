/** Describes an incident in words: who is on it, what is holding its alert back, and its events. */
import { oneLine, within } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { By } from '../author.ts'
import { withoutPingSecrets } from '../redaction.ts'
import type { Silence } from '../silence/silence.ts'
import { silenceName } from '../silence/words.ts'
import { join, quoteAtEnd, type Sentence, type SentencePart } from '../words/sentence-parts.ts'
import type { Acknowledgement } from './acknowledgement.ts'
import type { IncidentEvent, Taken } from './event.ts'
import type { Hold } from './hold.ts'
import type { Incident } from './incident.ts'
import type { IncidentStory, LeftNote, PastHold } from './story.ts'

type SilenceHold = Pick<Extract<Hold, { why: 'silence' }>, 'until'>

/**
 * Returns a sentence such as `On it: Ann since 02:10.` or `On it: Ann since 02:10, until 06:00: ‘Disk is full, freeing space.’`
 * @param acknowledgement null: nobody is on it
 */
export function onItSentence(acknowledgement: Acknowledgement | null): Sentence {
  if (acknowledgement === null) return ['Nobody is on it.']
  const { at, by, until, note } = acknowledgement
  const end: Sentence = until === null ? [] : [', until ', { clock: until }]
  return ['On it: ', byWords(by), ' since ', { clock: at }, ...end, ...noteWords(note)]
}

/**
 * Returns a sentence such as `Held until 03:00 by silence ‘upgrade’.`
 * @param silence null: it was deleted
 */
export function holdSentence({ until }: SilenceHold, silence: Pick<Silence, 'reason'> | null): Sentence {
  return ['Held until ', { clock: until }, ' by ', ...silenceName(silence), '.']
}

/** Maximum lengths of a reason and a note, in UTF-16 code units. The incident page shows the complete text. */
const [REASON_IN_BRIEF, NOTE_IN_MESSAGE] = [80, 200]

/**
 * Explains in a list why no alert has been sent yet, such as `not sent, muted until 22:00 by Ann: ‘upgrade’` or `not sent, Ann is on it`.
 * @param silence the silence that holds the alert back; null: it was deleted
 */
export function unsentSentence({ held, acknowledgement }: Incident, silence: Silence | null): Sentence {
  if (held?.why !== 'silence') {
    return acknowledgement === null ? ['not sent yet'] : ['not sent, ', byWords(acknowledgement.by), ' is on it']
  }
  const by: Sentence = silence === null || silence.createdBy === null ? [] : [' by ', byWords(silence.createdBy)]
  const reason = silence === null ? '' : within(oneLine(silence.reason), REASON_IN_BRIEF)
  const why: Sentence = reason === '' ? [] : [': ', { quote: reason }]
  return ['not sent, muted until ', { clock: held.until }, ...by, ...why]
}

/**
 * Returns the sentences about an incident in messages, such as `Held until 03:00 by silence ‘upgrade’, down since 00:10.` or `Held until
 * 03:00 by Ann, down since 00:10.`
 * @param since start of the incident; null: the hold is left out, because the message is not about the incident
 */
export function storySentence({ held, reason, note }: IncidentStory, since: Instant | null): Sentence {
  return join(held && since ? lateWords(held, reason, since) : [], note ? leftNoteWords(note) : [])
}

function lateWords(held: PastHold, reason: string, since: Instant): Sentence {
  const by = held.why === 'silence' ? silenceName({ reason: inMessage(reason, REASON_IN_BRIEF) }) : [byWords(held.by)]
  return ['Held until ', { clock: held.until }, ' by ', ...by, ', down since ', { clock: since }, '.']
}

/** Returns a sentence such as `Note by Ann at 02:10: ‘Disk is full, freeing space.’` */
function leftNoteWords({ at, by, text }: LeftNote): Sentence {
  return ['Note by ', byWords(by), ' ', { at }, ': ', ...quoteAtEnd(inMessage(text, NOTE_IN_MESSAGE))]
}

/** Returns the sentence about an acknowledgement in a message, such as `Ann is on it until 06:00: ‘Disk is full’.` */
export function takenInMessage(taken: Taken): Sentence {
  return takenSentence({ ...taken, note: inMessage(taken.note, NOTE_IN_MESSAGE) })
}

/** Removes ping secrets, because recipients of a message may not be members of the project. */
function inMessage(text: string, limit: number): string {
  return within(withoutPingSecrets(oneLine(text)), limit)
}

/**
 * Describes an event in one line.
 * @param silence the silence of a `held` event; null: it was deleted
 */
export function eventSentence(event: IncidentEvent, silence: Pick<Silence, 'reason'> | null): Sentence {
  switch (event.kind) {
    case 'held':
      return holdSentence(event, silence)
    case 'acknowledged':
      return takenSentence(event)
    case 'released':
      return releasedSentence(event)
    case 'note':
      return [byAtStart(event.by), ': ', { quote: event.text }]
  }
}

/** Returns a sentence about an acknowledgement, such as `Ann is on it until 06:00.` or `Ann took over from Bob: ‘He is asleep.’` */
function takenSentence({ by, until, note, takenFrom }: Taken): Sentence {
  const what: Sentence = takenFrom === null ? [' is on it'] : [' took over from ', byWords(takenFrom)]
  const end: Sentence = until === null ? [] : [' until ', { clock: until }]
  return [byAtStart(by), ...what, ...end, ...noteWords(note)]
}

function releasedSentence({ from, by }: Extract<IncidentEvent, { kind: 'released' }>): Sentence {
  if (from === 'silence') return ['No longer muted, still down.']
  return by === null ? ['Nobody is on it any more: the acknowledgement expired.'] : [byAtStart(by), ' handed it back.']
}

function noteWords(note: string): Sentence {
  return note === '' ? ['.'] : [': ', ...quoteAtEnd(note)]
}

/** Names an author within a sentence. */
export function byWords(by: By): SentencePart {
  return by.kind === 'person' && by.name !== '' ? { name: by.name } : byName(by)
}

/** Names an author in plain text. */
export function byName({ kind, name }: By): string {
  if (kind === 'person') return name === '' ? 'somebody' : name
  return kind === 'key' ? 'an API key' : 'a command'
}

export function byAtStart(by: By): SentencePart {
  const words = byWords(by)
  return typeof words === 'string' ? words.charAt(0).toUpperCase() + words.slice(1) : words
}
