import { afterAll, beforeAll, expect, test } from 'bun:test'
import { described, documentPath } from '../../../../support/described.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const HOSTILE = '</title><script>alert(1)</script>'

let t: TestApp
let page: string
let headers: Headers
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://overdue.example.org', SITE_NAME: HOSTILE } })
  const response = await t.call('GET', '/docs/api')
  page = await response.text()
  headers = new Headers([...response.headers])
})
afterAll(() => t.close())

const all = (pattern: RegExp) => Array.from(page.matchAll(pattern), ([, group = '']) => group)

test('the page has nothing of its own that runs, and nothing from other servers', () => {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page).not.toMatch(/<(?:style|img|iframe|object|embed|form)\b/i)
  expect(page).not.toMatch(/\s(?:style|on\w+)=|src="(?!\/)/i)
  expect(all(/<script\b([^>]*)>/g)).toEqual([expect.stringMatching(/^ src="\/assets\/overdue\.\w+\.js" defer$/)])
})

test('the page may be kept for a minute', () => {
  expect(headers.get('cache-control')).toBe('public, max-age=60')
})

test('code in texts is marked, and no backtick is left', () => {
  expect(page.replace(/<(pre|style)[\s\S]*?<\/\1>/g, '')).not.toContain('`')
})

test('every operation of the document has an anchor', async () => {
  const { document } = described(await (await t.call('GET', documentPath(3))).text())
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  const anchors = new Set(all(/\sid="([^"]+)"/g))
  expect(ids.filter((id) => !anchors.has(id))).toEqual([])
  expect(ids.length).toBeGreaterThan(50)
})

test('every link leads to an anchor on the page, or to the document of this server', () => {
  const anchors = all(/\sid="([^"]+)"/g)
  expect(new Set(anchors).size).toBe(anchors.length)
  const links = all(/href="([^"]+)"/g)
  const outside = links.filter((link) => !/^#|^\/assets\//.test(link))
  expect(outside).toEqual(['/favicon.svg', '/', '/', 'https://overdue.example.org/api/v3/openapi.json'])
  expect(links.filter((link) => link.startsWith('#') && !anchors.includes(link.slice(1)))).toEqual([])
})

test('the page shows commands to try, with the address of this server', () => {
  const calls = all(/<code>(curl [^<]+)<\/code>/g)
  const readable = calls.map((call) => call.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  expect(readable).toContain("curl https://overdue.example.org/api/v3/checks/ -H 'X-Api-Key: odw_…'")
  expect(readable).toContain('curl https://overdue.example.org/ping/3c1169a6-c1ba-47ab-8b65-8a1c6e4f8a4b/start')
  expect(readable.filter((call) => /[{}]/.test(call.replace(/ -d '.*'/, '')))).toEqual([])
})

test('the name of the site is escaped', () => {
  expect(page).not.toContain('<script>')
  expect(page).toContain('&lt;script&gt;')
})

test('the page takes GET and HEAD only', async () => {
  expect((await t.call('HEAD', '/docs/api')).status).toBe(200)
  const refused = await t.call('POST', '/docs/api')
  expect(refused.status).toBe(405)
  expect(refused.headers.get('allow')).toBe('GET, HEAD')
})
