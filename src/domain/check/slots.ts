/** Slots: the times at which runs of a check are expected. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { nextMillisecondsAfter } from '../schedule/schedule.ts'
import type { WatchedCheck } from './check.ts'

/** The part of a check that determines its slots. */
export type Timing = Pick<WatchedCheck, 'kind' | 'timeoutSeconds' | 'schedule' | 'tz'>

/** A stretch of time, without its beginning and with its end, in microseconds. */
export interface Stretch {
  readonly from: number
  readonly until: number
}

/**
 * The slots after `after` and up to `until`, oldest first. Those of a simple check follow its last success or failure, so `after` must be
 * that. None for a stored schedule that can't be read.
 * @param limit of the list; `more` says whether there are further slots
 */
export function slotsBetween(
  timing: Timing,
  after: Instant,
  until: Instant,
  limit: number,
): { readonly slots: Instant[]; readonly more: boolean } {
  const anchor = toMicroseconds(after)
  const found: number[] = []
  for (const slot of slotsIn(timing, anchor, { from: anchor, until: toMicroseconds(until) })) {
    if (found.length === limit) return { slots: found.map(fromMicroseconds), more: true }
    found.push(slot)
  }
  return { slots: found.map(fromMicroseconds), more: false }
}

/**
 * How many slots a stretch has.
 * @param anchor microseconds: the last success or failure, which the slots of a simple check follow; not after the stretch begins
 * @param limit counting ends there
 */
export function countSlots(timing: Timing, anchor: number, stretch: Stretch, limit: number): number {
  if (stretch.until <= stretch.from) return 0
  if (timing.kind === 'simple') {
    const period = timing.timeoutSeconds * 1_000_000
    const [first, last] = [Math.floor((stretch.from - anchor) / period), Math.floor((stretch.until - anchor) / period)]
    return Math.min(limit, last - first)
  }
  let count = 0
  for (const _ of slotsIn(timing, anchor, stretch)) {
    count += 1
    if (count === limit) break
  }
  return count
}

function* slotsIn(timing: Timing, anchor: number, { from, until }: Stretch): Generator<number> {
  let slot = nextSlot(timing, anchor, from)
  while (slot !== null && slot <= until) {
    yield slot
    slot = nextSlot(timing, anchor, slot)
  }
}

function nextSlot({ kind, timeoutSeconds, schedule, tz }: Timing, anchor: number, after: number): number | null {
  if (kind === 'simple') {
    const period = timeoutSeconds * 1_000_000
    return anchor + (Math.floor((after - anchor) / period) + 1) * period
  }
  try {
    const next = nextMillisecondsAfter(schedule, tz, after / 1000)
    return next === null ? null : next * 1000
  } catch {
    // Its zone may have left the zone data. One such check must not hide the others, nor refuse its pings.
    return null
  }
}
