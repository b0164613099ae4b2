/** A project's section on a wall display. It contains no secrets, and no links, because wall displays are not interactive. */

import { SHOWN_STATES, type ShownState } from '../../../../domain/check/shown-check.ts'
import { deadline } from '../../../../domain/check/status.ts'
import type { CheckView } from '../../../../domain/list/check-view.ts'
import { stripOf, stripText, stripWords } from '../../../../domain/run/strip.ts'
import { sentenceOf } from '../../../../domain/sentence/sentence.ts'
import type { Wall } from '../../../../services/overview/wall.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { logo } from '../../parts/icons.ts'
import { strip } from '../../parts/strip.ts'
import { sentenceHtml, type Zone } from '../../parts/words/sentence.ts'
import { STATE_WORDS, stateShape } from '../../parts/words/states.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import { nightPart } from './night.ts'

/**
 * Maximum number of checks with problems to show in two columns. If there are more, there are three columns, and each check has one line
 * without its last runs.
 */
const TWO_ABREAST = 6
/** States that are always shown, even if no check is in them. */
const ALWAYS: readonly ShownState[] = ['down', 'up']
const COUNTED: readonly ShownState[] = ['down', 'late', 'started', 'up', ...SHOWN_STATES]

/** Renders the content of a project's section. */
export function wallParts(wall: Wall, zone: Zone): Html {
  const { project, counts, problems, moreProblems } = wall
  const isCrowded = problems.length > TWO_ABREAST
  return html`<header><h2>${logo(20)}<span>${bdi(project.name)}</span></h2>${numbers(counts.states)}</header>
${counts.total === 0 && html`<p class="wall-more">No checks yet.</p>`}${problems.length > 0 && html`<ul class="wall-bad${isCrowded && ' three'}">${problems.map((view) => problem(view, zone, isCrowded))}</ul>`}
${moreProblems > 0 && html`<p class="wall-more down">${counted(moreProblems, 'more is', 'more are')} down or late.</p>`}${nightPart(wall, zone)}`
}

function numbers(states: Wall['counts']['states']): HtmlValue {
  return [...new Set(COUNTED)]
    .filter((state) => states[state] > 0 || ALWAYS.includes(state))
    .map(
      (state) =>
        html`<p class="big-n ${state}">${stateShape(state)}<b>${states[state]}</b> ${STATE_WORDS[state].toLowerCase()}</p>`,
    )
}

function problem(view: CheckView, zone: Zone, isCrowded: boolean): Html {
  const { check, state, expected } = view
  const runs = stripOf(check, zone.now, expected)
  const why = sentenceOf(view, runs) ?? []
  return html`<li class="${state}">${stateShape(state)}<div><h3><span class="sr">${STATE_WORDS[state]}: </span>${name(view)}</h3><p>${sentenceHtml(why, zone)}</p>${!isCrowded && strip(stripText(runs), stripWords(runs))}</div>${span(view, zone)}</li>
`
}

/** Renders how long a check has been down, or how long until it goes down. */
function span({ check, state, expected, trouble }: CheckView, { now, tz }: Zone): HtmlValue {
  if (state === 'down') return trouble !== null && html`<b class="for">${timeOf('for', trouble.since, now, tz)}</b>`
  const end = deadline(check, expected)
  return end !== null && html`<b class="for"><span class="sr">down </span>${timeOf('ago', end, now, tz)}</b>`
}

function name({ check }: CheckView): Html {
  return check.name === '' ? html`<i>no name</i>` : bdi(check.name)
}
