/** A job that runs by one schedule, and a check that expects another one. */
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
  /** times at which its scheduler starts the job */
  readonly slots: readonly number[]
  readonly until: number
  readonly right: Right
  /** the run of a slot: at the slot, or some seconds later; missing: it ends at once */
  readonly run?: (slot: number, index: number) => Run
  readonly rates?: Rates
}

/** Rates of failures and lost runs that don't hide what is wrong. */
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
