/** The rhythm section of a check's page, which shows when its runs took place. */

import { mutedStretchWords } from '../../../../../domain/incident/muted-words.ts'
import type { CheckView } from '../../../../../domain/list/check-view.ts'
import type { Column } from '../../../../../domain/rhythm-plot/columns.ts'
import type { RhythmPlot, TooFewRuns } from '../../../../../domain/rhythm-plot/rhythm-plot.ts'
import type { Sentence } from '../../../../../domain/words/sentence-parts.ts'
import { sentenceText } from '../../../../../domain/words/sentence-text.ts'
import { fromMilliseconds, type Instant, Temporal } from '../../../../../lib/time.ts'
import { type Html, html } from '../../../html.ts'
import { rhythmDrawing } from '../../../parts/rhythm/drawing.ts'
import { rhythmLegend } from '../../../parts/rhythm/legend.ts'
import { wholeDurations } from '../../../parts/words/durations.ts'
import { bdi, counted, sentence, shown } from '../../../parts/words/text.ts'
import type { ChartView } from './chart-view.ts'
import { rhythmTable, type TablePlace } from './table.ts'

/** @property tz the reader's IANA time zone */
export interface RhythmPlace extends TablePlace {
  /** returns the page's URL with another view */
  readonly viewHref: (view: Partial<ChartView>) => string
}

/** Renders the content below the heading: the plot, a sentence about it, and a table with its data. */
export function rhythmBody(plot: RhythmPlot | TooFewRuns, { check }: CheckView, place: RhythmPlace): Html {
  if ('tooFew' in plot) return html`<div class="body"><p class="muted">${tooFewWords(plot.tooFew)}</p></div>`
  const { tz, finding } = plot
  const muted = mutedSentences(plot).map((each) => sentenceText(each, { now: place.now, tz }))
  const named = `${check.name === '' ? 'Check without a name' : shown(check.name)}, ${lengthWords(plot)}: ${[`${finding}.`, ...muted].join(' ')}`
  const { title, table } = rhythmTable(plot, { ...place, tz })
  const step = plot.axis.kind === 'week' ? 7 : 1
  const from = dateOf(plot.columns[0])
  const log = place.logHref(endOf(plot, step))
  return html`<figure class="body fig"><div class="swipe" tabindex="0" role="group" aria-label="Rhythm" data-from="${from}" data-columns="${plot.columns.length}" data-step="${step}" data-log="${log}">${rhythmDrawing(plot, named, 'page')}</div><figcaption>${wholeDurations(sentence(finding))}${outsideWords(plot, place)}</figcaption>${rhythmLegend(plot)}${muted.map((each) => html`<p class="help">${bdi(each)}</p>`)}<p class="help">${zoneWords(plot, check, place)}</p></figure><details class="fold"><summary>As a table <span class="muted">${title}</span></summary><div class="scroll" tabindex="0" role="region" aria-label="Table: ${title}">${table}</div></details>`
}

/** Returns the day on which a column starts, such as `2026-10-19`. */
function dateOf(column: Column | undefined): string {
  return fromMilliseconds(column?.reading ?? 0)
    .toString()
    .slice(0, 'YYYY-MM-DD'.length)
}

/** Returns the end of the newest column. */
function endOf({ columns, tz }: RhythmPlot, step: number): Instant {
  return Temporal.PlainDate.from(dateOf(columns.at(-1)))
    .add({ days: step })
    .toZonedDateTime(tz)
    .toInstant()
}

function tooFewWords(runs: number): string {
  if (runs === 0) return 'No runs yet. Each ping that reports a success or a failure counts as a run.'
  return `${counted(runs, 'run', 'runs')} so far. The rhythm appears after the third run.`
}

function lengthWords({ axis, columns }: RhythmPlot): string {
  return `${columns.length} ${axis.kind === 'week' ? 'weeks' : 'days'}`
}

/** Maximum number of mutes to describe. Any further mutes are drawn but not described. */
const MUTES = 3

/** Returns sentences such as `Muted from 22:00 to 02:00 by Ann: ‘Replacing the disk.’`, newest first. */
function mutedSentences({ muted }: RhythmPlot): readonly Sentence[] {
  const rest = muted.length - MUTES
  const newest = muted.slice(-MUTES).reverse()
  return [
    ...newest.map((stretch): Sentence => ['Muted ', ...mutedStretchWords(stretch)]),
    ...(rest > 0 ? [[`Muted ${counted(rest, 'more time', 'more times')} before that.`]] : []),
  ]
}

function outsideWords(plot: RhythmPlot, { viewHref }: RhythmPlace): Html | null {
  const outside = 'marks' in plot ? plot.marks.filter(({ edge }) => edge !== null).length : 0
  if (outside === 0) return null
  const words = `${counted(outside, 'run is', 'runs are')} outside the hours shown.`
  return html` ${words} <a href="${viewHref({ isWhole: true })}">Show 24 h</a>`
}

/** Names the plot's time zone, and links to the plot in other zones. */
function zoneWords(plot: RhythmPlot, check: CheckView['check'], { tz, viewHref }: RhythmPlace): Html {
  const zones = [
    ...(check.kind === 'simple' ? [] : [{ tz: check.tz, zone: 'check' as const, whose: ', the zone of this check' }]),
    { tz, zone: 'reader' as const, whose: ', yours' },
    { tz: 'UTC', zone: 'utc' as const, whose: '' },
  ]
  const own = zones.find((zone) => zone.tz === plot.tz)
  const others = zones.filter(
    (zone, index) => zone.tz !== plot.tz && zones.findIndex((each) => each.tz === zone.tz) === index,
  )
  const links = others.map(
    (other, index) =>
      html`${index > 0 && ' · '}<a href="${viewHref({ zone: other.zone })}">${shown(other.tz)}${other.whose}</a>`,
  )
  return html`Times in ${shown(plot.tz)}${own?.whose ?? ''}. ${links}`
}
