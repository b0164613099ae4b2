/** The first sentence of every message about a flip. The check's page showed the same sentence at the time of the flip. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import { adviceSentence } from '../advice/sentence.ts'
import { failureOf } from '../cause/trouble.ts'
import { uncountedSentence } from '../cause/uncounted.ts'
import type { Check } from '../check/check.ts'
import { downtimeBefore } from '../check/flip.ts'
import { runMarks } from '../check/run-history.ts'
import { expectedIfReadable } from '../check/status.ts'
import type { Taken } from '../incident/event.ts'
import { withoutNotes } from '../incident/story.ts'
import { storySentence, takenInMessage } from '../incident/words.ts'
import { stripOf } from '../run/strip.ts'
import { whyDown } from '../sentence/down-sentence.ts'
import { lateSentence } from '../sentence/late-ping.ts'
import { nextPingWords, type Sentence, upAgainWords } from '../sentence/sentence.ts'
import { join } from '../words/sentence-parts.ts'
import { sentenceText, type TextPiece, type TextZone, textPieces } from '../words/sentence-text.ts'
import type { ExplainedFlip, LastPing } from './flip-context.ts'

/** The facts that the sentence is based on. The check itself may have changed since the flip. */
export type FlipStory = Pick<
  ExplainedFlip,
  | 'check'
  | 'flip'
  | 'isNewest'
  | 'incident'
  | 'previousFlip'
  | 'lastPing'
  | 'uncounted'
  | 'cause'
  | 'projectTz'
  | 'advice'
>

/**
 * Returns the sentence as plain text. Nothing is escaped.
 * @param now when the message is written; the sentence doesn't announce times that have already passed
 * @param tz IANA name; null: the project's time zone, or the check's if the project has none
 */
export function flipSentenceText(story: FlipStory, now: Instant, tz: string | null = null): string {
  return flipSentencePieces(story, now, tz)
    .map(({ text }) => text)
    .join('')
}

/** Returns the sentence in pieces, for receivers that must distinguish quoted text from Overdue's text. */
export function flipSentencePieces(story: FlipStory, now: Instant, tz: string | null = null): readonly TextPiece[] {
  const sentence = join(flipSentence(story, now), incidentWords(story), adviceWords(story))
  return textPieces(sentence, formatOf(story, now, tz))
}

/**
 * Returns the message's advice as text, with times in the message's time zone; null if there is no advice. The text never contains a
 * sender's address.
 */
export function flipAdviceText(story: FlipStory, now: Instant): string | null {
  return story.advice && sentenceText(adviceWords(story), formatOf(story, now, null))
}

/** Returns a sentence about the incident's acknowledgement as text, with times in the message's time zone. */
export function takenText(story: FlipStory, taken: Taken, now: Instant): string {
  return sentenceText(takenInMessage(taken), formatOf(story, now, null))
}

function formatOf({ projectTz, check }: FlipStory, now: Instant, tz: string | null): TextZone {
  // An alert must be sent even if its zone was removed from the time zone data.
  return { now, tz: knownZone(tz ?? projectTz ?? check.tz) ?? 'UTC', isNamed: true }
}

function adviceWords({ advice }: FlipStory): Sentence {
  return advice === null ? [] : adviceSentence(advice, false)
}

/** Returns the part of the sentence about the incident. Only the message about the alert itself mentions that it was delayed. */
function incidentWords({ flip, incident }: FlipStory): Sentence {
  return incident === null ? [] : storySentence(incident, flip.newStatus === 'down' ? flip.createdAt : null)
}

function flipSentence(story: FlipStory, now: Instant): Sentence {
  return story.flip.newStatus === 'down' ? downWords(story) : upWords(story, now)
}

/**
 * Returns the story for messages that must be short or must not show the last ping's body. An email's subject counts as part of its body.
 * Notes are omitted too, because they can be as long as a body.
 */
export function withoutBody<Story extends FlipStory>(story: Story): Story {
  const { lastPing, cause } = story
  const short = { ...story, advice: null, incident: story.incident && withoutNotes(story.incident) }
  if (lastPing === null) return short
  return {
    ...short,
    lastPing: { ...lastPing, body: null, bodySize: 0, bodyEnd: null },
    cause: cause && { ...cause, subject: null },
  }
}

function upWords({ check, flip, previousFlip, lastPing }: FlipStory, now: Instant): Sentence {
  const expected = expectedIfReadable({ ...check, status: 'up', lastPingAt: flip.createdAt })
  const isPast = expected !== null && isBefore(expected, now)
  // A check that was paused after the flip does not expect a ping.
  const isPaused = check.status === 'paused'
  return join(
    upAgainWords(downtimeBefore(flip, previousFlip)),
    lateSentence(flip, lastPing, previousFlip),
    isPast || isPaused ? [] : nextPingWords(expected, true),
  )
}

function downWords(story: FlipStory): Sentence {
  const { check, flip, lastPing, uncounted, cause } = story
  const { createdAt: since, reason } = flip
  if (reason === 'fail') {
    const failure = lastPing && failureOf(lastPing, cause)
    const runs = isAsThen(story) ? runMarks(check.runs) : []
    return join(whyDown(check, { since, reason, failure }, runs), lateSentence(flip, lastPing, null))
  }
  const trouble = { since, reason, failure: null }
  if (isAsThen(story)) return whyDown(check, trouble, stripOf(check, since), uncounted)
  const then = asOfLastPing(check, lastPing)
  // The last rejected ping may be later than the flip.
  const arrivedUntilThen = { ...uncounted, refused: null }
  const isKnown = then.lastPingAt !== null || then.lastStartAt !== null
  if (isKnown) return whyDown(then, trouble, [], arrivedUntilThen)
  const arrived = uncountedSentence(then, arrivedUntilThen)
  return arrived.length === 0 ? ['No ping arrived in time.'] : arrived
}

/** Whether there has been no ping and no other flip of the check since this flip. */
function isAsThen({ check: { lastPingAt, lastStartAt }, flip: { createdAt }, isNewest }: FlipStory): boolean {
  const isThen = (at: Instant | null) => at === null || !isBefore(createdAt, at)
  return isNewest && isThen(lastPingAt) && isThen(lastStartAt)
}

/** Returns the check with its ping times as of the newest ping before the flip. Its other values may come from later pings. */
function asOfLastPing(check: Check, ping: LastPing | null): Check {
  const at = (isSo: boolean) => (ping !== null && isSo ? ping.receivedAt : null)
  return {
    ...check,
    lastPingAt: at(ping?.kind === 'success' || ping?.kind === 'fail'),
    lastStartAt: at(ping?.kind === 'start'),
  }
}
