/** `call`: a phone call through Twilio, which says that a check is down. */
import { flipSentenceText, withoutBody } from '../domain/alert/flip-sentence.ts'
import { type Static, Type } from '../domain/schema.ts'
import { escapeMarkup, oneLine } from '../lib/text/text.ts'
import { wantsOnlyDown } from './parts/status-flags.ts'
import { SAMPLE_PHONE, sampleOf } from './sample.ts'
import { type Alert, defineTransport, operatorSetting } from './transport.ts'
import { judgeTwilio, Phone, TWILIO_ACCOUNT, TWILIO_FROM, twilioRequest } from './twilio.ts'

const Settings = Type.Object({ value: Phone })

export const call = defineTransport({
  kind: 'call',
  name: 'Phone call',
  mark: 'TE',
  about: 'by Twilio',
  carrier: 'http',
  settings: Settings,
  reads: [...TWILIO_ACCOUNT, TWILIO_FROM],
  sample: sampleOf({ value: SAMPLE_PHONE }, { value: '+371' }),
  wants: wantsOnlyDown,
  render,
  judge: judgeTwilio,
  hasStatusCallback: true,
})

function render(alert: Alert, { value }: Static<typeof Settings>): Request {
  // Leaves out the job's output, which is not meant to be read aloud.
  const why = flipSentenceText(withoutBody(alert), alert.now)
  const words = `Hello! A message from ${alert.siteName}: The check "${alert.message.name}" is down. ${why}`
  return twilioRequest(alert, 'Calls', {
    From: operatorSetting(alert, 'TWILIO_FROM'),
    To: value,
    Twiml: `<Response><Say>${escapeMarkup(oneLine(words))}</Say></Response>`,
  })
}
