/** The data of a rhythm plot as a table. It has a row for each run, or a row for each day if there are several runs a day. */
import type { PlotRun } from '../../../../../domain/rhythm-plot/facts.ts'
import { countsOf } from '../../../../../domain/rhythm-plot/past-days.ts'
import type { RhythmPlot } from '../../../../../domain/rhythm-plot/rhythm-plot.ts'
import { zoneClock } from '../../../../../domain/rhythm-plot/zone-clock.ts'
import { fromMilliseconds, type Instant } from '../../../../../lib/time.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import { type Html, html } from '../../../html.ts'
import { createClock } from '../../../parts/words/clock.ts'
import { wholeDurations } from '../../../parts/words/durations.ts'
import { counted, numbered } from '../../../parts/words/text.ts'

export interface TablePlace {
  /** IANA name of the plot's time zone */
  readonly tz: string
  readonly now: Instant
  /** returns the path of a log entry, including the SITE_ROOT path prefix */
  readonly entryHref: (n: number) => string
  /** returns the URL of the log up to an instant */
  readonly logHref: (until: Instant) => string
}

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/**
 * Minimum interval between runs for giving each run a row, in milliseconds. If runs are more frequent, the table has a row for each day.
 */
const DAILY_FROM = 20 * 3_600_000
/** Maximum number of rows in the table. If there are more, the table contains only the unusual ones, because nobody would read them all. */
const ROWS = 31

interface RhythmTable {
  /** the table's title, such as `30 runs` or `3 of 90 runs that were not as usual` */
  readonly title: string
  readonly table: Html
}

export function rhythmTable(plot: RhythmPlot, place: TablePlace): RhythmTable {
  return plot.gap < DAILY_FROM ? dayTable(plot, place) : runTable(plot, place)
}

function runTable(plot: RhythmPlot, place: TablePlace): RhythmTable {
  const clock = createClock(place.now, place.tz)
  const columnOf = columnsOf(plot)
  const { shown, title, rest } = chosen(plot.runs.toReversed(), (run) => run.kind !== 'ran', 'run')
  const rows = shown.map(({ kind, began, ended, isTimed, n }) => {
    const at = fromMilliseconds(began)
    const came = kind === 'missing' ? `due ${clock.time(at)}` : clock.time(at)
    const link = n === null ? came : html`<a href="${place.entryHref(n)}">${came}</a>`
    const took = isTimed ? wholeDurations(durationWords((ended - began) / 1_000)) : '–'
    const words = isMuted(plot, began, ended) ? `${kind}, muted` : kind
    return html`<tr data-column="${columnOf(began)}"><th scope="row">${clock.weekdayDay(at)}<td>${link}<td>${took}<td>${words}`
  })
  return { title, table: table(['Day', 'Came', 'Took', 'Outcome'], rows, rest) }
}

function dayTable(plot: RhythmPlot, { tz, now, logHref }: TablePlace): RhythmTable {
  const { runs, days: past } = plot
  const columnOf = columnsOf(plot)
  const clock = createClock(now, tz)
  const logFrom = past.at(-1)?.until ?? Number.NEGATIVE_INFINITY
  const pastDays = Map.groupBy(past, ({ from, until }) => clock.weekdayDay(fromMilliseconds((from + until) / 2)))
  const days = [...Map.groupBy(runs, ({ began }) => clock.weekdayDay(fromMilliseconds(began)))].reverse()
  const isUnusual = ([day, some]: (typeof days)[number]) =>
    some.some(({ kind }) => kind !== 'ran') || pastDays.get(day)?.some(({ failed, missed }) => failed + missed > 0)
  const { shown, title, rest } = chosen(days, isUnusual, 'day')
  const rows = shown.map(([day, some]) => {
    const came = some.filter(({ kind }) => kind !== 'missing')
    const counts = countsOf(
      some.filter(({ began }) => began >= logFrom),
      pastDays.get(day) ?? [],
    )
    const number = (of: PlotRun['kind']) => some.filter(({ kind }) => kind === of).length
    const unusual = numbered(
      [counts.failed, 'failed'],
      [counts.missing, 'missing'],
      [number('late'), 'late'],
      [number('slow'), 'slow'],
    )
    const begin = fromMilliseconds(some[0]?.began ?? 0)
      .toZonedDateTimeISO(tz)
      .startOfDay()
    const until = begin.add({ days: 1 }).toInstant()
    const muted = isMuted(plot, begin.epochMilliseconds, until.epochMilliseconds) ? ['partly muted'] : []
    const words = [...unusual, ...muted]
    const time = (run: PlotRun | undefined) => (run === undefined ? '–' : clock.time(fromMilliseconds(run.began)))
    return html`<tr data-column="${columnOf(some[0]?.began ?? 0)}"><th scope="row"><a href="${logHref(until)}">${day}</a><td>${counts.came}<td>${time(came[0])}<td>${time(came.at(-1))}<td>${words.length === 0 ? '–' : words.join(', ')}`
  })
  return { title, table: table(['Day', 'Runs', 'First', 'Last', 'Not as usual'], rows, rest) }
}

/** Returns whether the check was muted during any part of the period. */
function isMuted({ muted }: RhythmPlot, from: number, until: number): boolean {
  return muted.some((stretch) => stretch.from < until && stretch.until > from)
}

const COLUMN_DAYS = { week: 7, day: 1, hour: 1 } as const

/** Returns a function that finds the column for a point in time. */
function columnsOf({ columns, axis, tz, runs }: RhythmPlot): (at: number) => number {
  const clock = zoneClock(tz, (runs[0]?.began ?? 0) - DAY, (runs.at(-1)?.began ?? 0) + DAY)
  const begin = (columns[0]?.reading ?? 0) + (axis.kind === 'hour' ? 0 : axis.from * MINUTE)
  return (at) => Math.floor((clock.reading(at) - begin) / (COLUMN_DAYS[axis.kind] * DAY))
}

function chosen<Row>(
  rows: readonly Row[],
  isUnusual: (row: Row) => boolean | undefined,
  noun: 'run' | 'day',
): Omit<RhythmTable, 'table'> & { readonly shown: readonly Row[]; readonly rest: string } {
  const all = counted(rows.length, noun, `${noun}s`)
  if (rows.length <= ROWS) return { shown: rows, title: all, rest: 'no runs' }
  const shown = rows.filter(isUnusual)
  const title = `${Math.min(shown.length, ROWS)} of ${all} that were not as usual`
  return { shown: shown.slice(0, ROWS), title, rest: shown.length > ROWS ? 'not in the table' : 'nothing unusual' }
}

/** @param rest text about the columns in the plot that have no row in the table */
function table(heads: readonly string[], rows: readonly Html[], rest: string): Html {
  return html`<table class="table" data-rest="${rest}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}`)}</thead><tbody>${rows}</tbody></table>`
}
