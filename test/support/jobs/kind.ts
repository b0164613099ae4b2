/** Kinds of jobs. Healthy ones fit their checks, so the doctor must be silent; of ill ones it must say what is wrong. */
import type { AdviceKind, Fix, FixedSettings } from '../../../src/domain/advice/advice.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { History } from './history.ts'

export interface HealthyKind {
  readonly name: string
  readonly history: (random: SeededRandom) => History
}

export interface IllKind {
  readonly name: string
  readonly history: (random: SeededRandom) => IllHistory
  /**
   * share of histories in which the doctor finds the problem; it never gives other advice. Missing: 1. 0: impossible, so it must be silent
   */
  readonly found?: number
}

export interface IllHistory extends History {
  readonly right: Right
}

/** The advice that a history deserves. */
export interface Right {
  readonly kind: AdviceKind
  /** the fix, or its known settings; missing where it can't be known */
  readonly fix?: Exclude<Fix, { do: 'set' }> | { readonly do: 'set'; readonly settings: FixedSettings }
}
