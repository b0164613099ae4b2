/** Overlapping runs without run ids. It is unknown which start an end belongs to, so no duration is calculated. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { endsUntimed } from '../check/run-history.ts'

/**
 * Value stored in place of a run id while several runs without ids may be under way: the Max UUID of RFC 9562, which no generator creates.
 */
const SEVERAL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type LastStart = Pick<WatchedCheck, 'lastStartAt' | 'lastStartRid'>
type LastPings = LastStart & Pick<WatchedCheck, 'lastPingAt' | 'graceSeconds'>

/** Whether the last end without a run id, or the next one, may belong to a different run than the last start. */
export function isOverlapping({ lastStartRid }: Pick<WatchedCheck, 'lastStartRid'>): boolean {
  return lastStartRid === SEVERAL
}

/**
 * Returns the run id to store when a run starts.
 * @param check the check before the start
 * @param rid run id of the start
 */
export function ridOfStart(check: LastPings, rid: string | null, now: Instant): string | null {
  return rid === null && mayRunAlready(check, now) ? SEVERAL : rid
}

/**
 * Whether an end belongs to the last start, as far as is known.
 * @param rid run id of the end
 */
export function isEndOf({ lastStartRid }: LastStart, rid: string | null): boolean {
  return lastStartRid === rid || (lastStartRid === SEVERAL && rid === null)
}

/**
 * Returns the run id to store when a run ends. If two runs overlapped, the other one may still be under way.
 * @param rid run id of the end
 */
export function ridAfterEnd({ lastStartAt, lastStartRid }: LastStart, rid: string | null): string | null {
  const isOther = lastStartAt === null && rid !== null
  const isFirstOfSeveral = lastStartAt !== null && rid === null
  return lastStartRid === SEVERAL && (isOther || isFirstOfSeveral) ? SEVERAL : null
}

function mayRunAlready({ lastStartAt, lastStartRid, lastPingAt, graceSeconds }: LastPings, now: Instant): boolean {
  if (lastStartAt !== null) return lastStartRid === null || lastStartRid === SEVERAL
  // A run without an end counts as dead after its grace time.
  return lastStartRid === SEVERAL && lastPingAt !== null && isBefore(now, addSeconds(lastPingAt, graceSeconds))
}

/** Returns the last run's duration in microseconds; null if unknown. */
export function lastRunDuration(check: Pick<WatchedCheck, 'lastStartRid' | 'lastDuration' | 'runs'>): number | null {
  return isOverlapping(check) || endsUntimed(check.runs) ? null : check.lastDuration
}
