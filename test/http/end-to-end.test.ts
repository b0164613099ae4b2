import { afterEach, expect, test } from 'bun:test'
import { createChannel } from '../../src/services/channels/channels.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

const HOOK = {
  method_down: 'POST',
  url_down: 'https://example.org/down?name=$NAME',
  body_down: '$NAME is $STATUS at $NOW',
  headers_down: { 'X-Code': '$CODE' },
  method_up: 'GET',
  url_up: 'https://example.org/up/$SLUG',
  body_up: '',
  headers_up: {},
}

test('a check without pings goes from up to late to down on the second, and its webhook is called once for each alert', async () => {
  t = await testApp()
  const { apiKey: key } = t.keys
  const channel = await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: HOOK })
  const spec = { name: 'Back up', slug: 'backup', timeout: 60, grace: 60, channels: channel.id }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json: spec })
  const status = async () => (await t.json('GET', `/api/v3/checks/${uuid}`, { key })).status
  const ping = async () => (await t.call('GET', `/ping/${uuid}`)).text()
  const loops = async () => {
    await t.app.settle('overdue')
    await t.app.settle('deliveries')
  }

  expect(await ping()).toBe('OK')
  expect(await status()).toBe('up')
  t.clock.advance({ seconds: 59, milliseconds: 999 })
  expect(await status()).toBe('up')
  t.clock.advance({ milliseconds: 1 })
  expect(await status()).toBe('grace')
  t.clock.advance({ seconds: 59, milliseconds: 999 })
  await loops()
  expect(await status()).toBe('grace')
  expect(t.sent).toEqual([])
  t.clock.advance({ milliseconds: 1 })
  await loops()
  expect(await status()).toBe('down')
  expect(t.sent).toEqual([
    {
      method: 'POST',
      url: 'https://example.org/down?name=Back%20up',
      headers: { 'x-code': uuid },
      body: 'Back up is down at 2026-03-04T12:02:00+00:00',
    },
  ])
  await loops()
  expect(t.sent).toHaveLength(1)

  t.clock.advance({ seconds: 5 })
  expect(await ping()).toBe('OK')
  expect(await status()).toBe('up')
  await loops()
  expect(t.sent.slice(1)).toEqual([{ method: 'GET', url: 'https://example.org/up/backup', headers: {}, body: '' }])
  expect(await t.json<unknown>('GET', `/api/v3/checks/${uuid}/flips/`, { key })).toEqual([
    { timestamp: '2026-03-04T12:02:05+00:00', up: 1 },
    { timestamp: '2026-03-04T12:02:00+00:00', up: 0 },
    { timestamp: '2026-03-04T12:00:00+00:00', up: 1 },
  ])
})
