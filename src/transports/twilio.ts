/** Common parts of the kinds that use Twilio: account, phone number and answers. */
import type { HttpAnswer } from '../domain/carrier/http-exchange.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import type { Instant } from '../lib/time.ts'
import { answeredObject, disableWhen } from './parts/final-answer.ts'
import { statusFlags, wantsByFlag } from './parts/status-flags.ts'
import { PHONE_SAMPLE } from './sample.ts'
import { type Alert, type Conclusion, type OperatorSetting, operatorSetting } from './transport.ts'

export const Phone = Text({
  title: 'Phone number',
  description: 'In international format: +1234567890',
  pattern: '^\\+[0-9]{5,15}$',
  means: 'a phone number such as +1234567890',
})

/** Schema for settings with a phone number that gets messages about one status or both. */
const PhoneSettings = Type.Object({ value: Phone, ...statusFlags })
export type PhoneSettings = Static<typeof PhoneSettings>

/** Operator settings: the account, which all kinds that use Twilio need, and the two possible senders. */
export const TWILIO_ACCOUNT: readonly OperatorSetting[] = [
  { name: 'TWILIO_ACCOUNT', example: 'AC…' },
  { name: 'TWILIO_AUTH', example: '0a1b…' },
]
export const TWILIO_FROM: OperatorSetting = { name: 'TWILIO_FROM', example: '+15550100' }
export const TWILIO_SERVICE: OperatorSetting = { name: 'TWILIO_MESSAGING_SERVICE_SID', example: 'MG…' }

/** @throws MissingSetting */
export function twilioRequest(alert: Alert, resource: 'Calls' | 'Messages', fields: Record<string, string>): Request {
  const account = operatorSetting(alert, 'TWILIO_ACCOUNT')
  const credentials = btoa(`${account}:${operatorSetting(alert, 'TWILIO_AUTH')}`)
  return new Request(`https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/${resource}.json`, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, ...statusCallback(alert) }).toString(),
    redirect: 'manual',
  })
}

/**
 * Returns the URL to which Twilio reports the outcome. Leaves out the URL if Twilio can't reach it, because Twilio would then reject the
 * whole message (https://www.twilio.com/docs/api/errors/21609).
 */
function statusCallback({ links, delivery }: Alert): Record<string, string> {
  const { hostname } = new URL(links.siteRoot)
  const isName = hostname.includes('.') && !/^[\d.]+$/.test(hostname)
  return isName ? { StatusCallback: `${links.siteRoot}/api/v3/notifications/${delivery.id}/status` } : {}
}

/** Twilio's error code for an invalid phone number. */
const INVALID_NUMBER = 21211

const judge = disableWhen((answer) => answeredObject(answer).code === INVALID_NUMBER)

export function judgeTwilio(answer: HttpAnswer, now: Instant): Conclusion {
  const conclusion = judge(answer, now)
  return conclusion.kind === 'disable' ? { kind: 'disable', error: 'Invalid phone number' } : conclusion
}

/** Common members of the kinds that send a message to a phone number about one status or both. */
export const twilioMessage = {
  carrier: 'http',
  settings: PhoneSettings,
  sample: PHONE_SAMPLE,
  wants: wantsByFlag,
  judge: judgeTwilio,
  hasStatusCallback: true,
} as const
