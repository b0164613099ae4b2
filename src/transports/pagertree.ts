/** `pagertree`: an incident through a PagerTree webhook integration. The incident is resolved when the check recovers. */
import { oneLine } from '../lib/text/text.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { webhookKind } from './parts/webhook-kinds.ts'
import type { Alert } from './transport.ts'

export const pagertree = webhookKind({
  kind: 'pagertree',
  name: 'PagerTree',
  mark: 'PT',
  about: 'webhook',
  offSwitch: 'PAGERTREE_ENABLED',
  urlIs: 'The endpoint URL of an integration in PagerTree.',
  payload,
})

function payload({ message, links, siteName }: Alert): object {
  return {
    incident_key: message.incidentKey,
    event_type: message.isDown ? 'trigger' : 'resolve',
    title: headline(message),
    description: sentenceAndLink(message),
    client: siteName,
    client_url: links.siteRoot,
    tags: message.tags.map(oneLine),
  }
}
