import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../../src/domain/schema.ts'
import { SigningSecret } from '../../../src/transports/parts/signature.ts'
import { webhook } from '../../../src/transports/webhook.ts'
import { at } from '../../support/builders.ts'
import { downAlert, messageOf } from '../support.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const SETTINGS = {
  method_down: 'POST',
  url_down: 'https://example.org/hook',
  body_down: '{"name": $NAME_JSON}',
  headers_down: { 'webhook-id': 'forged', 'content-type': 'application/json' },
  method_up: 'GET',
  url_up: 'https://example.org/hook',
  body_up: '',
  headers_up: {},
  secret: SECRET,
}

/** Verifies a signature as a receiver does, with Web Crypto. */
async function isGenuine(headers: Readonly<Record<string, string>>, body: string, secret = SECRET): Promise<boolean> {
  const raw = Buffer.from(secret.slice(6), 'base64')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const [version, signature = ''] = (headers['webhook-signature'] ?? '').split(',')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const genuine = await crypto.subtle.verify('HMAC', key, Buffer.from(signature, 'base64'), Buffer.from(content))
  return version === 'v1' && genuine
}

describe('a webhook with a secret', () => {
  test('is signed over id, time and body, and the id is the delivery’s, whatever headers the settings have', async () => {
    const { headers, body } = await messageOf(webhook, SETTINGS, downAlert())
    expect(headers['webhook-id']).toBe(downAlert().delivery.id)
    expect(headers['webhook-timestamp']).toBe('1772625601')
    expect(await isGenuine(headers, body)).toBe(true)
    expect(await isGenuine(headers, `${body} `)).toBe(false)
    expect(await isGenuine(headers, body, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toBe(false)
  })

  test('keeps its id over retries and gets a new time', async () => {
    const first = await messageOf(webhook, SETTINGS, downAlert())
    const again = await messageOf(webhook, SETTINGS, downAlert({ now: at('12:05') }))
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id'] ?? 'none')
    expect(again.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp'] ?? 'none')
    expect(await isGenuine(again.headers, again.body)).toBe(true)
  })

  test("and only a URL is signed over the JSON message, with the message's id", async () => {
    const { headers, body } = await messageOf(webhook, { url: SETTINGS.url_down, secret: SECRET }, downAlert())
    expect(await isGenuine(headers, body)).toBe(true)
    expect(JSON.parse(body).id).toBe(headers['webhook-id'])
  })

  test('without a body is signed over an empty one', async () => {
    const { headers, body } = await messageOf(webhook, { ...SETTINGS, method_down: 'GET' }, downAlert())
    expect(body).toBe('')
    expect(await isGenuine(headers, '')).toBe(true)
  })
})

test('without a secret nothing is added', async () => {
  const { secret: _, ...settings } = SETTINGS
  const { headers } = await messageOf(webhook, { ...settings, headers_down: {} }, downAlert())
  expect(Object.keys(headers)).toEqual([])
})

test.each(['', 'whsec_', 'whsec_short', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', `${SECRET}\n`])(
  '%j is no secret',
  (text) => {
    expect(firstProblem(SigningSecret, text)).not.toBeNull()
  },
)
