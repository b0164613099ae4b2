/** The bar above the list of checks: search, states, tags and sort order. Every control is a link, or a field in the same form. */

import { DOUBT_WORDS } from '../../../../domain/advice/doubt.ts'
import { SHOWN_STATES, type ShownState } from '../../../../domain/check/shown-check.ts'
import {
  ADVICE_FILTERS,
  type AdviceFilter,
  type ListCounts,
  type ListQuery,
} from '../../../../domain/list/check-list.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { hiddenFields } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { STATE_WORDS, stateShape } from '../../parts/words/states.ts'
import { bdi } from '../../parts/words/text.ts'
import { EVERYTHING, filtersIn, pairsOf, searchOf, toggled } from './query.ts'
import { pictureSwitch, type ViewMenu, viewMenu } from './view-menu.ts'

/** States, in order of urgency. */
const STATES: readonly ShownState[] = ['down', 'late', 'started', 'up', 'paused', 'new']

/** Maximum number of tags in the menu. Users can search for other tags. */
const TAGS_IN_MENU = 100

interface FilterBar extends ViewMenu {
  readonly counts: ListCounts
  /** true if the bar has a switch for the checkboxes on phones */
  readonly canWrite: boolean
}

const SELECT_MODE = html`<label class="btn select-mode"><input type="checkbox" id="select-mode">Select</label>`

export function filterBar(bar: FilterBar): Html {
  const { path, query } = bar
  return html`<form class="filters" id="filters" role="search" action="${path}" aria-label="Filter checks">
<div class="search">${icon('search')}<input class="in" type="search" name="q" value="${query.text}" maxlength="200" aria-label="Filter by name, tag, slug or id" placeholder="Name, tag, slug or id" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"><kbd aria-hidden="true">/</kbd></div>
<div class="chips scroll" role="group" aria-label="Status">${STATES.map((state) => stateChip(bar, state))}${ADVICE_FILTERS.map((sort) => adviceChip(bar, sort))}</div>
${query.tags.length > 0 && html`<div class="chips" role="group" aria-label="Chosen tags">${query.tags.map((tag) => tagChip(bar, tag))}</div>`}${filtersIn(query) > 1 && clearLink(bar)}<span class="gap"></span>
<div class="acts">${pictureSwitch(bar.picture)}${tagMenu(bar)}${viewMenu(bar)}${bar.canWrite && SELECT_MODE}</div>${hiddenFields(pairsOf({ ...query, text: '' }))}
</form>`
}

function stateChip({ path, query, counts }: FilterBar, state: ShownState): Html {
  const isOn = query.states.includes(state)
  const to = searchOf({ ...query, states: toggled(query.states, state) })
  return html`<a class="chip" href="${path}${to}"${isOn && html` aria-current="true"`}>${stateShape(state)}${STATE_WORDS[state]} <b id="n-${state}">${counts.states[state]}</b>${isOn && icon('cross', 'x')}</a>`
}

/**
 * Renders the chip that filters by advice. Returns null if the filter is off and no check has such advice, which is the case in most
 * projects.
 */
function adviceChip({ path, query, counts }: FilterBar, sort: AdviceFilter): HtmlValue {
  const isOn = query.advice.includes(sort)
  if (counts.advice[sort] === 0 && !isOn) return null
  const to = searchOf({ ...query, advice: toggled(query.advice, sort) })
  return html`<a class="chip" href="${path}${to}"${isOn && html` aria-current="true"`}>${CHIP_SHAPES[sort]}${capitalized(FILTER_WORDS[sort])} <b id="n-${sort}">${counts.advice[sort]}</b>${isOn && icon('cross', 'x')}</a>`
}

const CHIP_SHAPES: Readonly<Record<AdviceFilter, Html>> = {
  any: icon('bulb'),
  untold: icon('mute'),
  unwatched: stateShape('late'),
}

const FILTER_WORDS: Readonly<Record<AdviceFilter, string>> = { any: 'advice', ...DOUBT_WORDS }

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function tagChip({ path, query }: FilterBar, tag: string): Html {
  const to = searchOf({ ...query, tags: toggled(query.tags, tag) })
  return html`<a class="chip" href="${path}${to}" aria-current="true">${bdi(tag)}<span class="sr"> without this tag</span>${icon('cross', 'x')}</a>`
}

export function clearLink({ path, query }: Pick<FilterBar, 'path' | 'query'>): Html {
  return html`<a class="btn quiet" href="${path}${searchOf({ ...query, ...EVERYTHING })}">Clear</a>`
}

function tagMenu({ path, query, counts }: FilterBar): HtmlValue {
  const others = [...counts.tags].filter(([tag]) => !query.tags.includes(tag))
  if (others.length === 0) return null
  const listed = others
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, TAGS_IN_MENU)
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { sensitivity: 'base', numeric: true }))
  const links = listed.map(
    ([tag, number]) =>
      html`<li><a href="${path}${searchOf({ ...query, tags: [...query.tags, tag] })}">${bdi(tag)} <small class="end">${number}</small></a></li>`,
  )
  const rest = others.length - listed.length
  return html`<details class="drop"><summary class="btn">${icon('tag')}Tags${icon('down')}</summary><ul class="panel">${links}${
    rest > 0 && html`<li class="help">and ${rest} more: use the search to find them</li>`
  }</ul></details>`
}

/** Describes the filter for use in a sentence, as in `‘etcd’, the tag db and Down`. */
export function filterWords({ text, tags, states, advice }: ListQuery): HtmlValue {
  const parts: HtmlValue[] = [
    ...(text === '' ? [] : [html`‘${bdi(text)}’`]),
    ...tags.map((tag) => html`the tag ${bdi(tag)}`),
    ...(states.length === 0
      ? []
      : [
          SHOWN_STATES.filter((state) => states.includes(state))
            .map((state) => STATE_WORDS[state])
            .join(' or '),
        ]),
    ...(advice.length === 0
      ? []
      : [
          ADVICE_FILTERS.filter((sort) => advice.includes(sort))
            .map((sort) => `‘${FILTER_WORDS[sort]}’`)
            .join(' or '),
        ]),
  ]
  return parts.map((part, index) => [index === 0 ? '' : index === parts.length - 1 ? ' and ' : ', ', part])
}
