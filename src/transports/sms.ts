/** `sms`: a text message through Twilio. */

import { flipSentenceText, withoutBody } from '../domain/alert/flip-sentence.ts'
import { oneLine } from '../lib/text/text.ts'
import { headline } from './parts/plain-words.ts'
import { type Alert, defineTransport, operatorSetting } from './transport.ts'
import {
  type PhoneSettings,
  TWILIO_ACCOUNT,
  TWILIO_FROM,
  TWILIO_SERVICE,
  twilioMessage,
  twilioRequest,
} from './twilio.ts'

export const sms = defineTransport({
  kind: 'sms',
  name: 'Text message',
  mark: 'TX',
  about: 'SMS by Twilio',
  ...twilioMessage,
  reads: [...TWILIO_ACCOUNT, { ...TWILIO_FROM, or: TWILIO_SERVICE.name }, { ...TWILIO_SERVICE, isOptional: true }],
  render,
})

function render(alert: Alert, { value }: PhoneSettings): Request {
  // Twilio's fraud check may hold back similar messages.
  return twilioRequest(alert, 'Messages', { To: value, Body: text(alert), RiskCheck: 'disable', ...sender(alert) })
}

/**
 * Returns the text without job output. The quotation marks around job output alone would halve the number of characters per message part,
 * and each part costs money.
 */
function text(alert: Alert): string {
  const { siteName, message, now } = alert
  const why = flipSentenceText(withoutBody(alert), now)
  const words = oneLine(`${siteName}: ${headline(message)}. ${why}`)
  return message.link === null ? words : `${words}\n${message.link}`
}

/** A messaging service picks one of the account's numbers, so it takes precedence over a fixed number. */
function sender(alert: Alert): Record<string, string> {
  const service = alert.operator.TWILIO_MESSAGING_SERVICE_SID
  return service ? { MessagingServiceSid: service } : { From: operatorSetting(alert, 'TWILIO_FROM') }
}
