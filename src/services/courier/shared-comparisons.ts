/** The comparison of a failed output with the last good one, which is the same in the alerts to all channels, and when they are retried. */
import type { LastPing } from '../../domain/alert/flip-context.ts'
import type { OutputChange } from '../../domain/output-diff/output-change.ts'
import { BriefCache } from '../../lib/caches/brief-cache.ts'
import type { Deps } from '../common/deps.ts'
import { compareOutput } from '../pings/output-change.ts'

/** The first retries come within this time. */
const KEPT_SECONDS = 600
/** One may take 40 kB. */
const COMPARISONS_KEPT = 50

export type CompareLastPing = (failed: LastPing) => Promise<OutputChange>

/** Compares once for all alerts about a ping. Receivers of alerts see nothing that would allow pings. */
export function shareComparisons(deps: Pick<Deps, 'store' | 'eventLoop' | 'pingBodyLimit' | 'now'>): CompareLastPing {
  const cache = new BriefCache<OutputChange>({ now: deps.now, seconds: KEPT_SECONDS, capacity: COMPARISONS_KEPT })
  return (failed) => {
    const { checkId, n, receivedAt, body } = failed
    // A check that was cleared may number its pings anew.
    return cache.get(`${checkId} ${n}`, receivedAt.toString(), () => {
      return compareOutput(deps, { ...failed, bodyStart: body }, false)
    })
  }
}
