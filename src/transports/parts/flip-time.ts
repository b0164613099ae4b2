/** When a flip happened, for programs and for people who read what these show: ISO 8601 with the offset of the project's zone. */
import { isoSecondsIn } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import type { Alert } from '../transport.ts'

/** In UTC for a project without a zone, and for one whose zone has left the zone data. */
export function flipTime({ flip, projectTz }: Pick<Alert, 'flip' | 'projectTz'>): string {
  return isoSecondsIn(flip.createdAt, knownZone(projectTz ?? 'UTC') ?? 'UTC')
}
