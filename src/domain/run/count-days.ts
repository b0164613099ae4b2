/** Counts the runs of a log by day, in the zone of the check. */
import { type Instant, Temporal } from '../../lib/time.ts'
import { slotsBetween, type Timing } from '../check/slots.ts'
import { packedMinutes } from './day-minutes.ts'
import { DAYS_KEPT, type DayRuns } from './day-runs.ts'

/** A success or failure of a log. Times are milliseconds since 1970. */
export interface CountedRun {
  readonly began: number
  readonly ended: number
  /** milliseconds; null when unknown */
  readonly duration: number | null
  readonly hasFailed: boolean
}

interface Stretch {
  readonly from: number
  readonly until: number
}

/** Each takes a while to find. */
const MISSED_COUNTED = 500
const DAY = 86_400_000
const MINUTE = 60_000

/**
 * The days of the newest runs, in order.
 * @param runs oldest first, with some that were counted before: what came between two runs is known by both
 * @param fresh how many of them to count
 * @param judged stretches that judge nobody, and since when the check has this timing
 */
export function countDays(
  timing: Timing,
  runs: readonly CountedRun[],
  fresh: number,
  judged: { readonly away: readonly Stretch[]; readonly changedAt: number },
): readonly DayRuns[] {
  const days = new Map<string, CountedDay>()
  const clock = new LocalClock(timing.tz)
  const dayOf = (day: string) => {
    const known = days.get(day) ?? new CountedDay(day)
    days.set(day, known)
    return known
  }
  for (const [index, run] of runs.entries()) {
    if (index < runs.length - fresh) continue
    const { day, minute } = clock.at(run.began)
    dayOf(day).add(run, minute)
    const previous = runs[index - 1]
    if (previous === undefined) continue
    for (const slot of missedBetween(timing, previous.ended, run.began, judged)) dayOf(clock.at(slot).day).missed += 1
  }
  return [...days.values()].map((day) => day.counted()).toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

/** The first of the days that are kept. */
export function oldestDay(tz: string, now: Instant): string {
  return new LocalClock(tz).at(now.epochMilliseconds - DAYS_KEPT * DAY).day
}

class CountedDay {
  runs = 0
  failed = 0
  missed = 0
  #first: number | null = null
  #last: number | null = null
  #longest: number | null = null
  readonly #minutes = new Set<number>()

  constructor(readonly day: string) {}

  add({ began, duration, hasFailed }: CountedRun, minute: number): void {
    this.runs += 1
    if (hasFailed) this.failed += 1
    this.#first = Math.min(this.#first ?? began, began)
    this.#last = Math.max(this.#last ?? began, began)
    if (duration !== null) this.#longest = Math.max(this.#longest ?? 0, Math.round(duration * 1_000))
    this.#minutes.add(minute)
  }

  counted(): DayRuns {
    const { day, runs, failed, missed } = this
    const [firstAt, lastAt] = [instantOf(this.#first), instantOf(this.#last)]
    return { day, runs, failed, missed, firstAt, lastAt, longest: this.#longest, minutes: packedMinutes(this.#minutes) }
  }
}

function instantOf(ms: number | null): Instant | null {
  return ms === null ? null : Temporal.Instant.fromEpochMilliseconds(ms)
}

/** The slots that no run answered: all but the last, which the run answers. */
function missedBetween(
  timing: Timing,
  ended: number,
  began: number,
  { away, changedAt }: { readonly away: readonly Stretch[]; readonly changedAt: number },
): readonly number[] {
  const isJudged = ended > changedAt && !away.some(({ from, until }) => from < began && until > ended)
  if (!isJudged || began <= ended) return []
  const [after, until] = [ended, began].map(Temporal.Instant.fromEpochMilliseconds) as [Instant, Instant]
  const { slots } = slotsBetween(timing, after, until, MISSED_COUNTED)
  return slots.slice(0, -1).map((slot) => slot.epochMilliseconds)
}

/** What clocks show in a zone. The offset of a quarter of an hour is asked once: no zone changes its own in between. */
class LocalClock {
  readonly #tz: string
  readonly #offsets = new Map<number, number>()

  constructor(tz: string) {
    this.#tz = tz
  }

  at(ms: number): { readonly day: string; readonly minute: number } {
    const local = ms + this.#offset(Math.floor(ms / QUARTER))
    const day = new Date(local).toISOString().slice(0, 10)
    return { day, minute: Math.floor((((local % DAY) + DAY) % DAY) / MINUTE) }
  }

  #offset(quarter: number): number {
    const known = this.#offsets.get(quarter)
    if (known !== undefined) return known
    const instant = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER)
    const offset = Math.round(instant.toZonedDateTimeISO(this.#tz).offsetNanoseconds / 1_000_000)
    this.#offsets.set(quarter, offset)
    return offset
  }
}

const QUARTER = 15 * MINUTE
