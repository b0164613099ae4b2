/** Compares a failed output with the last successful output. The result is shared by the alerts to all channels and their retries. */
import type { LastPing } from '../../domain/alert/flip-context.ts'
import type { OutputChange } from '../../domain/output-diff/output-change.ts'
import { BriefCache } from '../../lib/caches/brief-cache.ts'
import type { Deps } from '../common/deps.ts'
import { compareOutput } from '../pings/output-change.ts'

/** Cache lifetime of a comparison, in seconds. The first retries happen within this time. */
const KEPT_SECONDS = 600
/** Maximum number of cached comparisons. A comparison may take up to 40 kB of memory. */
const COMPARISONS_KEPT = 50

export type CompareLastPing = (failed: LastPing) => Promise<OutputChange>

/**
 * Compares the outputs once for all alerts about a ping. Ping URLs and keys are removed, because receivers of alerts must not be able to
 * ping.
 */
export function shareComparisons(deps: Pick<Deps, 'store' | 'eventLoop' | 'pingBodyLimit' | 'now'>): CompareLastPing {
  const cache = new BriefCache<OutputChange>({ now: deps.now, seconds: KEPT_SECONDS, capacity: COMPARISONS_KEPT })
  return (failed) => {
    const { checkId, n, receivedAt, body } = failed
    // Ping numbers may start over after the check was cleared.
    return cache.get(`${checkId} ${n}`, receivedAt.toString(), () => {
      return compareOutput(deps, { ...failed, bodyStart: body }, false)
    })
  }
}
