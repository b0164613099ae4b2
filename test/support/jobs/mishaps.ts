/** Mishaps of the runs of healthy jobs: outages, lost pings, failures, runs by hand. */
import type { Stretch } from '../../../src/domain/stretch.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { aRun, CURL, HOUR, MINUTE, PAGE, type Run, SECOND } from './runs.ts'

export interface Rates {
  /** shares of the runs */
  readonly fails?: number
  readonly lost?: number
  readonly byHand?: number
  /** share of the histories that have an outage of the job's machine */
  readonly outage?: number
}

export const ORDINARY: Rates = { fails: 0.01, lost: 0.005, byHand: 0.004, outage: 0.3 }

/** Changes runs as in practice: some fail, some are missing, and a person tries the job by hand. */
export function withMishaps(runs: readonly Run[], random: SeededRandom, rates: Rates = ORDINARY): Run[] {
  const { fails = 0, lost = 0, byHand = 0, outage = 0 } = rates
  const down = random.happens(outage) ? [anOutage(runs, random)] : []
  return outside(runs, down).flatMap((run, index) => {
    if (random.happens(lost)) return []
    // Here the scheduler starts the first run of a check; separate kinds begin otherwise.
    const hand = index > 0 && random.happens(byHand) ? [aHandRun(run, random)] : []
    return [random.happens(fails) ? { ...run, outcome: 'fail' as const } : run, ...hand]
  })
}

/** A stretch without the machine: about two runs, or many, up to five days. */
export function anOutage(runs: readonly Run[], random: SeededRandom): Stretch {
  const from = random.pick(runs).at - MINUTE
  return { from, until: from + Math.min(random.between(1, 120) * HOUR, random.between(1, 12) * distanceOf(runs)) }
}

export function outside<Thing extends { readonly at: number }>(
  things: readonly Thing[],
  away: readonly Stretch[],
): Thing[] {
  return things.filter(({ at }) => !away.some(({ from, until }) => at >= from && at < until))
}

/** A run that a person starts at a terminal, or a click on the check's page. */
function aHandRun(near: Run, random: SeededRandom): Run {
  const by = random.happens(0.7) ? { ...CURL, sender: near.by.sender } : PAGE
  return aRun(near.at + random.between(2, 10) * HOUR + random.between(0, 60) * SECOND, { seconds: near.seconds, by })
}

function distanceOf(runs: readonly Run[]): number {
  const [first, last] = [runs[0], runs.at(-1)]
  return first && last && runs.length > 1 ? (last.at - first.at) / (runs.length - 1) : 24 * HOUR
}
