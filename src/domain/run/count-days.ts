/** Counts a log's runs by day, in the check's time zone. */

import { type Instant, Temporal } from '../../lib/time.ts'
import type { Timing } from '../check/slots.ts'
import type { Stretch } from '../stretch.ts'
import { DAY, MINUTE } from '../units.ts'
import { packedMinutes } from './day-minutes.ts'
import { DAYS_KEPT, type DayRuns } from './day-runs.ts'
import { type DaySlots, readingAt, SlotsByDay, zoneInUse } from './slots-by-day.ts'

/** A success or failure in a log. Times are milliseconds since 1970. */
export interface CountedRun {
  readonly began: number
  readonly ended: number
  /** duration in milliseconds; null if unknown */
  readonly duration: number | null
  readonly hasFailed: boolean
}

interface Judged {
  /** periods when missing runs are not counted */
  readonly away: readonly Stretch[]
  /** time at which the check's current timing took effect */
  readonly changedAt: number
}

/**
 * Counts the newest runs and returns the counts by day, in order. Yields if counting takes long.
 * @param runs in order of arrival, oldest first; must include some runs that were already counted, because missing runs are found by
 * comparing each run with the previous one
 * @param fresh number of runs to count
 */
export function* countDays(
  timing: Timing,
  runs: readonly CountedRun[],
  fresh: number,
  judged: Judged,
): Generator<void, readonly DayRuns[]> {
  const days = new Map<number, CountedDay>()
  const zone = zoneInUse(timing.tz, runs.at(-1)?.began ?? 0)
  const slots = new SlotsByDay(timing, zone)
  const dayOf = (day: number) => {
    const known = days.get(day) ?? new CountedDay(day)
    days.set(day, known)
    return known
  }
  const newestEnd = newestEnds(runs)
  // Goes from the newest to the oldest, so that the latest slots are counted if there are too many of them.
  for (let index = runs.length - 1; index >= runs.length - fresh; index--) {
    const [run, ended] = [runs[index], newestEnd[index - 1]]
    if (run === undefined) break
    const reading = readingAt(zone, run.began)
    const day = Math.floor(reading / DAY)
    dayOf(day).add(run, Math.floor((reading - day * DAY) / MINUTE))
    if (ended === undefined) continue
    for (const missed of yield* missedBetween(slots, ended, run.began, judged)) {
      if (missed.count > 0) dayOf(missed.day).missed += missed.count
    }
  }
  return [...days.values()].sort((a, b) => a.day - b.day).map((counted) => counted.counted())
}

/**
 * Returns, for each run, the latest end of all runs up to and including it. A run that was reported late may have ended before earlier
 * entries.
 */
function newestEnds(runs: readonly CountedRun[]): readonly number[] {
  let newest = Number.NEGATIVE_INFINITY
  return runs.map(({ ended }) => {
    newest = Math.max(newest, ended)
    return newest
  })
}

/** Returns the oldest day for which counts are kept. */
export function oldestDay(tz: string, now: Instant): string {
  const ms = now.epochMilliseconds
  return dayText(Math.floor(readingAt(zoneInUse(tz, ms), ms) / DAY) - DAYS_KEPT)
}

function dayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

class CountedDay {
  runs = 0
  failed = 0
  missed = 0
  #first: number | null = null
  #last: number | null = null
  #longest: number | null = null
  readonly #minutes = new Set<number>()

  /** @param day days since 1970 */
  constructor(readonly day: number) {}

  add({ began, duration, hasFailed }: CountedRun, minute: number): void {
    this.runs += 1
    if (hasFailed) this.failed += 1
    this.#first = Math.min(this.#first ?? began, began)
    this.#last = Math.max(this.#last ?? began, began)
    if (duration !== null) this.#longest = Math.max(this.#longest ?? 0, Math.round(duration * 1_000))
    this.#minutes.add(minute)
  }

  counted(): DayRuns {
    const { runs, failed, missed } = this
    const day = dayText(this.day)
    const [firstAt, lastAt] = [instantOf(this.#first), instantOf(this.#last)]
    return { day, runs, failed, missed, firstAt, lastAt, longest: this.#longest, minutes: packedMinutes(this.#minutes) }
  }
}

function instantOf(ms: number | null): Instant | null {
  return ms === null ? null : Temporal.Instant.fromEpochMilliseconds(ms)
}

/** Returns the slots without a run: all slots between two runs except the last one, which belongs to the later run. */
function* missedBetween(
  slots: SlotsByDay,
  ended: number,
  began: number,
  { away, changedAt }: Judged,
): Generator<void, readonly DaySlots[]> {
  const isJudged = ended > changedAt && !away.some(({ from, until }) => from < began && until > ended)
  if (!isJudged || began <= ended) return []
  const found = yield* slots.between(ended, began)
  return found.map(({ day, count }, index) => ({ day, count: index === found.length - 1 ? count - 1 : count }))
}
