/** `sms`: a text message through Twilio. */

import { oneLine } from '../domain/text.ts'
import { wantsByFlag } from './status-flags.ts'
import { type Alert, defineTransport, operatorSetting } from './transport.ts'
import { judgeTwilio, PhoneSettings, twilioRequest } from './twilio.ts'

export const sms = defineTransport({
  kind: 'sms',
  carrier: 'http',
  settings: PhoneSettings,
  wants: wantsByFlag,
  render,
  judge: judgeTwilio,
  hasStatusCallback: true,
})

function render(alert: Alert, { value }: PhoneSettings): Request {
  // Twilio's check for fraud may hold back messages that look alike.
  return twilioRequest(alert, 'Messages', { To: value, Body: text(alert), RiskCheck: 'disable', ...sender(alert) })
}

function text({ siteName, message }: Alert): string {
  const { name, status, reason, downtime } = message
  const detail = reason ?? (downtime === null ? null : `downtime: ${downtime}`)
  return oneLine(`${siteName}: The check "${name}" is ${status}${detail === null ? '' : ` (${detail})`}.`)
}

/** A messaging service chooses among the numbers of the account, so it goes before a single number. */
function sender(alert: Alert): Record<string, string> {
  const service = alert.operator.TWILIO_MESSAGING_SERVICE_SID
  return service ? { MessagingServiceSid: service } : { From: operatorSetting(alert, 'TWILIO_FROM') }
}
