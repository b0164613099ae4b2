/**
 * Describes a check's outcome for one night. The description is shown at the end of the check's row and is also the alt text of its
 * drawing.
 */

import { clockWords, durationWords } from '../../lib/time-words.ts'
import type { PlotRun } from '../rhythm-plot/facts.ts'
import type { Stretch } from '../stretch.ts'
import { MINUTE } from '../units.ts'
import { dueSlot, type NightRow, outcomeOf } from './row.ts'
import { isGood, type NightSlot } from './slots.ts'

/** @param tz IANA name */
export function outcomeWords(row: NightRow, now: number, tz: string): string {
  if (row.comb) return combWords(row, tz)
  const of = (outcome: NightSlot['outcome']) => row.slots.filter((slot) => slot.outcome === outcome)
  const clock = (at: number) => clockOf(at, tz)
  const outcome = outcomeOf(row, now)
  switch (outcome) {
    case 'missing': {
      const [first, ...others] = of('missing')
      const more = others.length > 0 ? `${others.length + 1} of ${row.slots.length} ` : ''
      return `${more}missing since ${clock(first?.at ?? 0)}`
    }
    case 'failed': {
      const failed = of('failed')
      const more = failed.length > 1 ? `${failed.length} of ${row.slots.length} ` : ''
      return `${more}failed ${clock(failed.at(-1)?.run?.ended ?? 0)}`
    }
    case 'running':
      return `running for ${spanWords(now - (row.runningSince ?? now))}`
    case 'late':
      return lateWords(row, now, clock)
    case 'slow':
      return slowWords(of('slow').at(-1)?.run ?? null, row.usual)
    case 'open': {
      const next = of('open')[0]?.at ?? 0
      return next <= now ? `due, until ${clock(next + row.grace)}` : `due ${clock(next)}`
    }
    case 'ran':
      return row.pauses.length > 0
        ? `${ranBriefly(row.slots, clock)}, ${pauseWords(row, tz)}`
        : ranWords(row.slots, clock)
    default:
      return pauseWords(row, tz) || 'not monitored'
  }
}

/** Returns a phrase such as `paused from 03:00`; empty if there was no pause. */
export function pauseWords({ pauses }: NightRow, tz: string): string {
  return stretchWords('paused', pauses, tz)
}

/**
 * Returns a phrase such as `muted 22:00 to 02:00`; empty if the check was not muted.
 * @param muted see `JudgedRow`
 */
export function mutedWords(muted: readonly Stretch[], tz: string): string {
  return stretchWords('muted', muted, tz)
}

/** @param stretches the bounds are infinite where a period extends beyond the night */
function stretchWords(what: string, stretches: readonly Stretch[], tz: string): string {
  const [first, ...others] = stretches
  if (first === undefined) return ''
  if (others.length > 0) return `${what} ${stretches.length} times`
  const [from, until] = [first.from, first.until].map((at) => (Number.isFinite(at) ? clockOf(at, tz) : null))
  if (from && until) return `${what} ${from} to ${until}`
  if (from) return `${what} from ${from}`
  return until ? `${what} until ${until}` : what
}

function combWords(row: NightRow, tz: string): string {
  const { silences = [], failed = [], runs = 0, isAhead = false } = row.comb ?? {}
  if (isAhead) return 'to come'
  const [first, ...others] = silences
  if (first) {
    const from = clockOf(first.from, tz)
    if (others.length > 0) return `silent ${silences.length} times, ${from}`
    return Number.isFinite(first.until) ? `silent ${from} to ${clockOf(first.until, tz)}` : `silent since ${from}`
  }
  const all = `${runs.toLocaleString('en')} ${runs === 1 ? 'run' : 'runs'}`
  if (failed.length > 0) return `${failed.length.toLocaleString('en')} of ${all} failed`
  const paused = pauseWords(row, tz)
  return paused === '' ? all : `${all}, ${paused}`
}

function lateWords(row: NightRow, now: number, clock: (at: number) => string): string {
  const { slots, grace } = row
  const due = dueSlot(row, now)
  if (due) return `late, until ${clock(due.at + grace)}`
  const run = slots.findLast(({ outcome }) => outcome === 'late')?.run ?? null
  if (run === null) return 'late'
  const [delay, at] = run.due === null ? [run.ended - run.began - grace, run.ended] : [run.began - run.due, run.began]
  return `${spanWords(delay)} late, ${clock(at)}`
}

function slowWords(run: PlotRun | null, usual: number | null): string {
  if (run === null || usual === null) return 'longer than usual'
  return `${spanWords(run.ended - run.began)}, ${percentLonger(run, usual)} % longer`
}

export function percentLonger({ began, ended }: PlotRun, usual: number): number {
  return Math.round(((ended - began) / usual - 1) * 100)
}

/** Describes runs without their durations. */
function ranBriefly(slots: readonly NightSlot[], clock: (at: number) => string): string {
  const [run, ...others] = goodRuns(slots)
  if (run === undefined) return ''
  return others.length > 0 ? `${others.length + 1} runs` : clock(run.began)
}

function goodRuns(slots: readonly NightSlot[]): readonly PlotRun[] {
  return slots.flatMap((slot) => (slot.run && isGood(slot.run) ? [slot.run] : []))
}

function ranWords(slots: readonly NightSlot[], clock: (at: number) => string): string {
  const [run, ...others] = goodRuns(slots)
  if (run === undefined) return ''
  if (others.length > 0 || !run.isTimed) return ranBriefly(slots, clock)
  return `${clock(run.began)}, ${durationWords((run.ended - run.began) / 1_000)}`
}

/** Formats a duration. Durations of a minute or more are truncated to whole minutes. */
function spanWords(milliseconds: number): string {
  const whole = milliseconds < MINUTE ? milliseconds : Math.floor(milliseconds / MINUTE) * MINUTE
  return durationWords(Math.max(0, whole) / 1_000)
}

/** Returns the time of day, such as `02:15`. */
export function clockOf(at: number, tz: string): string {
  return clockWords(at, at, tz)
}
