/** Expected runs that did not happen or were late, according to a check's log: between two runs, and after the newest. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, microsecondsBetween } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { givenUpUntil } from '../check/punctuality.ts'
import { slotsBetween, type Timing } from '../check/slots.ts'

type TimingWithGrace = Timing & Pick<Check, 'graceSeconds'>

/** The time after a run in which the next run was expected. */
export interface Gap {
  /** when the run ended */
  readonly after: Instant
  /** true: the run was a failure, so the check was down from then on */
  readonly isDownAfter: boolean
  /** when the next run began; if none did, the end of the silence */
  readonly until: Instant
  /**
   * `run`: the next run began. Without a next run, every slot whose grace time has passed is missing if the check is `down`; if it is `up`,
   * the last slot may still be answered
   */
  readonly end: 'run' | 'down' | 'up'
  /** flips after `after`, oldest first */
  readonly flips: readonly Pick<Flip, 'createdAt' | 'reason'>[]
}

export type MissedSlot =
  | { readonly kind: 'missing'; readonly at: Instant }
  /** answered by a run after the grace time; `delay` is in microseconds */
  | { readonly kind: 'late'; readonly at: Instant; readonly delay: number }

interface MissedSlots {
  /** oldest first */
  readonly slots: readonly MissedSlot[]
  /** true: more are missing after these, too many to count */
  readonly isMore: boolean
}

const NONE: MissedSlots = { slots: [], isMore: false }

/**
 * Returns missed slots. A run answers the last slot before it; earlier slots are missing.
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
 * Returns the time from which a run was expected; null if unknown. The log doesn't record former schedules or outages of this server, but
 * flips are evidence: silence takes a check down one grace time after its first slot. If the check did not go down, no run was expected at
 * that slot; if it went down later, none was expected before.
 */
function expectedSince({ graceSeconds }: TimingWithGrace, gap: Gap, first: Instant): Instant | null {
  const { after, isDownAfter, until, end, flips } = gap
  if (isDownAfter) return after
  const deadline = addSeconds(first, graceSeconds)
  const timeout = flips.find(({ reason, createdAt }) => reason === 'timeout' && isAtOrAfter(until, createdAt))
  // A pending start moves the deadline nearer, never further away.
  if (timeout) return isBefore(deadline, timeout.createdAt) ? timeout.createdAt : after
  // The flip of a check that has just gone down may not be written yet.
  return end !== 'down' && isBefore(deadline, until) ? null : after
}
