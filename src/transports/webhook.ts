/** `webhook`: any URL; a JSON message, or a method, body and headers of the user's own, for each status. */
import { encodeStrictly } from '../domain/badge.ts'
import { representCheck } from '../domain/representation.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { splitTags } from '../domain/tags.ts'
import { isoSeconds } from '../domain/time.ts'
import { fill } from './placeholders.ts'
import { SigningSecret, signatureHeaders } from './signature.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'
import { webhookMessage } from './webhook-message.ts'

const Method = (status: string) =>
  Type.Optional(
    Type.Union([Type.Literal('GET'), Type.Literal('POST'), Type.Literal('PUT')], {
      title: `Method when a check goes ${status}`,
      default: 'POST',
    }),
  )
const Url = (title: string, description: string, pattern: string) =>
  Type.Optional(Text({ title, description, maxLength: 1000, pattern }))
const StatusUrl = (status: string) =>
  Url(`URL when a check goes ${status}`, 'Left out: url. Empty: nothing is sent.', '^$|^https?://.')
const Body = (status: string) =>
  Type.Optional(
    Text({
      title: `Body when a check goes ${status}`,
      description: 'Sent with POST and PUT. Left out: a JSON object that describes the alert. Empty: no body.',
      maxLength: 1000,
    }),
  )
const Headers_ = (status: string) =>
  Type.Optional(
    Type.Record(Type.String(), Text({ maxLength: 1000 }), {
      title: `Headers when a check goes ${status}`,
      default: {},
    }),
  )

/** `url` alone is enough; without it, the addresses of both statuses are there. */
const Settings = Type.Object(
  {
    url: Url('URL', 'Where messages go when a check goes down and when it comes up again.', '^https?://.'),
    method_down: Method('down'),
    url_down: StatusUrl('down'),
    body_down: Body('down'),
    headers_down: Headers_('down'),
    method_up: Method('up'),
    url_up: StatusUrl('up'),
    body_up: Body('up'),
    headers_up: Headers_('up'),
    secret: Type.Optional(SigningSecret),
  },
  // Every field may be left out, so one that is misspelt would change nothing and say nothing.
  { additionalProperties: false },
)
type Settings = Static<typeof Settings>

export const webhook = defineTransport({
  kind: 'webhook',
  carrier: 'http',
  settings: Settings,
  needs:
    'a webhook needs {"url": "https://…"} and sends JSON there; url_down, method_down, body_down, headers_down and the same for up change what is sent, secret signs it',
  wants: (settings, flip) => template(settings, flip.newStatus === 'down').url !== '',
  render,
  judge: judgeByStatus,
})

interface Template {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** empty: nothing is sent; null: the settings lack it */
  readonly url: string | null
  /** null: {@link webhookMessage} */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

function template(settings: Settings, isDown: boolean): Template {
  const suffix = isDown ? 'down' : 'up'
  return {
    method: settings[`method_${suffix}`] ?? 'POST',
    url: settings[`url_${suffix}`] ?? settings.url ?? null,
    body: settings[`body_${suffix}`] ?? null,
    headers: settings[`headers_${suffix}`] ?? {},
  }
}

/** @throws Error for settings without a URL, or with a URL or a header that no request can have */
function render(alert: Alert, settings: Settings): Request {
  const isDown = alert.flip.newStatus === 'down'
  const { method, url, body, headers } = template(settings, isDown)
  if (url === null) throw new Error(`url is missing, or url_${isDown ? 'down' : 'up'}`)
  const values = placeholders(alert)
  const filled = new Headers()
  for (const [name, value] of Object.entries(headers)) filled.set(name, latin1(fill(value, values, (v) => v.inHeader)))
  // Bytes, because a string body would bring a Content-Type that nobody asked for.
  const bytes = method === 'GET' || body === '' ? null : new TextEncoder().encode(bodyOf(alert, body, values))
  if (bytes && body === null && !filled.has('content-type')) filled.set('content-type', 'application/json')
  if (settings.secret !== undefined) sign(filled, settings.secret, alert, bytes ?? new Uint8Array())
  return new Request(
    fill(url, values, (v) => v.inUrl),
    { method, headers: filled, body: bytes, redirect: 'manual' },
  )
}

function bodyOf(alert: Alert, body: Template['body'], values: readonly Placeholder[]): string {
  return body === null ? JSON.stringify(webhookMessage(alert)) : fillBody(body, values, alert)
}

/** Last, so that no header of the user's own can pass for ours. */
function sign(headers: Headers, secret: string, { delivery, now }: Alert, body: Uint8Array): void {
  const signed = signatureHeaders(secret, { id: delivery.id, at: now, body })
  for (const [name, value] of Object.entries(signed)) headers.set(name, value)
}

interface Placeholder {
  readonly name: string
  readonly text: string
  /** percent-encoded where the text could break out of its place in a URL */
  readonly inUrl: string
  /** with the escapes of JSON where it is JSON, so that it is still JSON without the characters a header cannot hold */
  readonly inHeader: string
}

/** In the order in which they are tried at each `$`: `$NAME_JSON` before `$NAME`, `$TAG1` before `$TAG10`. */
function placeholders(alert: Alert): Placeholder[] {
  const { check, channelIds, flip, lastPing, links, now } = alert
  const encoded = (name: string, text: string) => ({ name, text, inUrl: encodeForUrl(text), inHeader: text })
  const raw = (name: string, text: string) => ({ name, text, inUrl: text, inHeader: text })
  const json = (name: string, value: unknown) => {
    const text = JSON.stringify(value)
    return { name, text, inUrl: encodeForUrl(text), inHeader: asciiJson(text) }
  }
  const view = { version: 3, access: 'read-write', links, now } as const
  return [
    raw('$CODE', check.id),
    raw('$STATUS', flip.newStatus),
    encoded('$NOW', isoSeconds(flip.createdAt)),
    json('$NAME_JSON', check.name),
    encoded('$NAME', check.name),
    raw('$SLUG', check.slug),
    encoded('$TAGS', check.tags),
    json('$JSON', representCheck({ check, channelIds }, view)),
    raw('$EXITSTATUS', String(lastPing?.exitStatus ?? -1)),
    ...splitTags(check.tags).map((tag, index) => encoded(`$TAG${index + 1}`, tag)),
  ]
}

/** `$BODY` and `$BODY_JSON` work in bodies only: what a job prints has no place in a URL or a header. A long one is cut. */
function fillBody(body: string, values: readonly Placeholder[], { lastPing }: Alert): string {
  const text = lastPing?.body ? decodeStart(lastPing.body, lastPing.bodySize) : ''
  const bodyValues = [
    { name: '$BODY_JSON', text: JSON.stringify(text), inUrl: '', inHeader: '' },
    { name: '$BODY', text, inUrl: '', inHeader: '' },
  ]
  const exitStatus = values.findIndex(({ name }) => name === '$EXITSTATUS')
  return fill(body, values.toSpliced(exitStatus, 0, ...bodyValues), (value) => value.text)
}

/** A character that the cut has halved is left out. */
function decodeStart(start: Uint8Array, size: number): string {
  return new TextDecoder().decode(start, { stream: start.length < size })
}

/** Everything but letters, digits and `_ . - ~ /`. */
function encodeForUrl(text: string): string {
  return encodeStrictly(text.toWellFormed()).replaceAll('%2F', '/')
}

/** The same JSON in ASCII alone (RFC 8259, 7). */
function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Header values hold Latin-1; other characters become references, line ends blanks, so that none starts a new header. */
function latin1(text: string): string {
  let value = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code > 0xff) value += `&#${code};`
    else value += code < 0x20 || code === 0x7f ? ' ' : character
  }
  return value.trim()
}
