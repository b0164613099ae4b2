/** Advice about a check's settings: a sentence that states the problem, and a fix. Advice can be stored as JSON. */

/**
 * Kinds of advice. This is not the display order: some variants rank differently from their kind, and `advise` returns advice in display
 * order.
 */
export const ADVICE_KINDS = [
  'untold',
  'unwatched',
  'ignored',
  'senders',
  'overlap',
  'text',
  'zone',
  'time',
  'rare',
  'often',
  'grace',
  'hollow',
  'flapping',
  'slow',
  'lax',
  'twins',
] as const
export type AdviceKind = (typeof ADVICE_KINDS)[number]

/** Kinds of advice that are also given for paused checks. */
export const HEARD_IN_PAUSE: ReadonlySet<AdviceKind> = new Set(['unwatched', 'ignored', 'senders', 'overlap', 'twins'])

export interface Advice {
  readonly kind: AdviceKind
  /** name of the rule within its kind, such as `first` or `guess` for a time zone */
  readonly variant: string
  readonly says: readonly AdvicePart[]
  readonly fix: Fix
  /** fixes that apply if there is a different explanation, such as "It runs at 04:00" as an alternative to "in UTC" */
  readonly otherFixes: readonly Fix[]
}

/** A part of the sentence. Times are in milliseconds since 1970, durations in seconds. */
export type AdvicePart =
  | string
  /** time such as `at 10:00` or `on 16 Nov at 04:09` */
  | { readonly at: number }
  /** time such as `10:00` or `16 Nov 04:09` */
  | { readonly clock: number }
  /** time elapsed since this timestamp, such as `3 days` */
  | { readonly lasting: number }
  /** duration, such as `1 h 27 min` */
  | { readonly took: number }
  /** text written by a program */
  | { readonly quote: string }
  /** name chosen by a user */
  | { readonly name: string }
  /** text shown only to users who can edit the check, because it includes senders' addresses */
  | { readonly toEditors: readonly AdvicePart[] }

export type Fix =
  /** settings that the user can apply with one click */
  | { readonly do: 'set'; readonly settings: FixedSettings }
  | { readonly do: 'resume' }
  /** lines to add to the job */
  | { readonly do: 'text'; readonly text: FixText }
  /** question that only the user can answer */
  | { readonly do: 'ask'; readonly about: FixQuestion }

/** Settings that a fix changes, with the API's names and units: `timeout` and `grace` are in seconds. */
export interface FixedSettings {
  readonly timeout?: number
  readonly grace?: number
  readonly schedule?: string
  readonly tz?: string
  readonly methods?: 'POST' | ''
}

export type FixText = 'ping-line' | 'fail-status' | 'own-check' | 'post-line' | 'lock' | 'rid' | 'exit-status'

export type FixQuestion = 'channels' | 'rules' | 'schedule' | 'clocks' | 'did-it-run' | 'failures' | 'slower' | 'twins'
