/** Which integrations get the alerts of the check. */
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { integrationSwitches, integrationWords, noIntegrations } from '../../parts/forms/integration-switches.ts'
import type { CheckContext } from './context.ts'

export function alertsSection(page: CheckPage, context: CheckContext): Html {
  return html`<section class="card" id="alerts" aria-labelledby="alerts-h"><header><h2 id="alerts-h">Alerts go to</h2><p><a href="${context.href(projectPath(context.slug, `alerts?check=${page.view.check.publicId}`))}">All alerts</a></p></header><div class="body">${body(page, context)}</div></section>`
}

function body({ channels, view: { channelIds } }: CheckPage, { canWrite, pageHref, href, slug }: CheckContext): Html {
  if (channels.length === 0) return noIntegrations(canWrite ? href(projectPath(slug, 'integrations')) : null)
  if (canWrite) {
    return html`<form class="picks" method="post" action="${pageHref('integrations')}">${integrationSwitches(channels, channelIds)}<div class="acts">${submit({ text: 'Save integrations', isSmall: true })}</div></form>`
  }
  const told = channels.filter(({ id }) => channelIds.includes(id))
  if (told.length === 0) return html`<p class="muted">This check alerts no one.</p>`
  return html`<ul class="picks">${told.map((channel) => html`<li class="pick">${integrationWords(channel)}</li>`)}</ul>`
}
