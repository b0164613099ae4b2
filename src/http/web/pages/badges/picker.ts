/** The links for choosing what a badge shows: all checks, a tag, or a check. Users can search for tags and checks that are not listed. */
import type { BadgeChoice, BadgeSubject } from '../../../../services/badges/badge-choice.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { hiddenFields } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { bdi } from '../../parts/words/text.ts'
import { type BadgePageQuery, badgePairs, badgeSearch } from './query.ts'

export interface PickerData {
  /** the page's path, including the SITE_ROOT path prefix */
  readonly path: string
  readonly query: BadgePageQuery
  readonly choice: Pick<BadgeChoice, 'tags' | 'checks'>
}

/** Renders the picker. The script updates `#found` with search results (`browser/filter.ts`). */
export function badgePicker(data: PickerData): Html {
  const { path, query, choice } = data
  const { tags, checks } = choice
  const kept = hiddenFields(badgePairs({ ...query, text: '' }))
  const isNothing = tags.items.length === 0 && checks.items.length === 0
  return html`<section class="card badge-pick" aria-labelledby="badge-of"><header><h2 id="badge-of">Badge of</h2></header><div class="body stack">
<form class="filters" id="filters" role="search" action="${path}" aria-label="Find tags and checks"><div class="search">${icon('search')}<input class="in" type="search" name="q" value="${query.text}" maxlength="200" aria-label="Find a tag or a check" placeholder="Tag or check" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"><kbd aria-hidden="true">/</kbd></div>${kept}</form>
<ul class="chips"><li>${chip(data, { kind: 'all' }, 'All checks')}</li></ul>
<div id="found" class="stack" role="status">${isNothing && html`<p class="help">${query.text === '' ? 'The project has no checks yet.' : html`No tag or check matches ‘${bdi(query.text)}’.`}</p>`}${tagList(data)}${checkList(data)}</div>
</div></section>`
}

function tagList(data: PickerData): HtmlValue {
  const { items, more } = data.choice.tags
  if (items.length === 0) return null
  const chips = items.map(
    ([tag, number]) => html`<li>${chip(data, { kind: 'tag', tag }, html`${bdi(tag)} <b>${number}</b>`)}</li>`,
  )
  return html`<div><h3 id="of-tag">A tag</h3><ul class="chips" aria-labelledby="of-tag">${chips}</ul>${rest(more)}</div>`
}

function checkList(data: PickerData): HtmlValue {
  const { items, more } = data.choice.checks
  if (items.length === 0) return null
  const chips = items.map(
    ({ publicId, name }) =>
      html`<li>${chip(data, { kind: 'check', publicId }, name.trim() === '' ? html`unnamed <code>${publicId}</code>` : bdi(name))}</li>`,
  )
  return html`<div><h3 id="of-check">A check</h3><ul class="chips" aria-labelledby="of-check">${chips}</ul>${rest(more)}</div>`
}

function chip({ path, query }: PickerData, subject: BadgeSubject, words: HtmlValue): Html {
  const isChosen = keyOf(subject) === keyOf(query.subject)
  return html`<a class="chip" href="${path}${badgeSearch({ ...query, subject })}"${isChosen && html` aria-current="true"`}>${words}</a>`
}

function keyOf(subject: BadgeSubject): string {
  if (subject.kind === 'all') return ''
  return subject.kind === 'tag' ? `tag ${subject.tag}` : `check ${subject.publicId}`
}

function rest(more: number): HtmlValue {
  return (
    more > 0 && html`<p class="help">And ${more.toLocaleString('en')} more: type part of the name to find them.</p>`
  )
}
