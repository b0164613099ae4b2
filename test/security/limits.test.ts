/** Every input has a limit, and a clear error beyond it; docs/threat-model.md lists all limits. */
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
let address: string
beforeAll(async () => {
  t = await testApp({ env: { PORT: '0' } })
  address = `http://127.0.0.1:${await t.app.start()}`
})
afterAll(async () => {
  expect(t.log).toEqual([])
  await t.close()
})

const create = async (json: object, version = 3) => {
  const response = await t.call('POST', `/api/v${version}/checks/`, { key: t.keys.apiKey, json })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}

describe('a field of a check', () => {
  test.each([
    ['name', 'é'.repeat(100), 'é'.repeat(101)],
    ['slug', 'a'.repeat(100), 'a'.repeat(101)],
    ['tags', 'a'.repeat(500), 'a'.repeat(501)],
    ['schedule', `0 0 * * *${' '.repeat(91)}`, `0 0 * * *${' '.repeat(92)}`],
    ['start_kw', 'a'.repeat(200), 'a'.repeat(201)],
    ['success_kw', 'a'.repeat(200), 'a'.repeat(201)],
    ['failure_kw', 'a'.repeat(200), 'a'.repeat(201)],
    ['subject', 'a'.repeat(200), 'a'.repeat(201)],
    ['subject_fail', 'a'.repeat(200), 'a'.repeat(201)],
    ['unique', Array(100).fill('slug'), Array(101).fill('slug')],
  ])('%s has a maximum length, and the error for a longer value says so', async (field, longest, tooLong) => {
    expect((await create({ [field]: longest })).status).toBeOneOf([200, 201])
    expect(await create({ [field]: tooLong })).toEqual({
      status: 400,
      answer: { error: `json validation error: ${field} is too long` },
    })
  })

  test.each(['timeout', 'grace'])('%s is at least a minute and at most a year', async (field) => {
    for (const [value, status] of [
      [59, 400],
      [60, 201],
      [31_536_000, 201],
      [31_536_001, 400],
      [1e308, 400],
    ] as const) {
      expect((await create({ [field]: value })).status).toBe(status)
    }
  })

  test('without its own limit is limited by the size of the request', async () => {
    expect((await create({ desc: 'x'.repeat(131_000) })).status).toBe(201)
    const tooMuch = await create({ desc: 'x'.repeat(131_072) })
    expect([tooMuch.status, tooMuch.answer.error]).toEqual([400, expect.stringContaining('at most 131072 bytes')])
    expect((await create({ unique: Array(18_000).fill('name') })).status).toBe(400)
  })

  test('slug is cut when it is made from a name that becomes too long', async () => {
    const { answer } = await create({ name: '\ufb03'.repeat(100) }, 2)
    expect(answer.slug).toHaveLength(100)
  })
})

describe('a long body', () => {
  const long = `{"name": "Long", "desc": "${'x'.repeat(65_536)}"}`
  const post = async (body: string, key?: string) => {
    const { apiKey, apiKeyReadonly } = t.keys
    const given = key === 'right' ? apiKey : key === 'read-only' ? apiKeyReadonly : key
    const response = await t.call('POST', '/api/v3/checks/', { body, ...(given === undefined ? {} : { key: given }) })
    return [response.status, ((await response.json()) as { error?: string }).error ?? ''] as const
  }

  test('is parsed only with a valid key in the header', async () => {
    expect((await post(long, 'right'))[0]).toBe(201)
    expect(await post(long, 'read-only')).toEqual([401, 'wrong api key'])
    expect(await post(long, 'odw_WrongWrongWrongWrongWrongWro')).toEqual([401, 'wrong api key'])
    expect(await post(long, 'short')).toEqual([401, 'missing api key'])
    const withKey = `{"api_key": "${t.keys.apiKey}", ${long.slice(1)}`
    expect(await post(withKey)).toEqual([401, 'missing api key'])
    // A short body is parsed before the key is checked, as in Healthchecks.
    expect((await post('{'))[0]).toBe(400)
    expect((await post(`{${' '.repeat(65_535)}`))[0]).toBe(400)
    expect((await post(`{${' '.repeat(65_536)}`))[0]).toBe(401)
  })

  test('of ten thousand names is not parsed without a key', async () => {
    const names = `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":1`).join(',')}}`
    using parse = spyOn(JSON, 'parse')
    const times = () => parse.mock.calls.filter(([text]) => text === names).length
    expect((await post(names))[0]).toBe(401)
    expect(times()).toBe(0)
    await post(names, 'right')
    expect(times()).toBe(1)
  })

  test('is refused as a report of a service about a message, and so is one of many fields', async () => {
    const report = (body: string) => t.call('POST', `/api/v3/notifications/${crypto.randomUUID()}/status`, { body })
    expect((await report(`a=${'b'.repeat(65_534)}`)).status).toBe(200)
    const response = await report('a=b&'.repeat(16_385))
    expect([response.status, await response.json()]).toEqual([
      413,
      { error: 'the request body is too large, send at most 65536 bytes' },
    ])
    expect((await report('a=b&'.repeat(1_000))).status).toBe(413)
    expect((await report('a=b&'.repeat(999))).status).toBe(200)
  })
})

describe('a ping URL', () => {
  test('creates no check with a slug that no check may have', async () => {
    const ping = (slug: string) => t.call('GET', `/ping/${t.keys.pingKey}/${slug}?create=1`)
    expect((await ping('b'.repeat(100))).status).toBe(201)
    const response = await ping('b'.repeat(101))
    expect([response.status, await response.text()]).toEqual([400, 'invalid url format'])
  })

  test('accepts only run ids of the length of a UUID, and exit statuses up to 255', async () => {
    const ping = async (tail: string) =>
      (await t.call('GET', `/ping/${t.keys.pingKey}/${'b'.repeat(100)}${tail}`)).status
    expect(await ping(`?rid=${'0'.repeat(10_000)}`)).toBe(400)
    expect(await ping('/255')).toBe(200)
    expect(await ping('/256')).toBe(400)
    expect(await ping(`/${'9'.repeat(5_000)}`)).toBe(400)
  })
})

describe('the socket', () => {
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${address}${path}`, { headers })).status

  test('accepts a URL of 15,000 bytes and refuses one of 17,000', async () => {
    expect(await get(`/healthz?${'a'.repeat(15_000)}`)).toBe(200)
    expect(await get(`/healthz?${'a'.repeat(17_000)}`)).toBe(431)
  })

  test('accepts headers of 15,000 bytes and refuses 17,000, in one or in many', async () => {
    expect(await get('/healthz', { 'x-long': 'a'.repeat(15_000) })).toBe(200)
    expect(await get('/healthz', { 'x-long': 'a'.repeat(17_000) })).toBe(431)
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 'a'.repeat(170)]))
    expect(await get('/healthz', many(80))).toBe(200)
    expect(await get('/healthz', many(100))).toBe(431)
  })

  test('accepts 150 headers and refuses 250, however short', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '1']))
    expect(await get('/healthz', many(150))).toBe(200)
    expect(await get('/healthz', many(250))).toBe(431)
  })
})
