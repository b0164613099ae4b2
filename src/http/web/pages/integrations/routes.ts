/**
 * `/p/<project>/integrations`: lists the integrations that receive alerts, their status, and the kinds of integrations that users can add.
 */
import { listKinds } from '../../../../services/channels/channel-kinds.ts'
import { CHANNELS_AT_ONCE, type ChannelList, readChannelList } from '../../../../services/channels/channel-list.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { readOffset } from '../../parts/forms/offset.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { assignRoutes } from './assign.ts'
import { type IntegrationsContext, integrationsContext } from './context.ts'
import { deleteRoutes } from './delete.ts'
import { gallery } from './gallery.ts'
import { listParts } from './list.ts'
import { testFromList } from './test.ts'

export function integrationsRoutes(deps: PageDeps): readonly Route[] {
  const page = (visit: ProjectVisit, said?: HtmlValue) => integrationsPage(deps, visit, said)
  return [
    projectRoute('GET', 'integrations', 'read', page),
    projectRoute('POST', 'integrations', 'read', (visit) => testFromList(deps, visit, page)),
    ...assignRoutes(deps),
    ...deleteRoutes(deps),
  ]
}

/** @param said test result to show above the list; null if no test was run */
async function integrationsPage(deps: PageDeps, visit: ProjectVisit, said?: HtmlValue): Promise<FrameContent> {
  const context = integrationsContext(deps, visit)
  const from = readOffset(visit.url.searchParams)
  const list = await readChannelList(deps, visit.actor, from)
  const add = linkButton({
    text: html`<span>Add integration</span>`,
    icon: 'plus',
    look: 'primary',
    href: '#add',
    key: 'n',
  })
  const parts = Object.values(listParts(list, context))
  const body =
    list.total === 0
      ? empty({
          title: 'No one gets alerts',
          text: 'Add an integration. Without one, problems only show on these pages.',
        })
      : html`${parts}${pages(list, from, context)}${zoneLine(context.tz)}`
  return {
    layout: 'frame',
    title: 'Integrations',
    ...(list.total === 0
      ? {}
      : {
          live: `${projectPath(context.slug, 'live')}?${new URLSearchParams({ view: 'integrations', from: String(from) })}`,
        }),
    intro: 'Where alerts are sent.',
    ...(context.canWrite ? { actions: add } : {}),
    body: html`${said}${body}${context.canWrite && gallery(listKinds(deps), context)}`,
  }
}

function pages({ channels, total }: ChannelList, from: number, { href, slug }: IntegrationsContext): Html | null {
  if (from === 0 && channels.length === total) return null
  const path = href(projectPath(slug, 'integrations'))
  const next = from + CHANNELS_AT_ONCE
  return html`<p class="rest">${from + 1} to ${from + channels.length} of ${total} integrations are shown.${from > 0 && html` <a href="${path}">First</a>`}${next < total && html` <a href="${path}?from=${next}">Next</a>`}</p>`
}
