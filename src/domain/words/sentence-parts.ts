/** Parts of sentences about checks. Times are formatted later, in the reader's time zone. */
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'

export type SentencePart =
  | string
  /** time such as `04:09`, `yesterday 04:09` or `16 Nov 04:09` */
  | { readonly clock: Instant }
  /** time such as `at 10:00`, `tomorrow at 10:00` or `on 16 Nov at 04:09` */
  | { readonly at: Instant }
  /** time such as `5 min ago` or `in 18 min` */
  | { readonly ago: Instant }
  /** time elapsed since then, such as `5 h 12 min` */
  | { readonly lasting: Instant }
  /** duration in seconds, shown as `52 min` */
  | { readonly took: number }
  /** text written by a program, shown in quotation marks */
  | { readonly quote: string }
  /** name chosen by a user */
  | { readonly name: string }

export type Sentence = readonly SentencePart[]

/** A bold line, followed by text in normal weight. */
export interface Headline {
  readonly lead: Sentence
  readonly detail: Sentence
}

/** A run of the check, or a missing run. */
export interface SentenceRun {
  readonly kind: 'ok' | 'late' | 'failed' | 'missing' | 'paused' | 'running'
  /** approximate duration, in microseconds */
  readonly duration: number | null
}

/** The time at which a check was paused, and the author of the pause. */
export interface Pause {
  readonly at: Instant
  /** user, key or command that paused the check; null: unknown */
  readonly by: Pick<Author, 'kind' | 'name'> | null
}

/** Joins sentences, or parts of a sentence, with spaces. Skips empty ones. */
export function join(...sentences: readonly Sentence[]): Sentence {
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, index) => (index === 0 ? sentence : [' ', ...sentence]))
}

/** Returns a quotation for the end of a sentence. Adds no full stop if the quoted text ends with a full stop, `!` or `?`. */
export function quoteAtEnd(text: string): Sentence {
  return [{ quote: text }, ...(/[.!?]$/.test(text) ? [] : ['.'])]
}
