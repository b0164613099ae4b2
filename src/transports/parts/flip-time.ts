/** Formats a flip's time for programs and for readers of their output: ISO 8601 with the offset of the project's time zone. */
import { isoSecondsIn } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import type { Alert } from '../transport.ts'

/** Formats a flip's time. Uses UTC if the project has no time zone, or if the time zone data no longer contains it. */
export function flipTime({ flip, projectTz }: Pick<Alert, 'flip' | 'projectTz'>): string {
  return isoSecondsIn(flip.createdAt, knownZone(projectTz ?? 'UTC') ?? 'UTC')
}
