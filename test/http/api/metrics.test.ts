import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const METRICS_KEY = 'a key for metrics'
const HEADERS = { 'x-metrics-key': METRICS_KEY }

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { METRICS_KEY } })
})
afterEach(() => t.close())

test.each(['/api/v1/metrics/', '/api/v2/metrics', '/api/v3/metrics/'])(
  '%s tells its totals to who has the key, by any method that only reads',
  async (path) => {
    const totals = { ts: 1772625600, max_ping_id: null, max_notification_id: null, num_unprocessed_flips: 0 }
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await t.call(method, path, { headers: HEADERS })
      expect([answer.status, await answer.json()]).toEqual([200, totals])
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    }
    expect((await t.call('HEAD', path, { headers: HEADERS })).status).toBe(200)
    expect((await t.call('POST', path, { headers: HEADERS })).status).toBe(405)
  },
)

test.each<[string, Record<string, string>]>([
  ['no key', {}],
  ['an empty key', { 'x-metrics-key': '' }],
  ['another key', { 'x-metrics-key': `${METRICS_KEY}s` }],
  ['the key as a bearer token', { authorization: `Bearer ${METRICS_KEY}` }],
])('with %s it is forbidden', async (_, headers) => {
  const answer = await t.call('GET', '/api/v3/metrics/', { headers })
  expect([answer.status, await answer.json()]).toEqual([403, { error: 'forbidden' }])
})

test('with an API key it is forbidden', async () => {
  expect((await t.call('GET', '/api/v3/metrics/', { key: t.keys.apiKey })).status).toBe(403)
})

test('without METRICS_KEY it is forbidden to all', async () => {
  await t.close()
  t = await testApp()
  for (const headers of [{}, { 'x-metrics-key': '' }, { 'x-metrics-key': 'null' }]) {
    expect((await t.call('GET', '/api/v3/metrics/', { headers })).status).toBe(403)
  }
})

test('the numbers grow with pings and notifications, and flips wait until they are sent', async () => {
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: webhook() })
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', {
    key: t.keys.apiKey,
    json: { channels: '*' },
  })
  for (const path of ['', '/log', '/fail']) await t.call('GET', `/ping/${uuid}${path}`)
  const read = () => t.json('GET', '/api/v3/metrics/', { headers: HEADERS })
  const before = await read()
  expect(before).toMatchObject({ max_notification_id: 1, num_unprocessed_flips: 1 })
  // Ids grow with the pings; not every engine uses each of them.
  expect(before.max_ping_id).toBeGreaterThanOrEqual(3)
  await t.app.settle('deliveries')
  t.clock.advance({ seconds: 60 })
  expect(await read()).toEqual({
    ts: 1772625660,
    max_ping_id: before.max_ping_id,
    max_notification_id: 1,
    num_unprocessed_flips: 0,
  })
})
