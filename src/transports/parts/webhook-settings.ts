/** Schema for a webhook's settings. */
import { HEADERS_LIMIT } from '../../domain/carrier/header-lines.ts'
import { Text, Type } from '../../domain/schema.ts'
import { type Sample, sampleSecret, sampleUrl } from '../sample.ts'
import { SigningSecret } from './signature.ts'

export const WebhookMethod = Type.Union([Type.Literal('GET'), Type.Literal('POST'), Type.Literal('PUT')], {
  title: 'Method',
  default: 'POST',
})
const WEBHOOK_TEXT_LIMIT = 1000
/** description of a valid URL */
const MEANS = 'a URL such as https://example.org/hook'
/** maximum length of a body or a header value */
export const WebhookText = { maxLength: WEBHOOK_TEXT_LIMIT } as const
export const WebhookUrlText = {
  maxLength: WEBHOOK_TEXT_LIMIT,
  pattern: '^https?://.',
  means: MEANS,
  isAddress: true,
} as const

const Method = (status: string) =>
  Type.Optional(Type.Union([...WebhookMethod.anyOf], { title: `Method when a check goes ${status}`, default: 'POST' }))
const StatusUrl = (status: string) =>
  Type.Optional(
    Text({
      ...WebhookUrlText,
      title: `URL when a check goes ${status}`,
      description: 'Default: url. An empty one sends nothing.',
      pattern: '^$|^https?://.',
    }),
  )
const Body = (status: string) =>
  Type.Optional(
    Text({
      ...WebhookText,
      title: `Body when a check goes ${status}`,
      description:
        'Sent with POST and PUT. Default: a JSON object that describes the alert. An empty one sends no body.',
    }),
  )
const StatusHeaders = (status: string) =>
  Type.Optional(
    Type.Record(Type.String(), Text(WebhookText), {
      title: `Headers when a check goes ${status}`,
      maxProperties: HEADERS_LIMIT,
      default: {},
    }),
  )

/** `url` is sufficient. Without it, `url_down` and `url_up` are required. */
export const WebhookSettings = Type.Object(
  {
    url: Type.Optional(
      Text({
        ...WebhookUrlText,
        title: 'URL',
        description: 'Receives a message when a check goes down and when it recovers.',
      }),
    ),
    method_down: Method('down'),
    url_down: StatusUrl('down'),
    body_down: Body('down'),
    headers_down: StatusHeaders('down'),
    method_up: Method('up'),
    url_up: StatusUrl('up'),
    body_up: Body('up'),
    headers_up: StatusHeaders('up'),
    secret: Type.Optional(SigningSecret),
  },
  // All fields are optional, so a misspelled field would otherwise have no effect.
  { additionalProperties: false },
)

const HEADER = `Bearer ${sampleSecret('header')}`
const URLS = { down: sampleUrl('webhook'), up: `${sampleUrl('webhook')}&up` }
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const WEBHOOK_SAMPLE: Sample = {
  typed: {
    send_down: 'on',
    method_down: 'PUT',
    url_down: URLS.down,
    headers_down: `Content-Type: text/plain\nAuthorization: ${HEADER}`,
    body_down: '$NAME is\n$STATUS',
    send_up: 'on',
    method_up: 'POST',
    url_up: URLS.up,
    bare_up: 'on',
    secret: SECRET,
  },
  settings: {
    method_down: 'PUT',
    url_down: URLS.down,
    headers_down: { 'Content-Type': 'text/plain', Authorization: HEADER },
    body_down: '$NAME is\n$STATUS',
    url_up: URLS.up,
    body_up: '',
    secret: SECRET,
  },
  mistyped: {
    url: 'example.org',
    url_down: 'ftp://example.org',
    headers_down: 'nonsense',
    url_up: 'no URL',
    headers_up: 'nonsense too',
    secret: 'whsec_short',
  },
}
