/** `/metrics` over HTTP; `test/services/server/server-metrics.test.ts` has its whole content. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type App, createApp } from '../../../src/app/app.ts'
import { createDeps } from '../../../src/app/deps.ts'
import { readConfig } from '../../../src/config/config.ts'
import { readExposition } from '../../domain/support/exposition-reader.ts'
import { handClock } from '../../support/clock.ts'
import { briefDatabase } from '../../support/databases.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const METRICS_KEY = 'a key for metrics'

let t: TestApp
let listening: App | null
beforeEach(async () => {
  listening = null
  t = await testApp({ env: { METRICS_KEY } })
})
afterEach(async () => {
  await listening?.stop()
  await t.close()
})

/** An app with a socket, so that requests have a client address. */
async function listen(env: Record<string, string> = {}): Promise<string> {
  const config = readConfig({ DATABASE_URL: (await briefDatabase()).url, PORT: '0', ...env })
  listening = createApp(config, await createDeps(config, () => {}, { now: handClock().now }))
  return `http://127.0.0.1:${await listening.start()}`
}

test('with the key, it is text for Prometheus that is not cached and has no CORS headers', async () => {
  const answer = await t.call('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_KEY}` } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.has('access-control-allow-origin')).toBe(false)
  expect(readExposition(await answer.text()).map(({ name }) => name)).toContain('overdue_build_info')
  expect((await t.call('HEAD', '/metrics', { headers: { 'x-metrics-key': METRICS_KEY } })).status).toBe(200)
  expect((await t.call('POST', '/metrics', { headers: { 'x-metrics-key': METRICS_KEY } })).status).toBe(405)
})

test('without the key, it is forbidden, and the answer says what to send', async () => {
  const answer = await t.call('GET', '/metrics')
  expect([answer.status, await answer.text()]).toEqual([
    403,
    'send METRICS_KEY as "Authorization: Bearer <key>" or "X-Metrics-Key: <key>"',
  ])
})

test('with no key set, a client on this machine may read it, and one behind a proxy may not', async () => {
  const url = await listen()
  for (const path of ['/metrics', '/metrics/', '/%6Detrics']) expect((await fetch(url + path)).status).toBe(200)
  const forwarded = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect([forwarded.status, await forwarded.text()]).toEqual([
    403,
    'set METRICS_KEY and send it as "Authorization: Bearer <key>", or connect from 127.0.0.1',
  ])
  await t.close()
  t = await testApp()
  // Without a socket, the client address is unknown.
  expect((await t.call('GET', '/metrics')).status).toBe(403)
})

test('with a key set, a client on this machine needs it too', async () => {
  const url = await listen({ METRICS_KEY })
  expect((await fetch(`${url}/metrics`)).status).toBe(403)
  expect((await fetch(`${url}/metrics`, { headers: { 'x-metrics-key': METRICS_KEY } })).status).toBe(200)
})

test('it also answers below the path of SITE_ROOT, and with PROMETHEUS_ENABLED=False', async () => {
  await t.close()
  t = await testApp({ env: { METRICS_KEY, SITE_ROOT: 'https://example.org/watch', PROMETHEUS_ENABLED: 'False' } })
  expect((await t.call('GET', '/watch/metrics', { headers: { 'x-metrics-key': METRICS_KEY } })).status).toBe(200)
})
