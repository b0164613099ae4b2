/**
 * `opsgenie`: an alert through Opsgenie's Alert API. It is acknowledged when a member acknowledges the incident, and closed when the check
 * recovers.
 */

import { takenText } from '../domain/alert/flip-sentence.ts'
import type { Notification } from '../domain/alert/notification.ts'
import type { HttpAnswer } from '../domain/carrier/http-exchange.ts'
import type { Taken } from '../domain/incident/event.ts'
import { byName } from '../domain/incident/words.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine, printable, within } from '../lib/text/text.ts'
import type { Instant } from '../lib/time.ts'
import { answeredObject, withMessage } from './parts/final-answer.ts'
import { incidentDetails } from './parts/incident-details.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline } from './parts/plain-words.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, type Conclusion, defineTransport, judgeByStatus } from './transport.ts'

const Settings = Type.Object({
  key: Text({
    title: 'API key',
    description: 'From an API integration of your Opsgenie team.',
    maxLength: 200,
    pattern: '^[\\x21-\\x7e]+$',
    means: 'a key, which contains letters, digits and punctuation, but no spaces',
    isSecret: true,
  }),
  region: Type.Union([Type.Literal('us', { title: 'US' }), Type.Literal('eu', { title: 'EU' })], {
    title: 'Region',
    description: 'Region of your Opsgenie account: us or eu.',
  }),
})
type Settings = Static<typeof Settings>

export const opsgenie = defineTransport({
  kind: 'opsgenie',
  name: 'Opsgenie',
  mark: 'OG',
  about: 'alerts',
  carrier: 'http',
  settings: Settings,
  offSwitch: 'OPSGENIE_ENABLED',
  sample: sampleOf({ key: sampleSecret('opsgenie'), region: 'eu' }, { key: 'two words' }),
  wants: () => true,
  render,
  acknowledgements: { wants: () => true, render: acknowledge },
  judge,
})

/** The API rejects an alert if it has more tags, longer tags or a longer message. */
const TAG_COUNT = 20
const TAG_LENGTH = 50
const MESSAGE_LENGTH = 130
const DESCRIPTION_LENGTH = 15_000
const USER_LENGTH = 100

function render({ message, siteName }: Alert, settings: Settings): Request {
  const alerts = alertsUrl(settings)
  const url = message.isDown ? alerts : `${alerts}/${message.incidentKey}/close?identifierType=alias`
  const identity = { alias: message.incidentKey, source: siteName }
  const story = {
    tags: message.tags.slice(0, TAG_COUNT).map((tag) => within(oneLine(tag), TAG_LENGTH)),
    message: within(headline(message), MESSAGE_LENGTH),
    description: description(message),
    details: { ...incidentDetails(message), ...(message.link === null ? {} : { 'Full details': message.link }) },
  }
  return jsonRequest(url, message.isDown ? { ...identity, ...story } : identity, authorized(settings))
}

function acknowledge(alert: Alert, taken: Taken, settings: Settings): Request {
  const { message, siteName, now } = alert
  const url = `${alertsUrl(settings)}/${message.incidentKey}/acknowledge?identifierType=alias`
  const user = within(oneLine(byName(taken.by)), USER_LENGTH)
  return jsonRequest(url, { source: siteName, user, note: takenText(alert, taken, now) }, authorized(settings))
}

function alertsUrl({ region }: Settings): string {
  return `https://${region === 'eu' ? 'api.eu' : 'api'}.opsgenie.com/v2/alerts`
}

function authorized({ key }: Settings) {
  return { headers: { authorization: `GenieKey ${key}` } }
}

/** Returns the sentence about the flip and the check's description, which often contains the runbook. */
function description(message: Notification): string {
  return within(`${message.sentence}\n\n${printable(message.description)}`.trim(), DESCRIPTION_LENGTH)
}

function judge(answer: HttpAnswer, now: Instant): Conclusion {
  const conclusion = judgeByStatus(answer, now)
  if (conclusion.kind === 'sent' || answer.kind !== 'answered') return conclusion
  const { message } = answeredObject(answer)
  return { ...conclusion, error: withMessage(conclusion.error, message) }
}
