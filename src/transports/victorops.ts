/** `victorops`: an incident through the REST endpoint of Splunk On-Call, formerly VictorOps. */
import { takenText } from '../domain/alert/flip-sentence.ts'
import type { Taken } from '../domain/incident/event.ts'
import { disableWhen } from './parts/final-answer.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { webhookKind } from './parts/webhook-kinds.ts'
import type { Alert } from './transport.ts'

export const victorops = webhookKind({
  kind: 'victorops',
  name: 'Splunk On-Call',
  mark: 'SO',
  about: 'REST endpoint',
  offSwitch: 'VICTOROPS_ENABLED',
  urlIs: "The REST integration's URL in Splunk On-Call, with your routing key at the end.",
  payload,
  acknowledgement,
  judge: disableWhen(({ status }) => status === 404),
})

function payload({ message, siteName }: Alert): object {
  return {
    entity_id: message.incidentKey,
    message_type: message.isDown ? 'CRITICAL' : 'RECOVERY',
    entity_display_name: headline(message),
    state_message: sentenceAndLink(message),
    monitoring_tool: siteName,
  }
}

function acknowledgement(alert: Alert, taken: Taken): object {
  return {
    entity_id: alert.message.incidentKey,
    message_type: 'ACKNOWLEDGEMENT',
    state_message: takenText(alert, taken, alert.now),
    monitoring_tool: alert.siteName,
  }
}
