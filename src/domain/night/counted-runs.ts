/** Reconstructs runs that are no longer in the log from daily counts. */
import { slotsOf } from '../rhythm-plot/expected.ts'
import type { PastDay, PlotRun, TimingSince } from '../rhythm-plot/facts.ts'
import { daysBefore, pastDays, pastRuns } from '../rhythm-plot/past-days.ts'
import type { DayRuns } from '../run/day-runs.ts'
import { MINUTE, SECOND } from '../units.ts'

/**
 * Minimum share of a day's runs that must have failed for them to be treated as failed. The value is 1 because the counts don't say which
 * runs failed, so that is only certain if all of them did.
 */
const FAILED_FROM = 1

/**
 * Returns the runs reconstructed from the counts, followed by those in the log, oldest first.
 * @param days oldest first
 * @param logged oldest first
 */
export function countedRuns(
  timing: TimingSince,
  days: readonly DayRuns[],
  logged: readonly PlotRun[],
): readonly PlotRun[] {
  const past = daysBefore(pastDays(days, timing.tz), logged)
  const slots = slotsOf([timing], past[0]?.from ?? 0, past.at(-1)?.until ?? 0)
  const missing = timing.kind === 'simple' ? missingPeriods(timing, past) : []
  return [...pastRuns(past, slots, FAILED_FROM), ...missing, ...logged].toSorted((a, b) => a.began - b.began)
}

/**
 * Returns the missing runs of a check with a period. There is one for each gap that is too long, on days whose counts include missing runs.
 */
function missingPeriods({ timeoutSeconds, graceSeconds }: TimingSince, days: readonly PastDay[]): readonly PlotRun[] {
  const [period, grace] = [timeoutSeconds * SECOND, graceSeconds * SECOND]
  const began = days.flatMap((day) => day.began)
  return began.flatMap((at, index): PlotRun[] => {
    const due = at + period
    const isLong = (began[index + 1] ?? due) - due >= grace + MINUTE
    const isMissed = days.some(({ from, until, missed }) => missed > 0 && due >= from && due < until)
    return isLong && isMissed ? [{ kind: 'missing', began: due, ended: due + grace, isTimed: false, n: null, due }] : []
  })
}
