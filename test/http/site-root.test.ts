import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../support/test-app.ts'

type Check = Readonly<Record<string, string>>

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://example.org/tools/watch/' } })
})
afterEach(() => t.close())

describe.each(['', '/tools/watch'])('with SITE_ROOT under a path, asked at "%s"', (prefix) => {
  test.each([1, 2, 3])('API v%d works, and its URLs contain the path', async (version) => {
    const api = `${prefix}/api/v${version}`
    const { apiKey: key } = t.keys
    const check = await t.json<Check>('POST', `${api}/checks/`, { key, json: { name: 'My Job' } })
    const url = `https://example.org/tools/watch/api/v${version}/checks/${check.uuid}`
    expect(check).toMatchObject({
      slug: version === 3 ? '' : 'my-job',
      ping_url: `https://example.org/tools/watch/ping/${check.uuid}`,
      update_url: url,
      pause_url: `${url}/pause`,
      resume_url: `${url}/resume`,
    })
    expect(check.badge_url).toStartWith('https://example.org/tools/watch/b/2/')

    await t.call('POST', `${prefix}/ping/${check.uuid}/start`, { body: 'x' })
    const read = await t.json<Check>('GET', `${api}/checks/${check.uuid}`, { key })
    expect(read.status).toBe(version === 1 ? 'started' : 'new')
    const { pings } = await t.json<{ pings: Check[] }>('GET', `${api}/checks/${check.uuid}/pings/`, { key })
    expect(pings[0]?.body_url).toBe(`${url}/pings/1/body`)
    const flips = await t.json<unknown>('GET', `${api}/checks/${check.uuid}/flips/`, { key })
    expect(flips as unknown).toEqual(version === 3 ? [] : { flips: [] })
  })

  test('a missing key, a wrong method and an unknown path get their errors in JSON', async () => {
    const status = async (method: string, path: string, key?: string) =>
      (await t.call(method, prefix + path, key === undefined ? {} : { key })).status
    expect(await status('GET', '/api/v2/checks/')).toBe(401)
    expect(await status('POST', '/api/v3/checks/', t.keys.apiKeyReadonly)).toBe(401)
    expect(await status('PATCH', '/api/v3/checks/', t.keys.apiKey)).toBe(405)
    expect(await status('GET', '/api/v3/status/')).toBe(200)
    const nowhere = await t.call('GET', `${prefix}/api/v3/nowhere`)
    expect([nowhere.status, await nowhere.json()]).toEqual([404, { error: 'not found' }] as never)
  })
})

test('only the whole path of SITE_ROOT works', async () => {
  for (const path of [
    '/tools/api/v3/status/',
    '/watch/api/v3/status/',
    '/tools/watcher',
    '/tools',
    '/tools/watch/tools/watch/ping/x',
  ]) {
    expect((await t.call('GET', path)).status).toBe(404)
  }
})

test('PING_ENDPOINT changes the URLs that are shown, not those that work', async () => {
  await t.close()
  t = await testApp({ env: { PING_ENDPOINT: 'https://hc-ping.example' } })
  const check = await t.json<Check>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })
  expect(check.ping_url).toBe(`https://hc-ping.example/${check.uuid}`)
  expect((await t.call('GET', `/${check.uuid}`)).status).toBe(404)
  expect((await t.call('GET', `/ping/${check.uuid}`)).status).toBe(200)
})
