/** `discord`: Discord's webhooks, in Slack's format. */
import { type Static, Type } from '../domain/schema.ts'
import { disableWhen } from './parts/final-answer.ts'
import { jsonRequest } from './parts/json-request.ts'
import { urlSample } from './parts/sample.ts'
import { type Dialect, slackPayload } from './parts/slack-payload.ts'
import { valueForm } from './parts/value-form.ts'
import { WebhookUrl } from './parts/webhook-url.ts'
import { type Alert, defineTransport } from './transport.ts'

const Url = WebhookUrl("The URL that Discord shows in a channel's settings under Integrations, Webhooks.")

const Settings = Type.Union([
  Url,
  Type.Object(
    { webhook: Type.Object({ url: Url }) },
    { title: 'Grant', description: "Discord's answer when an application was authorized." },
  ),
])
type Settings = Static<typeof Settings>

export const discord = defineTransport({
  kind: 'discord',
  name: 'Discord',
  mark: 'DC',
  about: 'webhook',
  carrier: 'http',
  settings: Settings,
  form: valueForm<typeof Settings>(Url, urlOf),
  sample: urlSample('discord'),
  wants: () => true,
  render,
  judge: disableWhen(({ status }) => status === 404),
})

/** Discord's Markdown accepts a backslash before any character, and no entities. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_~[\]#|<>@]/g, '\\$&')
}

function unchanged(text: string): string {
  return text
}

/** Discord rejects a message with a longer embed field. */
const DIALECT: Dialect = {
  // Some clients show Markdown in titles as it is, so a backslash would be visible. Mentions don't work in titles.
  escapeTitle: unchanged,
  escapeText,
  escapeCode: unchanged,
  escapeSchedule: escapeText,
  escapeUrl: unchanged,
  fieldLimit: 1024,
}

function urlOf(settings: Settings): string {
  return typeof settings === 'string' ? settings : settings.webhook.url
}

function render(alert: Alert, settings: Settings): Request {
  const url = new URL(urlOf(settings))
  // The old domain answers with a redirect, which would lose the message.
  url.hostname = url.hostname.replace(/(^|\.)discordapp\.com$/, '$1discord.com')
  url.pathname = `${url.pathname.replace(/(?:\/slack)?\/*$/, '')}/slack`
  return jsonRequest(url.href, slackPayload(alert, DIALECT))
}
