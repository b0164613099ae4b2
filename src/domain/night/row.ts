/**
 * A check's row for a night, with everything known about its runs. Functions whose result depends on the current time take `now`. All times
 * are in milliseconds.
 */

import { upperMedian } from '../../lib/figures/statistics.ts'
import { Temporal } from '../../lib/time.ts'
import { type Check, startedAt } from '../check/check.ts'
import { showCheck } from '../check/shown-check.ts'
import { expectedIfReadable } from '../check/status.ts'
import type { UsualDuration } from '../check/usual-duration.ts'
import type { PlotRun } from '../rhythm-plot/facts.ts'
import type { Stretch } from '../stretch.ts'
import { HOUR } from '../units.ts'
import { type NightSlot, slotsOf } from './slots.ts'
import type { NightWindow } from './window.ts'

export interface NightRow {
  readonly check: Check
  /** sender of the check's last ping; null if unknown */
  readonly sender: string | null
  readonly slots: readonly NightSlot[]
  readonly grace: number
  /** midpoint of the usual range of run durations; null if there are too few runs */
  readonly usual: number | null
  /** time at which the current run began; null if no run is in progress, or if the night has not begun yet */
  readonly runningSince: number | null
  /** runs of a check that runs more than once an hour; null for other checks */
  readonly comb: Comb | null
  /** periods of the night when no run was expected, oldest first; the bounds are infinite where a period extends beyond the night */
  readonly pauses: readonly Stretch[]
  /** true if the runs were reconstructed from daily counts because they are no longer in the log */
  readonly isCounted: boolean
}

export interface Comb {
  readonly period: number
  /** start of the period for which runs are known: the start of the night, or the first run if it is later */
  readonly since: number
  /** periods when expected runs did not happen; if the check is still silent, the last one ends at infinity */
  readonly silences: readonly Stretch[]
  readonly runs: number
  /** times at which failed runs ended */
  readonly failed: readonly number[]
  /** true if the night has not begun yet */
  readonly isAhead: boolean
}

export interface CheckLog {
  /** the check's runs, oldest first */
  readonly runs: readonly PlotRun[]
  readonly sender: string | null
  /** usual duration of the runs; null if there are too few runs */
  readonly usual: UsualDuration | null
  /** periods when no run was expected, oldest first */
  readonly pauses?: readonly Stretch[]
  /** true if the runs were reconstructed from daily counts; false by default */
  readonly isCounted?: boolean
}

/** Outcomes of a row, from most to least severe. `none`: no run was expected. */
export type RowOutcome = 'missing' | 'failed' | 'late' | 'slow' | 'running' | 'open' | 'ran' | 'unwatched' | 'none'

export function nightRow(check: Check, log: CheckLog, window: NightWindow, now: number): NightRow {
  const { runs, sender, usual, pauses = [], isCounted = false } = log
  const expected = expectedIfReadable(check)?.epochMilliseconds ?? null
  const slots = slotsOf(check, runs, expected, window, now)
  const { state } = showCheck(check, Temporal.Instant.fromEpochMilliseconds(now))
  const period = periodOf(check, slots)
  return {
    check,
    sender,
    slots,
    grace: check.graceSeconds * 1_000,
    usual: usual && (usual.low + usual.high) / 2_000,
    runningSince: state === 'down' || now < window.from ? null : (startedAt(check)?.epochMilliseconds ?? null),
    comb: period === null ? null : combOf(period, runs, window, now),
    pauses: pausesIn(pauses, window, now),
    isCounted,
  }
}

function pausesIn(pauses: readonly Stretch[], { from, until }: NightWindow, now: number): readonly Stretch[] {
  return pauses
    .filter((pause) => pause.from < until && pause.until > from && now > from)
    .map((pause) => ({
      from: pause.from <= from ? Number.NEGATIVE_INFINITY : pause.from,
      until: pause.until >= Math.min(until, now) ? Number.POSITIVE_INFINITY : pause.until,
    }))
}

/** Returns the period of a check that runs more than once an hour; null for any other check. */
export function periodOf(
  { kind, timeoutSeconds }: Pick<Check, 'kind' | 'timeoutSeconds'>,
  slots: readonly Pick<NightSlot, 'at'>[],
): number | null {
  if (kind === 'simple') return timeoutSeconds * 1_000 < HOUR ? timeoutSeconds * 1_000 : null
  const gaps = slots.slice(1).map(({ at }, index) => at - (slots[index]?.at ?? at))
  const middle = upperMedian(gaps)
  return middle !== undefined && middle < HOUR ? middle : null
}

function combOf(period: number, runs: readonly PlotRun[], { from, until }: NightWindow, now: number): Comb {
  if (now < from) return { period, since: from, silences: [], runs: 0, failed: [], isAhead: true }
  const silences: Stretch[] = []
  let since: number | null = null
  const end = (at: number) => {
    if (since !== null && Math.max(from, since) < Math.min(until, at)) {
      silences.push({ from: since, until: at })
    }
    since = null
  }
  for (const run of runs) {
    if (run.kind === 'missing') since ??= run.began
    else end(run.began)
  }
  // A silence that has not ended yet extends to infinity.
  end(Number.POSITIVE_INFINITY)
  const came = runs.filter(({ kind, began }) => kind !== 'missing' && began >= from && began < until)
  return {
    period,
    since: Math.max(from, runs[0]?.began ?? from),
    silences,
    runs: came.length,
    failed: came.flatMap(({ kind, ended }) => (kind === 'failed' ? [ended] : [])),
    isAhead: false,
  }
}

/** Returns the most severe outcome among the row's slots. A run in progress fills an open slot. */
export function outcomeOf(row: NightRow, now: number): RowOutcome {
  if (row.comb) return combOutcome(row.comb)
  const has = (wanted: NightSlot['outcome']) => row.slots.some(({ outcome }) => outcome === wanted)
  if (row.slots.length === 0) return 'none'
  if (has('missing')) return 'missing'
  if (has('failed')) return 'failed'
  if (isRunning(row, now)) return 'running'
  if (dueSlot(row, now)) return 'late'
  return (['late', 'slow', 'open', 'ran'] as const).find(has) ?? 'unwatched'
}

function combOutcome({ silences, failed, runs, isAhead }: Comb): RowOutcome {
  if (isAhead) return 'open'
  if (silences.length > 0) return 'missing'
  return failed.length > 0 ? 'failed' : runs > 0 ? 'ran' : 'unwatched'
}

/** Whether the current run fills one of the night's slots. For a simple check, it fills the next slot, even before that slot is due. */
function isRunning({ check, slots, runningSince }: NightRow, now: number): boolean {
  const isAnswered = ({ outcome, at }: NightSlot) => outcome === 'open' && (check.kind === 'simple' || at <= now)
  return runningSince !== null && slots.some(isAnswered)
}

/** Returns the slot for which a run is overdue; null unless the check is late. */
export function dueSlot({ check, slots }: NightRow, now: number): NightSlot | null {
  const due = slots.findLast(({ outcome, at }) => outcome === 'open' && at <= now)
  const isLate = due && showCheck(check, Temporal.Instant.fromEpochMilliseconds(now)).state === 'late'
  return isLate ? due : null
}

/** Whether rows with this outcome are always shown, in bold. */
export function isTrouble(outcome: RowOutcome): boolean {
  return outcome === 'missing' || outcome === 'failed' || outcome === 'late' || outcome === 'slow'
}
