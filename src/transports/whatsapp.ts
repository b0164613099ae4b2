/** `whatsapp`: a WhatsApp message through Twilio; its words are a template that WhatsApp has approved for the operator. */
import { oneLine } from '../domain/text.ts'
import { wantsByFlag } from './status-flags.ts'
import { type Alert, defineTransport, operatorSetting } from './transport.ts'
import { judgeTwilio, PhoneSettings, twilioRequest } from './twilio.ts'

export const whatsapp = defineTransport({
  kind: 'whatsapp',
  carrier: 'http',
  settings: PhoneSettings,
  wants: wantsByFlag,
  render,
  judge: judgeTwilio,
  hasStatusCallback: true,
})

function render(alert: Alert, { value }: PhoneSettings): Request {
  const { isDown, name } = alert.message
  return twilioRequest(alert, 'Messages', {
    To: `whatsapp:${value}`,
    From: `whatsapp:${operatorSetting(alert, 'TWILIO_FROM')}`,
    MessagingServiceSid: operatorSetting(alert, 'TWILIO_MESSAGING_SERVICE_SID'),
    ContentSid: operatorSetting(alert, isDown ? 'WHATSAPP_DOWN_CONTENT_SID' : 'WHATSAPP_UP_CONTENT_SID'),
    // WhatsApp refuses a variable with a line end or a tab in it.
    ContentVariables: JSON.stringify({ 1: oneLine(name) }),
  })
}
