/** `webhook`: any URL, with a method, body and headers of the user's own, for each status (behaviour of the peer, 5.3). */
import { encodeStrictly } from '../domain/badge.ts'
import { representCheck } from '../domain/representation.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { splitTags } from '../domain/tags.ts'
import { isoSeconds } from '../domain/time.ts'
import { fill } from './placeholders.ts'
import { SigningSecret, signatureHeaders } from './signature.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const Method = Type.Union([Type.Literal('GET'), Type.Literal('POST'), Type.Literal('PUT')])
const Url = Text({ maxLength: 1000, pattern: '^$|^https?://.', description: 'Empty: nothing is sent.' })
const Body = Text({ maxLength: 1000, description: 'Sent with POST and PUT.' })
const Headers_ = Type.Record(Type.String(), Text({ maxLength: 1000 }))

const Settings = Type.Object({
  method_down: Method,
  url_down: Url,
  body_down: Body,
  headers_down: Headers_,
  method_up: Method,
  url_up: Url,
  body_up: Body,
  headers_up: Headers_,
  secret: Type.Optional(SigningSecret),
})
type Settings = Static<typeof Settings>

export const webhook = defineTransport({
  kind: 'webhook',
  carrier: 'http',
  settings: Settings,
  wants: (settings, flip) => template(settings, flip.newStatus === 'down').url !== '',
  render,
  judge: judgeByStatus,
})

function template(settings: Settings, isDown: boolean) {
  return isDown
    ? { method: settings.method_down, url: settings.url_down, body: settings.body_down, headers: settings.headers_down }
    : { method: settings.method_up, url: settings.url_up, body: settings.body_up, headers: settings.headers_up }
}

function render(alert: Alert, settings: Settings): Request {
  const { method, url, body, headers } = template(settings, alert.flip.newStatus === 'down')
  const values = placeholders(alert)
  const filled = new Headers()
  for (const [name, value] of Object.entries(headers)) filled.set(name, latin1(fill(value, values, (v) => v.inHeader)))
  // Bytes, because a string body would bring a Content-Type that nobody asked for.
  const bytes = method === 'GET' || body === '' ? null : new TextEncoder().encode(fillBody(body, values, alert))
  if (settings.secret !== undefined) sign(filled, settings.secret, alert, bytes ?? new Uint8Array())
  return new Request(
    fill(url, values, (v) => v.inUrl),
    { method, headers: filled, body: bytes, redirect: 'manual' },
  )
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
