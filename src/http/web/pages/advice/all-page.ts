/** The advice for all projects that the reader may see, grouped by project. */
import { may } from '../../../../domain/actor.ts'
import type { AdviceList } from '../../../../services/advice/advice-list.ts'
import type { AdviceOfAll } from '../../../../services/advice/advice-of-all.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { bdi } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { ADVICE_HELP, headParts, itemsOf, nothingIn } from './page.ts'
import { type AdviceListState, searchOf } from './query.ts'

/** Maximum number of omitted projects to name, if the page could not include all projects. */
const NAMED = 10

/** Returns the page's local path. */
export function allAdvicePath(state: AdviceListState): string {
  return `/advice${searchOf({ state })}`
}

export function allAdvicePage(
  read: AdviceOfAll,
  state: AdviceListState,
  context: PageContext,
  answered: Html | null,
): FrameContent {
  const parts = allAdviceParts(read, state, context)
  return {
    layout: 'frame',
    title: 'Advice',
    live: `/live?view=advice&state=${state}`,
    intro: parts['advice-counts'],
    actions: parts['advice-tabs'],
    body: html`<div class="stack">${answered}${parts['advice-list']}</div>
${zoneLine(context.tz)}`,
  }
}

/** Renders the parts of the page that may change when a check is re-examined. */
export function allAdviceParts(
  { lists, unread }: AdviceOfAll,
  state: AdviceListState,
  context: PageContext,
): ReturnType<typeof headParts> & { readonly 'advice-list': Html } {
  const all = together(
    lists.map(({ list }) => list),
    unread.length > 0,
  )
  const groups = lists.flatMap(({ actor, list }) => {
    const { slug, name } = actor.project
    const place = { ...context, slug, canWrite: may(actor, 'write'), pathOf: allAdvicePath, isGrouped: true }
    const items = itemsOf(list, state, place)
    if (items.length === 0) return []
    const to = context.href(projectPath(slug, `advice${searchOf({ state })}`))
    return html`<section class="card" aria-labelledby="advice-of-${slug}"><header><h2 id="advice-of-${slug}"><a href="${to}">${bdi(name)}</a></h2></header><ul class="advs">${items}</ul></section>
`
  })
  const body = groups.length === 0 ? nothingIn(all, state) : html`${groups}${ADVICE_HELP}`
  return {
    ...headParts(all, state, { ...context, pathOf: allAdvicePath }),
    'advice-list': html`<div class="stack" id="advice-list">${body}${unreadWords(unread, context)}</div>`,
  }
}

function together(lists: readonly AdviceList[], isCut: boolean): AdviceList {
  return {
    checks: lists.reduce((sum, { checks }) => sum + checks, 0),
    open: lists.flatMap(({ open }) => open),
    later: lists.flatMap(({ later }) => later),
    done: lists.flatMap(({ done }) => done),
    isCut: isCut || lists.some((list) => list.isCut),
  }
}

function unreadWords(unread: AdviceOfAll['unread'], { href }: PageContext): Html | null {
  if (unread.length === 0) return null
  const links = unread.slice(0, NAMED).map(({ project: { slug, name } }, index) => {
    return html`${index > 0 && ', '}<a href="${href(projectPath(slug, 'advice'))}">${bdi(name)}</a>`
  })
  const more = unread.length - NAMED
  return html`<p class="help advs-end">Not included on this page: ${links}${more > 0 && ` and ${more} more`}.</p>`
}
