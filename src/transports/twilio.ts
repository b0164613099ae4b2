/** What the kinds that go through Twilio share: the account they use, the phone they reach, the answer they get. */
import type { HttpAnswer } from '../domain/http-exchange.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import type { Instant } from '../domain/time.ts'
import { answeredObject, disableWhen } from './final-answer.ts'
import { type Alert, operatorSetting, type Transport, type Verdict } from './transport.ts'

export const Phone = Text({
  title: 'Phone number',
  description: 'In international form: +1234567890',
  pattern: '^\\+[0-9]{5,15}$',
})

/** A phone that may be told of one way only. */
export const PhoneSettings = Type.Object({
  value: Phone,
  down: Type.Boolean({ title: 'When a check goes down' }),
  up: Type.Boolean({ title: 'When a check comes up again' }),
})
export type PhoneSettings = Static<typeof PhoneSettings>

export const wantsByFlag: Transport<'http', typeof PhoneSettings>['wants'] = ({ down, up }, { newStatus }) =>
  newStatus === 'down' ? down : up

/** @throws MissingSetting */
export function twilioRequest(alert: Alert, resource: 'Calls' | 'Messages', fields: Record<string, string>): Request {
  const account = operatorSetting(alert, 'TWILIO_ACCOUNT')
  const credentials = btoa(`${account}:${operatorSetting(alert, 'TWILIO_AUTH')}`)
  return new Request(`https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/${resource}.json`, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  })
}

/** The code that Twilio gives for a number that can never be reached. */
const INVALID_NUMBER = 21211

const judge = disableWhen((answer) => answeredObject(answer).code === INVALID_NUMBER)

export function judgeTwilio(answer: HttpAnswer, now: Instant): Verdict {
  const verdict = judge(answer, now)
  return verdict.kind === 'disable' ? { kind: 'disable', error: 'Invalid phone number' } : verdict
}
