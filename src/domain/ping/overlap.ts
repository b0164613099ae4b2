/** Runs that overlap without run ids: which start an end belongs to is not known then, so such a pair has no duration. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { endsUntimed } from '../check/run-history.ts'

/** In place of the run id of the last start: several runs without one may go on. The Max UUID of RFC 9562, which no generator makes. */
const SEVERAL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type LastStart = Pick<WatchedCheck, 'lastStartAt' | 'lastStartRid'>
type LastPings = LastStart & Pick<WatchedCheck, 'lastPingAt' | 'graceSeconds'>

/** Whether the next end without a run id, or the last one, may be that of another run than the last start. */
export function isOverlapping({ lastStartRid }: Pick<WatchedCheck, 'lastStartRid'>): boolean {
  return lastStartRid === SEVERAL
}

/** The run id by which a start is kept. @param check as it was before @param rid of the start */
export function ridOfStart(check: LastPings, rid: string | null, now: Instant): string | null {
  return rid === null && mayRunAlready(check, now) ? SEVERAL : rid
}

/** Whether an end belongs to the last start, as far as anybody can know. @param rid of the end */
export function isEndOf({ lastStartRid }: LastStart, rid: string | null): boolean {
  return lastStartRid === rid || (lastStartRid === SEVERAL && rid === null)
}

/** What is kept in place of a run id when an end has come: of two runs that overlap, one may still go on. @param rid of the end */
export function ridAfterEnd({ lastStartAt, lastStartRid }: LastStart, rid: string | null): string | null {
  const isOther = lastStartAt === null && rid !== null
  const isFirstOfSeveral = lastStartAt !== null && rid === null
  return lastStartRid === SEVERAL && (isOther || isFirstOfSeveral) ? SEVERAL : null
}

function mayRunAlready({ lastStartAt, lastStartRid, lastPingAt, graceSeconds }: LastPings, now: Instant): boolean {
  if (lastStartAt !== null) return lastStartRid === null || lastStartRid === SEVERAL
  // A run that is not over after a grace time has died.
  return lastStartRid === SEVERAL && lastPingAt !== null && isBefore(now, addSeconds(lastPingAt, graceSeconds))
}

/** Microseconds that the last run took; null when it is not known. */
export function lastRunDuration(check: Pick<WatchedCheck, 'lastStartRid' | 'lastDuration' | 'runs'>): number | null {
  return isOverlapping(check) || endsUntimed(check.runs) ? null : check.lastDuration
}
