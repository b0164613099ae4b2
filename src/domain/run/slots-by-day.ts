/** Counts a schedule's slots by day. */

import { passedSlots, type Timing } from '../check/slots.ts'
import { parseCron } from '../schedule/cron.ts'
import { spanAround } from '../schedule/wall-clock.ts'
import { DAY, MINUTE } from '../units.ts'

export interface DaySlots {
  /** days since 1970 */
  readonly day: number
  readonly count: number
}

/**
 * Maximum number of slots to find by searching, because each search takes time. Cron schedules need to be searched only around clock
 * changes.
 */
const SLOTS_FOUND = 500
const FOUND_IN_A_STEP = 20

/** Returns the local time in a time zone, encoded as milliseconds since 1970 as if the zone were UTC. */
export function readingAt(timeZone: string, moment: number): number {
  return moment + spanAround(timeZone, moment).offset
}

/**
 * Returns the given zone, or UTC if the zone is no longer in the time zone data.
 * @param moment milliseconds since 1970, used for a test lookup
 */
export function zoneInUse(timeZone: string, moment: number): string {
  try {
    spanAround(timeZone, moment)
    return timeZone
  } catch {
    return 'UTC'
  }
}

/** Counts slots by day. Use one instance for all parts of a log, because it remembers which days have slots. */
export class SlotsByDay {
  readonly #timing: Timing
  readonly #zone: string
  readonly #minutes: readonly number[] | null
  /** days that are known to have slots */
  readonly #days = new Set<number>()
  #left = SLOTS_FOUND
  #sinceStep = 0

  /** @param zone time zone in which days begin; see {@link zoneInUse} */
  constructor(timing: Timing, zone: string) {
    this.#timing = timing
    this.#zone = zone
    this.#minutes = timing.kind === 'cron' ? minutesOf(timing.schedule) : null
  }

  /**
   * Counts the slots after `after`, up to and including `until`, by day. Yields if searching takes long. Once the limit for searches is
   * reached, slots that can only be found by another search are not counted.
   * @param after for a simple check, the last success or failure
   */
  *between(after: number, until: number): Generator<void, readonly DaySlots[]> {
    const found: DaySlots[] = []
    let from = after
    while (from < until) {
      const day = Math.floor(readingAt(this.#zone, from + 1) / DAY)
      const end = Math.min(until, this.#endOf(day, from))
      const count = yield* this.#count(day, after, from, end)
      if (count > 0) found.push({ day, count })
      from = end
    }
    return found
  }

  /**
   * Returns the last instant of a day.
   * @param from an instant before it
   */
  #endOf(day: number, from: number): number {
    const last = (day + 1) * DAY - 1
    const span = spanAround(this.#zone, from + 1)
    const end = last - span.offset
    return end < span.until ? end : Math.max(from + 1, last - spanAround(this.#zone, span.until).offset)
  }

  *#count(day: number, anchor: number, from: number, until: number): Generator<void, number> {
    const stretch = { from, until }
    if (this.#timing.kind === 'simple')
      return passedSlots(this.#timing, anchor, stretch, Number.POSITIVE_INFINITY).count
    const { settled, until: change, offset } = spanAround(this.#zone, from + 1)
    if (this.#minutes === null || from < settled || until >= change) return yield* this.#find(from, until)
    if (!this.#days.has(day)) {
      if (passedSlots(this.#timing, from, stretch, 1).count === 0) return 0
      this.#days.add(day)
    }
    // All days that have slots have them at the same minutes.
    const midnight = day * DAY - offset
    return upTo(this.#minutes, until - midnight) - upTo(this.#minutes, from - midnight)
  }

  *#find(from: number, until: number): Generator<void, number> {
    let [count, after] = [0, from]
    while (this.#left > 0) {
      const passed = passedSlots(this.#timing, after, { from: after, until }, FOUND_IN_A_STEP)
      count += passed.count
      this.#left -= passed.count
      this.#sinceStep += passed.count
      if (this.#sinceStep >= FOUND_IN_A_STEP) {
        this.#sinceStep = 0
        yield
      }
      if (passed.count < FOUND_IN_A_STEP || passed.last === null) break
      after = passed.last
    }
    return count
  }
}

/** Returns the minutes since midnight at which a schedule has slots, in ascending order; null if the schedule is invalid. */
function minutesOf(cron: string): readonly number[] | null {
  try {
    const { hours, minutes } = parseCron(cron)
    return hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)).toSorted((a, b) => a - b)
  } catch {
    return null
  }
}

/** Returns how many of the minutes are at or before a time of day. */
function upTo(minutes: readonly number[], time: number): number {
  let [low, high] = [0, minutes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((minutes[middle] ?? 0) * MINUTE <= time) low = middle + 1
    else high = middle
  }
  return low
}
