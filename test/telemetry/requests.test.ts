import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { ReceivedSpan } from '../support/otlp-receiver.ts'
import { replaced } from '../support/replaced-methods.ts'
import { named, type TracedApp, tracedApp } from '../support/traced-app.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SITE_ROOT = 'https://overdue.example/path'

let t: TracedApp
beforeEach(async () => {
  t = await tracedApp({ env: { SITE_ROOT } })
})
afterEach(() => t.close())

const seen: readonly [method: string, path: string, name: string, status: number][] = [
  ['GET', '/ping/11111111-1111-4111-8111-111111111111', 'GET /ping/*', 404],
  ['POST', '/ping/2222222222222222222222/backup/start?rid=x', 'POST /ping/*', 404],
  ['HEAD', '/ping/11111111-1111-4111-8111-111111111111/7', 'HEAD /ping/*', 404],
  ['GET', '/path/ping/11111111-1111-4111-8111-111111111111', 'GET /path/ping/*', 404],
  ['GET', '/api/v3/status/', 'GET /api/v3/status', 200],
  ['GET', '/api/v2/checks/', 'GET /api/v2/checks', 401],
  ['GET', '/api/v1/checks/11111111-1111-4111-8111-111111111111', 'GET /api/v1/checks/:id', 401],
  ['GET', '/badge/key/signature/tag.svg', 'GET /badge/*', 404],
  ['GET', '/healthz', 'GET /healthz', 200],
  ['GET', '/nothing/here', 'GET /*', 404],
]

describe('every kind of request', () => {
  let all: TracedApp
  const statuses: number[] = []
  /** spans in the order of the requests */
  let spans: readonly ReceivedSpan[]
  beforeAll(async () => {
    all = await tracedApp({ env: { SITE_ROOT } })
    for (const [method, path] of seen) statuses.push((await all.call(method, path)).status)
    spans = (await all.spans()).filter(({ kind }) => kind === 'server')
  })
  afterAll(() => all.close())

  test.each(seen.map((request, at) => [...request, at] as const))(
    '%s %s is a span named by its route, and it has no path',
    (method, _, name, status, at) => {
      expect(statuses[at]).toBe(status)
      expect(spans[at]).toMatchObject({ name, kind: 'server', parentSpanId: '', links: [], error: null })
      expect(spans[at]?.attributes).toEqual({
        'http.request.method': method,
        'http.route': name.slice(method.length + 1),
        'http.response.status_code': status,
      })
    },
  )
})

test('a request that fails before it is parsed has a route too', async () => {
  await t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, body: '{' })
  expect(named(await t.spans(), 'POST /api/v3/checks').attributes['http.response.status_code']).toBe(400)
})

test('an unknown method is not recorded', async () => {
  await t.call('PURGE', '/healthz')
  expect((await t.spans())[0]).toMatchObject({ name: 'HTTP /healthz', attributes: { 'http.request.method': '_OTHER' } })
})

test('a request that the router forwards is still one span', async () => {
  const response = await t.call('GET', '/api/v3/%73tatus/')
  expect(response.status).toBe(200)
  expect((await t.spans()).map(({ name }) => name)).toEqual(['GET /api/v3/status'])
})

test('a failed request is an error in our words', async () => {
  const { store } = t.app.deps
  Object.assign(store, replaced(store, { server: { probe: () => Promise.reject(new Error('broken')) } }))
  const response = await t.call('GET', '/api/v3/status/')
  expect(response.status).toBe(500)
  expect((await t.spans())[0]).toMatchObject({ error: 'answered 500', attributes: { 'error.type': '500' } })
})

test('requests at the same time keep their routes apart', async () => {
  await Promise.all(['/healthz', '/api/v3/status/', '/ping/x', '/healthz'].map((path) => t.call('GET', path)))
  const names = (await t.spans()).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['GET /api/v3/status', 'GET /healthz', 'GET /healthz', 'GET /ping/*'])
})

test("the caller's trace continues", async () => {
  await t.call('GET', '/healthz', { headers: { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=secret' } })
  expect(await t.spans()).toMatchObject([{ traceId: TRACE, parentSpanId: CALLER }])
  expect(t.receiver.raw.join()).not.toContain('secret')
})

test('a trace that the caller does not record is not recorded here', async () => {
  await t.call('GET', '/healthz', { headers: { traceparent: `00-${TRACE}-${CALLER}-00` } })
  expect(await t.spans()).toEqual([])
})

const malformed = [
  '',
  '00',
  `00-${TRACE}-${CALLER}`,
  `00-${'0'.repeat(32)}-${CALLER}-01`,
  `ff-${TRACE}-${CALLER}-01`,
  'x'.repeat(9000),
]
test('a malformed traceparent starts a new trace', async () => {
  for (const traceparent of malformed) await t.call('GET', '/healthz', { headers: { traceparent } })
  const spans = await t.spans()
  expect(spans).toHaveLength(malformed.length)
  for (const { parentSpanId, traceId } of spans) {
    expect(parentSpanId).toBe('')
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(traceId).not.toBe(TRACE)
  }
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(malformed.length)
})
