/** *Grace*: the grace time is shorter than the job needs. */
import { median, spread } from '../../../lib/figures/statistics.ts'
import { HOUR, MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { graceForNeed } from '../round.ts'
import type { Verdict } from '../verdicts.ts'

const RUNS_READ = 30
const LATE_LEAST = 3
/** Multiple of the usual need for grace time. A run that needed more than this was probably affected by an outage. */
const OUTAGE = 3

export function grace(reading: Reading): Advice | null {
  const read = reading.verdicts
    .filter(({ run, isExtra, missed }) => !run.hasFailed && !isExtra && missed === 0)
    .slice(-RUNS_READ)
  const late = withoutOutages(read.filter(({ isLate }) => isLate))
  if (late.length < LATE_LEAST || isOtherTime(reading, late)) return null
  const longest = Math.max(...late.map(({ need }) => need))
  const proposed = graceForNeed(longest)
  if (proposed <= reading.grace || proposed > longestGrace(reading)) return null
  const byDuration = late.filter(({ run }) => (run.duration ?? 0) >= reading.grace)
  const isOfRuns = byDuration.length > late.length / 2
  return {
    kind: 'grace',
    variant: isOfRuns ? 'runs' : 'arrives',
    says: words(reading, { isOfRuns, longest, proposed, late: late.length, of: read.length }),
    fix: { do: 'set', settings: { grace: proposed / SECOND } },
    otherFixes: [],
  }
}

function withoutOutages(late: readonly Verdict[]): readonly Verdict[] {
  const usual = median(late.map(({ need }) => need))
  return late.filter(({ need }) => need <= OUTAGE * usual)
}

/**
 * Whether the job seems to run at a different time of day: its runs are late by nearly the same number of hours, and their durations are
 * unknown.
 */
function isOtherTime({ isScheduled, hasStarts }: Reading, late: readonly Verdict[]): boolean {
  const needs = late.map(({ need }) => need)
  return isScheduled && !hasStarts && spread(needs) <= 15 * MINUTE && Math.max(...needs) >= 2 * HOUR
}

function longestGrace({ isScheduled, gap }: Reading): number {
  return gap === null ? 0 : isScheduled ? 0.75 * gap : gap
}

interface Needs {
  readonly isOfRuns: boolean
  readonly longest: number
  readonly proposed: number
  readonly late: number
  readonly of: number
}

/**
 * Returns a sentence such as `Takes up to 1 h 27 min, but grace is 1 h: 25 of 30 runs were late. 1 h 45 min would have covered all of
 * them.`
 */
function words(reading: Reading, { isOfRuns, longest, proposed, late, of }: Needs): readonly AdvicePart[] {
  const lead = isOfRuns ? 'Takes up to ' : 'Runs up to '
  return [
    lead,
    { took: Math.ceil(longest / MINUTE) * 60 },
    isOfRuns ? ', but grace is ' : ' after it is due, but grace is ',
    { took: reading.grace / SECOND },
    `: ${late} of ${of} runs were late. `,
    { took: proposed / SECOND },
    ' would have covered all of them.',
  ]
}
