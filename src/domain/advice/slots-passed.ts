/** Counts and finds a schedule's past slots. All times are in milliseconds. */
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/caches/at-most.ts'
import { median } from '../../lib/figures/statistics.ts'
import { Temporal } from '../../lib/time.ts'
import { nextSlots, passedSlots, type Timing } from '../check/slots.ts'
import { DAY, MINUTE, SECOND } from '../units.ts'

/** Maximum number of missed slots to count. Finding a slot takes time, and a higher count would not be more informative. */
const SLOTS_COUNTED = 5

export interface Passed {
  /** number of slots, at most {@link SLOTS_COUNTED} */
  readonly count: number
  /** the newest slot, even if it was not counted; null if no slot has passed */
  readonly last: number | null
}

/** Returns the slots of a schedule after `from`, up to and including `until`. */
export function slotsPassed(timing: Timing, from: number, until: number): Passed {
  const passed = passedSlots(timing, from, { from, until }, SLOTS_COUNTED)
  if (passed.count < SLOTS_COUNTED) return passed
  return { count: passed.count, last: lastSlot(timing, until, ((passed.last ?? until) - from) / passed.count) }
}

/** How far back to search for slots: the longest time from one 29 February to the next. */
const FAR = 8 * 366 * DAY
const WIDER = 6

/**
 * Returns the last slot of a schedule at or before `until`; null if the schedule has not begun or is invalid. Schedules can only be
 * searched forwards, so the search starts shortly before `until` and then goes back further.
 * @param near first guess of the time between the slot and `until`; the search is fastest if this is the time between slots
 */
export function lastSlot(timing: Timing, until: number, near = MINUTE): number | null {
  for (let reach = near; reach < FAR; reach *= WIDER) {
    const from = until - reach
    const { last } = passedSlots(timing, from, { from, until }, 1)
    if (last !== null) return lastFrom(timing, last, until)
  }
  return null
}

/** Maximum number of slots to search one by one. */
const SLOTS_IN_A_ROW = 3

/**
 * Returns the last slot at or before `until`.
 * @param slot any earlier slot
 */
function lastFrom(timing: Timing, slot: number, until: number): number {
  let [last, empty] = [slot, until]
  for (;;) {
    const row = passedSlots(timing, last, { from: last, until: empty }, SLOTS_IN_A_ROW)
    last = row.last ?? last
    if (row.count < SLOTS_IN_A_ROW) return last
    // There is no slot between `empty` and `until`.
    const middle = Math.floor((last + empty) / 2)
    const later = passedSlots(timing, last, { from: middle, until: empty }, 1).last
    if (later === null) empty = middle
    else last = later
  }
}

/** Returns the first slots after `after`. Returns fewer if the schedule ends. */
export function slotsAfter(timing: Timing, after: number, count: number): readonly number[] {
  return nextSlots(timing, Temporal.Instant.fromEpochMilliseconds(after), count).map((slot) => slot.epochMilliseconds)
}

/**
 * Returns the usual time between slots: the period, or the median of the times between a schedule's slots. Null if the schedule ends or is
 * invalid.
 */
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

// The result rarely changes, and finding thirty slots takes longer than reading an entire log.
const cache = new LRUCache<string, { distance: number | null }, { timing: Timing; from: number }>({
  ...atMost(2_000),
  memoMethod: (_key, _previous, { context }) => ({ distance: distanceAfter(context.timing, context.from) }),
})

function distanceAfter(timing: Timing, from: number): number | null {
  const slots = slotsAfter(timing, from, SLOTS_COMPARED)
  const distances = slots.slice(1).map((slot, index) => slot - (slots[index] ?? slot))
  return distances.length === 0 ? null : median(distances)
}
