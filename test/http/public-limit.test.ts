/** The rate limit of badges, project metrics and public pages, by client address; and that of walls, by key. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { assetPath } from '../../src/http/web/assets/assets.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

const PUBLIC_PER_MINUTE = 300

let t: TestApp
let port: number
beforeEach(async () => {
  t = await testApp({ env: { HOST: '127.0.0.1', PORT: '0', TRUSTED_PROXIES: '127.0.0.1' } })
  port = await t.app.start()
})
afterEach(() => t.close())

const get = (path: string, address = '192.0.2.1', method = 'GET') =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { 'x-forwarded-for': address } })

async function statuses(count: number, path: string, address?: string): Promise<Set<number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => get(path, address)))
  return new Set(answers.map(({ status }) => status))
}

test('badges and project metrics count together, and work again after Retry-After', async () => {
  const badge = `/b/2/${crypto.randomUUID()}.svg`
  const metrics = `/projects/${t.project.id}/metrics/${t.keys.apiKeyReadonly}`
  expect(await statuses(PUBLIC_PER_MINUTE - 1, badge)).toEqual(new Set([404]))
  expect((await get(metrics)).status).toBe(200)
  for (const path of [metrics, badge, `/badge/${t.project.badgeKey}/AAAAAAAA.svg`]) {
    const refused = await get(path)
    expect([refused.status, await refused.text()]).toEqual([429, 'rate limit exceeded'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('access-control-allow-origin')).toBe(path === metrics ? null : '*')
  }
  t.clock.advance({ seconds: 1 })
  expect((await get(metrics)).status).toBe(200)
})

test('public pages count too, but not their files, nor the pages of who is signed in', async () => {
  const badge = `/b/2/${crypto.randomUUID()}.svg`
  const link = `/integrations/${crypto.randomUUID()}/unsub/x/`
  expect(await statuses(PUBLIC_PER_MINUTE - 1, badge)).toEqual(new Set([404]))
  expect((await get(link)).status).toBe(404)
  for (const [path, method] of [
    ['/docs/api', 'GET'],
    [link, 'GET'],
    [link, 'POST'],
  ] as const) {
    const refused = await get(path, '192.0.2.1', method)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.text()).toContain('<h1>Too many requests</h1>')
  }
  expect((await get('/docs/api', '192.0.2.2')).status).toBe(200)
  for (const path of [assetPath('overdue.css'), '/favicon.svg', '/favicon-down.svg', '/']) {
    expect((await get(path)).status).toBe(200)
  }
})

test('each address has its own limit, and requests that do not read the database are free', async () => {
  const badge = `/b/2/${crypto.randomUUID()}.svg`
  expect(await statuses(PUBLIC_PER_MINUTE + 1, badge)).toEqual(new Set([404, 429]))
  expect((await get(badge, '192.0.2.2')).status).toBe(404)
  expect((await get(badge, '192.0.2.1', 'OPTIONS')).status).toBe(204)
  expect((await get('/ping/x')).status).not.toBe(429)
})

test('all IPv6 addresses of one /64 network count together', async () => {
  const badge = `/b/2/${crypto.randomUUID()}.svg`
  for (let n = 0; n < PUBLIC_PER_MINUTE; n += 1) await get(badge, `2001:db8:1:2::${n.toString(16)}`)
  expect((await get(badge, '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await get(badge, '2001:db8:1:3::1')).status).toBe(404)
})

test('PUBLIC_RATE_LIMIT sets another limit, and 0 sets none', async () => {
  for (const [limit, expected] of [
    ['2', [404, 404, 429]],
    ['0', [404, 404, 404]],
  ] as const) {
    const other = await testApp({ env: { PUBLIC_RATE_LIMIT: limit } })
    const ask = async () => (await other.call('GET', `/b/2/${crypto.randomUUID()}.svg`)).status
    expect([await ask(), await ask(), await ask()]).toEqual([...expected])
    await other.close()
  }
})

test('a request with a wrong metrics key counts too', async () => {
  const wrong = `/projects/${t.project.id}/metrics/${'x'.repeat(32)}`
  expect(await statuses(PUBLIC_PER_MINUTE, wrong)).toEqual(new Set([403]))
  expect((await get(wrong)).status).toBe(429)
})

const PARTS_PER_MINUTE = 1_200
/** @param count number of screens that request the wall of the key */
const wallStatuses = async (key: string, count: number, address: string) => {
  const one = () =>
    fetch(`http://127.0.0.1:${port}/tv/part`, { headers: { 'x-api-key': key, 'x-forwarded-for': address } })
  const counts: Record<number, number> = {}
  for (let n = 0; n < count; n++) {
    const { status } = await one()
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

test('walls count by their keys, so that many screens of one address leave badges and pages alone', async () => {
  const { apiKeyReadonly, apiKey } = t.keys
  expect(await wallStatuses(apiKeyReadonly, PARTS_PER_MINUTE + 1, '192.0.2.1')).toEqual({
    200: PARTS_PER_MINUTE,
    429: 1,
  })
  // The limit of a key holds at each address.
  expect(await wallStatuses(apiKeyReadonly, 1, '192.0.2.2')).toEqual({ 429: 1 })
  expect(await wallStatuses(apiKey, 1, '192.0.2.1')).toEqual({ 200: 1 })
  expect((await get(`/b/2/${crypto.randomUUID()}.svg`)).status).toBe(404)
  t.clock.advance({ seconds: 1 })
  expect(await wallStatuses(apiKeyReadonly, 1, '192.0.2.1')).toEqual({ 200: 1 })
})

test('a wall of an unknown key counts as a badge does, and does not hinder the walls of others', async () => {
  expect(await wallStatuses('x'.repeat(32), PUBLIC_PER_MINUTE + 1, '192.0.2.1')).toEqual({
    401: PUBLIC_PER_MINUTE,
    429: 1,
  })
  expect((await get(`/b/2/${crypto.randomUUID()}.svg`)).status).toBe(429)
  expect(await wallStatuses('x', 1, '192.0.2.1')).toEqual({ 429: 1 })
  expect(await wallStatuses(t.keys.apiKeyReadonly, 1, '192.0.2.1')).toEqual({ 200: 1 })
})
