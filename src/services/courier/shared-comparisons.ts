/** The comparison of a failed output with the last good one. It is shared by the alerts to all channels, and by their retries. */
import type { LastPing } from '../../domain/alert/flip-context.ts'
import type { OutputChange } from '../../domain/output-diff/output-change.ts'
import { BriefCache } from '../../lib/caches/brief-cache.ts'
import type { Deps } from '../common/deps.ts'
import { compareOutput } from '../pings/output-change.ts'

/** Seconds within which the first retries happen. */
const KEPT_SECONDS = 600
/** Most comparisons that are kept. One may take 40 kB. */
const COMPARISONS_KEPT = 50

export type CompareLastPing = (failed: LastPing) => Promise<OutputChange>

/** Compares once for all alerts about a ping. Receivers of alerts see nothing that would allow pings. */
export function shareComparisons(deps: Pick<Deps, 'store' | 'eventLoop' | 'pingBodyLimit' | 'now'>): CompareLastPing {
  const cache = new BriefCache<OutputChange>({ now: deps.now, seconds: KEPT_SECONDS, capacity: COMPARISONS_KEPT })
  return (failed) => {
    const { checkId, n, receivedAt, body } = failed
    // A cleared check may number its pings anew.
    return cache.get(`${checkId} ${n}`, receivedAt.toString(), () => {
      return compareOutput(deps, { ...failed, bodyStart: body }, false)
    })
  }
}
