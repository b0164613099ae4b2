/** The sentence about a job that never runs on certain weekdays even though runs are expected then. */
import { modulo } from '../preview/dense-arc.ts'
import { enumerate } from '../schedule/describe.ts'
import { DAY } from '../units.ts'
import type { PlotRun } from './facts.ts'
import type { Found } from './found.ts'

/** Time from the start of 1970 to the first Monday, in milliseconds. */
const MONDAY = 4 * DAY
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const WEEKEND = ['Saturday', 'Sunday']
/** Minimum number of missing runs per weekday. A single one may be a coincidence. */
const TIMES = 2
const AT_MOST = 3

/** Returns a phrase such as `missing on each of 4 weekends, ran on all other days`; null if there is no such pattern. */
export function missingDayWords({ axis, runs, counts, clock }: Found, came: readonly PlotRun[]): string | null {
  if (axis.kind !== 'day') return null
  const drawn = runs.filter(({ kind }) => kind === 'missing')
  // The expected times of the other missing runs are unknown.
  if (drawn.length < counts.missing) return null
  const weekdayOf = ({ began }: PlotRun) => NAMES[Math.floor(modulo(clock.reading(began) - MONDAY, 7 * DAY) / DAY)]
  const missing = Map.groupBy(drawn, weekdayOf)
  const days = NAMES.filter((name) => missing.has(name))
  const isOften = [...missing.values()].every(({ length }) => length >= TIMES)
  const isEver = came.some((run) => missing.has(weekdayOf(run)))
  if (days.length === 0 || days.length > AT_MOST || !isOften || isEver) return null
  const times = Math.max(
    ...[...missing.values()].map((of) => new Set(of.map(({ began }) => weekOf(clock.reading(began)))).size),
  )
  const isWeekend = days.length === WEEKEND.length && days.every((day) => WEEKEND.includes(day))
  const which = isWeekend ? `${times} weekends` : `${times} ${enumerate(days.map((day) => `${day}s`))}`
  return `missing on each of ${which}, ran on all other days`
}

function weekOf(reading: number): number {
  return Math.floor((reading - MONDAY) / (7 * DAY))
}
