/** Formats the time of a flip for programs and for people who read their output: ISO 8601 with the offset of the project's time zone. */
import { isoSecondsIn } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import type { Alert } from '../transport.ts'

/** Formats the time of a flip. Uses UTC if the project has no time zone, or one that is no longer in the time zone data. */
export function flipTime({ flip, projectTz }: Pick<Alert, 'flip' | 'projectTz'>): string {
  return isoSecondsIn(flip.createdAt, knownZone(projectTz ?? 'UTC') ?? 'UTC')
}
