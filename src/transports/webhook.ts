/** `webhook`: a JSON message to any URL, or a method, body and headers that users choose for each status. */

import { flipAdviceText, flipSentenceText, withoutBody } from '../domain/alert/flip-sentence.ts'
import type { Notification } from '../domain/alert/notification.ts'
import { encodeStrictly } from '../domain/badge-urls.ts'
import { downtimeBefore } from '../domain/check/flip.ts'
import { representCheck } from '../domain/check/representation.ts'
import { splitTags } from '../domain/check/tags.ts'
import { namedNewLines } from '../domain/output-diff/output-change.ts'
import { decodeStart } from '../domain/ping/body-text.ts'
import type { Static } from '../domain/schema.ts'
import { flipTime } from './parts/flip-time.ts'
import { fill } from './parts/placeholders.ts'
import { signatureHeaders } from './parts/signature.ts'
import { sentTo } from './parts/webhook-address.ts'
import { webhookForm, webhookMistakes } from './parts/webhook-form.ts'
import { WEBHOOK_SAMPLE, WebhookSettings } from './parts/webhook-settings.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

type Settings = Static<typeof WebhookSettings>

export const webhook = defineTransport({
  kind: 'webhook',
  name: 'Webhook',
  mark: '{}',
  about: 'your own requests',
  carrier: 'http',
  settings: WebhookSettings,
  form: webhookForm,
  mistakes: webhookMistakes,
  needs:
    'a webhook needs {"url": "https://…"}, which gets JSON; url_down, method_down, body_down, headers_down and the same for up change what is sent, secret signs it',
  offSwitch: 'WEBHOOKS_ENABLED',
  sample: WEBHOOK_SAMPLE,
  wants: (settings, flip) => template(settings, flip.newStatus === 'down').url !== '',
  render,
  judge: judgeByStatus,
})

interface Template {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** the request's URL; empty to send nothing; null if it is missing in the settings */
  readonly url: string | null
  /** the request's body; null for the default body, {@link webhookMessage} */
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

/** @throws Error if the settings have no URL, or an invalid URL or header */
function render(alert: Alert, settings: Settings): Request {
  const isDown = alert.flip.newStatus === 'down'
  const { method, url, body, headers } = template(settings, isDown)
  if (url === null) throw new Error(`url or url_${isDown ? 'down' : 'up'} is missing`)
  const values = placeholders(alert)
  const address = fill(url, values, (v) => v.inUrl)
  const sent = sentTo(address, url, { headers, secret: settings.secret })
  const filled = new Headers()
  for (const [name, value] of Object.entries(sent.headers))
    filled.set(name, latin1(fill(value, values, (v) => v.inHeader)))
  // The body is converted to bytes, because a string would add a Content-Type.
  const bytes = method === 'GET' || body === '' ? null : new TextEncoder().encode(bodyOf(alert, body, values))
  if (bytes && body === null && !filled.has('content-type')) filled.set('content-type', 'application/json')
  if (sent.secret !== undefined) sign(filled, sent.secret, alert, bytes ?? new Uint8Array())
  return new Request(address, { method, headers: filled, body: bytes, redirect: 'manual' })
}

function bodyOf(alert: Alert, body: Template['body'], values: readonly Placeholder[]): string {
  return body === null ? JSON.stringify(webhookMessage(alert)) : fillBody(body, values, alert)
}

/**
 * Returns the default body, which is a JSON object. It contains nothing with which its reader could ping. `check` is the check at the time
 * of sending, as API v3 shows it to a read-only key: without UUID and ping URL. `event`, `time`, `reason` and `downtime` describe the flip.
 * Like `id`, they are the same for all attempts.
 */
function webhookMessage(alert: Alert) {
  const { check, flip, previousFlip, lastPing, delivery, projectName, message, links, now } = alert
  const downtime = downtimeBefore(flip, previousFlip)
  return {
    event: flip.newStatus === 'down' ? 'down' : 'up',
    id: delivery.id,
    time: flipTime(alert),
    project: projectName,
    message: inWords(message, check.name),
    sentence: flipSentenceText(withoutBody(alert), now),
    /** why such alerts keep recurring; null if they don't recur or the reason is unknown */
    advice: flipAdviceText(alert, now),
    link: message.link,
    /** the flip's reason, `timeout` or `fail`; null when the check recovers */
    reason: flip.reason === '' ? null : flip.reason,
    /** length of the outage in seconds; null when the check goes down */
    downtime: downtime === null ? null : Math.floor(downtime),
    exitstatus: lastPing?.exitStatus ?? null,
    check: representCheck({ check, channelIds: [] }, { version: 3, right: 'read', links, now }),
  }
}

/** Summarizes the message in one sentence. @param name the check's own name, because a {@link Notification} may contain the UUID instead */
function inWords({ isDown, reason, downtime }: Notification, name: string): string {
  const who = name === '' ? 'A check without a name' : name
  const why = reason === null ? '' : `: ${reason}`
  const after = downtime === null ? '' : ` after ${downtime}`
  return isDown ? `${who} is down${why}` : `${who} is up${after}`
}

/** The request is signed last, so that a user's header can't replace the signature. */
function sign(headers: Headers, secret: string, { delivery, now }: Alert, body: Uint8Array): void {
  const signed = signatureHeaders(secret, { id: delivery.id, at: now, body })
  for (const [name, value] of Object.entries(signed)) headers.set(name, value)
}

interface Placeholder {
  readonly name: string
  readonly text: string
  /** percent-encoded if the text could otherwise break out of its place in a URL */
  readonly inUrl: string
  /** the value as JSON, escaped to ASCII so that it stays valid in a header */
  readonly inHeader: string
}

/** Returns the placeholders in the order in which they are matched: `$NAME_JSON` before `$NAME`, `$TAG1` before `$TAG10`. */
function placeholders(alert: Alert): Placeholder[] {
  const { check, channelIds, flip, lastPing, links, now } = alert
  const encoded = (name: string, text: string) => ({ name, text, inUrl: encodeForUrl(text), inHeader: text })
  const raw = (name: string, text: string) => ({ name, text, inUrl: text, inHeader: text })
  const json = (name: string, value: unknown) => {
    const text = JSON.stringify(value)
    return { name, text, inUrl: encodeForUrl(text), inHeader: asciiJson(text) }
  }
  const view = { version: 3, right: 'write', links, now } as const
  return [
    raw('$CODE', check.id),
    raw('$STATUS', flip.newStatus),
    encoded('$NOW', flipTime(alert)),
    json('$NAME_JSON', check.name),
    encoded('$NAME', check.name),
    raw('$SLUG', check.slug),
    encoded('$TAGS', check.tags),
    json('$JSON', representCheck({ check, channelIds }, view)),
    encoded('$ADVICE', flipAdviceText(alert, now) ?? ''),
    raw('$EXITSTATUS', String(lastPing?.exitStatus ?? -1)),
    ...splitTags(check.tags).map((tag, index) => encoded(`$TAG${index + 1}`, tag)),
  ]
}

/**
 * Fills in a body. `$BODY`, `$CHANGED` and their JSON forms work only here, because job output doesn't belong in a URL or a header. Long
 * values are truncated.
 */
function fillBody(body: string, values: readonly Placeholder[], { lastPing, change }: Alert): string {
  const text = lastPing?.body ? decodeStart({ ...lastPing, bytes: lastPing.body, size: lastPing.bodySize }) : ''
  const changed = namedNewLines(change).join('\n')
  const output = (name: string, value: string) => ({ name, text: value, inUrl: '', inHeader: '' })
  const bodyValues = [
    output('$BODY_JSON', JSON.stringify(text)),
    output('$BODY', text),
    output('$CHANGED_JSON', JSON.stringify(changed)),
    output('$CHANGED', changed),
  ]
  const exitStatus = values.findIndex(({ name }) => name === '$EXITSTATUS')
  return fill(body, values.toSpliced(exitStatus, 0, ...bodyValues), (value) => value.text)
}

/** Percent-encodes all characters except letters, digits and `_ . - ~ /`. */
function encodeForUrl(text: string): string {
  return encodeStrictly(text.toWellFormed()).replaceAll('%2F', '/')
}

/** Converts JSON to ASCII (RFC 8259, 7). */
function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Converts a header value to Latin-1. Other characters become character references, and line breaks become spaces, so that none of them
 * starts a new header.
 */
function latin1(text: string): string {
  let value = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code > 0xff) value += `&#${code};`
    else value += code < 0x20 || code === 0x7f ? ' ' : character
  }
  return value.trim()
}
