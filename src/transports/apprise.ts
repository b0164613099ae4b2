/** `apprise`: a message to any service that Apprise supports, through the operator's Apprise API server. */

import { digestOf, digestText, plainCheck } from '../domain/alert/digest.ts'
import type { HttpAnswer } from '../domain/carrier/http-exchange.ts'
import { type Static, Text } from '../domain/schema.ts'
import type { Instant } from '../lib/time.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, type Conclusion, defineTransport, judgeByStatus, operatorSetting } from './transport.ts'

const Settings = Text({
  title: 'Apprise URL',
  description: "The URL from Apprise's documentation of the service, for example discord://webhook_id/webhook_token",
  maxLength: 512,
  pattern: '^[A-Za-z][A-Za-z0-9+.-]*://\\S+$',
  means: 'a URL such as discord://webhook_id/webhook_token',
  isSecret: true,
})

export const apprise = defineTransport({
  kind: 'apprise',
  name: 'Apprise',
  mark: 'AP',
  about: 'over a hundred services',
  carrier: 'http',
  settings: Settings,
  reads: [{ name: 'APPRISE_URL', example: 'https://apprise.example.org/notify', type: 'url' }],
  sample: sampleOf(`discord://${sampleSecret('apprise')}/x`, { value: 'no URL' }),
  wants: () => true,
  render: (alert, urls) => {
    const { message } = alert
    return notify(alert, urls, { title: headline(message), body: sentenceAndLink(message), isDown: message.isDown })
  },
  digest: (alerts, urls) => {
    const digest = digestOf(alerts)
    const { headline: title, reason: intro, isDown } = digest
    return notify(alerts[0], urls, {
      title,
      body: digestText(digest, { intro, limit: DIGEST_LIMIT, write: plainCheck }),
      isDown,
    })
  },
  judge,
})

/** Maximum length of a message, in UTF-16 units, that many services accept. */
const DIGEST_LIMIT = 2000

interface Words {
  readonly title: string
  readonly body: string
  readonly isDown: boolean
}

function notify(alert: Alert, urls: Static<typeof Settings>, { title, body, isDown }: Words): Request {
  const server = operatorSetting(alert, 'APPRISE_URL').replace(/\/+$/, '')
  return jsonRequest(`${server}/notify`, { urls, title, body, type: isDown ? 'failure' : 'success' })
}

/**
 * Status with which the server says that it knows no service for the URL. Other receivers use 204 for success, but here nothing was sent.
 */
const NO_SERVICE = 204
/** Status with which the server says that the service did not accept the message. */
const NOT_DELIVERED = 424

function judge(answer: HttpAnswer, now: Instant): Conclusion {
  if (answer.kind === 'answered' && answer.status === NO_SERVICE) return { kind: 'fail', error: 'Failed' }
  const conclusion = judgeByStatus(answer, now)
  const isUndelivered = answer.kind === 'answered' && answer.status === NOT_DELIVERED
  return isUndelivered && conclusion.kind === 'retry' ? { ...conclusion, error: 'Failed' } : conclusion
}
