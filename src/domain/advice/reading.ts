/** A check's facts, and values calculated from them. Each value is calculated once, when a rule first needs it. */
import { atOnce } from '../../lib/work/at-once.ts'
import { SECOND } from '../units.ts'
import type { Facts } from './facts.ts'
import { type Proposal, proposalFrom } from './proposal.ts'
import { distancesOf, haveStarts, type Run, runsOf } from './runs.ts'
import { usualDistance } from './slots-passed.ts'
import { type Verdict, verdictsInSteps } from './verdicts.ts'

export class Reading {
  #runs: readonly Run[] | undefined
  #distances: readonly number[] | undefined
  #verdicts: readonly Verdict[] | undefined
  #gap: number | null | undefined
  #proposal: Proposal | null | undefined

  /** @param now milliseconds since 1970 */
  constructor(
    readonly facts: Facts,
    readonly now: number,
  ) {}

  /** grace time, in milliseconds */
  get grace(): number {
    return this.facts.check.graceSeconds * SECOND
  }

  get isScheduled(): boolean {
    return this.facts.check.kind !== 'simple'
  }

  /** all runs in the log, oldest first */
  get runs(): readonly Run[] {
    this.#runs ??= runsOf(this.facts.log)
    return this.#runs
  }

  /** runs since the settings were last changed */
  get runsSinceChange(): readonly Run[] {
    return this.runs.filter(({ began }) => began >= this.facts.check.changedAt)
  }

  get hasStarts(): boolean {
    return haveStarts(this.runs)
  }

  /** times between runs, in milliseconds; see {@link distancesOf} */
  get distances(): readonly number[] {
    this.#distances ??= distancesOf(this.runsSinceChange, this.facts.away)
    return this.#distances
  }

  /** verdicts on all runs that count, oldest first; empty if the schedule has an end or is invalid */
  get verdicts(): readonly Verdict[] {
    return this.#verdicts ?? atOnce(this.judge())
  }

  /** Calculates the verdicts. Yields after each run. */
  *judge(): Generator<void, readonly Verdict[]> {
    const { check, away } = this.facts
    this.#verdicts = this.gap === null ? [] : yield* verdictsInSteps(check, this.runs, { ...check, away })
    return this.#verdicts
  }

  /** the period, or the usual time between slots, in milliseconds; null for a schedule that has an end */
  get gap(): number | null {
    if (this.#gap === undefined) this.#gap = usualDistance(this.facts.check, this.now)
    return this.#gap
  }

  /** true: each of the last three runs had its own slot and was late */
  get isAlwaysLate(): boolean {
    const newest = this.verdicts.slice(-3)
    return newest.length === 3 && newest.every(({ isLate, passed }) => isLate && passed > 0)
  }

  /** schedule inferred from the log, if the current settings don't fit */
  get proposal(): Proposal | null {
    if (this.#proposal === undefined) this.#proposal = proposalFrom(this)
    return this.#proposal
  }
}
