/** The card with the integrations that receive the check's alerts. For each integration, it shows whether the last alert was delivered. */
import type { DeliveryEntry } from '../../../../domain/alert/delivery.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { integrationWords, noIntegrations } from '../../parts/forms/integration-switches.ts'
import { deliveryState } from '../../parts/words/delivery-words.ts'
import { timeOf } from '../../parts/words/times.ts'
import type { CheckContext } from './context.ts'

export function alertsSection(page: CheckPage, context: CheckContext): Html {
  const { canWrite, pageHref, href, slug } = context
  const edit = { text: 'Edit', label: 'Edit alerts', look: 'quiet', isSmall: true } as const
  const all = href(projectPath(slug, `alerts?check=${page.view.check.publicId}`))
  return html`<section class="card" id="alerts" aria-labelledby="alerts-h"><header><h2 id="alerts-h">Alerts go to</h2>${
    canWrite && linkButton({ ...edit, href: `${pageHref('edit')}?tab=alerts` })
  }</header><div class="body form">${body(page, context)}<p><a href="${all}">All alerts</a></p></div></section>`
}

function body({ channels, view: { channelIds }, told }: CheckPage, context: CheckContext): Html {
  const { canWrite, href, slug } = context
  if (channels.length === 0) return noIntegrations(canWrite ? href(projectPath(slug, 'integrations')) : null)
  const assigned = channels.filter(({ id }) => channelIds.includes(id))
  if (assigned.length === 0) return html`<p class="muted">This check alerts no one.</p>`
  return html`<ul class="told">${assigned.map((channel) => {
    const last = told?.find(({ delivery }) => delivery.channelId === channel.id)
    return html`<li><span>${integrationWords(channel)}</span>${last && html`<span>${lastWords(last, context)}</span>`}</li>`
  })}</ul>`
}

function lastWords(entry: DeliveryEntry, { now, tz }: CheckContext): Html {
  const { delivery, endedAt } = entry
  return html`${timeOf('clock', endedAt ?? delivery.createdAt, now, tz)} ${deliveryState(entry)}`
}
