/** Reads when the runs of a check came, for its rhythm plot. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { usualOf } from '../../domain/check/usual-duration.ts'
import { pastDays } from '../../domain/rhythm-plot/past-days.ts'
import { plotRuns } from '../../domain/rhythm-plot/plot-runs.ts'
import { type PlotView, type RhythmPlot, rhythmPlot, type TooFewRuns } from '../../domain/rhythm-plot/rhythm-plot.ts'
import { pausesOf } from '../../domain/run/pauses.ts'
import type { Stretch } from '../../domain/stretch.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { readLog } from '../pings/log.ts'

/** Ninety days, thirteen weeks, and the days that have begun. */
const DAYS_READ = 93

/** @param flips newest first, as many as the log needs */
export async function readRhythm(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  flips: readonly Flip[],
  view: PlotView,
  now: Instant,
): Promise<RhythmPlot | TooFewRuns> {
  requireRight(actor, 'read', check)
  const { store } = deps
  const { id, kind, timeoutSeconds, schedule, tz, graceSeconds, createdAt } = check
  const oldest = now.toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: DAYS_READ })
  const [{ entries: pings }, days, advice, outage] = await Promise.all([
    readLog(deps, actor, check, { limit: actor.project.pingLogLimit }),
    store.checkDays.list([id], oldest.toString()),
    store.advice.find(id),
    store.server.findOutage(),
  ])
  const since = advice?.changedAt ?? createdAt.epochMilliseconds
  const timings = [{ kind, timeoutSeconds, schedule, tz, graceSeconds, since }] as const
  const facts = {
    timings,
    runs: plotRuns({ check, pings, flips, usual: usualOf(check) }, timings, now),
    days: pastDays(days.get(id) ?? [], tz),
    pauses: pausesOf(flips, now),
    outages: outage === null ? [] : [stretch(outage.from, outage.until)],
  }
  return rhythmPlot(facts, view, now.epochMilliseconds)
}

function stretch(from: Instant, until: Instant): Stretch {
  return { from: from.epochMilliseconds, until: until.epochMilliseconds }
}
