/**
 * The newest runs of a check, for the list on its page. Each run has its due time and the flips that it caused. All times are milliseconds
 * since 1970.
 */
import { fromMilliseconds, type Instant } from '../../lib/time.ts'
import { type Check, startedAt } from '../check/check.ts'
import { type Flip, sendsAlerts } from '../check/flip.ts'
import { nextSlots, passedSlots } from '../check/slots.ts'
import { usualOf } from '../check/usual-duration.ts'
import { isRunKind } from '../log/log-entry.ts'
import type { TimelinePing } from '../log/log-timeline.ts'
import type { PlotRun } from '../rhythm-plot/facts.ts'
import { plotRuns } from '../rhythm-plot/plot-runs.ts'
import { SECOND } from '../units.ts'

/** A time at which the check went down or recovered. */
interface RunChange {
  readonly to: 'down' | 'up'
  readonly at: number
}

export interface ListedRun {
  readonly kind: PlotRun['kind'] | 'running'
  /** time at which the run began; for a missing run, the expected time */
  readonly began: number
  /** time at which the run ended; null for a missing run or a run in progress */
  readonly ended: number | null
  /** true if it is known when the run started */
  readonly isTimed: boolean
  /** time at which the run was expected; null if unknown */
  readonly due: number | null
  /** time from `due` to the start, if the run began after its grace time; null for other runs */
  readonly delay: number | null
  /** sequence number of the log entry; null for a missing run */
  readonly n: number | null
  readonly exitStatus: number | null
  /** time at which the ping that ended the run arrived, if that ping was late; otherwise null */
  readonly arrivedAt: number | null
  /** flips that the run caused, oldest first */
  readonly changes: readonly RunChange[]
}

interface RunListPing extends TimelinePing {
  readonly exitStatus: number | null
}

interface RunListSource {
  readonly check: Check
  /** consecutive pings, newest first, including the check's most recent ping */
  readonly pings: readonly RunListPing[]
  /** flips, newest first, including the check's most recent flip */
  readonly flips: readonly Flip[]
  /** time at which the check's current timing took effect. Earlier runs are never late or missing */
  readonly since: number
}

/** Number of runs in the list. A check's strip shows the same number. */
export const RUNS_LISTED = 30
/** Maximum number of slots within one grace time. If there are more, it doesn't matter which one a run belongs to. */
const SLOTS_IN_GRACE = 100

/** Returns at most {@link RUNS_LISTED} runs, newest first, evaluated in the same way as in the rhythm plot. */
export function runList({ check, pings, flips, since }: RunListSource, now: Instant): readonly ListedRun[] {
  const kept = pings.slice(0, endOfNewest(pings))
  const { kind, timeoutSeconds, schedule, tz, graceSeconds } = check
  const timing = { kind, timeoutSeconds, schedule, tz, graceSeconds, since }
  const oldest = kept.at(-1)?.receivedAt.epochMilliseconds ?? Number.NEGATIVE_INFINITY
  const recent = flips.filter(({ createdAt }) => createdAt.epochMilliseconds >= oldest)
  const judged = plotRuns({ check, pings: kept, flips: recent, usual: usualOf(check) }, [timing], now)
  const entries = new Map(kept.map((ping) => [ping.n, ping]))
  const ended = judged.slice(-RUNS_LISTED).map((run): ListedRun => {
    const { kind, isTimed, n } = run
    // Durations are in microseconds, but times here are in whole milliseconds.
    const began = Math.floor(run.began)
    const isMissing = kind === 'missing'
    const before = judged.findLast((other) => other.kind !== 'missing' && other !== run && other.ended <= began)
    return {
      ...{ kind, began, isTimed, n, changes: [] },
      ended: isMissing ? null : run.ended,
      due: run.due ?? (began < since ? null : dueOf(check, before?.ended ?? null, began)),
      delay: run.due === null || isMissing ? null : began - run.due,
      exitStatus: n === null ? null : (entries.get(n)?.exitStatus ?? null),
      arrivedAt: n === null ? null : arrivedAt(entries.get(n)),
    }
  })
  const running = runningOf(check, kept, ended.findLast(({ ended: at }) => at !== null)?.ended ?? null)
  const newest = [...ended, ...(running ? [running] : [])].slice(-RUNS_LISTED).reverse()
  return withChanges(newest, recent)
}

function arrivedAt(ping: RunListPing | undefined): number | null {
  return ping?.occurredAt ? ping.receivedAt.epochMilliseconds : null
}

/** Returns the number of pings needed for the listed runs and for the run before them. */
function endOfNewest(pings: readonly RunListPing[]): number {
  let runs = 0
  for (const [index, { kind }] of pings.entries()) {
    if (isRunKind(kind)) runs += 1
    if (runs > RUNS_LISTED) return index + 1
  }
  return pings.length
}

function runningOf(check: Check, pings: readonly RunListPing[], before: number | null): ListedRun | null {
  const began = startedAt(check)?.epochMilliseconds
  if (began === undefined) return null
  const n = pings.find(({ kind }) => kind === 'start')?.n ?? null
  const due = dueOf(check, before, began)
  return {
    kind: 'running',
    began,
    ended: null,
    isTimed: true,
    due,
    delay: null,
    n,
    exitStatus: null,
    arrivedAt: null,
    changes: [],
  }
}

/**
 * Returns the slot of a run that was on time: the last slot within one grace time before the run or, if the run was early, the next slot.
 * @param before time at which the previous run ended; null if unknown
 */
function dueOf(check: Check, before: number | null, began: number): number | null {
  if (before === null && check.kind === 'simple') return null
  const grace = check.graceSeconds * SECOND
  const from = Math.max(before ?? Number.NEGATIVE_INFINITY, began - grace)
  const { count, last } = passedSlots(check, before ?? from, { from, until: began }, SLOTS_IN_GRACE)
  if (count === SLOTS_IN_GRACE) return null
  if (last !== null) return last
  const after = check.kind === 'simple' ? (before ?? began) : began
  const [next] = nextSlots(check, fromMilliseconds(after), 1)
  const at = next?.epochMilliseconds ?? Number.POSITIVE_INFINITY
  return at - began <= grace ? at : null
}

/** Assigns each flip to the run that caused it: the run that reported it or, for a timeout, the newest run that was due. */
function withChanges(runs: readonly ListedRun[], flips: readonly Flip[]): readonly ListedRun[] {
  const changes = new Map<ListedRun, RunChange[]>()
  for (const flip of flips.toReversed()) {
    if (!sendsAlerts(flip)) continue
    const at = flip.createdAt.epochMilliseconds
    const run =
      flip.reason === 'timeout'
        ? runs.find(({ began, due }) => Math.min(began, due ?? began) <= at)
        : runs.find(({ ended, arrivedAt }) => (arrivedAt ?? ended) === at)
    // A run that ended before a timeout did not cause it, even if no newer run is known.
    const isOver = flip.reason === 'timeout' && run?.ended != null && run.ended <= at
    if (run && !isOver)
      changes.set(run, [...(changes.get(run) ?? []), { to: flip.newStatus === 'up' ? 'up' : 'down', at }])
  }
  return runs.map((run) => ({ ...run, changes: changes.get(run) ?? [] }))
}
