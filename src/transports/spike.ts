/** `spike`: an incident through a webhook integration of Spike.sh. */
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { webhookKind } from './parts/webhook-kinds.ts'
import type { Alert } from './transport.ts'

export const spike = webhookKind({
  kind: 'spike',
  name: 'Spike',
  mark: 'SP',
  about: 'webhook',
  offSwitch: 'SPIKE_ENABLED',
  urlIs: 'The URL that Spike.sh shows for an integration of your service.',
  payload,
})

function payload({ message, flip }: Alert): object {
  return {
    check_id: message.incidentKey,
    title: headline(message),
    message: sentenceAndLink(message),
    status: flip.newStatus,
  }
}
