/** A rhythm plot's columns, which represent days or weeks. Also converts instants to positions in the columns. */
import { modulo } from '../preview/dense-arc.ts'
import type { Stretch } from '../stretch.ts'
import { MINUTE } from '../units.ts'
import { DAY_MINUTES, type RhythmAxis, WEEK_MINUTES } from './axis.ts'
import type { RhythmFacts } from './facts.ts'
import type { ZoneClock } from './zone-clock.ts'

export interface Column {
  /** local time at the start of the column's day, or of its Monday; encoded as described in `ZoneClock` */
  readonly reading: number
  /** `paused`: the check was paused for most of the column. `away`: Overdue itself had an outage in part of the column */
  readonly look: 'watched' | 'paused' | 'away'
  /** true if the check was muted for part of the column */
  readonly isMuted: boolean
  readonly isWeekend: boolean
  readonly isToday: boolean
}

export interface Place {
  readonly column: number
  /** minutes below the top edge; negative or greater than the axis length if the position is outside the axis */
  readonly minute: number
}

export interface Grid {
  readonly columns: readonly Column[]
  readonly place: (at: number) => Place
}

/** Time from the start of 1970 to the first Monday, in minutes. */
const MONDAY = 4 * DAY_MINUTES
const WEEKS = 13
/** Minimum length of an outage to show, in minutes. A restart that takes a few minutes doesn't cause any run to be missed. */
const AWAY_FROM = 10

/** @param days number of days; ignored if the columns are weeks, because there is always the same number of weeks */
export function gridOf(
  axis: RhythmAxis,
  days: number,
  clock: ZoneClock,
  now: number,
  { pauses, outages, muted }: Pick<RhythmFacts, 'pauses' | 'outages' | 'muted'>,
): Grid {
  const from = axis.kind === 'hour' ? 0 : axis.from
  const { size, origin, count } =
    axis.kind === 'week'
      ? { size: WEEK_MINUTES, origin: MONDAY, count: WEEKS }
      : { size: DAY_MINUTES, origin: 0, count: days }
  const numberOf = (minutes: number) => Math.floor((minutes - origin) / size)
  const present = clock.reading(now) / MINUTE
  const today = numberOf(present)
  // If the axis begins before midnight, late evenings belong to the next day's column.
  const newest = Math.max(today, numberOf(present - from))
  const first = newest - count + 1
  const readingOf = (column: number) => ((first + column) * size + origin) * MINUTE
  const columns = Array.from({ length: count }, (_, index): Column => {
    const reading = readingOf(index)
    const covered = (stretches: readonly Stretch[]) =>
      stretches.reduce((sum, stretch) => sum + overlap(clock, stretch, reading + from * MINUTE, size * MINUTE), 0)
    const isPaused = covered(pauses) > (size * MINUTE) / 2
    const isAway = covered(outages) >= AWAY_FROM * MINUTE
    const day = modulo(reading / MINUTE - MONDAY, WEEK_MINUTES) / DAY_MINUTES
    return {
      reading,
      look: isPaused ? 'paused' : isAway ? 'away' : 'watched',
      isMuted: covered(muted) > 0,
      isWeekend: size === DAY_MINUTES && day >= 5,
      isToday: first + index === today,
    }
  })
  return {
    columns,
    place: (at) => {
      const minutes = clock.reading(at) / MINUTE - from
      const place = { column: numberOf(minutes) - first, minute: modulo(minutes - origin, size) }
      return axis.kind === 'hour' ? place : beside(place, axis.length, size)
    },
  }
}

/** Moves a position that is outside the axis to the next day's column, above its top edge, if that is closer. */
function beside({ column, minute }: Place, length: number, size: number): Place {
  return minute - length <= size - minute ? { column, minute } : { column: column + 1, minute: minute - size }
}

function overlap(clock: ZoneClock, { from, until }: Stretch, reading: number, size: number): number {
  return Math.max(0, Math.min(clock.reading(until), reading + size) - Math.max(clock.reading(from), reading))
}
