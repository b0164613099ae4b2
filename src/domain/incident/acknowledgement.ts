/** An incident's acknowledgement: a user is working on the incident, so the first alert is not sent. */
import { type Instant, isAtOrAfter } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Severity } from '../severity.ts'

export interface Acknowledgement {
  readonly at: Instant
  readonly by: By
  /** end of the acknowledgement; null: it ends when the check recovers */
  readonly until: Instant | null
  /** the user's note; '' if there is none */
  readonly note: string
  /** the incident's severity when it was acknowledged. If the severity increases, an alert is sent */
  readonly severity: Severity
}

export function isLapsed({ until }: Acknowledgement, now: Instant): boolean {
  return until !== null && isAtOrAfter(now, until)
}
