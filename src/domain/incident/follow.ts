/** Applies the flips of a check to its incidents: flips open and end them. */
import type { Instant } from '../../lib/time.ts'
import { type Flip, sendsAlerts } from '../check/flip.ts'
import { type Advanced, advance, type Telling } from './advance.ts'
import type { World } from './hold.ts'
import { endIncident, type Incident, openIncident } from './incident.ts'

export interface Followed extends Omit<Advanced, 'incident'> {
  /** the incident that was open; null without one */
  readonly ended: Incident | null
  readonly opened: Incident | null
}

/**
 * Applies a flip to the incidents of its check, in the transaction of the flip. A recovery is alerted if its problem was, whatever would
 * hold it; a pause ends an incident without an alert.
 * @param open the open incident of the check; null: none, or an unknown one, as when the check was imported while down
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
