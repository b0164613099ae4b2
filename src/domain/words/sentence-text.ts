/** Formats sentences about checks as plain text, with times in the reader's time zone. */
import { oneLine } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import { durationWords, type TimeKind, timeWords } from '../../lib/time-words.ts'
import type { Sentence, SentencePart } from './sentence-parts.ts'

export interface TextZone {
  readonly now: Instant
  /** IANA name of the time zone */
  readonly tz: string
  /**
   * true if the first time of day is followed by its zone, as in `09:00 UTC` or `09:00 (Europe/Riga)`, because nothing else in the message
   * names the zone
   */
  readonly isNamed?: true
}

export interface TextPiece {
  readonly text: string
  /** true if the text was written by a program or another user */
  readonly isForeign: boolean
}

/**
 * Formats a sentence on one line and without invisible characters, because plain text has no other way to show where a quotation ends. Does
 * not escape anything.
 */
export function sentenceText(sentence: Sentence, zone: TextZone): string {
  return textPieces(sentence, zone)
    .map(({ text }) => text)
    .join('')
}

/** Returns the sentence in pieces, for receivers that must distinguish quoted text from text written by Overdue. */
export function textPieces(sentence: Sentence, { now, tz, isNamed }: TextZone): readonly TextPiece[] {
  const named = isNamed ? sentence.findIndex((part) => timeIn(part)?.isOfDay) : -1
  return sentence.flatMap((part, index) => {
    const time = timeIn(part)
    if (time === null) return pieces(part)
    const words = timeWords(time.kind, time.instant.epochMilliseconds, now.epochMilliseconds, tz)
    return own(index === named ? `${words} ${tz === 'UTC' ? tz : `(${tz})`}` : words)
  })
}

/** Formats the time in a part of a sentence. Returns null if the part is not a time. */
export function timeIn(
  part: SentencePart,
): { readonly kind: TimeKind; readonly instant: Instant; readonly isOfDay: boolean } | null {
  if (typeof part === 'string') return null
  if ('clock' in part) return { kind: 'clock', instant: part.clock, isOfDay: true }
  if ('at' in part) return { kind: 'at', instant: part.at, isOfDay: true }
  if ('ago' in part) return { kind: 'ago', instant: part.ago, isOfDay: false }
  return 'lasting' in part ? { kind: 'for', instant: part.lasting, isOfDay: false } : null
}

function pieces(part: SentencePart): readonly TextPiece[] {
  if (typeof part === 'string') return own(part)
  if ('quote' in part) return [...own('‘'), ...foreign(part.quote), ...own('’')]
  if ('name' in part) return foreign(part.name)
  return 'took' in part ? own(durationWords(part.took)) : []
}

function own(text: string): readonly TextPiece[] {
  return [{ text, isForeign: false }]
}

function foreign(text: string): readonly TextPiece[] {
  return [{ text: oneLine(text), isForeign: true }]
}
