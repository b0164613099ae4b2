/** *Lax*: an outage is noticed late, because the grace time is as long as the time between runs. */
import { DAY, HOUR, MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { roundGrace } from '../round.ts'

const SHORTEST = HOUR
const LONGEST = 32 * DAY
const RUNS_NEEDED = 8
/** Maximum delay of a punctual job, as a fraction of the time between runs. */
const PUNCTUAL = 1 / 8

export function lax(reading: Reading): Advice | null {
  const { gap, verdicts } = reading
  if (gap === null || reading.grace < gap || gap < SHORTEST || gap > LONGEST) return null
  if (verdicts.length < RUNS_NEEDED || verdicts.some(({ missed }) => missed > 0)) return null
  if (!isLongByMistake(reading, gap)) return null
  const need = Math.max(...verdicts.map((verdict) => verdict.need))
  if (Math.max(need, deviation(reading, gap)) > PUNCTUAL * gap) return null
  const proposed = roundGrace(Math.max(2 * need, gap / 10, 5 * MINUTE))
  if (proposed > gap / 2) return null
  return {
    kind: 'lax',
    variant: reading.isScheduled ? 'schedule' : 'period',
    says: words(reading, proposed, verdicts.length),
    fix: { do: 'set', settings: { grace: proposed / SECOND } },
    otherFixes: [],
  }
}

/** Whether the grace time is probably too long by mistake, rather than chosen to cover nights and weekends. */
function isLongByMistake({ grace, verdicts }: Reading, gap: number): boolean {
  const [first, last] = [verdicts[0], verdicts.at(-1)]
  const span = first && last ? last.run.began - first.run.began : 0
  return grace <= 2 * gap || (gap >= 6 * HOUR && span >= 8 * DAY)
}

/** Returns the largest difference between the period and the actual time between runs. */
function deviation({ isScheduled, distances }: Reading, gap: number): number {
  return isScheduled ? 0 : Math.max(0, ...distances.map((distance) => Math.abs(distance - gap)))
}

/**
 * Returns a sentence such as `A missing run is noticed only after 2 days: grace is as long as the period. 2 h 30 min would have covered all
 * 20 runs.`
 */
function words({ isScheduled, gap, grace }: Reading, proposed: number, runs: number): readonly AdvicePart[] {
  const covered: readonly AdvicePart[] = [{ took: proposed / SECOND }, ` would have covered all ${runs} runs.`]
  if (isScheduled) {
    return ['A single missing run is never noticed: the next run starts within its grace time. ', ...covered]
  }
  const noticed = { took: ((gap ?? 0) + grace) / SECOND }
  const reason = grace === gap ? 'grace is as long as the period' : 'grace is longer than the period'
  return ['A missing run is noticed only after ', noticed, `: ${reason}. `, ...covered]
}
