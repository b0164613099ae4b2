/** Renders sentences about checks as HTML, with times in the reader's time zone. */
import type { Sentence } from '../../../../domain/sentence/sentence.ts'
import { timeIn } from '../../../../domain/words/sentence-text.ts'
import type { Instant } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import { type Html, html } from '../../html.ts'
import { wholeDurations } from './durations.ts'
import { bdi } from './text.ts'
import { briefTime, timeOf } from './times.ts'

export interface Zone {
  readonly now: Instant
  /** IANA name of the time zone in the reader's account */
  readonly tz: string
  /** true if the sentence is in a long list, see `briefTime` */
  readonly isBrief?: true
}

/** Renders a sentence. The script keeps the times in it up to date. */
export function sentenceHtml(sentence: Sentence, { now, tz, isBrief }: Zone): Html {
  return html`${sentence.map((part) => {
    const time = timeIn(part)
    if (time) return (isBrief ? briefTime : timeOf)(time.kind, time.instant, now, tz)
    if (typeof part === 'string') return wholeDurations(part)
    if ('quote' in part) return html`‘${bdi(part.quote)}’`
    if ('name' in part) return bdi(part.name)
    return 'took' in part ? wholeDurations(durationWords(part.took)) : ''
  })}`
}
