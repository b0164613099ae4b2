/** `opsgenie`: an alert through Opsgenie's Alert API, closed when the check recovers. */

import type { Notification } from '../domain/alert/notification.ts'
import type { HttpAnswer } from '../domain/carrier/http-exchange.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine, printable, within } from '../lib/text/text.ts'
import type { Instant } from '../lib/time.ts'
import { answeredObject, withMessage } from './parts/final-answer.ts'
import { incidentDetails } from './parts/incident-details.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline } from './parts/plain-words.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, defineTransport, judgeByStatus, type Verdict } from './transport.ts'

const Settings = Type.Object({
  key: Text({
    title: 'API key',
    description: 'From an API integration of your Opsgenie team.',
    maxLength: 200,
    pattern: '^[\\x21-\\x7e]+$',
    means: 'a key: it has letters, digits and marks, and no spaces',
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
  judge,
})

/** The API rejects alerts with more or longer tags, or a longer message. */
const TAG_COUNT = 20
const TAG_LENGTH = 50
const MESSAGE_LENGTH = 130
const DESCRIPTION_LENGTH = 15_000

function render({ message, siteName }: Alert, { key, region }: Settings): Request {
  const alerts = `https://${region === 'eu' ? 'api.eu' : 'api'}.opsgenie.com/v2/alerts`
  const url = message.isDown ? alerts : `${alerts}/${message.incidentKey}/close?identifierType=alias`
  const identity = { alias: message.incidentKey, source: siteName }
  const story = {
    tags: message.tags.slice(0, TAG_COUNT).map((tag) => within(oneLine(tag), TAG_LENGTH)),
    message: within(headline(message), MESSAGE_LENGTH),
    description: description(message),
    details: { ...incidentDetails(message), ...(message.link === null ? {} : { 'Full details': message.link }) },
  }
  return jsonRequest(url, message.isDown ? { ...identity, ...story } : identity, {
    headers: { authorization: `GenieKey ${key}` },
  })
}

/** What happened and the check's description, which often has the runbook. */
function description(message: Notification): string {
  return within(`${message.sentence}\n\n${printable(message.description)}`.trim(), DESCRIPTION_LENGTH)
}

function judge(answer: HttpAnswer, now: Instant): Verdict {
  const verdict = judgeByStatus(answer, now)
  if (verdict.kind === 'sent' || answer.kind !== 'answered') return verdict
  const { message } = answeredObject(answer)
  return { ...verdict, error: withMessage(verdict.error, message) }
}
