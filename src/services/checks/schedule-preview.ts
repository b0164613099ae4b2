/** Tries a timing before it is saved: what it means, and how the last runs of a check would have been judged by it. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { scheduleWords } from '../../domain/check/schedule-words.ts'
import { clockChanges } from '../../domain/preview/clock-changes.ts'
import { type ReplayEvent, type ReplayTiming, replay } from '../../domain/preview/replay.ts'
import { suggestTiming } from '../../domain/preview/rhythm.ts'
import { type SchedulePreview, upcoming } from '../../domain/preview/schedule-preview.ts'
import { isBefore, Temporal } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

export type { SchedulePreview } from '../../domain/preview/schedule-preview.ts'

type PreviewDeps = Pick<Deps, 'store' | 'now' | 'eventLoop'>

/** Thirty runs with starts and many log entries between. */
const PINGS_READ = 200
const NEXT_SHOWN = 6

/**
 * Nothing is written. The work is done in steps, so that pings come in between.
 * @param check whose log is judged; null for a check that does not exist yet
 * @param timing a valid one, see `requireSchedule`
 * @param zones further zones to try for the suggestion than those of the timing and the check, such as the reader's
 */
export async function previewSchedule(
  deps: PreviewDeps,
  actor: Actor,
  check: Check | null,
  timing: ReplayTiming,
  zones: readonly string[],
): Promise<SchedulePreview> {
  const { eventLoop } = deps
  const now = deps.now()
  const past = check === null ? NO_PAST : await judgePast(deps, actor, check, timing, zones)
  const next = await eventLoop.step(async () => upcoming(timing, check?.lastPingAt ?? null, now, NEXT_SHOWN))
  const changes = await eventLoop.step(async () => clockChanges(timing, now))
  return { words: scheduleWords(timing).words, next, clockChanges: changes, ...past }
}

export type JudgedPast = Pick<SchedulePreview, 'replay' | 'suggestion'>

const NO_PAST: JudgedPast = { replay: null, suggestion: null }

/** The part of {@link previewSchedule} that reads the log. */
export async function judgePast(
  deps: PreviewDeps,
  actor: Actor,
  check: Check,
  timing: ReplayTiming,
  zones: readonly string[],
): Promise<JudgedPast> {
  const now = deps.now()
  const events = await readEvents(deps, actor, check)
  const tried = timingOf(timing)
  const judged = await deps.eventLoop.step(async () => replay(tried, events, now))
  if (judged.runs.length === 0) return NO_PAST
  const suggestion = await deps.eventLoop.step(async () => suggestTiming(tried, events, [check.tz, ...zones], now))
  return { replay: judged, suggestion }
}

/** A whole check is a timing too, but its state is not that of the past. */
function timingOf({ kind, timeoutSeconds, schedule, tz, graceSeconds }: ReplayTiming): ReplayTiming {
  return { kind, timeoutSeconds, schedule, tz, graceSeconds }
}

/** Oldest first: the newest pings that the project keeps, without bodies, and who paused or resumed the check between them. */
async function readEvents({ store }: PreviewDeps, actor: Actor, check: Check): Promise<readonly ReplayEvent[]> {
  requireRight(actor, 'read', check)
  const limit = Math.min(PINGS_READ, actor.project.pingLogLimit)
  // One page: between so few pings there are no more flips, unless somebody pauses and resumes a thousand times.
  const [pings, { items: flips }] = await Promise.all([
    store.pings.list(check.id, limit),
    store.flips.list(check.id, {}, null),
  ])
  const oldest = pings.at(-1)?.receivedAt
  if (oldest === undefined) return []
  const byPeople = flips.flatMap(({ newStatus, createdAt: at }): ReplayEvent[] => {
    if (isBefore(at, oldest)) return []
    if (newStatus === 'paused') return [{ kind: 'pause', at }]
    return newStatus === 'new' ? [{ kind: 'resume', at }] : []
  })
  const received = pings.map(({ kind, rid, n, receivedAt: at }): ReplayEvent => ({ kind, rid, n, at }))
  // Stable, so of one instant the flip comes first: a start that ends a pause makes one, and says the same.
  return [...byPeople.toReversed(), ...received.toReversed()].sort((a, b) => Temporal.Instant.compare(a.at, b.at))
}
