/** Determines the runs in a rhythm plot, including missing ones, from the check's log. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { isSlow, type UsualDuration } from '../check/usual-duration.ts'
import { asIfLive, createTimeline, type TimelinePing } from '../log/log-timeline.ts'
import { SECOND } from '../units.ts'
import type { PlotRun, TimingSince } from './facts.ts'

interface Log {
  readonly check: Check
  /** consecutive pings by time of arrival, newest first, including the check's most recent ping */
  readonly pings: readonly TimelinePing[]
  /** flips, newest first, including the check's most recent flip */
  readonly flips: readonly Flip[]
  /** usual duration of the runs; null if unknown */
  readonly usual: UsualDuration | null
}

/** Maximum number of consecutive missing runs to include, which is enough to fill the plot. */
const MISSING_IN_A_ROW = 400

/**
 * Returns the runs, oldest first, each evaluated by the timing in effect on its day. Before the first timing, no run counts as late or
 * missing. The current run is not included.
 * @param timings oldest first
 */
export function plotRuns(
  log: Log,
  timings: readonly [TimingSince, ...TimingSince[]],
  now: Instant,
): readonly PlotRun[] {
  const first = timings[0].since
  return timings
    .flatMap((timing, index) => {
      const until = timings[index + 1]?.since ?? Number.POSITIVE_INFINITY
      const since = index === 0 ? Number.NEGATIVE_INFINITY : timing.since
      return judgedRuns(log, timing, now).filter(({ began }) => began >= since && began < until)
    })
    .flatMap((run) => (run.began < first ? unjudged(run) : [run]))
    .sort((a, b) => a.began - b.began)
}

function unjudged(run: PlotRun): readonly PlotRun[] {
  if (run.kind === 'missing') return []
  return [{ ...run, kind: run.kind === 'late' ? 'ran' : run.kind, due: null }]
}

/** Returns the runs in the order in which they happened, which differs from the order in which their pings arrived if pings were late. */
function judgedRuns({ check, pings: came, flips, usual }: Log, timing: TimingSince, now: Instant): readonly PlotRun[] {
  const { since: _, ...settings } = timing
  const watched = { ...check, ...settings }
  const pings = asIfLive(came)
  const { events, absentAfter } = createTimeline({ check: watched, pings, flips, shownInARow: MISSING_IN_A_ROW }, now)
  const runs: PlotRun[] = []
  // Start of the slot for which the next run is late, if it is.
  let late: number | null = null
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index]
    if (event?.kind === 'ping' && (event.ping.kind === 'success' || event.ping.kind === 'fail')) {
      runs.push(judged(watched, event.ping, late, usual))
      late = null
    }
    for (const line of absentAfter(index)) {
      if (line.kind === 'missing') runs.push(missing(watched, line.at))
      if (line.kind === 'late') late = line.at.epochMilliseconds
    }
  }
  return runs
}

function missing({ graceSeconds }: Check, at: Instant): PlotRun {
  const began = at.epochMilliseconds
  return { kind: 'missing', began, ended: began + graceSeconds * SECOND, isTimed: false, n: null, due: began }
}

function judged(
  check: Check,
  { n, kind, duration, receivedAt }: TimelinePing,
  due: number | null,
  usual: UsualDuration | null,
): PlotRun {
  const ended = receivedAt.epochMilliseconds
  const began = ended - (duration ?? 0) / 1_000
  const isLate = due !== null || (duration !== null && ended - began >= check.graceSeconds * SECOND)
  const good = isLate ? 'late' : duration !== null && isSlow(duration, usual) ? 'slow' : 'ran'
  return { kind: kind === 'fail' ? 'failed' : good, began, ended, isTimed: duration !== null, n, due }
}
