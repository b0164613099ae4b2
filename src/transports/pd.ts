/** `pd`: an incident through the generic events API of PagerDuty, resolved when the check comes up. */
import type { Notification } from '../domain/notification.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine } from '../domain/text.ts'
import { incidentDetails } from './incident-details.ts'
import { jsonRequest } from './json-request.ts'
import { circumstance, headline } from './plain-words.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const ServiceKey = Text({
  title: 'Integration key',
  description: 'Of an Events API integration of your PagerDuty service.',
  maxLength: 32,
  pattern: '^[^\\s"]+$',
})

/** An object where PagerDuty itself handed over the key and named the account. */
const Settings = Type.Union(
  [ServiceKey, Type.Object({ service_key: ServiceKey, account: Text({ title: 'Account' }) })],
  {
    title: 'Integration key',
    description: 'Of an Events API integration of your PagerDuty service.',
  },
)
type Settings = Static<typeof Settings>

export const pd = defineTransport({
  kind: 'pd',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: judgeByStatus,
})

function render({ check, message, links, siteName }: Alert, settings: Settings): Request {
  return jsonRequest('https://events.pagerduty.com/generic/2010-04-15/create_event.json', {
    service_key: typeof settings === 'string' ? settings : settings.service_key,
    incident_key: message.incidentKey,
    event_type: message.isDown ? 'trigger' : 'resolve',
    description: description(message),
    client: siteName,
    client_url: `${links.siteRoot}/checks/${check.id}/details/`,
    details: incidentDetails(message),
  })
}

function description(message: Notification): string {
  if (message.isDown) return `${headline(message)}${circumstance(message)}`
  return `${oneLine(message.name)} received a ping and is now UP`
}
