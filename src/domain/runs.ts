/** Runs: pairs of a start and the success or failure that ended it, found again in the log. */
import type { Ping } from './ping.ts'
import { microsecondsBetween } from './time.ts'

const LONGEST_RUN = 72 * 3_600 * 1_000_000

type Entry = Pick<Ping, 'n' | 'kind' | 'rid' | 'receivedAt'>

/**
 * How long the run took that each success or failure ended: it pairs with the latest start before it of the same run id
 * (none is an id of its own), unless another success or failure of that id lies between or 72 hours have passed.
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
