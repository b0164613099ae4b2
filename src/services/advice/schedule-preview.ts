/** Previews a timing before it is saved: explains it in words, and shows how a check's last runs would have been judged with it. */
import type { Actor } from '../../domain/actor.ts'
import type { Suggestion } from '../../domain/advice/suggestion.ts'
import type { Woken } from '../../domain/advice/woken.ts'
import type { Check } from '../../domain/check/check.ts'
import { scheduleWords } from '../../domain/check/schedule-words.ts'
import type { ClockChange } from '../../domain/preview/clock-changes.ts'
import { clockChanges, firstRunAfterChange } from '../../domain/preview/clock-changes.ts'
import { type Replay, type ReplayTiming, replay } from '../../domain/preview/replay.ts'
import { timingOf, upcoming } from '../../domain/preview/schedule-preview.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { readPast } from './past.ts'
import { suggest } from './suggest.ts'
import { tryChange } from './try-change.ts'

export interface SchedulePreview {
  /** the timing in words, such as `Weekdays at 02:00`; the check's time zone is omitted */
  readonly words: string
  /** the next six runs, or fewer if the schedule ends */
  readonly next: readonly Instant[]
  /** the next two clock changes in the time zone; empty for a period */
  readonly clockChanges: readonly ClockChange[]
  /** the first run after a clock change, either in the timing's time zone or in one of the other zones; null if there is none */
  readonly afterChange: Instant | null
  /** null if there is no check, or if its log contains no run */
  readonly replay: Replay | null
  /** null if `replay` is null */
  readonly woken: Woken | null
  /** null if there is no better timing to suggest */
  readonly suggestion: Suggestion | null
}

type PreviewDeps = Pick<Deps, 'store' | 'now' | 'eventLoop'>

const NEXT_SHOWN = 6

/**
 * Previews a timing without changing anything. The work yields to the event loop, so that the server can answer pings in between.
 * @param check the check whose log is judged; null for a check that does not exist yet
 * @param timing a valid timing, see `requireSchedule`
 * @param zones additional zones to consider for the suggestion and to show side by side, such as the reader's zone
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
  const afterChange = await eventLoop.step(async () => firstRunAfterChange(timing, [timing.tz, ...zones], now))
  return { words: scheduleWords(timing).words, next, clockChanges: changes, afterChange, ...past }
}

export type JudgedPast = Pick<SchedulePreview, 'replay' | 'woken' | 'suggestion'>

const NO_PAST: JudgedPast = { replay: null, woken: null, suggestion: null }

/** Reads the log for {@link previewSchedule}. */
export async function judgePast(
  deps: PreviewDeps,
  actor: Actor,
  check: Check,
  timing: ReplayTiming,
  zones: readonly string[],
): Promise<JudgedPast> {
  const now = deps.now()
  const { events, facts } = await readPast(deps, actor, check)
  const tried = timingOf(timing)
  const judged = await deps.eventLoop.step(async () => replay(tried, events, now))
  if (judged.runs.length === 0) return NO_PAST
  const woken = await tryChange(deps, facts, { timing: tried })
  return { replay: judged, woken, suggestion: await suggest(deps, actor, check, tried, zones) }
}
