/** The last runs of a check, each with its time, its duration and its entry in the log. */
import { fromMicroseconds, type Instant, microsecondsBetween, toMicroseconds } from '../../lib/time.ts'
import { startedAt, type WatchedCheck } from '../check/check.ts'
import { givenUpUntil } from '../check/punctuality.ts'
import type { RunMark } from '../check/run-history.ts'
import { happenedAt } from '../ping/occurred-at.ts'
import type { Ping } from '../ping/ping.ts'
import { lastSlots } from '../run/last-slots.ts'

export interface RecentRun {
  readonly kind: RunMark['kind']
  /** when the run ended, was expected, or started; null if the log does not reach back that far */
  readonly at: Instant | null
  /** number of its log entry; null for a missing run, and if the log no longer has the entry */
  readonly n: number | null
  /** microseconds, so far for a run in progress; null if unknown */
  readonly duration: number | null
}

/** @property duration microseconds of the run that this ping ended; null if it ended none */
type Entry = Pick<Ping, 'n' | 'kind' | 'receivedAt' | 'occurredAt'> & { readonly duration: number | null }

export interface RunSources {
  readonly check: WatchedCheck
  /** newest last, as in the strip of the check */
  readonly marks: readonly RunMark[]
  /** true: the newest expected run is no longer awaited, because the check is down */
  readonly isGivenUp: boolean
  /** newest first, as far as it is kept */
  readonly log: readonly Entry[]
  /** when the check was paused, newest first */
  readonly pauses: readonly Instant[]
  readonly now: Instant
}

/** Returns one run for each mark, newest last. The marks give the results; the log gives the times, as far as it reaches. */
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
      // No ping has arrived since a person had the check monitored again.
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

/** The stretch in which missing runs were expected. */
interface Gap {
  /** null if unknown */
  readonly until: Instant | null
  /** true: the last expected time is not missing, because a run began after it or may still happen */
  readonly lastCame: boolean
}

/** Returns missing runs, newest first. @param after when the previous ping arrived; null if unknown */
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
