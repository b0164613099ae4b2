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

/** Maximum number of slots to search for, because each search takes time. Cron schedules need a search only around clock changes. */
const SLOTS_FOUND = 500
const FOUND_IN_A_STEP = 20

/** Returns the clock reading in a time zone, as the milliseconds since 1970 at which a UTC clock shows the same. */
export function readingAt(timeZone: string, moment: number): number {
  return moment + spanAround(timeZone, moment).offset
}

/**
 * Returns the zone, or UTC if the zone was removed from the time zone data.
 * @param moment time at which the zone is first used
 */
export function zoneInUse(timeZone: string, moment: number): string {
  try {
    spanAround(timeZone, moment)
    return timeZone
  } catch {
    return 'UTC'
  }
}

/**
 * Counts slots by day. All stretches of a log share an instance, because a day that has slots in one stretch has the same slots in the
 * others.
 */
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
   * Returns the slots after `after`, up to and including `until`, by day. Yields while searching takes long. After too many searches, slots
   * that would require another one are not counted.
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
   * Returns the last moment of a day.
   * @param from a moment before it
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
    // Every day that has slots has them at the same minutes.
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

/** Returns the minutes of the day at which a schedule has slots, in order; null if the schedule is invalid. */
function minutesOf(cron: string): readonly number[] | null {
  try {
    const { hours, minutes } = parseCron(cron)
    return hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)).toSorted((a, b) => a - b)
  } catch {
    return null
  }
}

/** Counts the minutes up to a time of day, inclusive. */
function upTo(minutes: readonly number[], time: number): number {
  let [low, high] = [0, minutes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((minutes[middle] ?? 0) * MINUTE <= time) low = middle + 1
    else high = middle
  }
  return low
}
