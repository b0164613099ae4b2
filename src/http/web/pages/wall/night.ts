/**
 * The last few hours of a project on a wall display. Each check has a row, and the rows are in two columns. All rows share a time axis,
 * with the current time near the right edge.
 */
import type { JudgedRow } from '../../../../domain/night/night.ts'
import { mutedWords, outcomeWords } from '../../../../domain/night/outcome-words.ts'
import { HOUR } from '../../../../domain/units.ts'
import type { WallNight } from '../../../../services/overview/night-briefs.ts'
import type { Wall } from '../../../../services/overview/wall.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { adviceNumbers } from '../../parts/advice/numbers.ts'
import { rowDrawing } from '../../parts/night/drawing.ts'
import { nightSum } from '../../parts/night/sentence.ts'
import { nightHours, nightName } from '../../parts/night/table.ts'
import type { Zone } from '../../parts/words/sentence.ts'
import { STATE_WORDS, stateShape } from '../../parts/words/states.ts'
import { numbered } from '../../parts/words/text.ts'

export function nightPart({ night, counts, states }: Pick<Wall, 'night' | 'counts' | 'states'>, zone: Zone): HtmlValue {
  if (typeof night === 'string') {
    const reading = night === 'reading' && html`<p class="wall-more">Loading the last hours…</p>`
    return html`${reading}${restLine(adviceNumbers(counts.advice))}`
  }
  const { window, rows, due, sentence, moreTroubles, moreCalm, notDue } = night
  const rest = restLine([
    [moreTroubles, 'more not as expected'],
    [moreCalm.expected, 'more as expected'],
    [moreCalm.running, 'more running'],
    [moreCalm.toCome, 'more to come'],
    [notDue, 'not due'],
    ...adviceNumbers(counts.advice),
  ])
  return html`${rows.length > 0 && html`<div class="wall-sum"><h3>Last ${(window.until - window.from) / HOUR} h</h3>${due > 0 && html`<p>${nightSum(sentence, zone)}</p>`}</div>${columns(night, states, zone)}`}${rest}`
}

function restLine(pairs: readonly (readonly [number: number, words: string])[]): HtmlValue {
  const words = numbered(...pairs)
  return words.length > 0 && html`<p class="wall-more">${words.join(', ')}.</p>`
}

function columns(night: WallNight, states: Wall['states'], zone: Zone): Html {
  const half = Math.ceil(night.rows.length / 2)
  const columns = [night.rows.slice(0, half), night.rows.slice(half)].filter(({ length }) => length > 0)
  const lists = columns.map(
    (rows) => html`<ul>${heading(night)}${rows.map((row) => line(row, night, states, zone))}</ul>`,
  )
  return html`<div class="wall-night">${lists}</div>`
}

function heading({ window }: WallNight): Html {
  return html`<li class="wn hd" aria-hidden="true"><span></span><span>${nightHours(window)}</span></li>
`
}

/** Renders a check's current state and the outcomes of its runs. A check is omitted if it has been deleted in the meantime. */
function line(row: JudgedRow, { window, now }: WallNight, states: Wall['states'], { tz }: Zone): Html | null {
  const state = states.get(row.check.publicId)
  if (state === undefined) return null
  const words = [outcomeWords(row, now, tz), mutedWords(row.muted, tz)].filter((each) => each !== '').join(', ')
  return html`<li class="wn"><span>${stateShape(state)}<span class="sr">${STATE_WORDS[state]}: </span>${nightName(row.check.name)}</span><span class="p">${rowDrawing(row, row.muted, window, now)}<span class="sr">${words}</span></span></li>
`
}
