/** Slots of a schedule that have passed. All times are milliseconds. */
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/caches/at-most.ts'
import { median } from '../../lib/figures/statistics.ts'
import { Temporal } from '../../lib/time.ts'
import { nextSlots, passedSlots, type Timing } from '../check/slots.ts'
import { DAY, MINUTE, SECOND } from '../units.ts'

/** A larger number of missed slots says no more, and each takes a while to find. */
const SLOTS_COUNTED = 5

export interface Passed {
  /** number of slots, at most {@link SLOTS_COUNTED} */
  readonly count: number
  /** the newest slot, even beyond the counted ones; null if no slot has passed */
  readonly last: number | null
}

/** Returns the slots of a schedule after `from` and up to `until`. */
export function slotsPassed(timing: Timing, from: number, until: number): Passed {
  const passed = passedSlots(timing, from, { from, until }, SLOTS_COUNTED)
  if (passed.count < SLOTS_COUNTED) return passed
  return { count: passed.count, last: lastSlot(timing, until, ((passed.last ?? until) - from) / passed.count) }
}

/** The longest stretch that is searched back: from one 29 February to the next. */
const FAR = 8 * 366 * DAY
const WIDER = 6

/**
 * Returns the last slot of a schedule up to `until`. Schedules are searched forwards, so the search begins shortly before `until`, then
 * earlier. Null for a schedule that has not begun or can't be read.
 * @param near first guess of the time from the slot to `until`; the search is fastest if that is the distance of slots
 */
export function lastSlot(timing: Timing, until: number, near = MINUTE): number | null {
  for (let reach = near; reach < FAR; reach *= WIDER) {
    const from = until - reach
    const { last } = passedSlots(timing, from, { from, until }, 1)
    if (last !== null) return lastFrom(timing, last, until)
  }
  return null
}

/** Maximum number of slots that are searched one after the other. */
const SLOTS_IN_A_ROW = 3

/** Returns the last slot up to `until`. @param slot any earlier slot */
function lastFrom(timing: Timing, slot: number, until: number): number {
  let [last, empty] = [slot, until]
  for (;;) {
    const row = passedSlots(timing, last, { from: last, until: empty }, SLOTS_IN_A_ROW)
    last = row.last ?? last
    if (row.count < SLOTS_IN_A_ROW) return last
    // No slot lies between `empty` and `until`.
    const middle = Math.floor((last + empty) / 2)
    const later = passedSlots(timing, last, { from: middle, until: empty }, 1).last
    if (later === null) empty = middle
    else last = later
  }
}

/** Returns the first slots after `after`; fewer for a schedule that ends. */
export function slotsAfter(timing: Timing, after: number, count: number): readonly number[] {
  return nextSlots(timing, Temporal.Instant.fromEpochMilliseconds(after), count).map((slot) => slot.epochMilliseconds)
}

/** Returns the usual distance of slots: the period, or the median of a schedule's. Null for a schedule that ends or can't be read. */
export function usualDistance(timing: Timing, now: number): number | null {
  if (timing.kind === 'simple') return timing.timeoutSeconds * SECOND
  const week = Math.floor(now / WEEK)
  const { distance } = cache.memo(`${week} ${timing.tz} ${timing.schedule}`, {
    context: { timing, from: week * WEEK },
  })
  return distance
}

const WEEK = 7 * DAY
const SLOTS_COMPARED = 30

// The distance changes rarely, and finding thirty slots takes longer than all other work on a log.
const cache = new LRUCache<string, { distance: number | null }, { timing: Timing; from: number }>({
  ...atMost(2_000),
  memoMethod: (_key, _previous, { context }) => ({ distance: distanceAfter(context.timing, context.from) }),
})

function distanceAfter(timing: Timing, from: number): number | null {
  const slots = slotsAfter(timing, from, SLOTS_COMPARED)
  const distances = slots.slice(1).map((slot, index) => slot - (slots[index] ?? slot))
  return distances.length === 0 ? null : median(distances)
}
