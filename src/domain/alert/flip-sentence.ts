/** The first sentence of every message about a flip: the sentence of the check's page at the time of the flip. */
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

/** Facts for the sentence: the check may have changed since the flip. */
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
 * Returns the sentence as text; nothing is escaped.
 * @param now time of writing; a time that has passed by then is no longer announced
 * @param tz IANA name; null is the zone of the project, or of the check if that has none
 */
export function flipSentenceText(story: FlipStory, now: Instant, tz: string | null = null): string {
  return flipSentencePieces(story, now, tz)
    .map(({ text }) => text)
    .join('')
}

/** Returns the sentence in pieces, for receivers that must distinguish foreign text from ours. */
export function flipSentencePieces(story: FlipStory, now: Instant, tz: string | null = null): readonly TextPiece[] {
  const sentence = join(flipSentence(story, now), incidentWords(story), adviceWords(story))
  return textPieces(sentence, formatOf(story, now, tz))
}

/** Returns the message's advice as text, in the same zone; null without advice. It reveals no sender's address. */
export function flipAdviceText(story: FlipStory, now: Instant): string | null {
  return story.advice && sentenceText(adviceWords(story), formatOf(story, now, null))
}

/** Returns the sentence about an acknowledgement of the incident as text, in the same zone. */
export function takenText(story: FlipStory, taken: Taken, now: Instant): string {
  return sentenceText(takenInMessage(taken), formatOf(story, now, null))
}

function formatOf({ projectTz, check }: FlipStory, now: Instant, tz: string | null): TextZone {
  // A zone that was removed from the zone data must not keep an alert from being written.
  return { now, tz: knownZone(tz ?? projectTz ?? check.tz) ?? 'UTC', isNamed: true }
}

function adviceWords({ advice }: FlipStory): Sentence {
  return advice === null ? [] : adviceSentence(advice, false)
}

/** Returns the words about the incident. They mention the delay of an alert in that alert only. */
function incidentWords({ flip, incident }: FlipStory): Sentence {
  return incident === null ? [] : storySentence(incident, flip.newStatus === 'down' ? flip.createdAt : null)
}

function flipSentence(story: FlipStory, now: Instant): Sentence {
  return story.flip.newStatus === 'down' ? downWords(story) : upWords(story, now)
}

/**
 * Returns the story for messages that are short, or show nothing of the last ping's body, which for an email includes the subject. People's
 * notes are left out, too, because they may be as long.
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
  // A check that has been paused since expects nothing.
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
  // The last refusal may be later than the flip.
  const cameUntilThen = { ...uncounted, refused: null }
  const isKnown = then.lastPingAt !== null || then.lastStartAt !== null
  if (isKnown) return whyDown(then, trouble, [], cameUntilThen)
  const came = uncountedSentence(then, cameUntilThen)
  return came.length === 0 ? ['No ping came in time.'] : came
}

/** Whether the check has had no ping and no flip since the flip. */
function isAsThen({ check: { lastPingAt, lastStartAt }, flip: { createdAt }, isNewest }: FlipStory): boolean {
  const isThen = (at: Instant | null) => at === null || !isBefore(createdAt, at)
  return isNewest && isThen(lastPingAt) && isThen(lastStartAt)
}

/** Returns the check with the times of the newest ping before the flip: later pings have overwritten the rest. */
function asOfLastPing(check: Check, ping: LastPing | null): Check {
  const at = (isSo: boolean) => (ping !== null && isSo ? ping.receivedAt : null)
  return {
    ...check,
    lastPingAt: at(ping?.kind === 'success' || ping?.kind === 'fail'),
    lastStartAt: at(ping?.kind === 'start'),
  }
}
