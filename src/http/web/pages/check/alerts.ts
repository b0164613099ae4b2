/** Which integrations get the alerts of the check. */
import type { Channel } from '../../../../domain/alert/channel.ts'
import type { CheckPage } from '../../../../services/check-page.ts'
import { type Html, html } from '../../html.ts'
import { submit } from '../../parts/buttons.ts'
import { channelKind, channelName } from '../../parts/channels.ts'
import type { CheckContext } from './context.ts'

/** Before the id of an integration, the name of its switch. */
export const SWITCH_PREFIX = 'to-'

export function alertsSection(page: CheckPage, context: CheckContext): Html {
  return html`<section class="card" id="alerts" aria-labelledby="alerts-h"><header><h2 id="alerts-h">Alerts go to</h2></header><div class="body">${body(page, context)}</div></section>`
}

function body({ channels, view: { channelIds } }: CheckPage, { canWrite, pageHref }: CheckContext): Html {
  const isOn = ({ id }: Channel) => channelIds.includes(id)
  if (channels.length === 0) {
    return html`<p class="muted">Nobody is told: the project has no integration. Whoever runs the server makes one with <code>overdue channel create</code>.</p>`
  }
  if (canWrite) return switches(channels, isOn, pageHref('integrations'))
  const told = channels.filter(isOn)
  if (told.length === 0) return html`<p class="muted">Nobody is told.</p>`
  return html`<ul class="picks">${told.map((channel) => html`<li class="pick">${words(channel)}</li>`)}</ul>`
}

function switches(channels: readonly Channel[], isOn: (channel: Channel) => boolean, action: string): Html {
  const rows = channels.map((channel) => {
    const box = html`<input type="checkbox" role="switch" class="switch" name="${SWITCH_PREFIX}${channel.id}" value="on"${isOn(channel) && html` checked`}>`
    return html`<label class="pick">${box}<span>${words(channel)}</span></label>`
  })
  return html`<form class="picks" method="post" action="${action}">${rows}<div class="acts">${submit({ text: 'Save integrations', isSmall: true })}</div></form>`
}

function words(channel: Channel): Html {
  const off = channel.disabledReason !== null ? ', off' : channel.awaitsConfirmation ? ', not confirmed yet' : ''
  return html`${channelName(channel)} <span class="muted">${channelKind(channel.kind)}${off}</span>`
}
