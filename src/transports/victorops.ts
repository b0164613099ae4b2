/** `victorops`: an incident through the REST endpoint of Splunk On-Call, once VictorOps. */
import type { Static } from '../domain/schema.ts'
import { disableWhen } from './final-answer.ts'
import { jsonRequest } from './json-request.ts'
import { headline, sentence } from './plain-words.ts'
import { type Alert, defineTransport } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Settings = WebhookUrl('Splunk On-Call shows it for the REST integration; end it with your routing key.')

export const victorops = defineTransport({
  kind: 'victorops',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: disableWhen(({ status }) => status === 404),
})

function render({ message, siteName }: Alert, url: Static<typeof Settings>): Request {
  return jsonRequest(url, {
    entity_id: message.incidentKey,
    message_type: message.isDown ? 'CRITICAL' : 'RECOVERY',
    entity_display_name: headline(message),
    state_message: sentence(message),
    monitoring_tool: siteName,
  })
}
