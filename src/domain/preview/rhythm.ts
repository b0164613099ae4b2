/** The rhythm that a check's pings show. */
import type { Instant } from '../../lib/time.ts'
import { scheduleWords } from '../check/schedule-words.ts'
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
/** Only the newest show the rhythm of a job that runs otherwise than before. */
const NEWEST = 40
/** Clocks change within a year, so older runs tell nothing of zones. */
const YEAR = 366 * 86_400 * 1_000
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
  const judged = (timing: ReplayTiming) => judge(timing, history, now)
  const present = unfitting(judged(current))
  const allZones = [...new Set([current.tz, ...zones, 'UTC'])]
  for (const past of partsOf(history)) {
    const gap = median(past.gaps)
    const isTooLong = current.kind === 'simple' && current.timeoutSeconds * 1_000 >= TOO_LONG * gap
    if (present < SPARED && !isTooLong) continue
    const found = fittest(timingsOf(past, gap, current, allZones), judged)
    if (!found || isSame(found.timing, current)) continue
    const { timing, replay } = withKeptGrace(found, current, gap, judged)
    const of = replay.runs.length
    const fits = of - unfitting(replay)
    const isBetter = unfitting(replay) <= Math.min(present - SPARED, present / 2)
    if (fits >= of * FITTING && (isTooLong || isBetter)) return { timing, words: scheduleWords(timing).words, fits, of }
  }
  return null
}

interface Past {
  /** oldest first */
  readonly runs: readonly PastRun[]
  /** milliseconds from the beginning of a run to that of the next, except over a pause */
  readonly gaps: readonly number[]
}

/** The runs of a year, and the newest ones if those are fewer. None when there are few. */
function partsOf(history: History): readonly Past[] {
  const { runs, gaps } = pastRunsOf(history)
  if (runs.length < RUNS_NEEDED) return []
  const newest = runs.at(-1)?.began ?? 0
  const ofYear = Math.max(NEWEST, runs.filter(({ began }) => newest - began <= YEAR).length)
  const amounts = runs.length > NEWEST && ofYear > NEWEST ? [ofYear, NEWEST] : [ofYear]
  return amounts.map((amount) => ({ runs: runs.slice(-amount), gaps: gaps.slice(1 - amount) }))
}

function pastRunsOf({ steps }: History): Past {
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
  // One that began earlier may end later.
  return { runs: runs.sort((a, b) => a.began - b.began), gaps }
}

interface Tried {
  readonly timing: ReplayTiming
  readonly replay: Replay
}

/** The first may suit one run less than another. */
function fittest(timings: readonly ReplayTiming[], judged: (timing: ReplayTiming) => Replay): Tried | undefined {
  const tried = timings.map((timing) => ({ timing, replay: judged(timing) }))
  const best = Math.min(...tried.map(({ replay }) => unfitting(replay)))
  return tried.find(({ replay }) => unfitting(replay) <= best + 1)
}

/** With the grace time that was chosen, if the runs need no longer one and it is shorter than the distance between them. */
function withKeptGrace(
  found: Tried,
  { graceSeconds }: ReplayTiming,
  gap: number,
  judged: (timing: ReplayTiming) => Replay,
): Tried {
  if (graceSeconds * 1_000 >= gap) return found
  const timing = { ...found.timing, graceSeconds }
  const replay = judged(timing)
  return unfitting(replay) <= unfitting(found.replay) ? { timing, replay } : found
}

/** One of each kind, the preferred first: a period for short distances, unless the check has a schedule. */
function timingsOf(
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
