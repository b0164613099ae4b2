/** Counts the slots of a schedule by day. */

import { passedSlots, type Timing } from '../check/slots.ts'
import { parseCron } from '../schedule/cron.ts'
import { spanAround } from '../schedule/wall-clock.ts'
import { DAY, MINUTE } from '../units.ts'

export interface DaySlots {
  /** days since 1970 */
  readonly day: number
  readonly count: number
}

/** Each takes a while to find. Those of cron need not be found but around a change of the clocks. */
const SLOTS_FOUND = 500
const FOUND_IN_A_STEP = 20

/** The time on a zone's clock, as the milliseconds since 1970 at which one in UTC shows it. */
export function readingAt(timeZone: string, moment: number): number {
  return moment + spanAround(timeZone, moment).offset
}

/** The zone, or UTC for one that has left the zone data. @param moment at which it is used first */
export function zoneInUse(timeZone: string, moment: number): string {
  try {
    spanAround(timeZone, moment)
    return timeZone
  } catch {
    return 'UTC'
  }
}

/** Shared by all stretches of a log: what was found out about a day holds for all of them. */
export class SlotsByDay {
  readonly #timing: Timing
  readonly #zone: string
  readonly #minutes: readonly number[] | null
  /** those that are known to have slots */
  readonly #days = new Set<number>()
  #left = SLOTS_FOUND
  #sinceStep = 0

  /** @param zone of the days; see {@link zoneInUse} */
  constructor(timing: Timing, zone: string) {
    this.#timing = timing
    this.#zone = zone
    this.#minutes = timing.kind === 'cron' ? minutesOf(timing.schedule) : null
  }

  /**
   * The slots after `after` and up to `until`, in the order of their days. It yields in between, where slots take long to find. After
   * many that had to be found it counts no more of them.
   * @param after of a simple check, the last success or failure
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

  /** The last moment of a day. @param from before it */
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
    // All days that have slots have the same ones.
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

/** The minutes of a day on which a schedule has slots, in order; null for one that can't be read. */
function minutesOf(cron: string): readonly number[] | null {
  try {
    const { hours, minutes } = parseCron(cron)
    return hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)).toSorted((a, b) => a - b)
  } catch {
    return null
  }
}

/** How many of them are not after that time of the day. */
function upTo(minutes: readonly number[], time: number): number {
  let [low, high] = [0, minutes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((minutes[middle] ?? 0) * MINUTE <= time) low = middle + 1
    else high = middle
  }
  return low
}
