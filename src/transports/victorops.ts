/** `victorops`: an incident through the REST endpoint of Splunk On-Call, formerly VictorOps. */
import type { Static } from '../domain/schema.ts'
import { disableWhen } from './parts/final-answer.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { urlSample } from './parts/sample.ts'
import { WebhookUrl } from './parts/webhook-url.ts'
import { type Alert, defineTransport } from './transport.ts'

const Settings = WebhookUrl("The REST integration's URL in Splunk On-Call, with your routing key at the end.")

export const victorops = defineTransport({
  kind: 'victorops',
  name: 'Splunk On-Call',
  mark: 'SO',
  about: 'REST endpoint',
  carrier: 'http',
  settings: Settings,
  offSwitch: 'VICTOROPS_ENABLED',
  sample: urlSample('victorops'),
  wants: () => true,
  render,
  judge: disableWhen(({ status }) => status === 404),
})

function render({ message, siteName }: Alert, url: Static<typeof Settings>): Request {
  return jsonRequest(url, {
    entity_id: message.incidentKey,
    message_type: message.isDown ? 'CRITICAL' : 'RECOVERY',
    entity_display_name: headline(message),
    state_message: sentenceAndLink(message),
    monitoring_tool: siteName,
  })
}
