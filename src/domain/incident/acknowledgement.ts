/** The acknowledgement of an incident: a person is working on it, so a first alert is not sent. */
import { type Instant, isAtOrAfter } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Severity } from '../severity.ts'

export interface Acknowledgement {
  readonly at: Instant
  readonly by: By
  /** end of the acknowledgement; null: it lasts until the check recovers */
  readonly until: Instant | null
  /** note of the person; '' if there is none */
  readonly note: string
  /** severity of the incident when it was acknowledged. If it gets worse, an alert is sent */
  readonly severity: Severity
}

export function isLapsed({ until }: Acknowledgement, now: Instant): boolean {
  return until !== null && isAtOrAfter(now, until)
}
