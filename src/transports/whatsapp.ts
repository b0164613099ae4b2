/** `whatsapp`: a WhatsApp message through Twilio, based on a template that WhatsApp has approved for the operator. */
import { oneLine } from '../lib/text/text.ts'
import { type Alert, defineTransport, operatorSetting } from './transport.ts'
import {
  type PhoneSettings,
  TWILIO_ACCOUNT,
  TWILIO_FROM,
  TWILIO_SERVICE,
  twilioMessage,
  twilioRequest,
} from './twilio.ts'

export const whatsapp = defineTransport({
  kind: 'whatsapp',
  name: 'WhatsApp',
  mark: 'WA',
  about: 'by Twilio',
  ...twilioMessage,
  reads: [
    ...[...TWILIO_ACCOUNT, TWILIO_FROM, TWILIO_SERVICE],
    { name: 'WHATSAPP_DOWN_CONTENT_SID', example: 'HX…' },
    { name: 'WHATSAPP_UP_CONTENT_SID', example: 'HX…' },
  ],
  render,
})

function render(alert: Alert, { value }: PhoneSettings): Request {
  const { isDown, name } = alert.message
  return twilioRequest(alert, 'Messages', {
    To: `whatsapp:${value}`,
    From: `whatsapp:${operatorSetting(alert, 'TWILIO_FROM')}`,
    MessagingServiceSid: operatorSetting(alert, 'TWILIO_MESSAGING_SERVICE_SID'),
    ContentSid: operatorSetting(alert, isDown ? 'WHATSAPP_DOWN_CONTENT_SID' : 'WHATSAPP_UP_CONTENT_SID'),
    // WhatsApp rejects variables that contain line breaks or tabs.
    ContentVariables: JSON.stringify({ 1: oneLine(name) }),
  })
}
