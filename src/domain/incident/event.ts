/** The events of an incident that are no flips. They have no number yet: the store gives each the next one of its check, in their order. */
import type { Instant } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Flip } from '../check/flip.ts'

/** The telling waits for a silence to end; again when it is another one. */
interface Held {
  readonly kind: 'held'
  readonly silenceId: string
  /** as it was then: a job may prolong the silence */
  readonly until: Instant
}

interface Acknowledged {
  readonly kind: 'acknowledged'
  readonly by: By
  readonly until: Instant | null
  readonly note: string
  /** who was on it until then; null: nobody, or the same person */
  readonly takenFrom: By | null
}

/** What is told of an acknowledgement. */
export type Taken = Omit<Acknowledged, 'kind'>

/** No silence holds the telling any more, or nobody is on it any more. */
interface Released {
  readonly kind: 'released'
  readonly from: 'silence' | 'acknowledgement'
  /** null: its time was over, or a silence was ended */
  readonly by: By | null
}

/** Characters of a note. */
export const NOTE_LIMIT = 1_000

interface Noted {
  readonly kind: 'note'
  readonly by: By
  readonly text: string
}

export type IncidentEvent = (Held | Acknowledged | Released | Noted) & {
  readonly checkId: string
  readonly at: Instant
}

/** What happened in an incident, in the order of the numbers: its events, and the flips that opened and ended it. */
export type NumberedEvent = (IncidentEvent & { readonly n: number }) | (Flip & { readonly kind: 'flip' })
