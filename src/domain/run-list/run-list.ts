/**
 * The newest runs of a check for the list on its page, each with its due time and the changes it caused. All times are milliseconds since
 * 1970.
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

/** A moment at which the check went down or recovered. */
interface RunChange {
  readonly to: 'down' | 'up'
  readonly at: number
}

export interface ListedRun {
  readonly kind: PlotRun['kind'] | 'running'
  /** when it began; for a missing run, when it was expected */
  readonly began: number
  /** when it ended; null for a missing run and a run in progress */
  readonly ended: number | null
  /** true: its start is known */
  readonly isTimed: boolean
  /** when it was expected; null if unknown */
  readonly due: number | null
  /** how long after `due` it began, if that was after the grace time; null for others */
  readonly delay: number | null
  /** number of its log entry; null for a missing run */
  readonly n: number | null
  readonly exitStatus: number | null
  /** when the ping that ended it arrived, if that was late; null for others */
  readonly arrivedAt: number | null
  /** oldest first */
  readonly changes: readonly RunChange[]
}

interface RunListPing extends TimelinePing {
  readonly exitStatus: number | null
}

interface RunListSource {
  readonly check: Check
  /** newest first, from the newest on and without gaps */
  readonly pings: readonly RunListPing[]
  /** newest first, from the newest on */
  readonly flips: readonly Flip[]
  /** when the check got its timing: earlier runs are not judged */
  readonly since: number
}

/** Number of listed runs, the same as in the strip of a check. */
export const RUNS_LISTED = 30
/** Maximum number of slots in a grace time; with more slots, it does not matter which of them a run answered. */
const SLOTS_IN_GRACE = 100

/** Returns at most {@link RUNS_LISTED} runs, newest first. They are judged as in the rhythm plot. */
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
    // Durations are exact to the microsecond, while instants are whole milliseconds.
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

/** Returns the number of pings that contain the listed runs and the run before them. */
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
 * Returns the slot that a run in time answered: the last slot within a grace time before the run, or else the next slot, for which the run
 * was early.
 * @param before when the previous run ended; null if unknown
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

/** Assigns each change to the run that caused it: the run that reported it, or the newest run that was due when no ping arrived. */
function withChanges(runs: readonly ListedRun[], flips: readonly Flip[]): readonly ListedRun[] {
  const changes = new Map<ListedRun, RunChange[]>()
  for (const flip of flips.toReversed()) {
    if (!sendsAlerts(flip)) continue
    const at = flip.createdAt.epochMilliseconds
    const run =
      flip.reason === 'timeout'
        ? runs.find(({ began, due }) => Math.min(began, due ?? began) <= at)
        : runs.find(({ ended, arrivedAt }) => (arrivedAt ?? ended) === at)
    // A run in time has not caused later changes, even if nothing newer is known.
    const isOver = flip.reason === 'timeout' && run?.ended != null && run.ended <= at
    if (run && !isOver)
      changes.set(run, [...(changes.get(run) ?? []), { to: flip.newStatus === 'up' ? 'up' : 'down', at }])
  }
  return runs.map((run) => ({ ...run, changes: changes.get(run) ?? [] }))
}
