import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import { aChannel, anAuthor } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let deliveryId: string
const OPERATOR = {
  TWILIO_ACCOUNT: 'AC1',
  TWILIO_AUTH: 'secret',
  TWILIO_FROM: '+15005550001',
  TWILIO_MESSAGING_SERVICE_SID: 'MG1',
  WHATSAPP_DOWN_CONTENT_SID: 'HX1',
  WHATSAPP_UP_CONTENT_SID: 'HX2',
  EMAIL_HOST: 'mail.test',
}
const PHONE = { kind: 'sms', settings: { value: '+15005550006', down: true, up: true } } as const

beforeEach(() => open(PHONE))
afterEach(() => t.close())

/** Opens a server with one channel, and a check that has just gone down. */
async function open(channel: Partial<Channel>) {
  t = await testApp({ env: OPERATOR })
  await t.app.deps.store.by(anAuthor()).channels.create(aChannel(t.project, channel))
  const json = { name: 'Job', channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  await t.call('GET', `/ping/${uuid}/fail`)
}

const sendAll = async () => {
  await t.app.settle('deliveries')
  deliveryId = (await t.app.deps.store.deliveries.list(t.project.id, null, 1))[0]?.delivery.id ?? ''
}
const tell = (form: string, id = deliveryId, version = 3) =>
  t.call('POST', `/api/v${version}/notifications/${id}/status`, { body: form })
/** Returns state and error of the delivery, and the channel's error and reason for being disabled. */
const outcome = async () => {
  const [entry] = await t.app.deps.store.deliveries.list(t.project.id, null, 1)
  const [channel] = await t.app.deps.store.channels.list(t.project.id)
  return [entry?.delivery.state, entry?.error, channel?.lastError, channel?.disabledReason]
}

describe('a delivery that was sent', () => {
  beforeEach(sendAll)

  const failures: readonly [form: string, error: string][] = [
    ['MessageStatus=failed', 'Delivery failed (status=failed).'],
    ['MessageStatus=undelivered&MessageSid=SM1', 'Delivery failed (status=undelivered).'],
    ['CallStatus=failed', 'Delivery failed (status=failed).'],
    ['error=No+such+number', 'No such number'],
    [`error=${'x'.repeat(300)}`, 'x'.repeat(200)],
    ['error=two%0D%0Alines', 'two lines'],
    ['error=a%00b', 'ab'],
  ]
  test.each(failures)('fails when the service reports %j', async (form, error) => {
    const answer = await tell(form)
    expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
    expect(await outcome()).toEqual(['failed', error, error, null])
  })

  test('disables its channel when the service says so', async () => {
    await tell('error=Gone&mark_disabled=1')
    expect(await outcome()).toEqual(['failed', 'Gone', 'Gone', 'Gone'])
  })

  test.each(['MessageStatus=delivered', 'MessageStatus=sent', 'CallStatus=completed', '', '%', 'error=', '\u0000'])(
    'stays sent when the service says %j',
    async (form) => {
      expect((await tell(form)).status).toBe(200)
      expect(await outcome()).toEqual(['sent', null, null, null])
    },
  )

  test.each([1, 2, 3])('can be reported in version %d of the API', async (version) => {
    expect((await tell('CallStatus=failed', deliveryId, version)).status).toBe(200)
    expect((await outcome())[0]).toBe('failed')
  })

  test('can be reported for an hour', async () => {
    t.clock.advance({ minutes: 61 })
    expect((await tell('CallStatus=failed')).status).toBe(200)
    expect((await outcome())[0]).toBe('sent')
  })

  test('can only be reported by POST', async () => {
    const answer = await t.call('GET', `/api/v3/notifications/${deliveryId}/status`)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('is not changed by a report with more fields than any service sends', async () => {
    const answer = await tell(`CallStatus=failed${'&a=1'.repeat(1_000)}`)
    expect([answer.status, await answer.text()]).toEqual([
      413,
      '{"error":"the form has too many fields, send at most 1000"}',
    ])
    expect((await outcome())[0]).toBe('sent')
  })

  test.each(['nonsense', crypto.randomUUID()])('is not changed by a report about another: %s', async (id) => {
    expect((await tell('CallStatus=failed', id)).status).toBe(200)
    expect((await outcome())[0]).toBe('sent')
  })
})

test.each<[string, Partial<Channel>]>([
  ['webhook', { kind: 'webhook' }],
  ['email', { kind: 'email', settings: 'ops@example.org' }],
  ['discord', { kind: 'discord', settings: { webhook: { url: 'https://discord.com/api/webhooks/1/x' } } }],
])('a receiver of kind %s, which knows the id too, cannot disable its channel', async (_, channel) => {
  await t.close()
  await open(channel)
  await sendAll()
  expect((await tell('error=Gone&mark_disabled=1')).status).toBe(200)
  expect(await outcome()).toEqual(['sent', null, null, null])
})

test.each<[string, Partial<Channel>]>([
  ['call', { kind: 'call', settings: { value: '+15005550006' } }],
  ['whatsapp', { kind: 'whatsapp', settings: PHONE.settings }],
])('a delivery of kind %s can be reported too', async (_, channel) => {
  await t.close()
  await open(channel)
  await sendAll()
  const [before] = await outcome()
  await tell('error=Gone&mark_disabled=1')
  expect([before, (await outcome())[0]]).toEqual(['sent', 'failed'])
})

test('a delivery that waits for a retry goes on waiting, whatever is reported', async () => {
  t.answerWith(answered(500))
  await sendAll()
  await tell('CallStatus=failed')
  expect(await outcome()).toEqual(['pending', 'Received status code 500', 'Received status code 500', null])
})
