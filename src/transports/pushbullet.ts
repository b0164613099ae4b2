/** `pushbullet`: a note to all devices of a user through Pushbullet. */
import { type Static, Text } from '../domain/schema.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const Settings = Text({
  title: 'Access token',
  description: 'Create one in Pushbullet under Settings, Account.',
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  means: 'a token: it has letters, digits and marks, and no spaces',
  isSecret: true,
})

export const pushbullet = defineTransport({
  kind: 'pushbullet',
  name: 'Pushbullet',
  mark: 'PB',
  about: 'push',
  carrier: 'http',
  settings: Settings,
  sample: sampleOf(sampleSecret('pushbullet'), { value: 'two words' }),
  wants: () => true,
  render,
  judge: judgeByStatus,
})

function render({ message, siteName }: Alert, token: Static<typeof Settings>): Request {
  const note = { type: 'note', title: siteName, body: `${headline(message)}. ${sentenceAndLink(message)}` }
  return jsonRequest('https://api.pushbullet.com/v2/pushes', note, { headers: { 'access-token': token } })
}
