/** A night's tables. Each project has a table with a row for each check. */
import { scheduleWords } from '../../../../domain/check/schedule-words.ts'
import { runsAt } from '../../../../domain/night/load.ts'
import type { JudgedRow, Night, NightGroup } from '../../../../domain/night/night.ts'
import { clockOf, pauseWords } from '../../../../domain/night/outcome-words.ts'
import type { NightPlace } from '../../../../services/overview/night.ts'
import type { Href } from '../../href.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { loadRow, nightName, nightRow, nightTable, togetherRow } from '../../parts/night/table.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import { nightHref } from './query.ts'

export interface TableContext {
  readonly href: Href
  /** the reader's IANA time zone */
  readonly tz: string
  /** minute whose runs are highlighted, in milliseconds since 1970; null for none */
  readonly marked: number | null
}

/** @param isFirst whether the table contains the row for simultaneous runs */
export function projectTable(
  night: Night<NightPlace>,
  group: NightGroup<NightPlace>,
  isFirst: boolean,
  context: TableContext,
): Html {
  const { place, open, folded, frequentTrouble, frequent, notDue, together } = group
  const name = shown(place.actor.project.name)
  if (!place.isRead) return unread(name)
  const { href, tz, marked } = context
  const clock = { window: night.window, now: night.now, tz }
  const rows = (some: readonly JudgedRow[]) =>
    some.map((row) => {
      const isMarked = marked !== null && runsAt(row, marked, night.now)
      return nightRow(row, href(checkPath(place.actor.project.slug, row.check.publicId)), clock, isMarked)
    })
  const due = open.length + folded.length
  const told = new Set(together.flatMap((one) => one.rows))
  const [silent, alone] = [
    frequentTrouble.filter((row) => told.has(row)),
    frequentTrouble.filter((row) => !told.has(row)),
  ]
  const main = nightTable(`Night of ${name}`, night.window, [
    isFirst && night.load.most > 0 && loadRow(night.load, clock, (at) => href(nightHref(night.window, at))),
    bodyOf(bdi(name), due > 0 ? `${due.toLocaleString('en')} due, by first expected start` : 'none due', rows(open)),
    frequentTrouble.length > 0 &&
      bodyOf('All the time', togetherWords(group, tz), [
        together.map((silent) => togetherRow(silent, clock)),
        rows(alone),
      ]),
  ])
  const isAhead = night.now < night.window.from
  const more = (words: string, some: readonly JudgedRow[]) => {
    if (some.length === 0) return null
    const body = html`<tbody role="rowgroup">${rows(some.slice(0, FOLDED))}</tbody>`
    return fold(
      words,
      html`${nightTable(`${name}: ${words}`, night.window, body)}${rest(some.length - FOLDED, group, context)}`,
    )
  }
  return html`<section class="card clip" aria-label="${name}">${main}${more(`${silent.length.toLocaleString('en')} that were silent together`, silent)}${more(`${counted(folded.length, 'more', 'more')}, all as expected`, folded)}${more(`${frequent.length.toLocaleString('en')} that run all the time${isAhead ? '' : ', as expected'}`, frequent)}${notDue.length > 0 && fold(`${notDue.length.toLocaleString('en')} not due`, html`<p>${notDueList(group, context)}</p>`)}</section>`
}

/** Maximum number of rows in the collapsed part. The list of checks shows the rest. */
const FOLDED = 60

function rest(number: number, { place }: NightGroup<NightPlace>, { href }: TableContext): HtmlValue {
  const path = href(projectPath(place.actor.project.slug, 'checks'))
  return number > 0 && html`<p>${number.toLocaleString('en')} more are <a href="${path}">in the list of checks</a>.</p>`
}

function unread(name: string): Html {
  return html`<section class="card" aria-label="${name}"><header><h2>${bdi(name)}</h2></header><div class="body"><p>The checks of this project could not be read. Reload the page. If that does not help, look for the reason in the server log.</p></div></section>`
}

function bodyOf(title: HtmlValue, words: string, rows: HtmlValue): Html {
  return html`<tbody role="rowgroup"><tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="3">${title}<span>${words}</span></th></tr>
${rows}</tbody>`
}

function fold(words: string, content: Html): Html {
  return html`<details class="folded"><summary>${icon('right')}${words}</summary>${content}</details>`
}

/** Returns a string such as `4 were silent together from 02:12 to 02:36`. */
function togetherWords({ together, frequentTrouble }: NightGroup<NightPlace>, tz: string): string {
  const [first] = together
  if (first === undefined) return `${frequentTrouble.length.toLocaleString('en')} temporarily silent or failed`
  const until = Number.isFinite(first.until)
    ? `from ${clockOf(first.from, tz)} to ${clockOf(first.until, tz)}`
    : `since ${clockOf(first.from, tz)}`
  return `${first.rows.length.toLocaleString('en')} were silent together ${until}`
}

/** Maximum number of checks to name in the list of checks that were not due. */
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
            ? pauseWords(row, tz) || 'not monitored then'
            : scheduleWords(check).words
    return html`${index > 0 && ' · '}<a href="${href(checkPath(place.actor.project.slug, check.publicId))}">${nightName(check.name)}</a> <span class="muted">(${why})</span>`
  })
  const rest = notDue.length - named.length
  return [...named, rest > 0 && ` · and ${rest.toLocaleString('en')} more`]
}
