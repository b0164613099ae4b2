/** The parts of sentences about checks. Pages and emails write their times in the zone of the reader. */
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'

export type SentencePart =
  | string
  /** `04:09`, `yesterday 04:09`, `16 Nov 04:09` */
  | { readonly clock: Instant }
  /** `at 10:00`, `tomorrow at 10:00`, `on 16 Nov at 04:09` */
  | { readonly at: Instant }
  /** `5 min ago`, `in 18 min` */
  | { readonly ago: Instant }
  /** time since then: `5 h 12 min` */
  | { readonly lasting: Instant }
  /** a duration in seconds: `52 min` */
  | { readonly took: number }
  /** text written by a program, in quotation marks */
  | { readonly quote: string }
  /** a name that a person chose */
  | { readonly name: string }

export type Sentence = readonly SentencePart[]

/** A bold line, and the text after it. */
export interface Headline {
  readonly lead: Sentence
  readonly detail: Sentence
}

/** A run of the check, or a missing one. */
export interface SentenceRun {
  readonly kind: 'ok' | 'late' | 'failed' | 'missing' | 'paused' | 'running'
  /** microseconds, approximate */
  readonly duration: number | null
}

/** The author and the time of a pause. */
export interface Pause {
  readonly at: Instant
  /** null: unknown */
  readonly by: Pick<Author, 'kind' | 'name'> | null
}

/** Joins sentences, or parts of a sentence, with spaces; leaves out empty ones. */
export function join(...sentences: readonly Sentence[]): Sentence {
  return sentences
    .filter((sentence) => sentence.length > 0)
    .flatMap((sentence, index) => (index === 0 ? sentence : [' ', ...sentence]))
}

/** Returns a quotation for the end of a sentence. No period is added if the quoted text ends with one, or with `!` or `?`. */
export function quoteAtEnd(text: string): Sentence {
  return [{ quote: text }, ...(/[.!?]$/.test(text) ? [] : ['.'])]
}
