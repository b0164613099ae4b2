/** The parts that make up sentences about checks. Times are formatted later, in the reader's time zone. */
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'

export type SentencePart =
  | string
  /** a time such as `04:09`, `yesterday 04:09` or `16 Nov 04:09` */
  | { readonly clock: Instant }
  /** a time with a preposition, such as `at 10:00`, `tomorrow at 10:00` or `on 16 Nov at 04:09` */
  | { readonly at: Instant }
  /** a time relative to now, such as `5 min ago` or `in 18 min` */
  | { readonly ago: Instant }
  /** time elapsed since the given time, such as `5 h 12 min` */
  | { readonly lasting: Instant }
  /** duration in seconds, shown as `52 min` */
  | { readonly took: number }
  /** text written by a program, shown in quotation marks */
  | { readonly quote: string }
  /** name chosen by a user */
  | { readonly name: string }

export type Sentence = readonly SentencePart[]

/** A line in bold, followed by text in normal weight. */
export interface Headline {
  readonly lead: Sentence
  readonly detail: Sentence
}

/** A run of the check, which may be a missing run. */
export interface SentenceRun {
  readonly kind: 'ok' | 'late' | 'failed' | 'missing' | 'paused' | 'running'
  /** approximate duration, in microseconds */
  readonly duration: number | null
}

/** The time at which a check was paused, and the user, key or command that paused it. */
export interface Pause {
  readonly at: Instant
  /** user, key or command that paused the check; null if unknown */
  readonly by: Pick<Author, 'kind' | 'name'> | null
}

/** Joins sentences, or parts of a sentence, with spaces. Skips empty ones. */
export function join(...sentences: readonly Sentence[]): Sentence {
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, index) => (index === 0 ? sentence : [' ', ...sentence]))
}

/** Returns a quotation for the end of a sentence. Adds no period if the quoted text already ends with one, or with `!` or `?`. */
export function quoteAtEnd(text: string): Sentence {
  return [{ quote: text }, ...(/[.!?]$/.test(text) ? [] : ['.'])]
}
