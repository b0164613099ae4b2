/** Reads when the runs of a check came, for its rhythm plot. */
import type { Actor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { usualOf } from '../../domain/check/usual-duration.ts'
import type { Stretch } from '../../domain/rhythm-plot/facts.ts'
import { plotRuns } from '../../domain/rhythm-plot/plot-runs.ts'
import { type PlotView, type RhythmPlot, rhythmPlot, type TooFewRuns } from '../../domain/rhythm-plot/rhythm-plot.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { readLog } from '../pings/log.ts'

/** @param flips newest first, as many as the log needs */
export async function readRhythm(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  flips: readonly Flip[],
  view: PlotView,
  now: Instant,
): Promise<RhythmPlot | TooFewRuns> {
  const { entries: pings } = await readLog(deps, actor, check, { limit: actor.project.pingLogLimit })
  const { kind, timeoutSeconds, schedule, tz, graceSeconds, createdAt } = check
  const timing = { kind, timeoutSeconds, schedule, tz, graceSeconds, since: createdAt.epochMilliseconds }
  const log = { check, pings, flips, usual: usualOf(check) }
  const runs = plotRuns(log, [timing], now)
  const facts = { timings: [timing] as const, runs, days: [], pauses: pausesOf(flips, now), outages: [] }
  return rhythmPlot(facts, view, now.epochMilliseconds)
}

/** Oldest first. After a pause nothing is expected until a ping comes. */
function pausesOf(flips: readonly Flip[], now: Instant): readonly Stretch[] {
  return flips
    .flatMap(({ newStatus, createdAt }, index) => {
      const until = flips[index - 1]?.createdAt ?? now
      const isPause = newStatus === 'paused' || newStatus === 'new'
      return isPause ? [{ from: createdAt.epochMilliseconds, until: until.epochMilliseconds }] : []
    })
    .reverse()
}
