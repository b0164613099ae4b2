/** `pagertree`: an incident through a webhook integration of PagerTree, resolved when the check comes up. */
import type { Static } from '../domain/schema.ts'
import { oneLine } from '../domain/text.ts'
import { jsonRequest } from './json-request.ts'
import { headline, sentence } from './plain-words.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Settings = WebhookUrl('PagerTree shows it as the endpoint of an integration.')

export const pagertree = defineTransport({
  kind: 'pagertree',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: judgeByStatus,
})

function render({ message, links, siteName }: Alert, url: Static<typeof Settings>): Request {
  return jsonRequest(url, {
    incident_key: message.incidentKey,
    event_type: message.isDown ? 'trigger' : 'resolve',
    title: headline(message),
    description: sentence(message),
    client: siteName,
    client_url: links.siteRoot,
    tags: message.tags.map(oneLine),
  })
}
