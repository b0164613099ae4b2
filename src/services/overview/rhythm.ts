/** Reads when a check ran, for its rhythm plot. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { ENTRIES_READ } from '../../domain/advice/facts.ts'
import { downs } from '../../domain/advice/woken.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { usualOf } from '../../domain/check/usual-duration.ts'
import type { ReplayTiming } from '../../domain/preview/replay.ts'
import { timingOf } from '../../domain/preview/schedule-preview.ts'
import type { PlotRun } from '../../domain/rhythm-plot/facts.ts'
import { pastDays } from '../../domain/rhythm-plot/past-days.ts'
import { plotRuns } from '../../domain/rhythm-plot/plot-runs.ts'
import { type PlotView, type RhythmPlot, rhythmPlot, type TooFewRuns } from '../../domain/rhythm-plot/rhythm-plot.ts'
import { pausesOf } from '../../domain/run/pauses.ts'
import { mutedStretches } from '../../domain/silence/muted-stretch.ts'
import type { Stretch } from '../../domain/stretch.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { readPast } from '../advice/past.ts'
import type { Deps } from '../common/deps.ts'
import { readLog } from '../pings/log.ts'
import { listPastSilences } from '../silences/silences.ts'

/** Number of days to read. They cover ninety full days or thirteen weeks, plus the incomplete first and last days. */
const DAYS_READ = 93

/** @param flips newest first, reaching back at least as far as the log */
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
  const { id, tz, createdAt } = check
  const oldest = now.toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: DAYS_READ })
  const since = oldest.toZonedDateTime('UTC').toInstant()
  const [{ entries: pings }, days, advice, outage, silences] = await Promise.all([
    readLog(deps, actor, check, { limit: actor.project.pingLogLimit }),
    store.checkDays.list([id], oldest.toString()),
    store.advice.find(id),
    store.server.findOutage(),
    listPastSilences(deps, actor, since, now, check),
  ])
  const timing = { ...timingOf(check), since: advice?.changedAt ?? createdAt.epochMilliseconds }
  const runs = plotRuns({ check, pings, flips, usual: usualOf(check) }, [timing], now)
  const within = { from: since.epochMilliseconds, until: now.epochMilliseconds }
  const facts = {
    timings: [timing],
    runs,
    days: pastDays(days.get(id) ?? [], tz),
    pauses: pausesOf(flips, now),
    outages: outage === null ? [] : [stretch(outage.from, outage.until)],
    muted: mutedStretches(silences, check, within, (at) => firstSuccess(runs, at)),
  } as const
  return rhythmPlot(facts, view, now.epochMilliseconds)
}

/**
 * Returns the rhythm of a check's newest runs, as if the check had always had another timing. A timeline derives expected runs from flips,
 * so the flips are replaced with the flips that the other timing would have caused.
 * @param tried the other timing, which must be valid
 * @param tz IANA name of the zone in which times are displayed
 */
export async function tryRhythm(
  deps: Pick<Deps, 'store' | 'eventLoop' | 'now'>,
  actor: Actor,
  check: Check,
  tried: ReplayTiming,
  tz: string,
): Promise<RhythmPlot | TooFewRuns> {
  const { store, eventLoop } = deps
  const now = deps.now()
  const [{ entries: pings }, { facts }, { items: flips }] = await Promise.all([
    readLog(deps, actor, check, { limit: Math.min(ENTRIES_READ, actor.project.pingLogLimit) }),
    readPast(deps, actor, check),
    store.flips.list(check.id, {}, null),
  ])
  const { log, away } = facts
  const made = await eventLoop.step(async () => downs(tried, log, away, now.epochMilliseconds))
  const timing = { ...timingOf(tried), since: 0 }
  const judged = { check, pings, flips: triedFlips(check, made, flips), usual: usualOf(check) }
  const shown = {
    timings: [timing],
    runs: await eventLoop.step(async () => plotRuns(judged, [timing], now)),
    days: [],
    pauses: pausesOf(flips, now),
    outages: away.filter(({ why }) => why === 'outage'),
    muted: [],
  } as const
  return eventLoop.step(async () => rhythmPlot(shown, { tz, days: 30, isWhole: false }, now.epochMilliseconds))
}

/** Returns the flips that members caused by pausing or resuming, and the flips that the other timing would have caused, newest first. */
function triedFlips({ id }: Check, made: ReturnType<typeof downs>, flips: readonly Flip[]): readonly Flip[] {
  const byPeople = flips.filter(({ newStatus }) => newStatus === 'paused' || newStatus === 'new')
  const byTime = made.map(
    ({ from, isFailure }): Flip => ({
      checkId: id,
      n: 0,
      createdAt: Temporal.Instant.fromEpochMilliseconds(from),
      oldStatus: 'up',
      newStatus: 'down',
      reason: isFailure ? 'fail' : 'timeout',
    }),
  )
  return [...byPeople, ...byTime].sort((a, b) => Temporal.Instant.compare(b.createdAt, a.createdAt))
}

/** Returns the end of the first successful run. Individual runs are not stored for older days. */
function firstSuccess(runs: readonly PlotRun[], after: number): number | null {
  return runs.find(({ kind, ended }) => kind !== 'failed' && kind !== 'missing' && ended > after)?.ended ?? null
}

function stretch(from: Instant, until: Instant): Stretch {
  return { from: from.epochMilliseconds, until: until.epochMilliseconds }
}
