/** The newest times at which runs of a check were expected. */
import { addSeconds, type Instant, isBefore, microsecondsBetween } from '../../lib/time.ts'
import { nextAfter } from '../schedule/schedule.ts'
import type { Timing } from './slots.ts'

const MICROSECONDS = 1_000_000
/** A search that finds more begins later. */
const STEPS = 200
const ROUNDS = 12
const WIDER = 4

/**
 * The last `count` expected times after `after`, up to and including `until`, oldest first. It may return fewer for a
 * schedule whose runs are very unevenly spread, and returns none for one that can't be read.
 */
export function lastSlots(timing: Timing, after: Instant, until: Instant, count: number): readonly Instant[] {
  if (count <= 0 || isBefore(until, after)) return []
  if (timing.kind === 'simple') return lastPeriods(timing.timeoutSeconds, after, until, count)
  try {
    return lastScheduled(timing, after, until, count)
  } catch {
    return []
  }
}

function lastPeriods(seconds: number, after: Instant, until: Instant, count: number): readonly Instant[] {
  const passed = Math.floor(microsecondsBetween(after, until) / (seconds * MICROSECONDS))
  const shown = Math.min(passed, count)
  return Array.from({ length: shown }, (_, index) => addSeconds(after, (passed - shown + 1 + index) * seconds))
}

/** Schedules can only be searched forwards, so the search begins shortly before the end, and earlier until it finds enough. */
function lastScheduled({ schedule, tz }: Timing, after: Instant, until: Instant, count: number): readonly Instant[] {
  const first = nextAfter(schedule, tz, after)
  const second = first && nextAfter(schedule, tz, first)
  if (first === null || isBefore(until, first)) return []
  if (second === null) return [first]
  let seconds = (count + 1) * Math.ceil(microsecondsBetween(first, second) / MICROSECONDS)
  let isNarrowed = false
  let found: readonly Instant[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const begin = addSeconds(until, -Math.ceil(seconds))
    const from = isBefore(begin, after) ? after : begin
    const slots = upTo(schedule, tz, from, until)
    if (slots === null) {
      isNarrowed = true
      seconds /= WIDER
      continue
    }
    found = slots
    if (slots.length >= count || from === after || isNarrowed) break
    seconds *= WIDER
  }
  return found.slice(-count)
}

/** @returns null when there are too many */
function upTo(schedule: string, tz: string, after: Instant, until: Instant): readonly Instant[] | null {
  const slots: Instant[] = []
  let slot = nextAfter(schedule, tz, after)
  while (slot !== null && !isBefore(until, slot)) {
    if (slots.length >= STEPS) return null
    slots.push(slot)
    slot = nextAfter(schedule, tz, slot)
  }
  return slots
}
