/** A check's most recent runs, each with its time, duration and log entry. */
import { fromMicroseconds, type Instant, microsecondsBetween, toMicroseconds } from '../../lib/time.ts'
import { startedAt, type WatchedCheck } from '../check/check.ts'
import { givenUpUntil } from '../check/punctuality.ts'
import type { RunMark } from '../check/run-history.ts'
import { happenedAt } from '../ping/occurred-at.ts'
import type { Ping } from '../ping/ping.ts'
import { lastSlots } from '../run/last-slots.ts'

export interface RecentRun {
  readonly kind: RunMark['kind']
  /** when the run ended, was expected or started; null if the run is older than the log */
  readonly at: Instant | null
  /** number of the log entry; null for a missing run, or if the entry is no longer in the log */
  readonly n: number | null
  /** duration in microseconds; for a run under way, until now; null if unknown */
  readonly duration: number | null
}

/** @property duration duration of the run that this ping ended, in microseconds; null if it did not end a run */
type Entry = Pick<Ping, 'n' | 'kind' | 'receivedAt' | 'occurredAt'> & { readonly duration: number | null }

export interface RunSources {
  readonly check: WatchedCheck
  /** marks in the check's strip, newest last */
  readonly marks: readonly RunMark[]
  /** true: the newest expected run can no longer count, because the check is down */
  readonly isGivenUp: boolean
  /** stored log entries, newest first */
  readonly log: readonly Entry[]
  /** times at which the check was paused, newest first */
  readonly pauses: readonly Instant[]
  readonly now: Instant
}

/** Returns one run per mark, newest last. The marks provide the results, and the log provides the times as far back as it goes. */
export function recentRuns({ check, marks, isGivenUp, log, pauses, now }: RunSources): readonly RecentRun[] {
  const ends = log.filter(({ kind }) => kind === 'success' || kind === 'fail')
  const paused = [...pauses]
  const runs: RecentRun[] = []
  let gap: Gap = isGivenUp ? { until: givenUpUntil(check, now), lastCame: false } : { until: now, lastCame: true }
  for (let index = marks.length - 1; index >= 0; index--) {
    const mark = marks[index]
    if (mark === undefined) break
    if (mark.kind === 'missing') {
      const first = marks.slice(0, index).findLastIndex(({ kind }) => kind !== 'missing') + 1
      // No ping has arrived since a user started monitoring the check again.
      const since = check.lastPingAt === null ? check.sparedUntil : null
      runs.push(...missing(check, since ?? (ends[0] ? happenedAt(ends[0]) : null), gap, index - first + 1))
      index = first
      continue
    }
    if (mark.kind === 'running') {
      runs.push(running(check, log, now))
      gap = { until: startedAt(check), lastCame: true }
      continue
    }
    if (mark.kind === 'paused') {
      const at = paused.shift() ?? null
      runs.push({ kind: 'paused', at, n: null, duration: null })
      gap = { until: at, lastCame: true }
      continue
    }
    const end = ends.shift()
    const duration = end?.duration ?? mark.duration
    runs.push({ kind: mark.kind, at: end ? happenedAt(end) : null, n: end?.n ?? null, duration })
    gap = { until: end ? beginOf(end) : null, lastCame: true }
  }
  return runs.reverse()
}

/** An interval in which runs were expected but did not happen. */
interface Gap {
  /** end of the gap; null if unknown */
  readonly until: Instant | null
  /** true: the last expected run is not missing, because a run began after its slot or can still begin */
  readonly lastCame: boolean
}

/**
 * Returns the missing runs, newest first.
 * @param after when the previous ping arrived; null if unknown
 */
function missing(
  check: WatchedCheck,
  after: Instant | null,
  { until, lastCame }: Gap,
  count: number,
): readonly RecentRun[] {
  const known = after === null || until === null ? [] : lastSlots(check, after, until, count + (lastCame ? 1 : 0))
  const slots = (lastCame ? known.slice(0, -1) : known).toReversed()
  return Array.from({ length: count }, (_, index) => ({
    kind: 'missing',
    at: slots[index] ?? null,
    n: null,
    duration: null,
  }))
}

function running(check: WatchedCheck, log: readonly Entry[], now: Instant): RecentRun {
  const start = log.find(({ kind }) => kind === 'start')
  const began = startedAt(check)
  const duration = began && Math.max(0, microsecondsBetween(began, now))
  return { kind: 'running', at: began, n: start?.n ?? null, duration }
}

function beginOf(end: Entry): Instant {
  const ended = happenedAt(end)
  return end.duration === null ? ended : fromMicroseconds(toMicroseconds(ended) - end.duration)
}
