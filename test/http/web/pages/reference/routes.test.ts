import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { described, documentPath } from '../../../../support/described.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const HOSTILE = '</title><script>alert(1)</script>'

const SITE = 'https://overdue.example.org'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT: SITE, SITE_NAME: HOSTILE } })
})
afterAll(() => t.close())

describe.each([
  {
    ...{ path: '/docs/api', documentUrl: documentPath(3), other: '/docs/api/overdue', operations: 50 },
    command: "curl https://overdue.example.org/api/v3/checks/ -H 'X-Api-Key: odw_…'",
  },
  {
    ...{ path: '/docs/api/overdue', documentUrl: '/api/overdue/v1/openapi.json', other: '/docs/api', operations: 9 },
    command: "curl https://overdue.example.org/api/overdue/v1/silences/ -H 'X-Api-Key: odw_…'",
  },
])('$path', ({ path, documentUrl, other, operations, command }) => {
  let page: string
  let headers: Headers
  beforeAll(async () => {
    const response = await t.call('GET', path)
    page = await response.text()
    headers = new Headers([...response.headers])
  })

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
    const { document } = described(await (await t.call('GET', documentUrl)).text())
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    const anchors = new Set(all(/\sid="([^"]+)"/g))
    expect(ids.filter((id) => !anchors.has(id))).toEqual([])
    expect(ids.length).toBeGreaterThan(operations)
  })

  test('every link leads to an anchor on the page, to the document of this server, or to the other reference', () => {
    const anchors = all(/\sid="([^"]+)"/g)
    expect(new Set(anchors).size).toBe(anchors.length)
    const links = all(/href="([^"]+)"/g)
    const outside = links.filter((link) => !/^#|^\/assets\//.test(link))
    expect(outside).toEqual(['/favicon.svg', '/', '/', SITE + documentUrl, SITE + other])
    expect(links.filter((link) => link.startsWith('#') && !anchors.includes(link.slice(1)))).toEqual([])
  })

  test('the page shows commands to try, with the address of this server', () => {
    const calls = all(/<code>(curl [^<]+)<\/code>/g)
    const readable = calls.map((call) =>
      call.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    )
    expect(readable).toContain(command)
    expect(readable.filter((call) => /[{}]/.test(call.replace(/ -d '.*'/, '')))).toEqual([])
  })

  test('the name of the site is escaped', () => {
    expect(page).not.toContain('<script>')
    expect(page).toContain('&lt;script&gt;')
  })

  test('the page takes GET and HEAD only', async () => {
    expect((await t.call('HEAD', path)).status).toBe(200)
    const refused = await t.call('POST', path)
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, HEAD')
  })
})

test('commands that ping have the address of the check', async () => {
  const page = await (await t.call('GET', '/docs/api')).text()
  expect(page).toContain('curl https://overdue.example.org/ping/3c1169a6-c1ba-47ab-8b65-8a1c6e4f8a4b/start<')
})
