/** Slots: the times at which a check expects its runs. */
import { addSeconds, earlier, type Instant, isBefore, later, microsecondsBetween } from '../../lib/time.ts'
import { nextAfter, nextMilliseconds } from '../schedule/schedule.ts'
import type { Stretch } from '../stretch.ts'
import type { WatchedCheck } from './check.ts'

/** The part of a check that defines its slots. */
export type Timing = Pick<WatchedCheck, 'kind' | 'timeoutSeconds' | 'schedule' | 'tz'>

/**
 * Returns the slots after `after` and no later than `until`, oldest first. For a simple check, pass the last success or failure as `after`,
 * because its slots are counted from there. Empty if the stored schedule can't be read.
 * @param limit maximum length of the list. `more` says whether there are further slots
 */
export function slotsBetween(
  timing: Timing,
  after: Instant,
  until: Instant,
  limit: number,
): { readonly slots: Instant[]; readonly more: boolean } {
  const slots: Instant[] = []
  // A fast path for most runs of a simple check.
  const milliseconds = until.epochMilliseconds - after.epochMilliseconds
  if (timing.kind === 'simple' && milliseconds < timing.timeoutSeconds * 1_000) return { slots, more: false }
  for (let slot = nextSlot(timing, after); slot !== null && !isBefore(until, slot); slot = nextSlot(timing, slot)) {
    if (slots.length === limit) return { slots, more: true }
    slots.push(slot)
  }
  return { slots, more: false }
}

/**
 * Returns the first slots after `after`, which is also where a period starts. There may be fewer, or none, if the schedule ends or can't be
 * read.
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
 * Returns the next time at which more runs of a check without pings become due or missing: a slot, or the end of the grace time after it.
 * Null if there is none.
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

/** Returns the first slot after a time. @param anchor the last success or failure, where the period of a simple check starts */
export function firstSlotAfter(timing: Timing, anchor: Instant, at: Instant): Instant | null {
  if (timing.kind !== 'simple') return nextSlot(timing, later(anchor, at))
  const passed = Math.floor(microsecondsBetween(anchor, later(anchor, at)) / (timing.timeoutSeconds * 1_000_000))
  return addSeconds(anchor, (passed + 1) * timing.timeoutSeconds)
}

interface PassedSlots {
  /** number of slots, up to the limit */
  readonly count: number
  /** the last slot that was counted, in milliseconds since 1970; null if there was none */
  readonly last: number | null
}

const NONE: PassedSlots = { count: 0, last: null }

/**
 * Counts the slots in a stretch, from its beginning.
 * @param stretch the start is excluded, the end is included
 * @param anchor the last success or failure, in milliseconds, where the period of a simple check starts; not later than the start of the
 * stretch
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
 * Returns null if the schedule can't be read, for example because its zone was removed from the time zone data. One such check must not
 * hide the others, or cause their pings to be refused.
 */
function unlessUnreadable<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch {
    return null
  }
}
