/** `slack`: Slack's incoming webhooks. */
import { type Static, Type } from '../domain/schema.ts'
import { escapeMarkup } from '../lib/text/text.ts'
import { disableWhen } from './parts/final-answer.ts'
import { jsonRequest } from './parts/json-request.ts'
import { JOINER } from './parts/message-text.ts'
import { urlSample } from './parts/sample.ts'
import { type Dialect, slackPayload } from './parts/slack-payload.ts'
import { valueForm } from './parts/value-form.ts'
import { WebhookUrl } from './parts/webhook-url.ts'
import { type Alert, defineTransport } from './transport.ts'

const Url = WebhookUrl('The URL that Slack shows for an incoming webhook of your workspace.')

const Settings = Type.Union([
  Url,
  Type.Object(
    { incoming_webhook: Type.Object({ url: Url }) },
    { title: 'Grant', description: "Slack's answer when an application was authorized." },
  ),
])
type Settings = Static<typeof Settings>

export const slack = defineTransport({
  kind: 'slack',
  name: 'Slack',
  mark: 'SL',
  about: 'incoming webhook',
  carrier: 'http',
  settings: Settings,
  form: valueForm<typeof Settings>(Url, urlOf),
  offSwitch: 'SLACK_ENABLED',
  sample: urlSample('slack'),
  wants: () => true,
  render,
  judge: disableWhen(({ status, body }) => status === 404 || (status === 400 && body.trim() === 'invalid_token')),
})

/** Slack has no escape for `*`; the stars of a schedule would vanish and make text bold. */
const DIALECT: Dialect = {
  escapeTitle: escapeMarkup,
  escapeText: escapeMarkup,
  escapeCode: escapeMarkup,
  escapeSchedule: (text) => escapeMarkup(text).replaceAll('*', `${JOINER}*`),
  escapeUrl: escapeMarkup,
  fieldLimit: 6000,
}

function urlOf(settings: Settings): string {
  return typeof settings === 'string' ? settings : settings.incoming_webhook.url
}

function render(alert: Alert, settings: Settings): Request {
  return jsonRequest(urlOf(settings), slackPayload(alert, DIALECT))
}
