/** `ntfy`: a push message through ntfy.sh or the user's own ntfy server. */
import { digestOf, digestText } from '../domain/alert/digest.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { jsonRequest } from './parts/json-request.ts'
import { headline, linesWithin, TAKE_OR_MUTE } from './parts/plain-words.ts'
import {
  digestPriority,
  MARKDOWN_DIGEST,
  markdownLines,
  priorityAt,
  ServerUrl,
  TokenText,
  wantsByPriority,
} from './parts/push-server.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, type Alerts, defineTransport, judgeByStatus } from './transport.ts'

const Priority = (title: string) =>
  Type.Integer({
    title,
    description: 'From 1 (lowest) to 5 (highest); 0 sends nothing.',
    minimum: 0,
    maximum: 5,
    default: 3,
  })

const Settings = Type.Object({
  topic: Text({
    title: 'Topic',
    description:
      'Letters, digits, - and _. Anyone who knows the topic can read it, unless the server requires a token.',
    maxLength: 64,
    pattern: '^[-_A-Za-z0-9]+$',
    means: 'letters, digits, - and _',
  }),
  url: ServerUrl('https://ntfy.sh', { default: 'https://ntfy.sh' }),
  priority: Priority('Priority when a check goes down'),
  priority_up: Priority('Priority when a check recovers'),
  token: Type.Optional(
    Text({
      ...TokenText,
      title: 'Access token',
      description: 'Only for protected topics.',
      pattern: `^$|${TokenText.pattern}`,
    }),
  ),
})
type Settings = Static<typeof Settings>

export const ntfy = defineTransport({
  kind: 'ntfy',
  name: 'ntfy',
  mark: 'NT',
  about: 'push, also self-hosted',
  carrier: 'http',
  settings: Settings,
  reads: [{ name: 'NTFY_SH_TOKEN', example: 'tk_…', isOptional: true }],
  sample: sampleOf(
    {
      topic: sampleSecret('ntfytopic'),
      url: 'https://ntfy.example.org',
      priority: 3,
      priority_up: 3,
      token: sampleSecret('ntfy'),
    },
    { topic: 'two words', url: 'ntfy', priority: '9', priority_up: 'high', token: 'two words' },
  ),
  wants: wantsByPriority,
  render,
  digest,
  judge: judgeByStatus,
  rateLimitKey: ({ url, topic }) => `${new URL(url).href} ${topic}`,
})

/** Maximum size of a message in bytes. ntfy turns a longer message into an attachment and doesn't display it. */
const MESSAGE_BYTES = 4096

function render(alert: Alert, settings: Settings): Request {
  const { message, flip, siteName } = alert
  const actions = [
    ...(message.incidentLink === null ? [] : [view(TAKE_OR_MUTE, message.incidentLink)]),
    ...(message.link === null ? [] : [view(`View on ${siteName}`, message.link)]),
  ]
  const payload = {
    topic: settings.topic,
    priority: priorityAt(settings, flip),
    title: headline(message),
    message: linesWithin(markdownLines(message), MESSAGE_BYTES, Buffer.byteLength),
    markdown: true,
    tags: [message.isDown ? 'red_circle' : 'green_circle'],
    ...(actions.length === 0 ? {} : { actions }),
  }
  return publish(alert, settings, payload)
}

function digest(alerts: Alerts, settings: Settings): Request {
  const digested = digestOf(alerts)
  const { headline: title, reason: intro, isDown } = digested
  return publish(alerts[0], settings, {
    topic: settings.topic,
    priority: digestPriority(settings, digested),
    title,
    message: digestText(digested, { intro, limit: MESSAGE_BYTES, ...MARKDOWN_DIGEST, sizeOf: Buffer.byteLength }),
    markdown: true,
    tags: [isDown ? 'red_circle' : 'green_circle'],
  })
}

function publish(alert: Alert, settings: Settings, payload: object): Request {
  const token = settings.token || operatorToken(alert, settings.url)
  return jsonRequest(settings.url, payload, { headers: token ? { authorization: `Bearer ${token}` } : {} })
}

function view(label: string, url: string) {
  return { action: 'view', label, url }
}

/** Returns the operator's token only for ntfy.sh itself, because the owner of a similar-looking URL may collect tokens. */
function operatorToken({ operator }: Alert, url: string): string | undefined {
  return url === 'https://ntfy.sh' ? operator.NTFY_SH_TOKEN : undefined
}
