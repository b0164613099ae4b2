/** `pushbullet`: a note to all of a user's devices through Pushbullet. */
import { digestIntro, digestOf, digestText, plainCheck } from '../domain/alert/digest.ts'
import { type Static, Text } from '../domain/schema.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline, sentenceAndLink } from './parts/plain-words.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alerts, defineTransport, judgeByStatus } from './transport.ts'

const Settings = Text({
  title: 'Access token',
  description: 'Create one in Pushbullet under Settings, Account.',
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  means: 'a token, which contains letters, digits and punctuation, but no spaces',
  isSecret: true,
})
type Settings = Static<typeof Settings>

export const pushbullet = defineTransport({
  kind: 'pushbullet',
  name: 'Pushbullet',
  mark: 'PB',
  about: 'push',
  carrier: 'http',
  settings: Settings,
  sample: sampleOf(sampleSecret('pushbullet'), { value: 'two words' }),
  wants: () => true,
  render: ({ message, siteName }, token) => push(siteName, `${headline(message)}. ${sentenceAndLink(message)}`, token),
  digest,
  judge: judgeByStatus,
})

/** Maximum length of a digest in UTF-16 units. Notes are read on phones. */
const DIGEST_LIMIT = 4000

function digest(alerts: Alerts, token: Settings): Request {
  const digested = digestOf(alerts)
  const body = digestText(digested, { intro: digestIntro(digested), limit: DIGEST_LIMIT, write: plainCheck })
  return push(alerts[0].siteName, body, token)
}

function push(title: string, body: string, token: Settings): Request {
  const note = { type: 'note', title, body }
  return jsonRequest('https://api.pushbullet.com/v2/pushes', note, { headers: { 'access-token': token } })
}
