/** What the kinds that go through Twilio share: the account they use, the phone they reach, the answer they get. */
import type { HttpAnswer } from '../domain/http-exchange.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import type { Instant } from '../domain/time.ts'
import { answeredObject, disableWhen } from './final-answer.ts'
import { statusFlags } from './status-flags.ts'
import { type Alert, operatorSetting, type Verdict } from './transport.ts'

export const Phone = Text({
  title: 'Phone number',
  description: 'In international form: +1234567890',
  pattern: '^\\+[0-9]{5,15}$',
})

/** A phone that may be told of one way only. */
export const PhoneSettings = Type.Object({ value: Phone, ...statusFlags })
export type PhoneSettings = Static<typeof PhoneSettings>

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
 * Where Twilio tells what became of the message; left out where it could not be reached, since Twilio refuses such a URL
 * together with the message (https://www.twilio.com/docs/api/errors/21609).
 */
function statusCallback({ links, delivery }: Alert): Record<string, string> {
  const { hostname } = new URL(links.siteRoot)
  const isName = hostname.includes('.') && !/^[\d.]+$/.test(hostname)
  return isName ? { StatusCallback: `${links.siteRoot}/api/v3/notifications/${delivery.id}/status` } : {}
}

/** The code that Twilio gives for a number that can never be reached. */
const INVALID_NUMBER = 21211

const judge = disableWhen((answer) => answeredObject(answer).code === INVALID_NUMBER)

export function judgeTwilio(answer: HttpAnswer, now: Instant): Verdict {
  const verdict = judge(answer, now)
  return verdict.kind === 'disable' ? { kind: 'disable', error: 'Invalid phone number' } : verdict
}
