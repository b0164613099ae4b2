/** What came and did not count. */
import type { RefusedSignals } from '../../domain/cause/refused.ts'
import type { UncountedPings } from '../../domain/cause/uncounted.ts'
import type { SignalTarget } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'

/** Refused requests that named the same target. */
export interface NotedRefusal extends RefusedSignals {
  /** nobody knows whether there is such a check */
  readonly target: SignalTarget
}

export interface UncountedStore {
  /**
   * The pings that came since the last one that counted, and not after `until`, by check. A check without any is left out.
   * @param ids give few at a time
   */
  listUncounted(ids: readonly string[], until: Instant): Promise<ReadonlyMap<string, UncountedPings>>
  /** By check, of the last day before `now`. A check without any is left out. */
  listRefused(ids: readonly string[], now: Instant): Promise<ReadonlyMap<string, RefusedSignals>>
  /** Adds to what is stored of the last day. Targets that name no check, or more than one, are left out; without any other nothing is written. */
  addRefused(noted: readonly NotedRefusal[], now: Instant): Promise<void>
}
