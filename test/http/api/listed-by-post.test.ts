import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let id: string
beforeEach(async () => {
  t = await testApp()
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })).uuid
  await t.call('POST', `/ping/${id}`, { body: 'x' })
})
afterEach(() => t.close())

const CALLS = [1, 2, 3].flatMap((version) => ['pings', 'flips'].map((list) => `/api/v${version}/checks/:id/${list}`))

test.each(CALLS)('a POST to %s, without the final slash, reads the list as a GET does', async (path) => {
  const url = path.replace(':id', id)
  const read = await (await t.call('GET', url, { key: t.keys.apiKey })).text()
  for (const body of [undefined, '{}', 'no JSON', '[]']) {
    const answer = await t.call('POST', url, { key: t.keys.apiKey, ...(body === undefined ? {} : { body }) })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(read)
  }
})

test.each(CALLS)('a POST to %s/, with it, is not allowed', async (path) => {
  const answer = await t.call('POST', `${path.replace(':id', id)}/`, { key: t.keys.apiKey, json: {} })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET')
})

test('and it accepts the same keys only', async () => {
  expect((await t.call('POST', `/api/v3/checks/${id}/pings`, { key: t.keys.apiKeyReadonly })).status).toBe(401)
  expect((await t.call('POST', `/api/v3/checks/${id}/flips`, { key: t.keys.apiKeyReadonly })).status).toBe(200)
  expect((await t.call('POST', `/api/v3/checks/${id}/flips`)).status).toBe(401)
})
