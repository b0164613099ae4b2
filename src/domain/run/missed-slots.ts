/** Finds expected runs in a check's log that were missed or late, both between two runs and after the newest run. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, microsecondsBetween } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { givenUpUntil } from '../check/punctuality.ts'
import { slotsBetween, type Timing } from '../check/slots.ts'

type TimingWithGrace = Timing & Pick<Check, 'graceSeconds'>

/** The period after a run during which the next run was expected. */
export interface Gap {
  /** time at which the run ended */
  readonly after: Instant
  /** true if the run failed, so the check was down afterwards */
  readonly isDownAfter: boolean
  /** time at which the next run began; if there was none, the end of the period to examine */
  readonly until: Instant
  /**
   * The state at the end of the gap. `run`: the next run began. `down`: there was no next run, and each slot whose grace time is over
   * counts as missing. `up`: like `down`, but a run may still happen for the last slot
   */
  readonly end: 'run' | 'down' | 'up'
  /** flips after `after`, oldest first */
  readonly flips: readonly Pick<Flip, 'createdAt' | 'reason'>[]
}

export type MissedSlot =
  | { readonly kind: 'missing'; readonly at: Instant }
  /** a run began after the slot's grace time; `delay` is in microseconds */
  | { readonly kind: 'late'; readonly at: Instant; readonly delay: number }

interface MissedSlots {
  /** missed slots, oldest first */
  readonly slots: readonly MissedSlot[]
  /** true if there are more missed slots than were examined */
  readonly isMore: boolean
}

const NONE: MissedSlots = { slots: [], isMore: false }

/**
 * Returns missed slots. A run fills the last slot before it, so all slots before that one were missed.
 * @param limit maximum number of slots to examine
 */
export function missedSlots(timing: TimingWithGrace, gap: Gap, limit: number): MissedSlots {
  const [first] = slotsBetween(timing, gap.after, gap.until, 1).slots
  const since = first === undefined ? null : expectedSince(timing, gap, first)
  if (since === null) return NONE
  const until = gap.end === 'down' ? givenUpUntil(timing, gap.until) : gap.until
  const { slots: passed, more } = slotsBetween(timing, gap.after, until, limit)
  const slots = passed.filter((slot) => isAtOrAfter(slot, since))
  if (more || gap.end === 'down') return { slots: slots.map(missing), isMore: more }
  const last = slots.at(-1)
  const isLate = gap.end === 'run' && last && isAtOrAfter(gap.until, addSeconds(last, timing.graceSeconds))
  return { slots: [...slots.slice(0, -1).map(missing), ...(isLate ? [late(last, gap.until)] : [])], isMore: false }
}

function missing(at: Instant): MissedSlot {
  return { kind: 'missing', at }
}

function late(at: Instant, run: Instant): MissedSlot {
  return { kind: 'late', at, delay: microsecondsBetween(at, run) }
}

/**
 * Returns the time from which a run was expected; null if unknown. The log records neither old schedules nor server outages, but flips
 * provide evidence. Without pings, a check goes down one grace time after its first slot. If the check did not go down, no run was expected
 * in that slot. If it went down later than that, no run was expected before then.
 */
function expectedSince({ graceSeconds }: TimingWithGrace, gap: Gap, first: Instant): Instant | null {
  const { after, isDownAfter, until, end, flips } = gap
  if (isDownAfter) return after
  const deadline = addSeconds(first, graceSeconds)
  const timeout = flips.find(({ reason, createdAt }) => reason === 'timeout' && isAtOrAfter(until, createdAt))
  // A run in progress can only make the deadline earlier.
  if (timeout) return isBefore(deadline, timeout.createdAt) ? timeout.createdAt : after
  // If the check has only just gone down, its flip may not have been saved yet.
  return end !== 'down' && isBefore(deadline, until) ? null : after
}
