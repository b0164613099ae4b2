/** An incident's events, except flips. They have no numbers yet: the store assigns the check's next event numbers in order. */
import type { Instant } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Flip } from '../check/flip.ts'

/** Records that a silence started holding the alert back. If another silence takes over, a new event is recorded. */
interface Held {
  readonly kind: 'held'
  readonly silenceId: string
  /** planned end of the silence at the time of the event; a job may extend the silence later */
  readonly until: Instant
}

interface Acknowledged {
  readonly kind: 'acknowledged'
  readonly by: By
  readonly until: Instant | null
  readonly note: string
  /** the user who had acknowledged the incident before; null: nobody, or the same user */
  readonly takenFrom: By | null
}

/** An acknowledgement as reported in a message. */
export type Taken = Omit<Acknowledged, 'kind'>

/** Records that a silence stopped holding the alert back, or that an acknowledgement ended. */
interface Released {
  readonly kind: 'released'
  readonly from: 'silence' | 'acknowledgement'
  /** user who ended the acknowledgement; null: it expired, or the silence ended */
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

/** An incident's event with its number. It can also be the flip that opened or ended the incident. */
export type NumberedEvent = (IncidentEvent & { readonly n: number }) | (Flip & { readonly kind: 'flip' })
