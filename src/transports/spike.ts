/** `spike`: an incident through a webhook integration of Spike.sh. */
import type { Static } from '../domain/schema.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { urlSample } from './parts/sample.ts'
import { WebhookUrl } from './parts/webhook-url.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const Settings = WebhookUrl('The URL that Spike.sh shows for an integration of your service.')

export const spike = defineTransport({
  kind: 'spike',
  name: 'Spike',
  mark: 'SP',
  about: 'webhook',
  carrier: 'http',
  settings: Settings,
  offSwitch: 'SPIKE_ENABLED',
  sample: urlSample('spike'),
  wants: () => true,
  render,
  judge: judgeByStatus,
})

function render({ message, flip }: Alert, url: Static<typeof Settings>): Request {
  return jsonRequest(url, {
    check_id: message.incidentKey,
    title: headline(message),
    message: sentenceAndLink(message),
    status: flip.newStatus,
  })
}
