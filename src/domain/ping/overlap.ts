/** Handles overlapping runs without run IDs. It is unknown which start an end belongs to, so no duration is calculated. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { endsUntimed } from '../check/run-history.ts'

/**
 * Value stored in place of a run ID while several runs without IDs may be in progress: the Max UUID of RFC 9562, which no generator
 * produces.
 */
const SEVERAL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type LastStart = Pick<WatchedCheck, 'lastStartAt' | 'lastStartRid'>
type LastPings = LastStart & Pick<WatchedCheck, 'lastPingAt' | 'graceSeconds'>

/** Whether an end without a run ID, either the last one or the next one, may belong to a run other than the one that started last. */
export function isOverlapping({ lastStartRid }: Pick<WatchedCheck, 'lastStartRid'>): boolean {
  return lastStartRid === SEVERAL
}

/**
 * Returns the run ID to store when a run starts.
 * @param check the check before the start
 * @param rid run ID of the start
 */
export function ridOfStart(check: LastPings, rid: string | null, now: Instant): string | null {
  return rid === null && mayRunAlready(check, now) ? SEVERAL : rid
}

/**
 * Whether an end appears to belong to the last start.
 * @param rid run ID of the end
 */
export function isEndOf({ lastStartRid }: LastStart, rid: string | null): boolean {
  return lastStartRid === rid || (lastStartRid === SEVERAL && rid === null)
}

/**
 * Returns the run ID to store when a run ends. If two runs overlapped, the other one may still be in progress.
 * @param rid run ID of the end
 */
export function ridAfterEnd({ lastStartAt, lastStartRid }: LastStart, rid: string | null): string | null {
  const isOther = lastStartAt === null && rid !== null
  const isFirstOfSeveral = lastStartAt !== null && rid === null
  return lastStartRid === SEVERAL && (isOther || isFirstOfSeveral) ? SEVERAL : null
}

function mayRunAlready({ lastStartAt, lastStartRid, lastPingAt, graceSeconds }: LastPings, now: Instant): boolean {
  if (lastStartAt !== null) return lastStartRid === null || lastStartRid === SEVERAL
  // A run whose end was not reported is presumed dead after its grace time.
  return lastStartRid === SEVERAL && lastPingAt !== null && isBefore(now, addSeconds(lastPingAt, graceSeconds))
}

/** Returns the duration of the last run in microseconds; null if unknown. */
export function lastRunDuration(check: Pick<WatchedCheck, 'lastStartRid' | 'lastDuration' | 'runs'>): number | null {
  return isOverlapping(check) || endsUntimed(check.runs) ? null : check.lastDuration
}
