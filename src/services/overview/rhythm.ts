/** Reads when the runs of a check came, for its rhythm plot. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { usualOf } from '../../domain/check/usual-duration.ts'
import type { TimelinePing } from '../../domain/log/log-timeline.ts'
import type { ReplayTiming } from '../../domain/preview/replay.ts'
import type { RhythmFacts } from '../../domain/rhythm-plot/facts.ts'
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
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  flips: readonly Flip[],
  view: PlotView,
  now: Instant,
): Promise<RhythmPlot | TooFewRuns> {
  const [past, advice] = await Promise.all([readPast({ store }, actor, check, now), store.advice.find(check.id)])
  const since = advice?.changedAt ?? check.createdAt.epochMilliseconds
  return plotOf({ check, flips, judgedBy: flips, past, since, view }, now)
}

/**
 * The rhythm of a check, had it had another timing all along.
 * @param timing a valid one
 * @param tz IANA name: whose clocks it shows
 */
export async function tryRhythm(
  { store, eventLoop, now }: Pick<Deps, 'store' | 'eventLoop' | 'now'>,
  actor: Actor,
  check: Check,
  timing: ReplayTiming,
  tz: string,
): Promise<RhythmPlot | TooFewRuns> {
  const at = now()
  const [past, { items: flips }] = await Promise.all([
    readPast({ store }, actor, check, at),
    store.flips.list(check.id, {}, null),
  ])
  const tried = { ...check, ...timing }
  const view = { tz, days: 30, isWhole: false } as const
  // When the check went down and up says nothing about the tried timing.
  const judgedBy = flips.filter(({ newStatus }) => newStatus === 'paused' || newStatus === 'new')
  return eventLoop.step(async () => plotOf({ check: tried, flips, judgedBy, past, since: 0, view }, at))
}

interface Past extends Pick<RhythmFacts, 'days' | 'outages'> {
  /** newest first */
  readonly pings: readonly TimelinePing[]
}

async function readPast({ store }: Pick<Deps, 'store'>, actor: Actor, check: Check, now: Instant): Promise<Past> {
  requireRight(actor, 'read', check)
  const oldest = now.toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: DAYS_READ })
  const [{ entries: pings }, days, outage] = await Promise.all([
    readLog({ store }, actor, check, { limit: actor.project.pingLogLimit }),
    store.checkDays.list([check.id], oldest.toString()),
    store.server.findOutage(),
  ])
  return {
    pings,
    days: pastDays(days.get(check.id) ?? [], check.tz),
    outages: outage === null ? [] : [stretch(outage.from, outage.until)],
  }
}

interface Plotted {
  /** with the timing that its past is judged by */
  readonly check: Check
  /** newest first, like those that runs are judged by */
  readonly flips: readonly Flip[]
  readonly judgedBy: readonly Flip[]
  readonly past: Past
  /** from when on it has that timing, in milliseconds since 1970 */
  readonly since: number
  readonly view: PlotView
}

function plotOf({ check, flips, judgedBy, past, since, view }: Plotted, now: Instant): RhythmPlot | TooFewRuns {
  const { kind, timeoutSeconds, schedule, tz, graceSeconds } = check
  const { pings, days, outages } = past
  const timings = [{ kind, timeoutSeconds, schedule, tz, graceSeconds, since }] as const
  const facts = {
    timings,
    runs: plotRuns({ check, pings, flips: judgedBy, usual: usualOf(check) }, timings, now),
    days,
    pauses: pausesOf(flips, now),
    outages,
  }
  return rhythmPlot(facts, view, now.epochMilliseconds)
}

function stretch(from: Instant, until: Instant): Stretch {
  return { from: from.epochMilliseconds, until: until.epochMilliseconds }
}
