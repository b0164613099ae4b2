/** `pagertree`: an incident through a webhook integration of PagerTree, resolved when the check recovers. */
import type { Static } from '../domain/schema.ts'
import { oneLine } from '../lib/text/text.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { urlSample } from './parts/sample.ts'
import { WebhookUrl } from './parts/webhook-url.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const Settings = WebhookUrl('The endpoint URL of an integration in PagerTree.')

export const pagertree = defineTransport({
  kind: 'pagertree',
  name: 'PagerTree',
  mark: 'PT',
  about: 'webhook',
  carrier: 'http',
  settings: Settings,
  offSwitch: 'PAGERTREE_ENABLED',
  sample: urlSample('pagertree'),
  wants: () => true,
  render,
  judge: judgeByStatus,
})

function render({ message, links, siteName }: Alert, url: Static<typeof Settings>): Request {
  return jsonRequest(url, {
    incident_key: message.incidentKey,
    event_type: message.isDown ? 'trigger' : 'resolve',
    title: headline(message),
    description: sentenceAndLink(message),
    client: siteName,
    client_url: links.siteRoot,
    tags: message.tags.map(oneLine),
  })
}
