import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Refusal, type RefusalKind } from '../../src/domain/errors.ts'
import { SCHEMA_VERSION } from '../../src/store/sql/migrations.ts'
import { ENGINE } from '../support/databases.ts'
import { everyRefusal } from '../support/refusals.ts'
import { replaced } from '../support/replaced-methods.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
let working: TestApp['app']['deps']['store']
beforeAll(async () => {
  t = await testApp({ isShared: true })
  working = { ...t.app.deps.store }
})
afterAll(() => t.close())
afterEach(() => {
  Object.assign(t.app.deps.store, working)
  t.log.length = 0
})

/** Makes the store fail with this error until the test ends. */
function failWith(error: unknown): void {
  const fail = () => Promise.reject(error)
  const { store } = t.app.deps
  const methods = { checks: { list: fail }, pings: { commit: fail }, server: { probe: fail } }
  Object.assign(store, replaced(store, methods))
}

async function answer(method: string, path: string, key?: string): Promise<readonly [number, string, string | null]> {
  const response = await t.call(method, path, key === undefined ? {} : { key })
  return [response.status, await response.text(), response.headers.get('content-type')]
}

const JSON_TYPE = 'application/json;charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const SOME_PING = '/ping/00000000-0000-4000-8000-000000000000'

describe('an unexpected error', () => {
  test('has a fixed sentence, and its cause is in one line of the log', async () => {
    failWith(new Error('the disk whispered: /var/secret/place'))
    const sentence = 'internal error, it has been logged'
    expect(await answer('GET', '/api/v3/checks/', t.keys.apiKey)).toEqual([500, `{"error":"${sentence}"}`, JSON_TYPE])
    expect(t.log).toHaveLength(1)
    expect(t.log[0]).toMatchObject({ level: 'error', message: 'unexpected error', details: { method: 'GET' } })
    expect(String(t.log[0]?.details.reason)).toContain('the disk whispered')

    expect(await answer('GET', SOME_PING)).toEqual([500, sentence, TEXT_TYPE])
    expect(t.log).toHaveLength(2)
  })

  test('puts no key, ping URL or body into the log', async () => {
    failWith(new Error('broken'))
    const { apiKey, pingKey } = t.keys
    await t.call('GET', '/api/v3/checks/?tag=private-tag', { key: apiKey })
    await t.call('POST', `/ping/${pingKey}/job?rid=0193b3a4-4f3c-7bd0-8a3f-5e7a1c2b3d4e`, { body: 'private-body' })
    await t.call('GET', SOME_PING, { headers: { 'user-agent': 'private-agent' } })
    expect(t.log).toHaveLength(3)
    const lines = JSON.stringify(t.log)
    for (const secret of [apiKey, pingKey, '00000000-0000-4000', 'private', '0193b3a4'])
      expect(lines).not.toContain(secret)
  })

  test('can be anything, also an object with its own status', async () => {
    const odd = Object.assign(new Error('x'), { status: 200, code: 'ODD' })
    for (const [index, thrown] of ['text', 42, { status: 201 }, odd].entries()) {
      failWith(thrown)
      expect((await t.call('GET', '/api/v3/checks/', { key: t.keys.apiKey })).status).toBe(500)
      expect(t.log[index]).toMatchObject({ message: 'unexpected error' })
    }
  })
})

describe('a refusal', () => {
  const STATUS: Readonly<Record<RefusalKind, number>> = {
    invalid: 400,
    unauthorized: 401,
    forbidden: 403,
    'not-found': 404,
    conflict: 409,
    'too-large': 413,
    'over-limit': 429,
    busy: 503,
    unavailable: 503,
  }
  const RETRY_AFTER: Readonly<Partial<Record<RefusalKind, string>>> = {
    'over-limit': '60',
    busy: '1',
    unavailable: '5',
  }

  test.each(everyRefusal())(
    '%s has a status of its kind, its words and never 500, and only what the operator has to mend is logged',
    async (_, refusal) => {
      const { kind, message, reason } = refusal
      const { position, length } = refusal.data
      const place = position === undefined ? {} : { position, length }
      failWith(refusal)
      const response = await t.call('GET', '/api/v3/checks/', { key: t.keys.apiKey })
      expect(response.status).toBe(STATUS[kind])
      expect(await response.json()).toEqual({ error: message, ...place })
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS')
      expect(response.headers.get('retry-after')).toBe(RETRY_AFTER[kind] ?? null)
      const logged = { level: 'error', message: 'request refused', details: { method: 'GET', reason } }
      expect(t.log).toEqual(kind === 'unavailable' ? [logged] : [])
    },
  )

  test('that is already logged is not logged again', async () => {
    failWith(new Refusal('unavailable', 'later', { reason: 'the disk is full', isLogged: true }))
    expect((await answer('GET', SOME_PING))[0]).toBe(503)
    expect(t.log).toEqual([])
  })

  test('is plain text outside the API', async () => {
    failWith(new Refusal('unavailable', 'later', { reason: 'later' }))
    expect(await answer('GET', SOME_PING)).toEqual([503, 'later', TEXT_TYPE])
    expect(await answer('GET', '/api/v1/status')).toEqual([503, '{"error":"later"}', JSON_TYPE])
  })
})

describe.skipIf(ENGINE !== 'sqlite')('a file that cannot be written', () => {
  test('gives 503 to pings and to the API, and the reason is in the log', async () => {
    const { apiKey: key } = t.keys
    const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json: {} })
    using other = new Database(t.databaseUrl.slice('sqlite:'.length))
    other.run('PRAGMA user_version = 999')
    const words = 'the database cannot be used at the moment, please try again'
    expect(await answer('GET', `/ping/${uuid}`)).toEqual([503, words, TEXT_TYPE])
    expect(await answer('DELETE', `/api/v3/checks/${uuid}`, key)).toEqual([503, `{"error":"${words}"}`, JSON_TYPE])
    expect(t.log.map(({ message }) => message)).toEqual(['request refused', 'request refused'])
    expect(String(t.log[0]?.details.reason)).toContain('version 999')
    other.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  })
})

describe('a path without a route', () => {
  test.each(['/api/', '/api/v3/', '/api/v4/checks/', '/api/v3/nowhere', '/api/v3/checks/x/y/z/', '/%61pi/v3/x'])(
    'is not found in JSON under /api/: %s',
    async (path) => {
      expect(await answer('GET', path)).toEqual([404, '{"error":"not found"}', JSON_TYPE])
      expect(await answer('POST', path)).toEqual([404, '{"error":"not found"}', JSON_TYPE])
    },
  )

  test.each(['/api', '/apis/v3', '/ping', '/ping/', '/ping/x', '/nowhere', '/x/api/v3/checks/', '/%zz', '/%00'])(
    'is not found in plain text elsewhere: %s',
    async (path) => {
      expect(await answer('GET', path)).toEqual([404, 'not found', TEXT_TYPE])
    },
  )

  test('may be read by pages of other origins', async () => {
    const { headers } = await t.call('GET', '/api/v3/nowhere')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('an encoded path', () => {
  test('is the same path if the encoded characters need no encoding', async () => {
    expect(await answer('GET', '/%61pi/%763/status/')).toEqual([200, 'OK', TEXT_TYPE])
    const created = await t.call('POST', '/api/v3/check%73/', { key: t.keys.apiKey, json: { name: 'x' } })
    expect(created.status).toBe(201)
  })

  test('is another path when it is encoded twice, however deep', async () => {
    for (const path of [
      '/api/v3/%2573tatus/',
      '/api/v3/%%373tatus/',
      `/api/v3/${'%'.repeat(5000)}${'3'.repeat(4999)}63hecks/`,
    ]) {
      expect(await answer('GET', path)).toEqual([404, '{"error":"not found"}', JSON_TYPE])
    }
  })

  test('is another path when a slash is encoded', async () => {
    expect((await answer('GET', '/api%2Fv3/status/'))[0]).toBe(404)
  })
})
