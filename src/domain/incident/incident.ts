/**
 * An incident: the time between the flip that takes a check down and the flip that ends the problem. A check has at most one open incident.
 * `follow.ts` opens and ends incidents after flips, `take.ts` applies users' actions, and `advance.ts` decides which alerts are sent and
 * when.
 */
import type { Instant } from '../../lib/time.ts'
import type { Flip } from '../check/flip.ts'
import type { Severity } from '../severity.ts'
import type { Acknowledgement } from './acknowledgement.ts'
import type { NumberedEvent } from './event.ts'
import type { Hold } from './hold.ts'

export interface Incident {
  readonly checkId: string
  /** number of the event that opened the incident; identifies the incident within the check */
  readonly n: number
  readonly severity: Severity
  readonly openedAt: Instant
  /** end of the incident; null while it is open */
  readonly resolvedAt: Instant | null
  /**
   * severity in the last alert, even if the check had no channels at that time; null: no alert was sent, so the recovery is not reported
   * either
   */
  readonly told: Severity | null
  /** time of the last alert; null if {@link told} is null */
  readonly toldAt: Instant | null
  /** acknowledgement, which is kept after the incident ends; null: nobody has acknowledged the incident */
  readonly acknowledgement: Acknowledgement | null
  /** reason why no alert has been sent yet; null if an alert was sent or the incident has ended */
  readonly held: Hold | null
  /**
   * when the incident must be examined again, unless a flip, a user's action or a change of silences causes an earlier examination; null:
   * nothing changes merely because time passes
   */
  readonly nextLookAt: Instant | null
}

/** @param flip a flip to the status `down` */
export function openIncident({ checkId, n, createdAt }: Flip): Incident {
  const news = { told: null, toldAt: null, acknowledgement: null, held: null, nextLookAt: null }
  return { checkId, n, severity: 'down', openedAt: createdAt, resolvedAt: null, ...news }
}

/** Ends an incident because the check has recovered or is no longer monitored. */
export function endIncident(incident: Incident, at: Instant): Incident {
  return { ...incident, resolvedAt: at, held: null, nextLookAt: null }
}

/**
 * Reopens an incident after its end was undone. The incident is examined immediately, because an alert may have become due in the meantime.
 * @param events the incident's events, oldest first
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
