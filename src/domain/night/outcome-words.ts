/** The outcome of a check in a night, in words: the end of its row, and the text of its drawing. */

import { clockWords, durationWords } from '../../lib/time-words.ts'
import type { PlotRun } from '../rhythm-plot/facts.ts'
import { MINUTE } from '../units.ts'
import { type NightRow, outcomeOf } from './row.ts'
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
      return lateWords(of('late').at(-1)?.run ?? null, row.grace, clock)
    case 'slow':
      return slowWords(of('slow').at(-1)?.run ?? null, row.usual)
    case 'open': {
      const next = of('open')[0]?.at ?? 0
      return next <= now ? `due, until ${clock(next + row.grace)}` : `due ${clock(next)}`
    }
    case 'ran':
      return ranWords(row.slots, clock)
    default:
      return 'not watched'
  }
}

function combWords({ comb }: NightRow, tz: string): string {
  const { silences = [], failed = [], runs = 0 } = comb ?? {}
  const [first, ...others] = silences
  if (first) {
    const from = clockOf(first.from, tz)
    if (others.length > 0) return `silent ${silences.length} times, ${from}`
    return Number.isFinite(first.until) ? `silent ${from} to ${clockOf(first.until, tz)}` : `silent since ${from}`
  }
  const all = `${runs.toLocaleString('en')} ${runs === 1 ? 'run' : 'runs'}`
  return failed.length > 0 ? `${failed.length.toLocaleString('en')} of ${all} failed` : all
}

function lateWords(run: PlotRun | null, grace: number, clock: (at: number) => string): string {
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

function ranWords(slots: readonly NightSlot[], clock: (at: number) => string): string {
  const [run, ...others] = slots.flatMap((slot) => (slot.run && isGood(slot.run) ? [slot.run] : []))
  if (run === undefined) return ''
  if (others.length > 0) return `${others.length + 1} runs`
  return run.isTimed ? `${clock(run.began)}, ${durationWords((run.ended - run.began) / 1_000)}` : clock(run.began)
}

/** Whole minutes from one minute on. */
function spanWords(milliseconds: number): string {
  const whole = milliseconds < MINUTE ? milliseconds : Math.floor(milliseconds / MINUTE) * MINUTE
  return durationWords(Math.max(0, whole) / 1_000)
}

/** Without the day: `02:15`. */
export function clockOf(at: number, tz: string): string {
  return clockWords(at, at, tz)
}
