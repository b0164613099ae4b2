/**
 * Finds runs in the log by pairing each start with the success or failure that ended it. A late ping is paired according to the time at
 * which its run happened.
 */

import { addSeconds, type Instant, isBefore, microsecondsBetween } from '../../lib/time.ts'
import { happenedAt, inOrderOfTime } from '../ping/occurred-at.ts'
import type { Ping } from '../ping/ping.ts'

const LONGEST_RUN = 72 * 3_600 * 1_000_000

type Entry = Pick<Ping, 'n' | 'kind' | 'rid' | 'receivedAt' | 'occurredAt'>

/**
 * Returns the durations of runs whose start is certain. If runs without run ids may overlap, their ends get no duration.
 * `domain/ping/overlap.ts` applies the same rule to pings when they arrive.
 * @param log in order of arrival, oldest first
 * @param graceSeconds time after which a run without an end counts as dead
 * @returns microseconds by ping number
 */
export function certainRuns(log: readonly Entry[], graceSeconds: number): ReadonlyMap<number, number> {
  const durations = new Map(pairRuns(log))
  let going: 'none' | 'one' | 'several' = 'none'
  let mayGoOnUntil: Instant | null = null
  for (const entry of inOrderOfTime(log)) {
    const { n, kind, rid } = entry
    if (rid !== null) continue
    const at = happenedAt(entry)
    if (kind === 'start') {
      const isOther: boolean = going !== 'none' || (mayGoOnUntil !== null && isBefore(at, mayGoOnUntil))
      going = isOther ? 'several' : 'one'
    } else if (kind === 'success' || kind === 'fail') {
      if (going === 'several') durations.delete(n)
      mayGoOnUntil = going === 'several' ? addSeconds(at, graceSeconds) : null
      going = 'none'
    }
  }
  return durations
}

/**
 * Returns the duration of each run that ended, as Healthchecks' API would report it. An end is paired with the latest earlier start with
 * the same run id, or with no run id if the end has none. There must be no other success or failure with that id between them, and they
 * must be at most 72 hours apart.
 * @param log in order of arrival, oldest first
 * @returns microseconds by ping number
 */
export function pairRuns(log: readonly Entry[]): ReadonlyMap<number, number> {
  const pending = new Map<string | null, Entry>()
  const durations = new Map<number, number>()
  for (const entry of inOrderOfTime(log)) {
    if (entry.kind === 'start') {
      pending.set(entry.rid, entry)
    } else if (entry.kind === 'success' || entry.kind === 'fail') {
      const start = pending.get(entry.rid)
      pending.delete(entry.rid)
      if (!start) continue
      const duration = microsecondsBetween(happenedAt(start), happenedAt(entry))
      if (duration >= 0 && duration < LONGEST_RUN) durations.set(entry.n, duration)
    }
  }
  return durations
}
