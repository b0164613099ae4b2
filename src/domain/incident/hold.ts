/** A hold: the reason why alerts about an incident are currently not being sent. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import type { Occurrence } from '../silence/maintenance-window.ts'
import { holding, type Silence, type SilencedCheck } from '../silence/silence.ts'
import type { Acknowledgement } from './acknowledgement.ts'

export type Hold =
  | { readonly why: 'silence'; readonly silenceId: string; readonly until: Instant }
  /** `until` is null if the hold lasts until the check recovers, so that no alert is ever sent */
  | { readonly why: 'acknowledgement'; readonly until: Instant | null }

/** The data that determines whether an alert about an incident is sent now. */
export interface World {
  /** the check after its last ping */
  readonly check: SilencedCheck
  /** the project's silences, or at least those in effect */
  readonly silences: readonly Silence[]
}

/** Returns the hold that applies. If several apply, returns the first one; the function is called again when that hold ends. */
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
