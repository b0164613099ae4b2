/** Sentences about checks as HTML and as text, with times in the zone of the reader. */
import type { Sentence, SentencePart } from '../../../domain/check/sentence.ts'
import type { Instant } from '../../../lib/time.ts'
import { durationWords, type TimeKind, timeWords } from '../browser/words.ts'
import { type Html, html } from '../html.ts'
import { bdi, shown } from './text.ts'
import { briefTime, timeOf } from './times.ts'

export interface Zone {
  readonly now: Instant
  /** of the reader's account, IANA name */
  readonly tz: string
  /** true: in a long list, see `briefTime` */
  readonly isBrief?: true
}

/** Its times are kept up to date by the script. */
export function sentenceHtml(sentence: Sentence, { now, tz, isBrief }: Zone): Html {
  return html`${sentence.map((part) => {
    const time = timeIn(part)
    if (time) return (isBrief ? briefTime : timeOf)(time.kind, time.instant, now, tz)
    if (typeof part === 'object' && 'quote' in part) return html`‘${bdi(part.quote)}’`
    if (typeof part === 'object' && 'name' in part) return bdi(part.name)
    return plain(part)
  })}`
}

/** For attributes, emails and logs. */
export function sentenceText(sentence: Sentence, { now, tz }: Zone): string {
  return sentence
    .map((part) => {
      const time = timeIn(part)
      if (time) return timeWords(time.kind, time.instant.epochMilliseconds, now.epochMilliseconds, tz)
      return plain(part)
    })
    .join('')
}

function timeIn(part: SentencePart): { readonly kind: TimeKind; readonly instant: Instant } | null {
  if (typeof part === 'string') return null
  if ('clock' in part) return { kind: 'clock', instant: part.clock }
  if ('at' in part) return { kind: 'at', instant: part.at }
  if ('ago' in part) return { kind: 'ago', instant: part.ago }
  return 'lasting' in part ? { kind: 'for', instant: part.lasting } : null
}

function plain(part: SentencePart): string {
  if (typeof part === 'string') return part
  if ('quote' in part) return `‘${shown(part.quote)}’`
  if ('name' in part) return shown(part.name)
  return 'took' in part ? durationWords(part.took) : ''
}
