import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createKey } from '../../../src/services/projects/keys.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const LIMIT = 100

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { API_RATE_LIMIT: String(LIMIT) } })
})
afterEach(() => t.close())

const list = (key: string) => t.call('GET', '/api/v3/checks/', { key })

async function use(key: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await list(key)).status)
  return statuses
}

/** Returns `remaining/reset` of the RateLimit field. */
function left(response: Response): string {
  const [, remaining, reset] = /^"api";r=(\d+);t=(\d+)$/.exec(response.headers.get('ratelimit') ?? '') ?? []
  return `${remaining}/${reset}`
}

describe('100 requests a minute', () => {
  test('are answered, and the next one gets 429 with the time to wait', async () => {
    expect(await use(t.keys.apiKey, LIMIT)).toEqual(Array(LIMIT).fill(200))
    const refused = await list(t.keys.apiKey)
    expect([refused.status, await refused.json()]).toEqual([429, { error: 'rate limit exceeded' }] as never)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(left(refused)).toBe('0/60')
    expect(t.log).toEqual([])
  })

  test('are counted down in every answer', async () => {
    const first = await list(t.keys.apiKey)
    expect(first.headers.get('ratelimit-policy')).toBe('"api";q=100;w=60')
    expect(left(first)).toBe('99/1')
    expect(left(await list(t.keys.apiKey))).toBe('98/2')
    t.clock.advance({ seconds: 60 })
    expect(left(await list(t.keys.apiKey))).toBe('99/1')
  })

  test('become available again, one every 600 ms, at most 100', async () => {
    await use(t.keys.apiKey, LIMIT)
    t.clock.advance({ milliseconds: 599 })
    expect(await use(t.keys.apiKey, 1)).toEqual([429])
    t.clock.advance({ milliseconds: 1 })
    expect(await use(t.keys.apiKey, 2)).toEqual([200, 429])
    t.clock.advance({ hours: 24 })
    expect((await use(t.keys.apiKey, LIMIT + 1)).filter((status) => status === 200)).toHaveLength(LIMIT)
  })

  test('that are refused cost nothing: a client that waits as told is answered', async () => {
    await use(t.keys.apiKey, LIMIT + 50)
    t.clock.advance({ seconds: Number((await list(t.keys.apiKey)).headers.get('retry-after')) })
    expect(await use(t.keys.apiKey, 1)).toEqual([200])
  })

  test('are counted by key, whatever the version, path and method, and wherever the key is', async () => {
    const { apiKey: key } = t.keys
    await use(key, LIMIT - 4)
    await t.call('POST', '/api/v1/checks/', { json: { api_key: key } })
    await t.call('GET', '/api/v2/badges/', { key })
    await t.call('DELETE', '/api/v3/checks/00000000-0000-4000-8000-000000000000', { key })
    await t.call('POST', '/api/v3/checks/', { key, json: { timeout: 1 } })
    expect(await use(key, 1)).toEqual([429])
  })

  test('are counted for each key alone, also within a project', async () => {
    const { key: second } = await createKey(t.app.deps, t.actor, 'read-write')
    await use(t.keys.apiKey, LIMIT + 1)
    expect(await use(t.keys.apiKeyReadonly, 1)).toEqual([200])
    expect(await use(second, 1)).toEqual([200])
  })
})

describe('counted too', () => {
  const left99 = async (key: string) => left(await list(key))

  test.each([
    ['a broken body', () => t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, body: '{' }), 400],
    [
      'a body that is too large',
      () => t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, body: 'x'.repeat(131_073) }),
      400,
    ],
    [
      'a body of another shape',
      () => t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { grace: 1 } }),
      400,
    ],
    [
      'a check that does not exist',
      () => t.call('GET', `/api/v3/checks/${crypto.randomUUID()}`, { key: t.keys.apiKey }),
      404,
    ],
  ] as const)('is %s', async (_, refuse, status) => {
    expect((await refuse()).status).toBe(status)
    expect(await left99(t.keys.apiKey)).toBe('98/2')
  })

  test.each(['header', 'body'])('is a request that a read-only key in the %s may not make', async (place) => {
    const key = t.keys.apiKeyReadonly
    const write = () =>
      t.call('POST', '/api/v3/checks/', place === 'header' ? { key, json: {} } : { json: { api_key: key } })
    expect((await write()).status).toBe(401)
    expect(await left99(key)).toBe('98/2')
    for (let i = 0; i < LIMIT; i++) await write()
    expect((await write()).status).toBe(429)
  })

  test('is a request whose body was not read: 429 does not wait for the body', async () => {
    await use(t.keys.apiKey, LIMIT)
    let isRead = false
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'x-api-key': t.keys.apiKey }
    const request = new Request('http://localhost/api/v3/checks/', { method: 'POST', headers, body })
    expect((await t.app.handle(request)).status).toBe(429)
    expect(isRead).toBe(false)
  })
})

describe('not counted', () => {
  test('is a request without a known key: OPTIONS, no key, a wrong key, a wrong method, an invalid body that may contain the key', async () => {
    const { apiKey: key } = t.keys
    const statuses = new Set<number>()
    const call = async (...given: Parameters<TestApp['call']>) => statuses.add((await t.call(...given)).status)
    for (let i = 0; i < LIMIT + 1; i++) {
      await call('OPTIONS', '/api/v3/checks/', { key })
      await call('GET', '/api/v3/checks/')
      await call('GET', '/api/v3/checks/', { key: 'x'.repeat(32) })
      await call('POST', '/api/v3/checks/', { body: '{' })
      await call('PATCH', '/api/v3/checks/', { key })
      await call('GET', '/api/v3/status/', { key })
    }
    expect([...statuses].toSorted()).toEqual([200, 204, 400, 401, 405])
    expect(left(await list(key))).toBe('99/1')
  })

  test('are pings, before and after the key has used up its requests', async () => {
    const { uuid } = await t.json('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { slug: 'job' } })
    await use(t.keys.apiKey, LIMIT + 1)
    for (let i = 0; i < 150; i++) {
      const response = await t.call('GET', i % 2 ? `/ping/${uuid}` : `/ping/${t.keys.pingKey}/job`)
      expect(response.status).toBe(200)
      expect(response.headers.has('ratelimit')).toBe(false)
    }
  })
})

test('a refused request changes nothing', async () => {
  const { apiKey: key } = t.keys
  await use(key, LIMIT)
  expect((await t.call('POST', '/api/v3/checks/', { key, json: { name: 'x' } })).status).toBe(429)
  t.clock.advance({ minutes: 1 })
  expect(await t.json<unknown>('GET', '/api/v3/checks/', { key })).toEqual({ checks: [] })
})

test('with API_RATE_LIMIT=0 there is no limit and no header', async () => {
  await t.close()
  t = await testApp({ env: { API_RATE_LIMIT: '0' } })
  expect(await use(t.keys.apiKey, LIMIT + 20)).toEqual(Array(LIMIT + 20).fill(200))
  expect((await list(t.keys.apiKey)).headers.has('ratelimit-policy')).toBe(false)
})
