/** `slack`: Slack's incoming webhooks (behaviour of the peer, 5.5). */
import { type Static, Type } from '../domain/schema.ts'
import { escapeMarkup } from '../domain/text.ts'
import { disableWhen } from './final-answer.ts'
import { jsonRequest } from './json-request.ts'
import { JOINER } from './message-text.ts'
import { type Dialect, slackPayload } from './slack-payload.ts'
import { type Alert, defineTransport } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Url = WebhookUrl('The address that Slack shows for an incoming webhook of your workspace.')

const Settings = Type.Union([
  Url,
  Type.Object(
    { incoming_webhook: Type.Object({ url: Url }) },
    { title: 'Grant', description: 'What Slack answered when an application was allowed to post.' },
  ),
])
type Settings = Static<typeof Settings>

export const slack = defineTransport({
  kind: 'slack',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: disableWhen(({ status, body }) => status === 404 || (status === 400 && body.trim() === 'invalid_token')),
})

/** Slack knows no escape for `*`; the stars of a schedule would make the text between them bold and vanish. */
const DIALECT: Dialect = {
  escapeTitle: escapeMarkup,
  escapeText: escapeMarkup,
  escapeCode: escapeMarkup,
  escapeSchedule: (text) => escapeMarkup(text).replaceAll('*', `${JOINER}*`),
  escapeUrl: escapeMarkup,
  fieldLimit: 6000,
}

function render(alert: Alert, settings: Settings): Request {
  const url = typeof settings === 'string' ? settings : settings.incoming_webhook.url
  return jsonRequest(url, slackPayload(alert, DIALECT))
}
