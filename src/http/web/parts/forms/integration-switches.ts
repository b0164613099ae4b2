/** The switches that determine which integrations receive a check's alerts. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { channelKind, channelName } from '../channels.ts'

/** Prefix of a switch's name. The integration's id follows it. */
const PREFIX = 'to-'

/** Returns the ids of the selected integrations. */
export function readIntegrations(form: Form, channels: readonly Channel[]): string[] {
  return channels.map(({ id }) => id).filter((id) => form.has(`${PREFIX}${id}`))
}

/** @param on ids of the selected integrations */
export function integrationSwitches(channels: readonly Channel[], on: readonly string[]): Html[] {
  const isOn = new Set(on)
  return channels.map((channel) => {
    const box = html`<input type="checkbox" role="switch" class="switch" name="${PREFIX}${channel.id}" value="on"${isOn.has(channel.id) && html` checked`}>`
    return html`<label class="pick">${box}<span>${integrationWords(channel)}</span></label>`
  })
}

/** Returns an integration's name, its kind, and whether it is turned off. */
export function integrationWords(channel: Channel): Html {
  const off = channel.disabledReason !== null ? ', off' : channel.awaitsConfirmation ? ', not confirmed yet' : ''
  return html`${channelName(channel)} <span class="muted">${channelKind(channel.kind)}${off}</span>`
}

/** @param listHref link to the list of integrations; null for users who are not allowed to add one */
export function noIntegrations(listHref: string | null): Html {
  return html`<p class="muted">This check alerts no one: the project has no integrations.${listHref !== null && html` <a href="${listHref}">Add an integration</a>`}</p>`
}
