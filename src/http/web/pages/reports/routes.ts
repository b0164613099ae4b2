/** `/p/<project>/reports`: the settings for reports and reminders that a project's email integrations send. */
import { may } from '../../../../domain/actor.ts'
import { listSubscriptions, type MailSubscription, setPeriods } from '../../../../services/mail/subscriptions.ts'
import { contextOf, type PageContext } from '../../context.ts'
import { integrationPath, projectPath } from '../../href.ts'
import { type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { channelName } from '../../parts/channels.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { readOffset } from '../../parts/forms/offset.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { previewAnswer, previewDocument } from './preview.ts'
import { readPeriods, subscriptionCard } from './subscription-card.ts'

/** Number of integrations per page. */
const AT_ONCE = 100

export function reportsRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', 'reports', 'read', async (visit) => {
      const { actor, url } = visit
      const subscriptions = await listSubscriptions(deps, actor)
      const canWrite = may(actor, 'write')
      const from = readOffset(url.searchParams)
      return reportsPage({ ...contextOf(deps, visit), slug: actor.project.slug, subscriptions, canWrite, from })
    }),
    projectRoute('POST', 'reports', 'write', async ({ actor, form }) => {
      const { channelId, periods } = readPeriods(form)
      await setPeriods(deps, actor, channelId, periods)
      return { kind: 'redirect', to: projectPath(actor.project.slug, 'reports'), done: 'reports-saved' }
    }),
    projectRoute('GET', 'reports/:channel', 'read', (visit) => previewAnswer(deps, visit)),
    projectRoute('GET', 'reports/:channel/email', 'read', (visit) => previewDocument(deps, visit)),
  ]
}

interface ReportsData extends PageContext {
  readonly slug: string
  readonly subscriptions: readonly MailSubscription[]
  readonly canWrite: boolean
  /** index of the first integration on the page */
  readonly from: number
}

function reportsPage(data: ReportsData): FrameContent {
  const { href, slug, subscriptions, canWrite, from, now, tz } = data
  const path = href(projectPath(slug, 'reports'))
  const shown = subscriptions.slice(from, from + AT_ONCE)
  const cards = shown.map((subscription) =>
    subscriptionCard({
      subscription,
      title: canWrite
        ? html`<a href="${href(integrationPath(slug, subscription.channel.id))}">${channelName(subscription.channel)}</a>`
        : channelName(subscription.channel),
      action: canWrite ? path : null,
      previewPath: (kind) => `${path}/${subscription.channel.id}?kind=${kind}`,
      now,
      tz,
    }),
  )
  const next = from + shown.length
  const more =
    next < subscriptions.length &&
    html`<p><a href="${path}?from=${next}">Next ${Math.min(AT_ONCE, subscriptions.length - next)}</a></p>`
  return {
    layout: 'frame',
    title: 'Reports',
    isNarrow: true,
    intro: 'Emails that integrations send in addition to alerts.',
    body:
      shown.length === 0
        ? nothing(href(projectPath(slug, 'integrations')))
        : html`<div class="stack">${cards}${more}${zoneLine(tz)}</div>`,
  }
}

function nothing(integrationsHref: string): HtmlValue {
  return empty({
    title: 'No email integrations',
    text: 'Reports and reminders are sent to email integrations.',
    actions: linkButton({ text: 'Integrations', href: integrationsHref }),
  })
}
