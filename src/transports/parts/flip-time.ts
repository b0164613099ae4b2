/** The time of a flip, for programs and for readers of their output: ISO 8601 with the offset of the project's zone. */
import { isoSecondsIn } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import type { Alert } from '../transport.ts'

/** Formats the time of a flip. It is in UTC for a project without a zone, and for one whose zone is no longer in the zone data. */
export function flipTime({ flip, projectTz }: Pick<Alert, 'flip' | 'projectTz'>): string {
  return isoSecondsIn(flip.createdAt, knownZone(projectTz ?? 'UTC') ?? 'UTC')
}
