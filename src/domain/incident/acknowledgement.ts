/** The acknowledgement of an incident: somebody is on it, so nobody else is told for the first time. */
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
  /** of the incident when it was acknowledged; when that gets worse, people are told */
  readonly severity: Severity
}

export function isLapsed({ until }: Acknowledgement, now: Instant): boolean {
  return until !== null && isAtOrAfter(now, until)
}
