/**
 * A night's table, with a row for each check on a shared time axis. ARIA roles keep it a table even on phones, where rows are laid out as
 * blocks.
 */
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import type { NightLoad } from '../../../../domain/night/load.ts'
import type { JudgedRow } from '../../../../domain/night/night.ts'
import { clockOf, mutedWords, outcomeWords, pauseWords } from '../../../../domain/night/outcome-words.ts'
import { isTrouble, type RowOutcome } from '../../../../domain/night/row.ts'
import type { SilentTogether } from '../../../../domain/night/together.ts'
import type { NightWindow } from '../../../../domain/night/window.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { stateShape } from '../words/states.ts'
import { bdi } from '../words/text.ts'
import { loadDrawing, rowDrawing } from './drawing.ts'

/** A table's time axis, and the current time. */
export interface NightClock {
  readonly window: NightWindow
  /** current time, in milliseconds since 1970 */
  readonly now: number
  /** IANA name of the reader's time zone */
  readonly tz: string
}

export function nightTable(name: string, window: NightWindow, bodies: HtmlValue): Html {
  const { hours } = window
  const [first = 0, last = 0] = [hours[0], hours.at(-1)]
  const span = `${twoDigits(first)}:00 to ${twoDigits(last)}:00`
  return html`<table class="night h${hours.length - 1}" role="table" aria-label="${name}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Check</th><th role="columnheader" scope="col" class="pt"><span class="sr">${span}</span>${nightHours(window)}</th><th role="columnheader" scope="col" class="oc">Outcome</th></tr></thead>
${bodies}</table>`
}

/** Renders the hours above the rows. */
export function nightHours({ hours }: Pick<NightWindow, 'hours'>): Html {
  return html`<ol class="hours" aria-hidden="true">${hours.map((hour) => html`<li>${twoDigits(hour)}`)}</ol>`
}

function twoDigits(hour: number): string {
  return String(hour).padStart(2, '0')
}

/** @param hrefAt returns the URL of the page that highlights a minute's runs; the minute has the form `01:41` */
export function loadRow(load: NightLoad, { window, tz }: NightClock, hrefAt: (at: string) => string): Html {
  const at = clockOf(load.mostAt ?? 0, tz)
  return html`<tbody role="rowgroup"><tr role="row" class="loadrow"><th role="rowheader" scope="row">At once</th><td role="cell" class="pt">${loadDrawing(load, window)}</td><td role="cell" class="oc">at most ${load.most.toLocaleString('en')}, at <a href="${hrefAt(at)}" title="Mark what ran at ${at}">${at}</a></td></tr></tbody>
`
}

const SHAPES: Readonly<Record<RowOutcome, ShownState>> = {
  missing: 'down',
  failed: 'down',
  late: 'late',
  slow: 'late',
  running: 'started',
  open: 'new',
  ran: 'up',
  unwatched: 'paused',
  none: 'paused',
}

/** @param path path of the check's page @param isMarked whether the check ran in the highlighted minute */
export function nightRow(row: JudgedRow, path: string, { window, now, tz }: NightClock, isMarked = false): Html {
  const { check, outcome } = row
  const isBad = isTrouble(outcome)
  const words = outcomeWords(row, now, tz)
  const paused = pauseWords(row, tz)
  const muted = mutedWords(row.muted, tz)
  const more = [words.endsWith(paused) ? '' : paused, muted].filter((each) => each !== '')
  return html`<tr role="row"${(isBad || isMarked) && html` class="${isBad && outcome}${isMarked && ' at'}"`}><th role="rowheader" scope="row">${stateShape(SHAPES[outcome])}<a class="name" href="${path}">${nightName(check.name)}</a></th><td role="cell" class="pt"${muted !== '' && html` title="${muted}"`}>${rowDrawing(row, row.muted, window, now)}</td><td role="cell" class="oc">${isMarked && html`<span class="sr">ran then: </span>`}${isBad ? html`<b>${words}</b>` : words}${more.map((each) => html`<span class="sr">, ${each}</span>`)}</td></tr>
`
}

/** Renders a single row for several checks that were silent during the same period. */
export function togetherRow({ rows, by, from, until }: SilentTogether, { window, now, tz }: NightClock): HtmlValue {
  const [first] = rows
  if (!first?.comb) return null
  const row = { ...first, comb: { ...first.comb, silences: [{ from, until }], failed: [] } }
  const name = html`${rows.length.toLocaleString('en')} checks ${by.kind === 'sender' ? 'on' : 'with the tag'} ${bdi(by.text)}`
  return html`<tr role="row" class="missing"><th role="rowheader" scope="row">${stateShape('down')}<span class="name">${name}</span></th><td role="cell" class="pt">${rowDrawing(row, [], window, now)}</td><td role="cell" class="oc"><b>${outcomeWords(row, now, tz)}</b></td></tr>
`
}

export function nightName(name: string): Html {
  return name === '' ? html`<i>no name</i>` : bdi(name)
}
