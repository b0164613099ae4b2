/** The acknowledgement of an incident: somebody works on it, so no first alert is sent. */
import { type Instant, isAtOrAfter } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Severity } from '../severity.ts'

export interface Acknowledgement {
  readonly at: Instant
  readonly by: By
  /** null: until the check recovers */
  readonly until: Instant | null
  /** '' for none */
  readonly note: string
  /** severity of the incident when it was acknowledged; a worse one is alerted */
  readonly severity: Severity
}

export function isLapsed({ until }: Acknowledgement, now: Instant): boolean {
  return until !== null && isAtOrAfter(now, until)
}
