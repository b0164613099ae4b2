/**
 * A small picture of a job's rhythm that is shown next to a piece of advice. It covers thirty days and is drawn from daily counts, so there
 * is no need to read the log.
 */
import { upperMedian } from '../../lib/figures/statistics.ts'
import { unpackedMinutes } from '../run/day-minutes.ts'
import type { DayRuns } from '../run/day-runs.ts'
import type { MutedStretch } from '../silence/muted-stretch.ts'
import { DAY, MINUTE } from '../units.ts'
import { DAY_MINUTES } from './axis.ts'
import type { TimingSince } from './facts.ts'
import { frequentWords, type Silence } from './frequent.ts'
import { pastDays } from './past-days.ts'
import { rhythmPlot, type TimePlot } from './rhythm-plot.ts'
import { type ZoneClock, zoneClock } from './zone-clock.ts'

/** `plot`: one mark per run. `presence`: for a job that runs often, the parts of the day in which it ran */
export type RhythmProof = PlotProof | PresenceProof

interface CommonProof {
  /** columns of the days on which the check was muted for some time */
  readonly mutedColumns: readonly number[]
  /** sentence about the picture; see {@link TimePlot} */
  readonly finding: string
}

interface PlotProof extends CommonProof {
  readonly kind: 'plot'
  readonly plot: TimePlot
  /** columns of the days on which some runs failed, but not all, and it is unknown which ones */
  readonly partlyFailed: readonly number[]
}

interface PresenceProof extends CommonProof {
  readonly kind: 'presence'
  /** number of days */
  readonly columns: number
  readonly stretches: readonly Presence[]
}

/** A part of the day in which the job ran without a gap. */
interface Presence {
  readonly column: number
  /** minutes since midnight */
  readonly from: number
  readonly until: number
  /** true if at least half of the day's runs failed */
  readonly isFailed: boolean
}

const DAYS = 30
/**
 * Maximum average number of runs per day for a plot with one mark per run. If there are more, the picture shows parts of the day instead.
 */
const DRAWN_A_DAY = 8

/**
 * @param days daily counts, oldest first, in the timing's time zone
 * @returns null if there are too few runs to form a rhythm
 */
export function rhythmProof(
  timing: TimingSince,
  days: readonly DayRuns[],
  muted: readonly MutedStretch[],
  now: number,
): RhythmProof | null {
  const oldest = new Date(now - (DAYS + 1) * DAY).toISOString().slice(0, 'YYYY-MM-DD'.length)
  const recent = days.filter(({ day, runs }) => runs > 0 && day >= oldest)
  const runs = recent.reduce((sum, day) => sum + day.runs, 0)
  if (runs > DRAWN_A_DAY * recent.length) return presence(timing, recent, muted, now)
  const facts = {
    timings: [timing],
    runs: [],
    days: pastDays(days, timing.tz),
    pauses: [],
    outages: [],
    muted,
  } as const
  const plot = rhythmPlot(facts, { tz: timing.tz, days: DAYS, isWhole: false }, now)
  if ('tooFew' in plot) return null
  if ('squares' in plot) return presence(timing, recent, muted, now)
  const partlyFailed = days.flatMap(({ day, runs: all, failed }) => {
    const column = plot.columns.findLastIndex(({ reading }) => reading <= Date.parse(day))
    return failed > 0 && failed < all && column >= 0 ? [column] : []
  })
  const mutedColumns = plot.columns.flatMap(({ isMuted }, column) => (isMuted ? [column] : []))
  return { kind: 'plot', plot, partlyFailed: [...new Set(partlyFailed)], mutedColumns, finding: plot.finding }
}

/** Minimum gap between two parts of a day, in minutes. It applies even if the job usually runs every few minutes. */
const SILENT_MINUTES = 60
const SILENT_GAPS = 1.5

function presence(
  timing: TimingSince,
  days: readonly DayRuns[],
  muted: readonly MutedStretch[],
  now: number,
): PresenceProof {
  const clock = zoneClock(timing.tz, now - (DAYS + 2) * DAY, now + DAY)
  const today = Math.floor(clock.reading(now) / DAY)
  const came = days.map((day) => ({ ...day, began: unpackedMinutes(day.minutes) }))
  const gap = upperMedian(came.map(({ began }) => upperMedian(distances(began)) ?? DAY_MINUTES)) ?? 0
  const rowed = came.map((day) => ({ ...day, rows: rowsOf(day.began, gap) }))
  const stretches = rowed.flatMap(({ day, rows, runs, failed }) => {
    const column = DAYS - 1 - (today - Date.parse(day) / DAY)
    if (column < 0) return []
    return rows.map(({ from, last }) => {
      return { column, from, until: Math.min(DAY_MINUTES, last + gap), isFailed: failed * 2 >= runs }
    })
  })
  const counts = {
    came: came.reduce((sum, { runs }) => sum + runs, 0),
    failed: came.reduce((sum, { failed }) => sum + failed, 0),
    missing: came.reduce((sum, { missed }) => sum + missed, 0),
  }
  const finding = frequentWords({ gap, timing, tz: timing.tz, counts }, silenceBetween(rowed, clock))
  const columnOf = (at: number) => DAYS - 1 - (today - Math.floor(clock.reading(at) / DAY))
  const mutedColumns = Array.from({ length: DAYS }, (_, column) => column).filter((column) =>
    muted.some(({ from, until }) => columnOf(from) <= column && column <= columnOf(until - 1)),
  )
  return { kind: 'presence', columns: DAYS, stretches, mutedColumns, finding }
}

function distances(minutes: readonly number[]): readonly number[] {
  return minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? minute))
}

/**
 * A sequence of consecutive runs.
 * @property from minute of the first run
 * @property last minute of the last run
 */
interface Row {
  readonly from: number
  readonly last: number
}

function rowsOf(began: readonly number[], gap: number): readonly Row[] {
  const most = Math.max(SILENT_MINUTES, SILENT_GAPS * gap)
  const rows: Row[] = []
  for (const minute of began) {
    const row = rows.at(-1)
    if (row && minute - row.last <= most) rows[rows.length - 1] = { from: row.from, last: minute }
    else rows.push({ from: minute, last: minute })
  }
  return rows
}

/** Returns the longest silence between two sequences of runs. Silences within a sequence are shorter. */
function silenceBetween(days: readonly { readonly day: string; readonly rows: readonly Row[] }[], clock: ZoneClock) {
  let longest: Silence | null = null
  let before: number | null = null
  for (const { day, rows } of days) {
    const at = (minute: number) => clock.at(Date.parse(day) + minute * MINUTE)
    for (const { from, last } of rows) {
      const length = before === null ? 0 : at(from) - before
      if (before !== null && length > (longest?.length ?? 0)) longest = { at: before, length }
      before = at(last)
    }
  }
  return longest
}
