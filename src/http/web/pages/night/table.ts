/** The tables of a night: one for each project, a row for each check. Its roles stay when a phone shows the rows as blocks. */
import { scheduleWords } from '../../../../domain/check/schedule-words.ts'
import type { ShownState } from '../../../../domain/check/shown.ts'
import { runsAt } from '../../../../domain/night/load.ts'
import type { JudgedRow, Night, NightGroup } from '../../../../domain/night/night.ts'
import { clockOf, outcomeWords, pauseWords } from '../../../../domain/night/outcome-words.ts'
import { isTrouble, type RowOutcome } from '../../../../domain/night/row.ts'
import type { SilentTogether } from '../../../../domain/night/together.ts'
import type { NightWindow } from '../../../../domain/night/window.ts'
import type { NightPlace } from '../../../../services/overview/night.ts'
import type { Href } from '../../href.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import { loadDrawing, rowDrawing } from './drawing.ts'
import { nightHref } from './query.ts'

export interface TableContext {
  readonly href: Href
  /** of the reader */
  readonly tz: string
  /** the minute whose runs are marked; null for none */
  readonly marked: number | null
}

/** @param isFirst true: it has the row of how many ran at once */
export function projectTable(
  night: Night<NightPlace>,
  group: NightGroup<NightPlace>,
  isFirst: boolean,
  context: TableContext,
): Html {
  const { place, open, folded, frequentTrouble, frequent, notDue, together } = group
  const name = shown(place.actor.project.name)
  if (!place.isRead) return unread(name)
  const rows = (some: readonly JudgedRow[]) => some.map((row) => tableRow(row, group, night, context))
  const due = open.length + folded.length
  const main = table(`Night of ${name}`, night.window, [
    isFirst && night.load.most > 0 && loadRow(night, context),
    bodyOf(bdi(name), due > 0 ? `${due.toLocaleString('en')} due, by first expected start` : 'none due', rows(open)),
    frequentTrouble.length > 0 &&
      bodyOf('All the time', togetherWords(group, context.tz), [
        together.map((silent) => togetherRow(silent, night, context.tz)),
        rows(frequentTrouble.filter((row) => !isTogether(row, group))),
      ]),
  ])
  const silent = frequentTrouble.filter((row) => isTogether(row, group))
  const isAhead = night.now < night.window.from
  const more = (words: string, some: readonly JudgedRow[]) => {
    if (some.length === 0) return null
    const body = html`<tbody role="rowgroup">${rows(some.slice(0, FOLDED))}</tbody>`
    return fold(
      words,
      html`${table(`${name}: ${words}`, night.window, body)}${rest(some.length - FOLDED, group, context)}`,
    )
  }
  return html`<section class="card clip" aria-label="${name}">${main}${more(`${silent.length.toLocaleString('en')} that were silent together`, silent)}${more(`${counted(folded.length, 'more', 'more')}, all as expected`, folded)}${more(`${frequent.length.toLocaleString('en')} that run all the time${isAhead ? '' : ', as expected'}`, frequent)}${notDue.length > 0 && fold(`${notDue.length.toLocaleString('en')} not due`, html`<p>${notDueList(group, context)}</p>`)}</section>`
}

/** A page of thousands of rows would say no more. */
const FOLDED = 60

function rest(number: number, { place }: NightGroup<NightPlace>, { href }: TableContext): HtmlValue {
  const path = href(projectPath(place.actor.project.slug, 'checks'))
  return number > 0 && html`<p>${number.toLocaleString('en')} more are <a href="${path}">in the list of checks</a>.</p>`
}

function unread(name: string): Html {
  return html`<section class="card" aria-label="${name}"><header><h2>${bdi(name)}</h2></header><div class="body"><p>The checks of this project could not be read. Load the page again; if it stays like this, the log of the server says why.</p></div></section>`
}

function table(name: string, window: NightWindow, bodies: HtmlValue): Html {
  const [first = 0, last = 0] = [window.hours[0], window.hours.at(-1)]
  const hours = window.hours.map((hour) => html`<li>${twoDigits(hour)}`)
  const span = `${twoDigits(first)}:00 to ${twoDigits(last)}:00`
  return html`<table class="night h${window.hours.length - 1}" role="table" aria-label="${name}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Check</th><th role="columnheader" scope="col" class="pt"><span class="sr">${span}</span><ol class="hours" aria-hidden="true">${hours}</ol></th><th role="columnheader" scope="col" class="oc">Outcome</th></tr></thead>
${bodies}</table>`
}

function twoDigits(hour: number): string {
  return String(hour).padStart(2, '0')
}

function bodyOf(title: HtmlValue, words: string, rows: HtmlValue): Html {
  return html`<tbody role="rowgroup"><tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="3">${title}<span>${words}</span></th></tr>
${rows}</tbody>`
}

function fold(words: string, content: Html): Html {
  return html`<details class="folded"><summary>${icon('right')}${words}</summary>${content}</details>`
}

function loadRow({ load, window }: Night<NightPlace>, { href, tz }: TableContext): Html {
  const at = clockOf(load.mostAt ?? 0, tz)
  return html`<tbody role="rowgroup"><tr role="row" class="loadrow"><th role="rowheader" scope="row">At once</th><td role="cell" class="pt">${loadDrawing(load, window)}</td><td role="cell" class="oc">at most ${load.most.toLocaleString('en')}, at <a href="${href(nightHref(window, at))}" title="Mark what ran at ${at}">${at}</a></td></tr></tbody>
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

function tableRow(
  row: JudgedRow,
  { place }: NightGroup<NightPlace>,
  { window, now }: Night<NightPlace>,
  { href, tz, marked }: TableContext,
): Html {
  const { check, outcome } = row
  const isBad = isTrouble(outcome)
  const isMarked = marked !== null && runsAt(row, marked, now)
  const words = outcomeWords(row, now, tz)
  const paused = pauseWords(row, tz)
  const path = href(checkPath(place.actor.project.slug, check.publicId))
  return html`<tr role="row"${(isBad || isMarked) && html` class="${isBad && outcome}${isMarked && ' at'}"`}><th role="rowheader" scope="row">${stateShape(SHAPES[outcome])}<a class="name" href="${path}">${nameOf(check.name)}</a></th><td role="cell" class="pt">${rowDrawing(row, window, now)}</td><td role="cell" class="oc">${isMarked && html`<span class="sr">ran then: </span>`}${isBad ? html`<b>${words}</b>` : words}${paused !== '' && !words.endsWith(paused) && html`<span class="sr">, ${paused}</span>`}</td></tr>
`
}

function nameOf(name: string): Html {
  return name === '' ? html`<i>no name</i>` : bdi(name)
}

function isTogether(row: JudgedRow, { together }: NightGroup<NightPlace>): boolean {
  return together.some(({ rows }) => rows.includes(row))
}

/** Checks that fell silent together are one line; each has its own in the fold below. */
function togetherRow(
  { rows, by, from, until }: SilentTogether,
  { window, now }: Night<NightPlace>,
  tz: string,
): HtmlValue {
  const [first] = rows
  if (!first?.comb) return null
  const row = { ...first, comb: { ...first.comb, silences: [{ from, until }], failed: [] } }
  const name = html`${rows.length.toLocaleString('en')} checks ${by.kind === 'sender' ? 'on' : 'with the tag'} ${bdi(by.text)}`
  return html`<tr role="row" class="missing"><th role="rowheader" scope="row">${stateShape('down')}<span class="name">${name}</span></th><td role="cell" class="pt">${rowDrawing(row, window, now)}</td><td role="cell" class="oc"><b>${outcomeWords(row, now, tz)}</b></td></tr>
`
}

/** `4 were silent together from 02:12 to 02:36` */
function togetherWords({ together, frequentTrouble }: NightGroup<NightPlace>, tz: string): string {
  const [first] = together
  if (first === undefined) return `${frequentTrouble.length.toLocaleString('en')} silent or failed for a time`
  const until = Number.isFinite(first.until)
    ? `from ${clockOf(first.from, tz)} to ${clockOf(first.until, tz)}`
    : `since ${clockOf(first.from, tz)}`
  return `${first.rows.length.toLocaleString('en')} were silent together ${until}`
}

/** More names say nothing. */
const NAMED = 50

function notDueList({ notDue, place }: NightGroup<NightPlace>, { href, tz }: TableContext): HtmlValue {
  const named = notDue.slice(0, NAMED).map((row, index) => {
    const { check, outcome } = row
    const why =
      check.status === 'paused'
        ? 'paused'
        : check.status === 'new'
          ? 'not pinged yet'
          : outcome === 'unwatched'
            ? pauseWords(row, tz) || 'not watched then'
            : scheduleWords(check).words
    return html`${index > 0 && ' · '}<a href="${href(checkPath(place.actor.project.slug, check.publicId))}">${nameOf(check.name)}</a> <span class="muted">(${why})</span>`
  })
  const rest = notDue.length - named.length
  return [...named, rest > 0 && ` · and ${rest.toLocaleString('en')} more`]
}
