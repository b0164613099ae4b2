/** Addresses without a route: a page for people with a browser, a short answer for programs. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

let t: TestApp
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://example.org/watch' } })
})
afterAll(() => t.close())

describe.each(['', '/watch'])('asked at "%s"', (prefix) => {
  test.each(['/nowhere', '/nowhere/', '/p', '/healthz/x', '/%70%71', '/apiary'])(
    '%s is a page for a browser',
    async (path) => {
      const answer = await t.call('GET', prefix + path, BROWSER)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const page = await answer.text()
      expect(page).toContain('<h1>Page not found</h1>')
      expect(page).toContain('href="/watch/"')
    },
  )

  test.each(['/nowhere', '/ping/nobody', '/ping/nobody/x/y/z'])('%s is plain text for a program', async (path) => {
    const answer = await t.call('GET', prefix + path)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  test('below the API it is JSON, and below the pings plain text, for a browser too', async () => {
    const api = await t.call('GET', `${prefix}/api/v3/nowhere`, BROWSER)
    expect([api.status, await api.json()]).toEqual([404, { error: 'not found' }])
    const ping = await t.call('GET', `${prefix}/ping/a/b/c/d/e`, BROWSER)
    expect([ping.status, ping.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  })

  test('what is no GET is plain text', async () => {
    const answer = await t.call('POST', `${prefix}/nowhere`, BROWSER)
    expect([answer.status, await answer.text()]).toEqual([404, 'not found'])
  })
})
