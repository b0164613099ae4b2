/** Replays a check's log as if the check had always had a given schedule. */
import { earlier, type Instant, microsecondsBetween, Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { givenUpUntil, isExpecting, missingRuns } from '../check/punctuality.ts'
import { RUNS_KEPT } from '../check/run-history.ts'
import { slotsBetween, type Timing } from '../check/slots.ts'
import { type PastPause, type PastPing, type PastStep, pastStep, unknownCheck } from '../log/past-runs.ts'
import { lastSlots } from '../run/last-slots.ts'

/** The settings that determine when runs are expected and when they are late. */
export type ReplayTiming = Timing & Pick<Check, 'graceSeconds'>

/** A log entry with its sequence number, or a pause. */
export type ReplayEvent = (PastPing & { readonly n: number }) | PastPause

export interface JudgedRun {
  /**
   * `extra`: the run succeeded, but no run was expected between it and the previous one. This can't happen to a check with a period,
   * because the period starts over after each run
   */
  readonly kind: 'ok' | 'late' | 'failed' | 'missing' | 'extra'
  /** time at which the ping that ended the run arrived; for a missing run, the expected time */
  readonly at: Instant
  /** sequence number of the log entry; null for a missing run */
  readonly n: number | null
  /**
   * microseconds from the expected time to the start of a late run; null if the run was not late, or if it started on time but took too
   * long
   */
  readonly delay: number | null
}

export interface Replay {
  /** the newest {@link RUNS_KEPT} runs, oldest first */
  readonly runs: readonly JudgedRun[]
  /** true if the first of these runs is the first one in the log, so it is unknown when it was expected */
  readonly hasFirst: boolean
  // Number of runs of each kind.
  readonly onTime: number
  readonly late: number
  readonly missing: number
  readonly extra: number
  readonly failed: number
}

/**
 * Evaluates the newest runs in a log using the same rules as for arriving pings. Runs during server outages count as missing, because the
 * log does not record outages. The log's first run counts as on time, because the run before it is unknown.
 * @param timing must have a valid schedule and zone
 * @param events oldest first
 */
export function replay(timing: ReplayTiming, events: readonly ReplayEvent[], now: Instant): Replay {
  const { steps, last } = historyOf(events)
  // Goes from the newest run to the oldest, so that only a few events are examined if many runs are missing.
  const newestFirst = missing({ ...last, ...timing }, now)
  for (let index = steps.length - 1; index >= 0 && newestFirst.length < RUNS_KEPT; index--) {
    const step = steps[index]
    if (step) newestFirst.push(...judged(timing, step))
  }
  const runs = newestFirst.slice(0, RUNS_KEPT).reverse()
  return summary(runs, runs[0] !== undefined && runs[0].n === firstOf(steps))
}

/** The effects of the events on the check, before any runs are evaluated. */
interface History {
  /** events that ended a run or paused the check, oldest first, each with the state of the check before it */
  readonly steps: readonly PastStep<ReplayEvent>[]
  readonly last: Check
}

/** A timing for which no run is due for a century. */
const UNDEMANDING: ReplayTiming = {
  kind: 'simple',
  timeoutSeconds: 3_155_760_000,
  graceSeconds: 3_155_760_000,
  schedule: '',
  tz: 'UTC',
}

/** Replays the events without a schedule. A schedule affects whether runs are late or missing, but not what pings do to the check. */
function historyOf(events: readonly ReplayEvent[]): History {
  let last = unknownCheck(UNDEMANDING, Temporal.Instant.fromEpochMilliseconds(0))
  const steps: PastStep<ReplayEvent>[] = []
  for (const event of events) {
    const step = pastStep(last, event)
    if (step.run !== null || (event.kind === 'pause' && step.after !== last)) steps.push(step)
    last = step.after
  }
  return { steps, last }
}

/** Returns the number of the log entry that ended the log's first run. */
function firstOf(steps: History['steps']): number | undefined {
  const event = steps.find(({ run }) => run !== null)?.event
  return event && 'n' in event ? event.n : undefined
}

/** Drops the log's first run if it succeeded, because it says nothing about the schedule. */
export function sinceFirst(replay: Replay): Replay {
  const { runs, hasFirst } = replay
  return hasFirst && runs[0]?.kind === 'ok' ? summary(runs.slice(1), false) : replay
}

/** Returns a run followed by the missing runs before it, newest first. */
function judged(timing: ReplayTiming, { event, before }: PastStep<ReplayEvent>): JudgedRun[] {
  const check: Check = { ...before, ...timing }
  const { run } = pastStep(check, event)
  if (run === null || !('n' in event)) return missing(check, event.at)
  const { at, n } = event
  const began = earlier(run.startedAt, at) ?? at
  const slots = slotsOf(check, began, run.missed + 1)
  const expected = slots[run.missed]
  const isExtra = run.kind === 'ok' && timing.kind !== 'simple' && isExpecting(before) && expected === undefined
  const delay = run.kind === 'late' && expected ? delayOf(timing, expected, began) : null
  const missed = slots.slice(0, run.missed).map(missingAt).reverse()
  return [{ kind: isExtra ? 'extra' : run.kind, at, n, delay }, ...missed]
}

function delayOf({ graceSeconds }: ReplayTiming, expected: Instant, began: Instant): number | null {
  const delay = microsecondsBetween(expected, began)
  return delay < graceSeconds * 1_000_000 ? null : delay
}

/** Returns the runs that have been missing since the last event, newest first. */
function missing(check: Check, until: Instant): JudgedRun[] {
  const count = missingRuns(check, until)
  if (count === 0) return []
  const { lastStartAt } = check
  const slots =
    lastStartAt === null ? slotsOf(check, givenUpUntil(check, until), count) : slotsOf(check, lastStartAt, count + 1)
  return slots.slice(0, count).map(missingAt).reverse()
}

function missingAt(at: Instant): JudgedRun {
  return { kind: 'missing', at, n: null, delay: null }
}

/**
 * Returns the expected times between the last run and `until`, oldest first. If there are more than `count`, returns only the newest ones.
 */
function slotsOf(check: Check, until: Instant, count: number): readonly Instant[] {
  if (!isExpecting(check) || check.lastPingAt === null) return []
  // Truncates to milliseconds, like the rules that evaluate runs.
  const [after, end] = [inMilliseconds(check.lastPingAt), inMilliseconds(until)]
  if (count >= RUNS_KEPT) {
    const newest = lastSlots(check, after, end, count)
    if (newest.length === count) return newest
  }
  return slotsBetween(check, after, end, count).slots
}

function inMilliseconds(instant: Instant): Instant {
  return Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds)
}

function summary(runs: readonly JudgedRun[], hasFirst: boolean): Replay {
  const counts = { ok: 0, late: 0, missing: 0, extra: 0, failed: 0 }
  for (const { kind } of runs) counts[kind] += 1
  const { ok: onTime, ...others } = counts
  return { runs, hasFirst, onTime, ...others }
}
