/** The order of the steps: of two problems, the earlier one is reported. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { isSchedule } from '../../../../src/domain/check/fields.ts'
import { defineFormat } from '../../../../src/domain/schema.ts'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { type Call, type TestApp, testApp } from '../../../support/test-app.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'
const WRONG = 'x'.repeat(32)

let t: TestApp
let key: string
let readOnly: string
let id: string
let foreign: string
beforeAll(async () => {
  t = await testApp()
  key = t.keys.apiKey
  readOnly = t.keys.apiKeyReadonly
  const { keys } = await createProject(t.app.deps, 'Others')
  foreign = await create(keys.apiKey)
})
afterAll(() => t.close())
beforeEach(async () => {
  id = await create(key)
})

async function create(by: string): Promise<string> {
  return (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: by, json: {} })).uuid
}

async function answer(method: string, path: string, call: Call = {}): Promise<string> {
  const response = await t.call(method, `/api/v3/${path}`, call)
  const text = await response.text()
  return `${response.status} ${text === '' ? '' : JSON.parse(text).error}`.trim()
}

const UNPARSABLE = '400 could not parse request body'
const NO_OBJECT = '400 json validation error: value is not an object'
const MISSING = '401 missing api key'
const WRONG_KEY = '401 wrong api key'

describe('the order of the steps', () => {
  test('a path that cannot exist comes before OPTIONS', async () => {
    for (const path of [`checks/${id.toUpperCase()}`, 'checks/x', `checks/${id}/nowhere`, 'nowhere']) {
      expect(await answer('OPTIONS', path)).toBe('404 not found')
    }
  })

  test('OPTIONS comes before everything else, and asks for no key', async () => {
    const response = await t.call('OPTIONS', `/api/v3/checks/${NOWHERE}`, { body: '{', key: WRONG })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS')
  })

  test('a wrong method comes before a broken body', async () => {
    expect(await answer('PUT', 'checks/', { body: '{' })).toBe('405 method not allowed')
    expect(await answer('POST', `checks/${'a'.repeat(40)}`, { body: '{' })).toBe('405 method not allowed')
    expect(await answer('DELETE', `checks/${id}/pause`, { body: '{' })).toBe('405 method not allowed')
  })

  test('a body that is too large comes before one that is not JSON', async () => {
    const tooLarge = '400 the request body is too large, send at most 131072 bytes'
    for (const call of [{}, { key }]) {
      expect(await answer('POST', 'checks/', { ...call, body: new Uint8Array(131_073) })).toBe(tooLarge)
    }
    expect(await answer('POST', 'checks/', { key, body: new Uint8Array(131_072) })).toBe(UNPARSABLE)
  })

  test('a body that is not JSON comes before one that is not an object', async () => {
    expect(await answer('POST', 'checks/', { body: '[' })).toBe(UNPARSABLE)
    expect(await answer('POST', 'checks/', { body: '[]' })).toBe(NO_OBJECT)
  })

  test('a key in the header comes before the body, also if it may not write', async () => {
    for (const wrong of [WRONG, readOnly]) {
      expect(await answer('POST', 'checks/', { key: wrong, body: '{' })).toBe(WRONG_KEY)
      expect(await answer('POST', `checks/${id}/pause`, { key: wrong, body: '7' })).toBe(WRONG_KEY)
    }
    expect(await answer('POST', 'checks/', { key: 'short', body: '{' })).toBe(MISSING)
  })

  test('both come before a key that may be in the body', async () => {
    for (const path of ['checks/', `checks/${NOWHERE}`, `checks/${NOWHERE}/pause`, `checks/${NOWHERE}/resume`]) {
      expect(await answer('POST', path, { body: '{' })).toBe(UNPARSABLE)
      expect(await answer('POST', path, { body: '7' })).toBe(NO_OBJECT)
      expect(await answer('POST', path, { body: '{}' })).toBe(MISSING)
    }
  })

  test('a missing key comes before a wrong one, and both before a check that does not exist', async () => {
    expect(await answer('GET', `checks/${NOWHERE}`)).toBe(MISSING)
    expect(await answer('GET', `checks/${NOWHERE}`, { key: 'short' })).toBe(MISSING)
    expect(await answer('GET', `checks/${NOWHERE}`, { key: WRONG })).toBe(WRONG_KEY)
    expect(await answer('DELETE', `checks/${NOWHERE}`, { key: readOnly })).toBe(WRONG_KEY)
    expect(await answer('GET', `checks/${NOWHERE}`, { key })).toBe('404 not found')
  })

  test('a check that does not exist, or is not ours, comes before an invalid value', async () => {
    const call = { key, json: { timeout: 1 } }
    expect(await answer('POST', `checks/${NOWHERE}`, call)).toBe('404 not found')
    expect(await answer('POST', `checks/${foreign}`, call)).toBe('403 forbidden')
    expect(await answer('GET', `checks/${NOWHERE}/flips/?start=x`, { key })).toBe('404 not found')
    expect(await answer('GET', `checks/${foreign}/flips/?start=x`, { key })).toBe('403 forbidden')
    expect(await answer('POST', `checks/${id}`, call)).toBe('400 json validation error: timeout is too small')
  })

  test('an invalid value comes before a channel that does not exist', async () => {
    const channels = 'nobody'
    const fits = '400 invalid channel identifier: nobody'
    expect(await answer('POST', 'checks/', { key, json: { channels, tz: 'x' } })).toBe(
      '400 json validation error: tz is not a valid timezone',
    )
    expect(await answer('POST', 'checks/', { key, json: { channels } })).toBe(fits)
    expect(await answer('POST', `checks/${id}`, { key, json: { channels, name: 'changed' } })).toBe(fits)
    expect((await t.json('GET', `/api/v3/checks/${id}`, { key })).name).toBe('')
  })

  test('an invalid value comes before a conflict', async () => {
    expect(await answer('POST', `checks/${id}/resume`, { key, body: '[]' })).toBe(NO_OBJECT)
    expect(await answer('POST', `checks/${id}/resume`, { key, body: 'null' })).toBe('409 check is not paused')
  })
})

describe('a body', () => {
  afterEach(() => defineFormat('schedule', isSchedule))

  test('is validated once', async () => {
    const looked: string[] = []
    defineFormat('schedule', (expression) => looked.push(expression) > 0)
    expect((await t.call('POST', `/api/v3/checks/${id}`, { key, json: { schedule: '* * * * *' } })).status).toBe(200)
    expect(looked).toEqual(['* * * * *'])
  })

  test.each(['timeout', 'name', 'unique', 'channels'])(
    'whose %s is nested deeply is refused at once',
    async (field) => {
      const nested = `{"${field}":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
      const began = performance.now()
      expect(await answer('POST', 'checks/', { key, body: nested })).toStartWith('400 json validation error: ')
      expect(performance.now() - began).toBeLessThan(5_000)
    },
  )
})

describe('the key', () => {
  test('in the header overrides the body, even when it is empty', async () => {
    expect(await answer('POST', 'checks/', { key: '', json: { api_key: key } })).toBe(MISSING)
    expect(await answer('POST', 'checks/', { key: WRONG, json: { api_key: key } })).toBe(WRONG_KEY)
  })

  test('is not read from the query or from the body of a GET or DELETE', async () => {
    expect(await answer('GET', `checks/?api_key=${key}`)).toBe(MISSING)
    expect(await answer('DELETE', `checks/${id}`, { json: { api_key: key } })).toBe(MISSING)
  })

  test.each([
    '123',
    'null',
    'true',
    '[]',
    '{}',
    '{"toString":1,"valueOf":1}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  ])('is missing when the body has %.40s instead', async (value) => {
    expect(await answer('POST', 'checks/', { body: `{"api_key":${value}}` })).toBe(MISSING)
  })

  test('must have 32 characters, not counting spaces around it', async () => {
    expect(await answer('GET', 'checks/', { key: key.slice(1) })).toBe(MISSING)
    expect(await answer('GET', 'checks/', { key: `${key}x` })).toBe(MISSING)
    expect(await answer('GET', 'checks/', { key: t.keys.pingKey })).toBe(MISSING)
    expect((await t.call('GET', '/api/v3/checks/', { key: `  ${key} ` })).status).toBe(200)
  })
})

test('405 names the methods of the path, in both headers', async () => {
  const { headers } = await t.call('PATCH', `/api/v3/checks/${id}`)
  expect(headers.get('allow')).toBe('GET, POST, DELETE')
  expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS')
})
