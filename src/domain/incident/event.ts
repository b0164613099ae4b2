/** The events of an incident, without flips. They have no numbers yet: the store gives each, in order, the next number of its check. */
import type { Instant } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Flip } from '../check/flip.ts'

/** The alert waits for a silence to end. Another silence that holds it is another event. */
interface Held {
  readonly kind: 'held'
  readonly silenceId: string
  /** end of the silence at that time: a job may prolong it */
  readonly until: Instant
}

interface Acknowledged {
  readonly kind: 'acknowledged'
  readonly by: By
  readonly until: Instant | null
  readonly note: string
  /** the person who was on it until then; null: nobody, or the same person */
  readonly takenFrom: By | null
}

/** The acknowledgement that a message reports. */
export type Taken = Omit<Acknowledged, 'kind'>

/** No silence holds the alert any more, or nobody is on the incident any more. */
interface Released {
  readonly kind: 'released'
  readonly from: 'silence' | 'acknowledgement'
  /** null: the acknowledgement expired, or the silence ended */
  readonly by: By | null
}

/** Maximum length of a note, in characters. */
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

/** An event of an incident with its number: one of its own, or a flip that opened or ended it. */
export type NumberedEvent = (IncidentEvent & { readonly n: number }) | (Flip & { readonly kind: 'flip' })
