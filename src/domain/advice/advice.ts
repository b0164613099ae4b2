/** Advice about the monitoring of a check: the problem in a sentence, and its fix. It can be stored as JSON. */

/** Some variants rank apart from their kind: `advise` returns advice in the order in which a check shows it. */
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

/** Kinds of advice that a paused check still gets. */
export const HEARD_IN_PAUSE: ReadonlySet<AdviceKind> = new Set(['unwatched', 'ignored', 'senders', 'overlap', 'twins'])

export interface Advice {
  readonly kind: AdviceKind
  /** the rule of the kind that gives it, such as `first` or `guess` of a zone */
  readonly variant: string
  readonly says: readonly AdvicePart[]
  readonly fix: Fix
  /** other readings of the same facts, such as "It runs at 04:00" beside "in UTC" */
  readonly otherFixes: readonly Fix[]
}

/** A part of the sentence. Times are milliseconds since 1970, durations seconds. */
export type AdvicePart =
  | string
  /** `at 10:00`, `on 16 Nov at 04:09` */
  | { readonly at: number }
  /** `10:00`, `16 Nov 04:09` */
  | { readonly clock: number }
  /** the time since then: `3 days` */
  | { readonly lasting: number }
  /** `1 h 27 min` */
  | { readonly took: number }
  /** text of a program */
  | { readonly quote: string }
  /** name that a person gave */
  | { readonly name: string }
  /** left out for readers without the right to change the check, because they may not see senders' addresses */
  | { readonly toEditors: readonly AdvicePart[] }

export type Fix =
  /** settings that one click sets */
  | { readonly do: 'set'; readonly settings: FixedSettings }
  | { readonly do: 'resume' }
  /** lines to put into the job */
  | { readonly do: 'text'; readonly text: FixText }
  /** a question that only a person can answer */
  | { readonly do: 'ask'; readonly about: FixQuestion }

/** Settings with the names and units of the API: `timeout` and `grace` are seconds. */
export interface FixedSettings {
  readonly timeout?: number
  readonly grace?: number
  readonly schedule?: string
  readonly tz?: string
  readonly methods?: 'POST' | ''
}

export type FixText = 'ping-line' | 'fail-status' | 'own-check' | 'post-line' | 'lock' | 'rid' | 'exit-status'

export type FixQuestion = 'channels' | 'rules' | 'schedule' | 'clocks' | 'did-it-run' | 'failures' | 'slower' | 'twins'
