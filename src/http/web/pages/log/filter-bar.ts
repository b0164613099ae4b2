/** The chips above the log that filter it. All of them are links, except for the time, which is a form. */
import { LINE_KINDS, type LineKind } from '../../../../domain/log/log-timeline.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { hiddenFields } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { PING_LOOKS } from '../../parts/log-lines.ts'
import { type LogQuery, pairsOf, searchOf, untilWords } from './query.ts'

const CHIPS: Readonly<Record<LineKind, { readonly word: string; readonly shape: HtmlValue }>> = {
  fail: PING_LOOKS.fail,
  success: PING_LOOKS.success,
  start: PING_LOOKS.start,
  log: PING_LOOKS.log,
  ign: PING_LOOKS.ign,
  missing: { word: 'Missing', shape: null },
  flip: { word: 'Up and down', shape: null },
}

interface LogFilterBar {
  /** the log's path, including the SITE_ROOT path prefix */
  readonly path: string
  readonly query: LogQuery
}

export function logFilterBar(bar: LogFilterBar): Html {
  const { path, query } = bar
  const isFiltered = query.kinds.length + (query.until === '' ? 0 : 1) > 1
  return html`<div class="filters" role="search" aria-label="Filter the log"><div class="chips scroll" role="group" aria-label="Kind">${LINE_KINDS.map((kind) => kindChip(bar, kind))}</div>${untilChip(bar)}${
    isFiltered && html`<a class="btn quiet" href="${path}">Clear</a>`
  }</div>`
}

function kindChip({ path, query }: LogFilterBar, kind: LineKind): Html {
  const isOn = query.kinds.includes(kind)
  const kinds = isOn ? query.kinds.filter((each) => each !== kind) : [...query.kinds, kind]
  const { word, shape } = CHIPS[kind]
  return html`<a class="chip" href="${path}${searchOf({ ...query, kinds, place: null })}"${isOn && html` aria-current="true"`}>${shape}${word}${isOn && icon('cross', 'x')}</a>`
}

function untilChip({ path, query }: LogFilterBar): Html {
  const { until } = query
  if (until !== '') {
    return html`<a class="chip" href="${path}${searchOf({ ...query, until: '', place: null })}" aria-current="true">Until ${untilWords(until)}${icon('cross', 'x')}</a>`
  }
  const hidden = hiddenFields(pairsOf({ ...query, place: null }))
  return html`<details class="drop"><summary class="chip">Until: now${icon('down')}</summary><form class="panel until" action="${path}"><label for="until">Show events up to</label><input class="in" id="until" type="datetime-local" name="until" required>${hidden}${submit({ text: 'Show' })}</form></details>`
}

/** Describes the filter for use in a sentence, as in `failed, missing or up and down, until 16 Nov 2026, 10:00`. */
export function filterWords({ kinds, until }: LogQuery): string {
  const words = kinds.map((kind) => CHIPS[kind].word.toLowerCase())
  const last = words.at(-1) ?? ''
  const list = words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last
  return [list.replace('ok', 'OK'), until === '' ? '' : `until ${untilWords(until)}`]
    .filter((each) => each !== '')
    .join(', ')
}
