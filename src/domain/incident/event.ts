/** The events of an incident, apart from flips. They have no numbers yet: the store assigns the next numbers of the check, in order. */
import type { Instant } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Flip } from '../check/flip.ts'

/** A silence holds the alert. If another silence takes over, that is a new event. */
interface Held {
  readonly kind: 'held'
  readonly silenceId: string
  /** end of the silence at that time, which a job may still extend */
  readonly until: Instant
}

interface Acknowledged {
  readonly kind: 'acknowledged'
  readonly by: By
  readonly until: Instant | null
  readonly note: string
  /** the person who had acknowledged the incident before; null: nobody, or the same person */
  readonly takenFrom: By | null
}

/** The acknowledgement that a message reports. */
export type Taken = Omit<Acknowledged, 'kind'>

/** A silence no longer holds the alert, or an acknowledgement has ended. */
interface Released {
  readonly kind: 'released'
  readonly from: 'silence' | 'acknowledgement'
  /** person who ended the acknowledgement; null: it expired, or the silence ended */
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

/** An event of an incident with its number. It can also be the flip that opened or ended the incident. */
export type NumberedEvent = (IncidentEvent & { readonly n: number }) | (Flip & { readonly kind: 'flip' })
