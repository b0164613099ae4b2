/** `sms`: a text message through Twilio. */

import { oneLine } from '../lib/text.ts'
import { wantsByFlag } from './parts/status-flags.ts'
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
  // Twilio's fraud check may hold back similar messages.
  return twilioRequest(alert, 'Messages', { To: value, Body: text(alert), RiskCheck: 'disable', ...sender(alert) })
}

function text({ siteName, message }: Alert): string {
  const { name, status, reason, downtime } = message
  const detail = reason ?? (downtime === null ? null : `downtime: ${downtime}`)
  return oneLine(`${siteName}: The check "${name}" is ${status}${detail === null ? '' : ` (${detail})`}.`)
}

/** A messaging service picks one of the account's numbers, so it takes precedence over a single number. */
function sender(alert: Alert): Record<string, string> {
  const service = alert.operator.TWILIO_MESSAGING_SERVICE_SID
  return service ? { MessagingServiceSid: service } : { From: operatorSetting(alert, 'TWILIO_FROM') }
}
