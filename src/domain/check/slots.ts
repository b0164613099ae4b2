/** Slots: the times at which a check expects its runs. */
import { addSeconds, earlier, type Instant, isBefore, later, microsecondsBetween } from '../../lib/time.ts'
import { nextAfter, nextMilliseconds } from '../schedule/schedule.ts'
import type { Stretch } from '../stretch.ts'
import type { WatchedCheck } from './check.ts'

/** The part of a check that determines its slots. */
export type Timing = Pick<WatchedCheck, 'kind' | 'timeoutSeconds' | 'schedule' | 'tz'>

/**
 * Returns the slots after `after`, up to and including `until`, oldest first. A simple check's slots are counted from its last success or
 * failure, so pass that time as `after`. Empty if the stored schedule is invalid.
 * @param limit maximum length of the list; `more` is true if there are further slots
 */
export function slotsBetween(
  timing: Timing,
  after: Instant,
  until: Instant,
  limit: number,
): { readonly slots: Instant[]; readonly more: boolean } {
  const slots: Instant[] = []
  // This is a shortcut for most runs of a simple check.
  const milliseconds = until.epochMilliseconds - after.epochMilliseconds
  if (timing.kind === 'simple' && milliseconds < timing.timeoutSeconds * 1_000) return { slots, more: false }
  for (let slot = nextSlot(timing, after); slot !== null && !isBefore(until, slot); slot = nextSlot(timing, slot)) {
    if (slots.length === limit) return { slots, more: true }
    slots.push(slot)
  }
  return { slots, more: false }
}

/**
 * Returns the first slots after `after`. A simple check's period is also counted from this time. Returns fewer or none if the schedule ends
 * or is invalid.
 * @param count maximum number of slots
 */
export function nextSlots(timing: Timing, after: Instant, count: number): readonly Instant[] {
  const slots: Instant[] = []
  for (let slot = nextSlot(timing, after); slot !== null && slots.length < count; slot = nextSlot(timing, slot)) {
    slots.push(slot)
  }
  return slots
}

function nextSlot({ kind, timeoutSeconds, schedule, tz }: Timing, after: Instant): Instant | null {
  if (kind === 'simple') return addSeconds(after, timeoutSeconds)
  return unlessUnreadable(() => nextAfter(schedule, tz, after))
}

/**
 * Returns the next time at which another run of a check without new pings becomes due or missing: a slot, or the end of the grace time
 * after a slot. Null if there is no such time.
 * @param anchor the last success or failure
 */
export function nextSilentChange(
  timing: Timing & Pick<WatchedCheck, 'graceSeconds'>,
  anchor: Instant,
  now: Instant,
): Instant | null {
  const { graceSeconds } = timing
  const overdue = firstSlotAfter(timing, anchor, addSeconds(now, -graceSeconds))
  return earlier(firstSlotAfter(timing, anchor, now), overdue && addSeconds(overdue, graceSeconds))
}

/**
 * Returns the first slot after a time.
 * @param anchor the last success or failure, from which a simple check's period is counted
 */
export function firstSlotAfter(timing: Timing, anchor: Instant, at: Instant): Instant | null {
  if (timing.kind !== 'simple') return nextSlot(timing, later(anchor, at))
  const passed = Math.floor(microsecondsBetween(anchor, later(anchor, at)) / (timing.timeoutSeconds * 1_000_000))
  return addSeconds(anchor, (passed + 1) * timing.timeoutSeconds)
}

interface PassedSlots {
  /** number of slots, up to the limit */
  readonly count: number
  /** the last counted slot, in milliseconds since 1970; null if there was none */
  readonly last: number | null
}

const NONE: PassedSlots = { count: 0, last: null }

/**
 * Counts the slots in an interval, from its beginning.
 * @param stretch excludes its start and includes its end
 * @param anchor the last success or failure, in milliseconds, from which a simple check's period is counted; at or before the start of the
 * interval
 * @param limit maximum count
 */
export function passedSlots(timing: Timing, anchor: number, stretch: Stretch, limit: number): PassedSlots {
  if (stretch.until <= stretch.from) return NONE
  return timing.kind === 'simple'
    ? passedPeriods(timing.timeoutSeconds * 1_000, anchor, stretch, limit)
    : (unlessUnreadable(() => passedOccurrences(timing, stretch, limit)) ?? NONE)
}

function passedPeriods(period: number, anchor: number, { from, until }: Stretch, limit: number): PassedSlots {
  const before = Math.floor((from - anchor) / period)
  const count = Math.min(limit, Math.floor((until - anchor) / period) - before)
  return count === 0 ? NONE : { count, last: anchor + (before + count) * period }
}

function passedOccurrences({ schedule, tz }: Timing, { from, until }: Stretch, limit: number): PassedSlots {
  let count = 0
  let last: number | null = null
  let slot = nextMilliseconds(schedule, tz, from)
  while (slot !== null && slot <= until && count < limit) {
    count += 1
    last = slot
    slot = nextMilliseconds(schedule, tz, slot)
  }
  return { count, last }
}

/**
 * Returns the result of `work`, or null if the schedule is invalid, for example because its zone was removed from the time zone data. One
 * such check must not hide other checks, or cause their pings to be rejected.
 */
function unlessUnreadable<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch {
    return null
  }
}
