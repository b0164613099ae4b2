/** `discord`: Discord's webhooks, through the door that takes Slack's payload (behaviour of the peer, 5.5). */
import { type Static, Type } from '../domain/schema.ts'
import { disableWhen } from './final-answer.ts'
import { jsonRequest } from './json-request.ts'
import { type Dialect, slackPayload } from './slack-payload.ts'
import { type Alert, defineTransport } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Url = WebhookUrl('The address that Discord shows under Integrations, Webhooks of a channel.')

const Settings = Type.Union([
  Url,
  Type.Object(
    { webhook: Type.Object({ url: Url }) },
    { title: 'Grant', description: 'What Discord answered when an application was allowed to post.' },
  ),
])
type Settings = Static<typeof Settings>

export const discord = defineTransport({
  kind: 'discord',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: disableWhen(({ status }) => status === 404),
})

/** Discord's markdown takes a backslash before any sign; entities are not known to it. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_~[\]#|<>@]/g, '\\$&')
}

function asItIs(text: string): string {
  return text
}

/** The limit is that of a field of an embed: a message that goes beyond is refused as a whole. */
const DIALECT: Dialect = {
  // Clients disagree on markdown in titles, so a backslash would be seen; nobody is called there.
  escapeTitle: asItIs,
  escapeText,
  escapeCode: asItIs,
  escapeSchedule: escapeText,
  escapeUrl: asItIs,
  fieldLimit: 1024,
}

function render(alert: Alert, settings: Settings): Request {
  const url = new URL(typeof settings === 'string' ? settings : settings.webhook.url)
  // The old name answers with a redirect, which would lose the message.
  url.hostname = url.hostname.replace(/(^|\.)discordapp\.com$/, '$1discord.com')
  url.pathname = `${url.pathname.replace(/(?:\/slack)?\/*$/, '')}/slack`
  return jsonRequest(url.href, slackPayload(alert, DIALECT))
}
