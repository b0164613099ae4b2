/** A hold: the reason why alerts about an incident are not sent for now. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import type { Occurrence } from '../silence/maintenance-window.ts'
import { holding, type Silence, type SilencedCheck } from '../silence/silence.ts'
import type { Acknowledgement } from './acknowledgement.ts'

export type Hold =
  | { readonly why: 'silence'; readonly silenceId: string; readonly until: Instant }
  /** `until` null: until the check recovers, so that no alert is ever sent */
  | { readonly why: 'acknowledgement'; readonly until: Instant | null }

/** The facts that decide whether an incident is alerted now. */
export interface World {
  /** the check after its last ping */
  readonly check: SilencedCheck
  /** silences of the project, or at least the ones that are in effect */
  readonly silences: readonly Silence[]
}

/** Returns the hold that applies; if there are several, the first. When it ends, this is called again for the next one. */
export function holdOf(
  acknowledgement: Acknowledgement | null,
  severity: Severity,
  { check, silences }: World,
  now: Instant,
): Hold | null {
  if (acknowledgement !== null && covers(acknowledgement.severity, severity)) {
    return { why: 'acknowledgement', until: acknowledgement.until }
  }
  let first: Holding | null = null
  for (const silence of silences) {
    const occurrence = holding(silence, check, severity, now)
    if (occurrence === null) continue
    const one = { silence, occurrence }
    if (first === null || startsBefore(one, first)) first = one
  }
  return first && { why: 'silence', silenceId: first.silence.id, until: first.occurrence.endsAt }
}

interface Holding {
  readonly silence: Silence
  readonly occurrence: Occurrence
}

function startsBefore(a: Holding, b: Holding): boolean {
  const [start, other] = [a.occurrence.startsAt, b.occurrence.startsAt]
  return isBefore(start, other) || (start.equals(other) && a.silence.id < b.silence.id)
}
