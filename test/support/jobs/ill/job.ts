/** A job that runs by one schedule, and a check that says something else of it. */
import type { Fix, FixedSettings } from '../../../../src/domain/advice/advice.ts'
import type { AdvisedCheck } from '../../../../src/domain/advice/facts.ts'
import type { SeededRandom } from '../../seeded-random.ts'
import { delay } from '../healthy/nightly.ts'
import { aHistory } from '../history.ts'
import type { IllHistory, Right } from '../kind.ts'
import { type Rates, withMishaps } from '../mishaps.ts'
import { aRun, pingsOf, type Run, type Signals } from '../runs.ts'

interface IllJob extends Signals {
  readonly check: AdvisedCheck
  /** the times at which its scheduler starts it */
  readonly slots: readonly number[]
  readonly until: number
  readonly right: Right
  /** a run by its time; at the slot, or some seconds after it, and over at once if it is left out */
  readonly run?: (slot: number, index: number) => Run
  readonly rates?: Rates
}

/** Failures and lost runs don't hide what is wrong. */
const FEW: Rates = { fails: 0.005, lost: 0.003 }

export function illHistory(
  random: SeededRandom,
  { check, slots, until, right, run, rates = FEW, ...signals }: IllJob,
): IllHistory {
  const seconds = signals.starts ? random.between(10, 300) : 0
  const ordinary = (slot: number) =>
    aRun(slot + delay(random), { seconds: signals.starts ? random.around(seconds, 0.1) : 0 })
  const [first, ...others] = slots.map(run ?? ordinary)
  const runs = first === undefined ? [] : [first, ...withMishaps(others, random, rates)]
  return { ...aHistory({ check, pings: pingsOf(runs, random, signals), until }), right }
}

export function set(settings: FixedSettings): Fix & { do: 'set' } {
  return { do: 'set', settings }
}
