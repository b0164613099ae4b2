/** The rhythm that a check's pings show. */
import type { Instant } from '../../lib/time.ts'
import { scheduleWords } from '../schedule/words.ts'
import { type History, historyOf, judge, type Replay, type ReplayEvent, type ReplayTiming } from './replay.ts'
import { type Candidate, cronCandidates, type PastRun, periodCandidate } from './rhythm-candidates.ts'

export interface Suggestion {
  readonly timing: ReplayTiming
  /** `Every 30 minutes`, `Weekdays at 02:00`; without the zone */
  readonly words: string
  /** how many of the last runs come when this timing expects them, failed ones included */
  readonly fits: number
  /** the last runs, missing ones included */
  readonly of: number
}

/** Fewer runs show no rhythm. */
const RUNS_NEEDED = 8
/** The newest are looked at. A job that runs otherwise than some time ago shows it in fewer. */
const LOOKED_AT = [200, 40]
/** A timing that expects less of the runs suits none of them. */
const FITTING = 0.75
/** A proposal must spare so many runs that are late, missing or extra, and half of them. */
const SPARED = 2
/** A period is too long from here, as a multiple of the usual distance: silence would be noticed too late. */
const TOO_LONG = 1.5

/**
 * Proposes the timing that the runs of a log follow. Null when there are few runs or no rhythm, and when `current` suits them as well.
 * @param events oldest first
 * @param zones in which times of the day may be read, after that of `current` and before UTC; the earlier of two that suit alike
 */
export function suggestTiming(
  current: ReplayTiming,
  events: readonly ReplayEvent[],
  zones: readonly string[],
  now: Instant,
): Suggestion | null {
  const history = historyOf(events)
  const allZones = [...new Set([current.tz, ...zones, 'UTC'])]
  const { runs, gaps } = pastRunsOf(history)
  for (const newest of LOOKED_AT) {
    if (runs.length < RUNS_NEEDED || (newest < (LOOKED_AT[0] ?? 0) && runs.length <= newest)) return null
    const found = suggestOf(
      current,
      { history, runs: runs.slice(-newest), gaps: gaps.slice(-newest + 1) },
      allZones,
      now,
    )
    if (found) return found
  }
  return null
}

interface Past {
  readonly history: History
  readonly runs: readonly PastRun[]
  /** milliseconds from the beginning of a run to that of the next, except over a pause */
  readonly gaps: readonly number[]
}

function pastRunsOf({ steps }: History): Omit<Past, 'history'> {
  const runs: PastRun[] = []
  const gaps: number[] = []
  let before: number | null = null
  for (const { event, run } of steps) {
    if (run === null) {
      before = null
      continue
    }
    const ended = event.at.epochMilliseconds
    const began = Math.min(ended, run.startedAt?.epochMilliseconds ?? ended)
    if (before !== null) gaps.push(began - before)
    runs.push({ began, took: ended - began })
    before = began
  }
  return { runs, gaps }
}

function suggestOf(current: ReplayTiming, past: Past, zones: readonly string[], now: Instant): Suggestion | null {
  const { history, gaps } = past
  const gap = median(gaps)
  const judged = (timing: ReplayTiming) => judge(timing, history, now)
  const tried = families(past, gap, current, zones).map((timing) => ({ timing, replay: judged(timing) }))
  const best = Math.min(...tried.map(({ replay }) => unfitting(replay)))
  // By one run, the preferred kind of timing may fit worse.
  const chosen = tried.find(({ replay }) => unfitting(replay) <= best + 1)
  if (!chosen || isSame(chosen.timing, current)) return null
  const { timing, replay } = chosen
  const of = replay.runs.length
  const fits = of - unfitting(replay)
  if (fits < of * FITTING) return null
  const isTooLong = current.kind === 'simple' && current.timeoutSeconds * 1_000 >= TOO_LONG * gap
  const present = unfitting(judged(current))
  const isBetter = unfitting(replay) <= Math.min(present - SPARED, present / 2)
  return isTooLong || isBetter ? { timing, words: scheduleWords(timing).words, fits, of } : null
}

/** One of each kind, the preferred first: a period for short distances, unless the check has a schedule. */
function families(
  { runs, gaps }: Past,
  gap: number,
  current: ReplayTiming,
  zones: readonly string[],
): readonly ReplayTiming[] {
  const period = periodCandidate(runs, gaps, gap)
  const cron = bestOf(zones.flatMap((zone) => cronCandidates(runs, gap, zone)))
  const isPeriodFirst = current.kind === 'simple' && gap < SHORT
  const found = isPeriodFirst ? [period, cron] : [cron, period]
  return found
    .filter((candidate) => candidate !== null)
    .map(({ timing }) => ({ ...timing, ...keptOf(current, timing) }))
}

const SHORT = 20 * 3_600 * 1_000
const TEN_MINUTES = 600 * 1_000

/** What the check keeps, though it does not use it. */
function keptOf({ schedule, tz, timeoutSeconds }: ReplayTiming, { kind }: ReplayTiming): Partial<ReplayTiming> {
  return kind === 'simple' ? { schedule, tz } : { timeoutSeconds }
}

function bestOf(candidates: readonly Candidate[]): Candidate | null {
  return candidates.toSorted((a, b) => costOf(a) - costOf(b) || oddity(a) - oddity(b))[0] ?? null
}

/**
 * Runs that are spread twice as far cost as much as four that do not fit. In a zone whose clocks the job does not follow, they come an
 * hour apart over the year. In that of the job, the run of a night with a skipped hour does not fit.
 */
function costOf({ delay, gap, unfit }: Candidate): number {
  return unfit + 4 * Math.log2(delay + Math.min(TEN_MINUTES, gap / 20))
}

/** People choose full hours, then halves, then quarters. */
function oddity({ timing }: Candidate): number {
  const minute = Number.parseInt(timing.schedule, 10) || 0
  return [60, 30, 15, 5].findIndex((round) => minute % round === 0) >>> 0
}

/** Failures come in any rhythm. */
function unfitting({ late, missing, extra }: Replay): number {
  return late + missing + extra
}

function isSame(a: ReplayTiming, b: ReplayTiming): boolean {
  const isAlike = a.kind === 'simple' ? a.timeoutSeconds === b.timeoutSeconds : a.tz === b.tz
  return (a.kind === 'simple') === (b.kind === 'simple') && isAlike && scheduleWords(a).words === scheduleWords(b).words
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
