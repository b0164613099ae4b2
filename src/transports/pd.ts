/** `pd`: an incident through the generic events API of PagerDuty, resolved when the check comes up. */
import type { Notification } from '../domain/notification.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine, printable, within } from '../domain/text.ts'
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

/** An event stays far below the 512 kB that it may have. */
const DESCRIPTION_LIMIT = 10_000

function render({ message, siteName }: Alert, settings: Settings): Request {
  return jsonRequest('https://events.pagerduty.com/generic/2010-04-15/create_event.json', {
    service_key: typeof settings === 'string' ? settings : settings.service_key,
    incident_key: message.incidentKey,
    event_type: message.isDown ? 'trigger' : 'resolve',
    description: description(message),
    client: siteName,
    ...(message.link === null ? {} : { client_url: message.link }),
    details: details(message),
  })
}

function description(message: Notification): string {
  if (message.isDown) return `${headline(message)}${circumstance(message)}`
  return `${oneLine(message.name)} received a ping and is now UP`
}

/** With the description, which is often where to find the runbook. */
function details(message: Notification): Record<string, string> {
  const text = within(printable(message.description).trim(), DESCRIPTION_LIMIT)
  const tags = message.tags.map(oneLine).join(', ')
  return {
    ...incidentDetails(message),
    ...(text ? { Description: text } : {}),
    ...(tags ? { Tags: tags } : {}),
  }
}
