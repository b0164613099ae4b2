/** `mattermost`: Mattermost's incoming webhooks, in Slack's format. */
import { type Static, Type } from '../domain/schema.ts'
import { escapeMarkup } from '../lib/text/text.ts'
import { jsonRequest } from './parts/json-request.ts'
import { JOINER } from './parts/message-text.ts'
import { urlSample } from './parts/sample.ts'
import { type Dialect, slackPayload } from './parts/slack-payload.ts'
import { valueForm } from './parts/value-form.ts'
import { WebhookUrl } from './parts/webhook-url.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const Url = WebhookUrl('The URL that Mattermost shows for an incoming webhook.')

const Settings = Type.Union([
  Url,
  Type.Object(
    { incoming_webhook: Type.Object({ url: Url }) },
    { title: 'Grant', description: "The URL in the form of Slack's answer." },
  ),
])
type Settings = Static<typeof Settings>

export const mattermost = defineTransport({
  kind: 'mattermost',
  name: 'Mattermost',
  mark: 'MM',
  about: 'incoming webhook',
  carrier: 'http',
  settings: Settings,
  form: valueForm<typeof Settings>(Url, urlOf),
  offSwitch: 'MATTERMOST_ENABLED',
  sample: urlSample('mattermost'),
  wants: () => true,
  render,
  judge: judgeByStatus,
})

/** Escapes Markdown. Only a joiner, not a backslash, stops `@here` from notifying everybody. */
function escapeText(text: string): string {
  return escapeMarkup(text.replace(/[\\`*_~[\]#|!]/g, '\\$&')).replaceAll('@', `@${JOINER}`)
}

const DIALECT: Dialect = {
  // Plain text without mentions.
  escapeTitle: (text) => text,
  escapeText,
  // Code is shown unchanged, but Slack's `<!channel>` would become a mention first.
  escapeCode: (text) => text.replaceAll('<', `<${JOINER}`).replaceAll('@', `@${JOINER}`),
  escapeSchedule: escapeText,
  // The same URL without a mention.
  escapeUrl: (url) => url.replaceAll('@', '%40'),
  fieldLimit: 4000,
}

function urlOf(settings: Settings): string {
  return typeof settings === 'string' ? settings : settings.incoming_webhook.url
}

function render(alert: Alert, settings: Settings): Request {
  return jsonRequest(urlOf(settings), slackPayload(alert, DIALECT))
}
