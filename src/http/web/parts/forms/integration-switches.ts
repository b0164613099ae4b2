/** Switches for the integrations that get the alerts of a check. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { channelKind, channelName } from '../channels.ts'

/** Before the id of an integration, the name of its switch. */
const PREFIX = 'to-'

/** The ids of those that are on. */
export function readIntegrations(form: Form, channels: readonly Channel[]): string[] {
  return channels.map(({ id }) => id).filter((id) => form.has(`${PREFIX}${id}`))
}

/** @param on ids */
export function integrationSwitches(channels: readonly Channel[], on: readonly string[]): Html[] {
  const isOn = new Set(on)
  return channels.map((channel) => {
    const box = html`<input type="checkbox" role="switch" class="switch" name="${PREFIX}${channel.id}" value="on"${isOn.has(channel.id) && html` checked`}>`
    return html`<label class="pick">${box}<span>${integrationWords(channel)}</span></label>`
  })
}

/** Its name, its kind, and whether it is off. */
export function integrationWords(channel: Channel): Html {
  const off = channel.disabledReason !== null ? ', off' : channel.awaitsConfirmation ? ', not confirmed yet' : ''
  return html`${channelName(channel)} <span class="muted">${channelKind(channel.kind)}${off}</span>`
}

/** @param listHref of the list of integrations; null for who may add none */
export function noIntegrations(listHref: string | null): Html {
  return html`<p class="muted">This check alerts no one: the project has no integration.${listHref !== null && html` <a href="${listHref}">Add an integration</a>`}</p>`
}
