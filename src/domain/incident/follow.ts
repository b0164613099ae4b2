/** Updates a check's incidents after a flip, because flips open and end incidents. */
import type { Instant } from '../../lib/time.ts'
import { type Flip, sendsAlerts } from '../check/flip.ts'
import { type Advanced, advance, type Telling } from './advance.ts'
import type { World } from './hold.ts'
import { endIncident, type Incident, openIncident } from './incident.ts'

export interface Followed extends Omit<Advanced, 'incident'> {
  /** the incident that was open before the flip; null if there was none */
  readonly ended: Incident | null
  readonly opened: Incident | null
}

/**
 * Updates a check's incidents in the transaction of its flip. If an alert about the problem was sent, the recovery is reported, even during
 * a silence or an acknowledgement. Pausing the check ends the incident without an alert.
 * @param open the check's open incident; null: none, or an unknown one, as after the import of a check that is down
 * @param world the state after the flip
 */
export function followFlip(open: Incident | null, flip: Flip, world: World, now: Instant): Followed {
  const ended = open && endIncident(open, flip.createdAt)
  if (flip.newStatus === 'down') {
    const { incident, ...owed } = advance(openIncident(flip), world, now)
    return { ended, opened: incident, ...owed }
  }
  const isHeardOf = open === null || open.told !== null
  const tellings: Telling[] = isHeardOf && sendsAlerts(flip) ? [{ eventN: flip.n, news: 'up' }] : []
  return { ended, opened: null, tellings, events: [] }
}
