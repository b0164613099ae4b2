import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

interface Entry {
  readonly n: number
  readonly type: string
  readonly date: string
  readonly body_url: string | null
  readonly duration?: number
}

let t: TestApp
let id: string
beforeEach(async () => {
  t = await testApp()
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })).uuid
})
afterEach(() => t.close())

const ping = (tail = '', body?: string | Uint8Array) =>
  t.call('POST', `/ping/${id}${tail}`, body === undefined ? {} : { body })
const pings = async () =>
  (await t.json<{ pings: Entry[] }>('GET', `/api/v3/checks/${id}/pings/`, { key: t.keys.apiKey })).pings
const bodyOf = (n: string | number) => t.call('GET', `/api/v3/checks/${id}/pings/${n}/body`, { key: t.keys.apiKey })

describe('the list', () => {
  test('is newest first, with all fields in order', async () => {
    await ping('/start')
    t.clock.advance({ milliseconds: 1250 })
    await t.call('POST', `/ping/${id}/7`, { body: 'x', headers: { 'user-agent': 'curl/8' } })
    const url = `http://localhost:8000/api/v3/checks/${id}/pings/2/body`
    const common = { scheme: 'http', remote_addr: null, method: 'POST' }
    const list = await pings()
    expect(list as unknown).toEqual([
      {
        ...common,
        type: 'fail',
        date: '2026-03-04T12:00:01.250000+00:00',
        n: 2,
        ua: 'curl/8',
        rid: null,
        body_url: url,
        duration: 1.25,
      },
      { ...common, type: 'start', date: '2026-03-04T12:00:00+00:00', n: 1, ua: '', rid: null, body_url: null },
    ])
    expect(Object.keys(list[0] ?? {}).join()).toBe('type,date,n,scheme,remote_addr,method,ua,rid,body_url,duration')
  })
})

describe('a body', () => {
  test('can be requested with leading zeros', async () => {
    await ping('', 'x')
    expect((await bodyOf('001')).status).toBe(200)
  })

  test.each([
    '0',
    '2',
    '3',
    '-1',
    '+1',
    '1.0',
    '1e0',
    'x',
    '%31%00',
    '9'.repeat(15),
    '9'.repeat(400),
    '%zz',
    '%ff',
    '１',
  ])('is not found at %s', async (n) => {
    await ping('', 'x')
    await ping('')
    const response = await bodyOf(n)
    expect([response.status, await response.json()]).toEqual([404, { error: 'not found' }] as never)
  })
})

describe('a log without room for all bodies', () => {
  let small: TestApp
  let check: string
  beforeEach(async () => {
    small = await testApp({ env: { PING_LOG_BYTES: '1000' } })
    check = (await small.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: small.keys.apiKey, json: {} })).uuid
    for (const length of [600, 700, 300, 2_000]) {
      await small.call('POST', `/ping/${check}`, { body: 'x'.repeat(length) })
    }
  })
  afterEach(() => small.close())

  const read = (path: string, version = 'v3') =>
    small.call('GET', `/api/${version}/checks/${check}/pings/${path}`, { key: small.keys.apiKey })

  test('says in a header how many were dropped, and has no URL for them', async () => {
    expect((await read('')).headers.get('x-dropped-bodies')).toBe('0')
    await small.app.settle('retention')
    for (const version of ['v1', 'v2', 'v3']) {
      const response = await read('', version)
      expect(response.headers.get('x-dropped-bodies')).toBe('1')
      const { pings } = (await response.json()) as { pings: Entry[] }
      expect(pings.map(({ n, body_url }) => [n, body_url !== null])).toEqual([
        [4, true],
        [3, true],
        [2, true],
        [1, false],
      ])
      expect(Object.keys(pings[3] ?? {}).join()).toBe('type,date,n,scheme,remote_addr,method,ua,rid,body_url')
    }
  })

  test('says why a dropped body is missing, and returns the others complete', async () => {
    await small.app.settle('retention')
    const dropped = await read('1/body')
    expect(dropped.status).toBe(404)
    expect(await dropped.json()).toEqual({
      error:
        "the body of this ping (600 bytes) was dropped, because the bodies in a check's log are limited to 1000 bytes (PING_LOG_BYTES)",
    })
    expect(await (await read('2/body')).text()).toBe('x'.repeat(700))
    expect(await (await read('4/body')).text()).toBe('x'.repeat(2_000))
  })
})

test('a read-only key reads neither pings nor bodies, and the unique key finds none', async () => {
  await ping('', 'x')
  const key = t.keys.apiKeyReadonly
  const { unique_key: uniqueKey } = await t.json('GET', `/api/v3/checks/${id}`, { key })
  expect((await t.call('GET', `/api/v3/checks/${id}/pings/`, { key })).status).toBe(401)
  expect((await t.call('GET', `/api/v3/checks/${id}/pings/1/body`, { key })).status).toBe(401)
  expect((await t.call('GET', `/api/v3/checks/${uniqueKey}/pings/`, { key: t.keys.apiKey })).status).toBe(404)
})
