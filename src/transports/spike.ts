/** `spike`: an incident through a webhook integration of Spike.sh. */
import type { Static } from '../domain/schema.ts'
import { jsonRequest } from './json-request.ts'
import { headline, sentence } from './plain-words.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Settings = WebhookUrl('Spike.sh shows it for an integration of one of your services.')

export const spike = defineTransport({
  kind: 'spike',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: judgeByStatus,
})

function render({ message, flip }: Alert, url: Static<typeof Settings>): Request {
  return jsonRequest(url, {
    check_id: message.incidentKey,
    title: headline(message),
    message: sentence(message),
    status: flip.newStatus,
  })
}
