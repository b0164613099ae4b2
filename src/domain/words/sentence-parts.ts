/** The parts of sentences about checks. Times are formatted later, in the reader's zone. */
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
  /** time since then, such as `5 h 12 min` */
  | { readonly lasting: Instant }
  /** duration in seconds, shown as `52 min` */
  | { readonly took: number }
  /** text that a program wrote, shown in quotation marks */
  | { readonly quote: string }
  /** name that a person chose */
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
  /** approximate, in microseconds */
  readonly duration: number | null
}

/** When a check was paused, and by whom. */
export interface Pause {
  readonly at: Instant
  /** person, key or command that paused the check; null: unknown */
  readonly by: Pick<Author, 'kind' | 'name'> | null
}

/** Joins sentences, or parts of a sentence, with spaces. Leaves out empty ones. */
export function join(...sentences: readonly Sentence[]): Sentence {
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, index) => (index === 0 ? sentence : [' ', ...sentence]))
}

/** Returns a quotation for the end of a sentence. Adds no full stop if the quoted text ends with one, or with `!` or `?`. */
export function quoteAtEnd(text: string): Sentence {
  return [{ quote: text }, ...(/[.!?]$/.test(text) ? [] : ['.'])]
}
