/**
 * `pd`: an incident through PagerDuty's generic events API. It is acknowledged when a member acknowledges the incident, and resolved when
 * the check recovers.
 */
import { takenText } from '../domain/alert/flip-sentence.ts'
import type { Notification } from '../domain/alert/notification.ts'
import type { Taken } from '../domain/incident/event.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine, printable, within } from '../lib/text/text.ts'
import { incidentDetails } from './parts/incident-details.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline } from './parts/plain-words.ts'
import { valueForm } from './parts/value-form.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const ServiceKey = Text({
  title: 'Integration key',
  description: 'From an Events API integration of your PagerDuty service.',
  maxLength: 32,
  pattern: '^[^\\s"]+$',
  means: 'a key without spaces',
  isSecret: true,
})

/** Schema for the settings. They are an object if PagerDuty provided the key together with the account. */
const Settings = Type.Union(
  [ServiceKey, Type.Object({ service_key: ServiceKey, account: Text({ title: 'Account' }) })],
  {
    title: 'Integration key',
    description: 'From an Events API integration of your PagerDuty service.',
  },
)
type Settings = Static<typeof Settings>

export const pd = defineTransport({
  kind: 'pd',
  name: 'PagerDuty',
  mark: 'PD',
  about: 'events',
  carrier: 'http',
  settings: Settings,
  form: valueForm<typeof Settings>(ServiceKey, keyOf),
  offSwitch: 'PD_ENABLED',
  sample: sampleOf(sampleSecret('pd'), { value: 'two words' }),
  wants: () => true,
  render,
  acknowledgements: { wants: () => true, render: acknowledge },
  judge: judgeByStatus,
})

const EVENTS = 'https://events.pagerduty.com/generic/2010-04-15/create_event.json'

/** Maximum length of a summary, beyond which the API rejects it. */
const SUMMARY_LIMIT = 1024
/** Maximum length of a description. It keeps an event far below the limit of 512 kB. */
const DESCRIPTION_LIMIT = 10_000

function keyOf(settings: Settings): string {
  return typeof settings === 'string' ? settings : settings.service_key
}

function render({ message, siteName }: Alert, settings: Settings): Request {
  return jsonRequest(EVENTS, {
    service_key: keyOf(settings),
    incident_key: message.incidentKey,
    event_type: message.isDown ? 'trigger' : 'resolve',
    description: within(`${headline(message)}. ${message.sentence}`, SUMMARY_LIMIT),
    client: siteName,
    ...(message.link === null ? {} : { client_url: message.link }),
    details: details(message),
  })
}

/** Acknowledges the incident. PagerDuty ignores the request if it has no open incident with this key. */
function acknowledge(alert: Alert, taken: Taken, settings: Settings): Request {
  return jsonRequest(EVENTS, {
    service_key: keyOf(settings),
    incident_key: alert.message.incidentKey,
    event_type: 'acknowledge',
    description: within(takenText(alert, taken, alert.now), SUMMARY_LIMIT),
  })
}

/** Lists details together with the description, which often contains the runbook. */
function details(message: Notification): Record<string, string> {
  const text = within(printable(message.description).trim(), DESCRIPTION_LIMIT)
  const tags = message.tags.map(oneLine).join(', ')
  return {
    ...incidentDetails(message),
    ...(text ? { Description: text } : {}),
    ...(tags ? { Tags: tags } : {}),
  }
}
