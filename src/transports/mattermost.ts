/** `mattermost`: Mattermost's incoming webhooks, which take Slack's payload (behaviour of the peer, 5.5). */
import { type Static, Type } from '../domain/schema.ts'
import { escapeMarkup } from '../domain/text.ts'
import { jsonRequest } from './json-request.ts'
import { JOINER } from './message-text.ts'
import { type Dialect, slackPayload } from './slack-payload.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Url = WebhookUrl('The address that Mattermost shows for an incoming webhook.')

const Settings = Type.Union([
  Url,
  Type.Object(
    { incoming_webhook: Type.Object({ url: Url }) },
    { title: 'Grant', description: 'The address in the form in which Slack hands it out.' },
  ),
])
type Settings = Static<typeof Settings>

export const mattermost = defineTransport({
  kind: 'mattermost',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: judgeByStatus,
})

/** Markdown; a backslash does not keep `@here` from calling everybody, a sign in between does. */
function escapeText(text: string): string {
  return escapeMarkup(text.replace(/[\\`*_~[\]#|!]/g, '\\$&')).replaceAll('@', `@${JOINER}`)
}

const DIALECT: Dialect = {
  // Plain text, in which nobody is called either.
  escapeTitle: (text) => text,
  escapeText,
  // Code is shown as it is, but Slack's `<!channel>` is turned into a mention first.
  escapeCode: (text) => text.replaceAll('<', `<${JOINER}`).replaceAll('@', `@${JOINER}`),
  escapeSchedule: escapeText,
  // Leads to the same place, and calls nobody.
  escapeUrl: (url) => url.replaceAll('@', '%40'),
  fieldLimit: 4000,
}

function render(alert: Alert, settings: Settings): Request {
  const url = typeof settings === 'string' ? settings : settings.incoming_webhook.url
  return jsonRequest(url, slackPayload(alert, DIALECT))
}
