/** A hold: why nobody is told of an incident for now. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import { holdEndsAt, holds, type Silence, type SilencedCheck } from '../silence/silence.ts'
import type { Acknowledgement } from './acknowledgement.ts'

export type Hold =
  | { readonly why: 'silence'; readonly silenceId: string; readonly until: Instant }
  /** `until` null: until the check recovers, and then nobody is told at all */
  | { readonly why: 'acknowledgement'; readonly until: Instant | null }

/** The world around an incident, as far as it decides who is told. */
export interface World {
  /** as its last ping left it */
  readonly check: SilencedCheck
  /** of its project, at least those that are active */
  readonly silences: readonly Silence[]
}

/** The first of several holds: all have to be over, so each is asked when the one before it ends. */
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
