/**
 * An incident: the events of a check from the flip to down until the flip that ends it. A check has one open incident at most.
 *
 * `follow.ts` opens and ends it with flips, `take.ts` applies actions of people, and `advance.ts` decides which alerts it sends and when.
 */
import type { Instant } from '../../lib/time.ts'
import type { Flip } from '../check/flip.ts'
import type { Severity } from '../severity.ts'
import type { Acknowledgement } from './acknowledgement.ts'
import type { NumberedEvent } from './event.ts'
import type { Hold } from './hold.ts'

export interface Incident {
  readonly checkId: string
  /** number of the event that opened it, which identifies it among the incidents of its check */
  readonly n: number
  readonly severity: Severity
  readonly openedAt: Instant
  /** null while it is open */
  readonly resolvedAt: Instant | null
  /** the severity that channels were alerted of, even if the check had no channel then; null: no recovery is alerted */
  readonly told: Severity | null
  /** null like {@link told} */
  readonly toldAt: Instant | null
  /** null: nobody is on it. It is kept when the incident ends. */
  readonly acknowledgement: Acknowledgement | null
  /** the reason why no alert was sent yet; null once one was sent, and after the incident's end */
  readonly held: Hold | null
  /** time to advance it again, unless a flip, a person or a silence does so earlier; null: no later event is possible */
  readonly nextLookAt: Instant | null
}

/** @param flip a flip to down */
export function openIncident({ checkId, n, createdAt }: Flip): Incident {
  const news = { told: null, toldAt: null, acknowledgement: null, held: null, nextLookAt: null }
  return { checkId, n, severity: 'down', openedAt: createdAt, resolvedAt: null, ...news }
}

/** Ends an incident: its check is healthy again, or is no longer monitored. */
export function endIncident(incident: Incident, at: Instant): Incident {
  return { ...incident, resolvedAt: at, held: null, nextLookAt: null }
}

/**
 * Reopens an incident whose end is undone. It is examined at once, because an alert may be due by now.
 * @param events the events of the incident, oldest first
 */
export function reopen(ended: Incident, events: readonly NumberedEvent[]): Incident {
  return { ...ended, resolvedAt: null, held: heldBefore(ended, events), nextLookAt: ended.openedAt }
}

function heldBefore({ told, acknowledgement }: Incident, events: readonly NumberedEvent[]): Hold | null {
  if (told !== null) return null
  if (acknowledgement !== null) return { why: 'acknowledgement', until: acknowledgement.until }
  const held = events.findLast((event) => event.kind === 'held')
  return held ? { why: 'silence', silenceId: held.silenceId, until: held.until } : null
}
