/** A hold: the reason why no alert about an incident is sent for now. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import { holdEndsAt, holds, type Silence, type SilencedCheck } from '../silence/silence.ts'
import type { Acknowledgement } from './acknowledgement.ts'

export type Hold =
  | { readonly why: 'silence'; readonly silenceId: string; readonly until: Instant }
  /** `until` null: until the check recovers, and then no alert is sent at all */
  | { readonly why: 'acknowledgement'; readonly until: Instant | null }

/** The surroundings of an incident that decide whether it is alerted. */
export interface World {
  /** the check after its last ping */
  readonly check: SilencedCheck
  /** silences of its project, at least the active ones */
  readonly silences: readonly Silence[]
}

/** Returns the first of several holds. All have to end, so the next is determined when this one ends. */
export function holdOf(
  acknowledgement: Acknowledgement | null,
  severity: Severity,
  { check, silences }: World,
  now: Instant,
): Hold | null {
  if (acknowledgement !== null && covers(acknowledgement.severity, severity)) {
    return { why: 'acknowledgement', until: acknowledgement.until }
  }
  const holding = silences.filter((silence) => holds(silence, check, severity, now))
  if (holding.length === 0) return null
  const silence = holding.reduce((first, other) => (startsBefore(other, first) ? other : first))
  return { why: 'silence', silenceId: silence.id, until: holdEndsAt(silence) }
}

function startsBefore(a: Silence, b: Silence): boolean {
  return isBefore(a.startsAt, b.startsAt) || (a.startsAt.equals(b.startsAt) && a.id < b.id)
}
