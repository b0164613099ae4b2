/** Runs: pairs of a start and the success or failure that ended it, found in the log. */

import { microsecondsBetween } from '../../lib/time.ts'
import type { Ping } from './ping.ts'

const LONGEST_RUN = 72 * 3_600 * 1_000_000

type Entry = Pick<Ping, 'n' | 'kind' | 'rid' | 'receivedAt'>

/**
 * The duration of the run that each success or failure ended. It pairs with the latest start before it that has the same run
 * id (or none, like itself), unless another success or failure with that id is in between or 72 hours have passed.
 * @param log oldest first
 * @returns microseconds by ping number
 */
export function pairRuns(log: readonly Entry[]): ReadonlyMap<number, number> {
  const pending = new Map<string | null, Entry>()
  const durations = new Map<number, number>()
  for (const entry of log) {
    if (entry.kind === 'start') {
      pending.set(entry.rid, entry)
    } else if (entry.kind === 'success' || entry.kind === 'fail') {
      const start = pending.get(entry.rid)
      pending.delete(entry.rid)
      if (!start) continue
      const duration = microsecondsBetween(start.receivedAt, entry.receivedAt)
      if (duration >= 0 && duration < LONGEST_RUN) durations.set(entry.n, duration)
    }
  }
  return durations
}
