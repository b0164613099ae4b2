/** `/p/<project>/badges`: lets users choose a badge and copy its URL. All of the page's state is in its URL. */

import { renderBadge } from '../../../../domain/badge/formats.ts'
import { badgeStatus } from '../../../../domain/badge/status.ts'
import { BADGE_FORMATS, type BadgeFormat } from '../../../../domain/badge-urls.ts'
import { type BadgeChoice, readBadgeChoice } from '../../../../services/badges/badge-choice.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { card, copyable } from '../../parts/lists.ts'
import { siteNote } from '../../parts/reach-note.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import type { FrameContent, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { embedBadge } from './embed.ts'
import { badgePicker, type PickerData } from './picker.ts'
import { type BadgePageQuery, badgeSearch, readBadgeQuery } from './query.ts'

export function badgesRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', 'badges', 'read', async ({ actor, account, person, url, site }) => {
      const query = readBadgeQuery(url.searchParams)
      const { slug } = actor.project
      const choice = await deps.longReads.during(person, () => readBadgeChoice(deps, actor, query))
      const reach = siteNote(deps.site.links, account.isAdministrator)
      return badgesPage({ path: site.href(projectPath(slug, 'badges')), query, choice, reach })
    }),
  ]
}

interface BadgesData extends PickerData {
  readonly choice: BadgeChoice
  /** note that some clients cannot reach the URLs; null if all clients can */
  readonly reach: Html | null
}

function badgesPage(data: BadgesData): FrameContent {
  return {
    layout: 'frame',
    title: 'Badges',
    intro: 'Anyone who has the URL of a badge can see the status. The URL cannot be used to send pings.',
    body: html`<div class="badge-page">${badgePicker(data)}<div class="stack">${preview(data)}${toCopy(data)}</div></div>`,
  }
}

const FORMAT_WORDS: Readonly<Record<BadgeFormat, string>> = { svg: 'SVG', json: 'JSON', shields: 'Shields' }
const STATES_WORDS = { 2: 'Up, down', 3: 'Up, late, down' } as const

function preview(data: BadgesData): Html {
  const { query, choice } = data
  const link = (to: Partial<BadgePageQuery>, words: string, isChosen: boolean) =>
    html`<a href="${data.path}${badgeSearch({ ...query, ...to })}"${isChosen && html` aria-current="true"`}>${words}</a>`
  const formats = BADGE_FORMATS.map((format) => link({ format }, FORMAT_WORDS[format], format === query.format))
  const states = ([2, 3] as const).map((each) => link({ states: each }, STATES_WORDS[each], each === query.states))
  const body = html`<div class="stack"><div class="acts"><nav class="seg" aria-label="Format">${formats}</nav><nav class="seg" aria-label="States">${states}</nav></div>
${query.format === 'svg' ? onBothThemes(data) : answer(data)}</div>`
  return card({ title: 'Preview', aside: html`<p>${bdi(choice.chosen.label)}</p>`, body })
}

/** Loads the image from a path instead of an absolute URL, because pages have to work under any of the server's host names. */
function onBothThemes({ query, choice }: BadgesData): Html {
  const { pathname } = new URL(choice.urlOf('svg', query.states))
  const words = `${shown(choice.chosen.label)}: ${badgeStatus(choice.chosen.counts, query.states)}`
  return html`<div class="badge-on"><p class="on-light"><img src="${pathname}" alt="${words}, on light"></p><p class="on-dark"><img src="${pathname}" alt="${words}, on dark"></p></div>`
}

/**
 * Renders the badge's JSON for reading. The page can't show the badge that shields.io draws, because pages load nothing from other servers.
 */
function answer({ query, choice }: BadgesData): Html {
  const { body } = renderBadge(choice.chosen, query.states, query.format)
  const reader = query.format === 'shields' ? 'img.shields.io reads this and draws the badge:' : 'Current response:'
  return html`<div><p class="help">${reader}</p><pre class="badge-json" tabindex="0" role="group" aria-label="Answer" dir="auto">${shown(body)}</pre></div>`
}

function toCopy({ query, choice, reach }: BadgesData): Html {
  const { format } = query
  const {
    url,
    image,
    markdown,
    html: markup,
  } = embedBadge(choice.urlOf(format, query.states), choice.chosen.label, format)
  const isByShields = format === 'shields'
  const rows: readonly (readonly [name: string, value: string | null])[] = [
    ['URL', url],
    ...(isByShields ? ([['URL of the image', image]] as const) : []),
    ['Markdown', markdown],
    ['HTML', markup],
  ]
  const fields = rows.map(([name, value]): HtmlValue => {
    return value !== null && html`<div class="field"><span class="label">${name}</span>${copyable(value, name)}</div>`
  })
  const help =
    isByShields &&
    html`<p class="help">shields.io must be able to reach this server. It caches images for a few minutes.</p>`
  return card({ title: 'To copy', body: html`<div class="stack">${fields}${help}${reach}</div>` })
}
