/** Advice about how a check is set up: a sentence that states the problem, and a fix. Advice can be stored as JSON. */

/** Kinds of advice. Some variants have a rank of their own: `advise` returns advice in the order in which a check's page shows it. */
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

/** Kinds of advice that still apply while a check is paused. */
export const HEARD_IN_PAUSE: ReadonlySet<AdviceKind> = new Set(['unwatched', 'ignored', 'senders', 'overlap', 'twins'])

export interface Advice {
  readonly kind: AdviceKind
  /** name of the rule within its kind, such as `first` or `guess` for a time zone */
  readonly variant: string
  readonly says: readonly AdvicePart[]
  readonly fix: Fix
  /** fixes for other explanations of the same facts, such as "It runs at 04:00" besides "in UTC" */
  readonly otherFixes: readonly Fix[]
}

/** A part of the sentence. Times are milliseconds since 1970, durations seconds. */
export type AdvicePart =
  | string
  /** time such as `at 10:00` or `on 16 Nov at 04:09` */
  | { readonly at: number }
  /** time such as `10:00` or `16 Nov 04:09` */
  | { readonly clock: number }
  /** the time since then, such as `3 days` */
  | { readonly lasting: number }
  /** duration, such as `1 h 27 min` */
  | { readonly took: number }
  /** text that a program wrote */
  | { readonly quote: string }
  /** name that a person chose */
  | { readonly name: string }
  /** words that only editors of the check see, because they contain senders' addresses */
  | { readonly toEditors: readonly AdvicePart[] }

export type Fix =
  /** settings that one click changes */
  | { readonly do: 'set'; readonly settings: FixedSettings }
  | { readonly do: 'resume' }
  /** lines to add to the job */
  | { readonly do: 'text'; readonly text: FixText }
  /** question that only a person can answer */
  | { readonly do: 'ask'; readonly about: FixQuestion }

/** Settings that a fix changes, with the names and units of the API: `timeout` and `grace` are in seconds. */
export interface FixedSettings {
  readonly timeout?: number
  readonly grace?: number
  readonly schedule?: string
  readonly tz?: string
  readonly methods?: 'POST' | ''
}

export type FixText = 'ping-line' | 'fail-status' | 'own-check' | 'post-line' | 'lock' | 'rid' | 'exit-status'

export type FixQuestion = 'channels' | 'rules' | 'schedule' | 'clocks' | 'did-it-run' | 'failures' | 'slower' | 'twins'
