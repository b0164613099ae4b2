/** What came and did not count. */
import type { RefusedSignals } from '../../domain/cause/refused.ts'
import type { SignalTarget } from '../../domain/ping/signal.ts'

/** Refused requests that named the same target. */
export interface NotedRefusal extends RefusedSignals {
  /** nobody knows whether there is such a check */
  readonly target: SignalTarget
}
