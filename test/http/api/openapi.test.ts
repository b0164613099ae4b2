import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const PATHS = ['/api/v1/openapi.json', '/api/v2/openapi.json', '/api/v3/openapi.json', '/api/overdue/v1/openapi.json']

test.each(PATHS)('%s needs no key, and pages of other origins may read it', async (path) => {
  const response = await t.call('GET', path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toMatchObject({ openapi: '3.1.1', info: { version: /v(\d)/.exec(path)?.[1] } })
  expect((await t.call('HEAD', path)).status).toBe(200)
})

test.each(PATHS)('%s is the same text in every answer', async (path) => {
  const [first, second] = await Promise.all([t.call('GET', path), t.call('GET', path)])
  expect(await first.text()).toBe(await second.text())
})

test('a preflight is answered, and other methods get 405', async () => {
  const preflight = await t.call('OPTIONS', '/api/v3/openapi.json')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
  const refused = await t.call('POST', '/api/v3/openapi.json', { json: {} })
  expect(refused.status).toBe(405)
  expect(refused.headers.get('allow')).toBe('GET, HEAD')
})

test('behind a proxy that keeps the path of SITE_ROOT, the server URL has that path', async () => {
  const app = await testApp({ env: { SITE_ROOT: 'https://example.org/watch' } })
  for (const prefix of ['', '/watch']) {
    const { servers } = await app.json<{ servers: unknown }>('GET', `${prefix}/api/v3/openapi.json`)
    expect(servers).toEqual([{ url: 'https://example.org/watch' }])
  }
  await app.close()
})
