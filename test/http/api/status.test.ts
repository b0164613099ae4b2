import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

test.each(['/api/v1/status/', '/api/v2/status', '/api/v3/status/'])(
  '%s answers OK to everybody, with no key',
  async (path) => {
    for (const method of ['GET', 'OPTIONS']) {
      const response = await t.call(method, path)
      expect([response.status, await response.text()]).toEqual([200, 'OK'])
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    }
    expect((await t.call('HEAD', path)).status).toBe(200)
  },
)

test('other methods get 405', async () => {
  const response = await t.call('POST', '/api/v3/status/', { body: '{' })
  expect([response.status, await response.json()]).toEqual([405, { error: 'method not allowed' }] as never)
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})

test('a wrong key is ignored', async () => {
  expect((await t.call('GET', '/api/v3/status/', { key: 'x'.repeat(32) })).status).toBe(200)
})
