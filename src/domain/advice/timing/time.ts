/** *Time*: the job runs as often as expected, but at a different time. */
import { median, spread } from '../../../lib/figures/statistics.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../units.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { graceForNeed, roundPeriod } from '../round.ts'
import { slotsAfter } from '../slots-passed.ts'
import type { Verdict } from '../verdicts.ts'
import { clockWords } from './clocks.ts'
import { graceOfPeriod } from './period-grace.ts'
import { proposedFix, rhythmWords } from './proposed.ts'
import { movedFix, timeFix } from './time-fix.ts'

export function time(reading: Reading): Advice | null {
  if (!reading.isScheduled) return null
  return drift(reading) ?? early(reading) ?? late(reading)
}

const NEWEST = 3
const DRIFTING = 8

/** Fraction of the total drift. If a single step is larger than this fraction, the job was rescheduled once and is not drifting. */
const STEP = 0.5

/** Returns advice about a job that waits for a fixed time after its last run instead of running at fixed times. */
function drift(reading: Reading): Advice | null {
  const { verdicts, gap, distances } = reading
  const newest = verdicts.slice(-DRIFTING)
  if (newest.length < DRIFTING || gap === null || !newest.slice(-NEWEST).some(({ isLate }) => isLate)) return null
  const delays = newest.map(({ delay }) => delay)
  const steps = delays.slice(1).map((delay, index) => delay - (delays[index] ?? delay))
  const moved = spread(delays)
  const isSteady = Math.min(...steps) > 0 && Math.max(...steps) <= STEP * moved
  if (!isSteady || !haveOwnSlots(newest) || moved < Math.min(10 * MINUTE, gap / 20)) return null
  const period = roundPeriod(median(distances))
  const settings = { timeout: period / SECOND, grace: graceOfPeriod(reading, period) / SECOND }
  const says = [
    'Runs ',
    { took: rounded(moved / (DRIFTING - 1)) },
    ' later each time: it follows its last run, not the clock.',
  ]
  return { kind: 'time', variant: 'drift', says, fix: { do: 'set', settings }, otherFixes: [] }
}

/** Whether each run had its own slot. One missing run is allowed. */
function haveOwnSlots(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ passed }) => passed > 0) && verdicts.filter(({ missed }) => missed > 0).length <= 1
}

const EARLY = 5 * MINUTE
const EARLY_GAP = 20 * MINUTE

/** Returns advice about runs that begin shortly before their slot. Overdue attributes such a run to the previous slot. */
function early({ facts, verdicts, gap }: Reading): Advice | null {
  const newest = verdicts.slice(-NEWEST)
  if (newest.length < NEWEST || (gap ?? 0) <= EARLY_GAP || !newest.every(({ isHard }) => isHard)) return null
  const leads = newest.map(({ run }) => (slotsAfter(facts.check, run.began, 1)[0] ?? Infinity) - run.began)
  if (leads.some((lead) => lead >= EARLY)) return null
  const says: readonly AdvicePart[] = [
    'Runs ',
    { took: rounded(median(leads)) },
    ' before it is due: each run counts for the previous slot, so the check is down until the next run.',
  ]
  const by = -Math.ceil(Math.max(...leads) / MINUTE) * MINUTE
  return { kind: 'time', variant: 'early', says, fix: movedFix(facts.check.schedule, by), otherFixes: [] }
}

const LATE_COMPARED = 8
const SPREAD = 10 * MINUTE
const SPREAD_WITH_STARTS = 15 * MINUTE

function late(reading: Reading): Advice | null {
  const { hasStarts, isAlwaysLate } = reading
  if (!isAlwaysLate) return null
  const newest = alikeLate(reading, hasStarts ? SPREAD_WITH_STARTS : SPREAD)
  if (newest.length < NEWEST || !haveOwnSlots(newest)) return null
  if (isRatherNeed(reading, newest)) return null
  const fix = timeFix(reading, newest)
  return { kind: 'time', variant: 'late', says: lateWords(reading, newest), fix, otherFixes: [] }
}

/** Returns the newest runs if they were all late by about the same amount. */
function alikeLate({ verdicts, grace }: Reading, widest: number): readonly Verdict[] {
  const newest: Verdict[] = []
  for (const verdict of verdicts.slice(-LATE_COMPARED).reverse()) {
    const isLate = verdict.passed > 0 && verdict.delay >= grace
    if (!isLate || spread([...newest, verdict].map(({ delay }) => delay)) > widest) break
    newest.push(verdict)
  }
  return newest.reverse()
}

const NEED_LONGEST = 2 * HOUR
const NEED_SPREAD = 2 * MINUTE

/** Whether the job is only slightly late, by varying amounts. Such a job needs a longer grace time, not another schedule. */
function isRatherNeed({ gap, hasStarts }: Reading, newest: readonly Verdict[]): boolean {
  const delays = newest.map(({ delay }) => delay)
  const grace = graceForNeed(Math.max(...newest.map(({ need }) => need)))
  if (grace > Math.min((gap ?? 0) / 4, NEED_LONGEST)) return false
  return !hasStarts || Math.max(...delays) < 10 * MINUTE || spread(delays) > NEED_SPREAD
}

/** Returns a sentence such as `Runs at 05:00 in Berlin, 2 h after it is due, each of the last 4 times.` */
export function lateWords({ facts, gap }: Reading, newest: readonly Verdict[]): readonly AdvicePart[] {
  const [earliest] = newest.toSorted((a, b) => a.delay - b.delay)
  if (earliest === undefined) return []
  const clock = `Runs at ${clockWords(facts.check.tz, earliest.run.began)}, `
  const times = ` after it is due, each of the last ${newest.length} times.`
  return [(gap ?? 0) < DAY ? 'Runs ' : clock, { took: rounded(earliest.delay) }, times]
}

const ALIKE = [0.9, 1.1] as const

/**
 * Proposes a different schedule with about the same number of runs per week. Advice to increase the grace time has priority, because that
 * change is smaller.
 */
export function otherTime(reading: Reading): Advice | null {
  const { proposal, isAlwaysLate } = reading
  if (!isAlwaysLate || proposal === null || proposal.share < ALIKE[0] || proposal.share > ALIKE[1]) return null
  const says = [`Late each of the last ${NEWEST} times: it seems to run ${rhythmWords(proposal.timing)}.`]
  return { kind: 'time', variant: 'other', says, fix: proposedFix(reading, proposal), otherFixes: [] }
}

/** Converts to seconds. Values above one minute are rounded to whole minutes. */
function rounded(duration: number): number {
  const unit = duration < MINUTE ? SECOND : MINUTE
  return (Math.round(duration / unit) * unit) / SECOND
}
