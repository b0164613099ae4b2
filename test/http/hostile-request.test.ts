/** Hostile requests are refused, change nothing, and never cause an internal error. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Target, target } from './hostile-target.ts'

let on: Target
beforeAll(async () => {
  on = await target()
})
afterAll(() => on.close())

describe('a path', () => {
  const SEGMENTS = [
    '%',
    '%zz',
    '%ff',
    '%00',
    '%2f',
    '%2e%2e',
    '%c3%28',
    '..;',
    '~',
    '\u{1f600}',
    "'--",
    '<x>',
    'null',
    '*',
    ':id',
    '[]',
    '__proto__',
    'constructor',
  ]

  test.each(SEGMENTS)('with the segment %j', async (segment) => {
    const paths = [
      `/${segment}`,
      `/api/${segment}/checks/`,
      `/api/v3/${segment}`,
      `/api/v3/checks/${segment}`,
      `/api/v3/checks/${segment}/flips/`,
      `/api/v3/checks/${on.id}${segment}`,
      `/api/v3/checks/${on.id}/pings/${segment}/body`,
      `/ping/${segment}`,
      `/ping/${segment}/`,
      `/badge/${segment}/`,
      `/b/${segment}/`,
      `/ping/${on.id}${segment}`,
      `/ping/${on.t.keys.pingKey}/${segment}`,
      `/ping/${segment}/new?create=1`,
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) await on.refused(method, path)
    }
  })

  test('that is very long', async () => {
    for (const long of [
      'a'.repeat(100_000),
      '/'.repeat(100_000),
      '%41'.repeat(30_000),
      '%%3'.repeat(30_000),
      'a/'.repeat(50_000),
    ]) {
      for (const start of ['/', '/api/v3/', '/api/v3/checks/', '/ping/', `/ping/${on.id}/`])
        await on.refused('GET', start + long)
    }
  })

  test('of random text', async () => {
    const segment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webSegment(),
      fc.constantFrom('api', 'v3', 'ping', '..', '.'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('GET', 'POST', 'PUT'),
        async (segments, method) => {
          await on.refused(method, `/${segments.join('/')}`)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a query', () => {
  test('of random text never fails, and filters where it is valid', async () => {
    const name = fc.oneof(
      fc.constantFrom('tag', 'slug', 'seconds', 'start', 'end', 'rid', 'create'),
      fc.webQueryParameters(),
    )
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('%', '%zz', '%ff', '%00', '1e999', '-1', '9'.repeat(400)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
        const query = pairs.map((pair) => pair.join('=')).join('&')
        const ask = async (path: string) =>
          (await on.t.call('GET', `${path}?${query}`, { key: on.t.keys.apiKey })).status
        expect(await ask('/api/v3/checks/')).toBe(200)
        expect([200, 400]).toContain(await ask(`/api/v3/checks/${on.id}/flips/`))
        expect([400, 404]).toContain(await ask(`/ping/${on.t.keys.pingKey}/unknown/999`))
        expect(await on.unchanged()).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('of 100,000 parameters', async () => {
    const query = 'tag=a&'.repeat(100_000)
    expect((await on.t.call('GET', `/api/v3/checks/?${query}`, { key: on.t.keys.apiKey })).status).toBe(200)
    await on.refused('GET', `/ping/00000000-0000-4000-8000-000000000000?${query}`)
  })
})

describe('a header', () => {
  test('with odd characters is not a key', async () => {
    for (const key of ['', ' ', '\u00ff'.repeat(32), "' OR 1=1 --".padEnd(32), '%'.repeat(32), 'x'.repeat(100_000)]) {
      expect(await on.refused('GET', '/api/v3/checks/', { key })).toBe(401)
    }
    const twice = `${on.t.keys.apiKey}, ${on.t.keys.apiKey}`
    expect(await on.refused('GET', '/api/v3/checks/', { key: twice })).toBe(401)
  })

  test.each([
    'cookie',
    'content-type',
    'content-length',
    'x-forwarded-for',
    'x-forwarded-proto',
    'accept',
    'authorization',
    'origin',
    'range',
    'transfer-encoding',
  ])('%s with nonsense changes no answer', async (name) => {
    for (const value of ['%', '"', ';;=', 'a=%zz; a=j:{', '\u00ff', '-1', 'NaN', 'multipart/form-data']) {
      const headers = { [name]: value }
      expect(await on.refused('POST', '/api/v3/checks/', { key: on.t.keys.apiKey, headers, body: '{' })).toBe(400)
      expect(await on.refused('GET', `/ping/${on.id}?rid=x`, { headers })).toBe(400)
      expect((await on.t.call('GET', '/api/v3/checks/', { key: on.t.keys.apiKey, headers })).status).toBe(200)
    }
  })
})

test('a method that a path does not have is refused, and the answer names the right ones', async () => {
  for (const method of ['HEAD', 'PUT', 'PATCH', 'TRACE', 'CONNECT', 'PURGE', 'PROPFIND', 'LOCK']) {
    for (const path of [
      '/api/v3/checks/',
      `/api/v3/checks/${on.id}`,
      `/api/v3/checks/${on.id}/pause`,
      '/api/v3/badges/',
    ]) {
      expect(await on.refused(method, path)).toBe(405)
    }
  }
})
