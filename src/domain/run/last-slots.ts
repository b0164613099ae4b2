/** Finds the most recent times at which a check's runs were expected. */
import { addSeconds, type Instant, isBefore, microsecondsBetween } from '../../lib/time.ts'
import { slotsBetween, type Timing } from '../check/slots.ts'

const MICROSECONDS = 1_000_000
/** Maximum number of times to find in one search. If there are more, a new search starts at a later time. */
const STEPS = 200
const ROUNDS = 12
const WIDER = 4

/**
 * Returns the last `count` expected times after `after`, up to and including `until`, oldest first. May return fewer if the schedule's runs
 * are very unevenly spaced. Returns none if the schedule is invalid.
 */
export function lastSlots(timing: Timing, after: Instant, until: Instant, count: number): readonly Instant[] {
  if (count <= 0 || isBefore(until, after)) return []
  return timing.kind === 'simple'
    ? lastPeriods(timing.timeoutSeconds, after, until, count)
    : lastScheduled(timing, after, until, count)
}

function lastPeriods(seconds: number, after: Instant, until: Instant, count: number): readonly Instant[] {
  const passed = Math.floor(microsecondsBetween(after, until) / (seconds * MICROSECONDS))
  const shown = Math.min(passed, count)
  return Array.from({ length: shown }, (_, index) => addSeconds(after, (passed - shown + 1 + index) * seconds))
}

/**
 * Returns the last times of a schedule. Schedules can only be searched forwards, so the search starts shortly before the end and goes
 * further back until it finds enough times.
 */
function lastScheduled(timing: Timing, after: Instant, until: Instant, count: number): readonly Instant[] {
  let found: readonly Instant[] = slotsBetween(timing, after, until, 2).slots
  const [first, second] = found
  if (first === undefined || second === undefined) return found
  let seconds = (count + 1) * Math.ceil(microsecondsBetween(first, second) / MICROSECONDS)
  let isNarrowed = false
  for (let round = 0; round < ROUNDS; round++) {
    const begin = addSeconds(until, -Math.ceil(seconds))
    const from = isBefore(begin, after) ? after : begin
    const { slots, more } = slotsBetween(timing, from, until, STEPS)
    if (more) {
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
