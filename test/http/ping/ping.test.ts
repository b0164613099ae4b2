import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/test-app.ts'

const RID = '0193b3a4-4f3c-7bd0-8a3f-5e7a1c2b3d4e'

let t: TestApp
let id: string
beforeEach(() => begin())
afterEach(() => t.close())

interface Pings {
  readonly pings: readonly { readonly n: number; readonly type: string; readonly rid: string | null }[]
}

/** Opens a server with one check. */
async function begin(env: Record<string, string> = {}): Promise<void> {
  t = await testApp({ env })
  const json = { name: 'Job', slug: 'job' }
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
}

async function restart(env: Record<string, string>): Promise<void> {
  await t.close()
  await begin(env)
}

async function ping(path: string, method = 'GET', body?: string | Uint8Array): Promise<string> {
  const response = await t.call(method, `/ping/${path}`, body === undefined ? {} : { body })
  return `${response.status} ${await response.text()}`
}

const log = async () => (await t.json<Pings>('GET', `/api/v3/checks/${id}/pings/`, { key: t.keys.apiKey })).pings
const checkCount = async () =>
  (await t.json<{ checks: unknown[] }>('GET', '/api/v3/checks/', { key: t.keys.apiKey })).checks.length
const keptBody = async (n: number) =>
  (await t.call('GET', `/api/v3/checks/${id}/pings/${n}/body`, { key: t.keys.apiKey })).text()

describe('methods', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE']

  test('of every kind ping and are logged', async () => {
    for (const method of METHODS) expect((await t.call(method, `/ping/${id}`)).status).toBe(200)
    expect((await log()).map((entry) => [entry.type, 'method' in entry && entry.method])).toEqual(
      METHODS.toReversed().map((method) => ['success', method]),
    )
  })
})

describe("a browser's preflight", () => {
  const preflight = (path: string) =>
    t.call('OPTIONS', `/ping/${path}`, {
      headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' },
    })

  test('lets every page ping with every method, and is not a ping itself', async () => {
    for (const tail of ['', '/fail', '/start', '/7?rid=x']) {
      const response = await preflight(`${id}${tail}`)
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(Object.fromEntries(response.headers)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'access-control-allow-methods': '*',
        'access-control-max-age': '600',
      })
    }
    expect(await log()).toEqual([])
  })

  test('creates no check', async () => {
    expect((await preflight(`${t.keys.pingKey}/new?create=1`)).status).toBe(204)
    expect(await checkCount()).toBe(1)
  })

  test('of a path that is not a ping URL is not found', async () => {
    expect((await preflight(`${id}/nothing/there`)).status).toBe(404)
  })
})

describe('the headers of an answer', () => {
  const NEVER_KEPT = 'max-age=0, no-cache, no-store, must-revalidate, private'

  test('let every page read the answer, say how much of a body is kept, and forbid caching', async () => {
    const { headers } = await t.call('POST', `/ping/${id}`)
    expect(Object.fromEntries(headers)).toEqual({
      'access-control-allow-origin': '*',
      'cache-control': NEVER_KEPT,
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
      'content-type': 'text/plain; charset=utf-8',
      'ping-body-limit': '10000',
    })
  })

  test.each([
    ['/256', 400],
    ['?rid=x', 400],
    ['/start/', 404],
  ])('of an error (%s) forbid caching and reveal nothing', async (tail, status) => {
    const response = await t.call('GET', `/ping/${id}${tail}`)
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': NEVER_KEPT,
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
      'content-type': 'text/plain; charset=utf-8',
    })
  })
})

describe('the body', () => {
  test('is kept up to the limit, to the byte', async () => {
    await restart({ PING_BODY_LIMIT: '10' })
    for (const length of [9, 10, 11]) await ping(id, 'POST', '0123456789ABC'.slice(0, length))
    expect([await keptBody(1), await keptBody(2), await keptBody(3)]).toEqual(['012345678', '0123456789', '0123456789'])
    expect((await t.call('GET', `/ping/${id}`)).headers.get('ping-body-limit')).toBe('10')
  })

  test('is kept as bytes, even when the cut goes through a character', async () => {
    await restart({ PING_BODY_LIMIT: '4' })
    await ping(id, 'PUT', new Uint8Array([0xff, 0x00, 0x41, 0xc3, 0xa9]))
    const kept = await t.call('GET', `/api/v3/checks/${id}/pings/1/body`, { key: t.keys.apiKey })
    expect([...(await kept.bytes())]).toEqual([0xff, 0x00, 0x41, 0xc3])
  })

  test('is kept whole with PING_BODY_LIMIT=None, and no limit is announced', async () => {
    await restart({ PING_BODY_LIMIT: 'None' })
    const body = 'x'.repeat(2_621_440)
    const response = await t.call('POST', `/ping/${id}`, { body })
    expect([response.status, response.headers.get('ping-body-limit')]).toEqual([200, null])
    expect((await keptBody(1)) === body).toBe(true)
  })

  test('is not kept at all with PING_BODY_LIMIT=0', async () => {
    await restart({ PING_BODY_LIMIT: '0' })
    expect(await ping(id, 'POST', 'x')).toBe('200 OK')
    expect((await log())[0]).toMatchObject({ n: 1, body_url: null })
  })

  test.each([
    ['10000', 10_000],
    ['0', null],
    ['None', 2_621_440],
  ])('above 2.5 MB is kept up to PING_BODY_LIMIT=%s, and the connection is closed', async (limit, kept) => {
    await restart({ PING_BODY_LIMIT: limit })
    const response = await t.call('POST', `/ping/${id}`, { body: 'x'.repeat(2_621_441) })
    expect([response.status, await response.text()]).toEqual([200, 'OK'])
    expect(response.headers.get('connection')).toBe('close')
    expect(await log()).toMatchObject([{ n: 1, type: 'success', ...(kept === null ? { body_url: null } : {}) }])
    if (kept !== null) expect(await keptBody(1)).toHaveLength(kept)
  })

  test('above 2.5 MB gets the same errors as a short one: no such check, a bad run id', async () => {
    expect(await ping(crypto.randomUUID(), 'POST', new Uint8Array(2_621_441))).toBe('404 not found')
    expect(await ping(`${id}?rid=x`, 'POST', new Uint8Array(2_621_441))).toBe('400 invalid uuid format')
    expect(await log()).toEqual([])
  })

  test.each(['10', '0', '10000', 'None'])(
    'is searched for keywords in its first 10,000 bytes, kept or not: PING_BODY_LIMIT=%s',
    async (limit) => {
      await restart({ PING_BODY_LIMIT: limit })
      const json = { filter_http_body: true, success_kw: 'done' }
      await t.call('POST', `/api/v3/checks/${id}`, { key: t.keys.apiKey, json })
      await ping(id, 'POST', `${'.'.repeat(9_996)}done`)
      await ping(id, 'POST', `${'.'.repeat(9_997)}done`)
      await ping(id, 'POST', `${'.'.repeat(9_996)}done${'.'.repeat(2_700_000)}`)
      expect((await log()).map(({ type }) => type)).toEqual(['success', 'ign', 'success'])
    },
  )
})

describe('rid', () => {
  test('is accepted in either case and logged in lower case', async () => {
    expect(await ping(`${id}/start?rid=${RID.toUpperCase()}`)).toBe('200 OK')
    expect(await log()).toMatchObject([{ type: 'start', rid: RID }])
  })

  test('counts once if it is repeated: the last one', async () => {
    expect(await ping(`${id}?rid=broken&rid=${RID}`)).toBe('200 OK')
    expect(await ping(`${id}?rid=${RID}&rid=broken`)).toBe('400 invalid uuid format')
    expect(await log()).toMatchObject([{ n: 1, rid: RID }])
  })

  test.each(['', '1', RID.replaceAll('-', ''), `{${RID}}`, `${RID}%0a`, `%20${RID}`, `${RID}0`, '%ff', '%', '%00'])(
    'of %j is refused and nothing is logged',
    async (rid) => {
      expect(await ping(`${id}?rid=${rid}`)).toBe('400 invalid uuid format')
      expect(await ping(`${t.keys.pingKey}/job?rid=${rid}`)).toBe('400 invalid uuid format')
      expect(await log()).toEqual([])
    },
  )

  test('may stand among unknown parameters', async () => {
    expect(await ping(`${id}?a=%zz&rid=${RID}&Rid=x&=&&b`)).toBe('200 OK')
  })
})

describe('at', () => {
  const seconds = (back: number) => Math.floor(t.clock.now().epochMilliseconds / 1_000) - back
  const occurred = async () => (await log()).map((entry) => 'occurred_at' in entry && entry.occurred_at)

  test('is kept with the ping, for every form of the URL and every method', async () => {
    const key = t.keys.pingKey
    for (const path of [id, `${id}/start`, `${id}/fail`, `${id}/log`, `${id}/7`, `${key}/job`, `${key}/job/start`]) {
      for (const method of ['GET', 'POST', 'HEAD']) {
        expect(await ping(`${path}?at=${seconds(60)}`, method)).toBe('200 OK')
      }
    }
    const at = new Date(seconds(60) * 1_000).toISOString().replace('.000Z', '+00:00')
    expect(await occurred()).toEqual(Array.from({ length: 21 }, () => at))
  })

  test('is not in the answer for a ping that came when it happened', async () => {
    await ping(`${id}?at=${seconds(-60)}`)
    await ping(id)
    expect(await occurred()).toEqual([false, false])
  })

  test.each([
    ['at=', 'at is empty'],
    ['at=noon', 'at is not a time'],
    ['at=1&at=1', 'at is given more than once'],
    ['at=1', 'at is more than 72 hours ago'],
  ])('%s is refused in words, and changes nothing', async (query, words) => {
    for (const path of [id, `${id}/start`, `${t.keys.pingKey}/job`, `${t.keys.pingKey}/new`]) {
      expect(await ping(`${path}?create=1&${query}`)).toStartWith(`400 ${words}`)
    }
    expect(await log()).toEqual([])
    expect(await checkCount()).toBe(1)
  })

  test('gives its pair the duration, however late both came', async () => {
    await ping(`${id}/start?rid=${RID}&at=${seconds(3_600)}`)
    await ping(`${id}?rid=${RID}&at=${seconds(3_000)}`)
    const found = await t.json<{ last_duration: number }>('GET', `/api/v3/checks/${id}`, { key: t.keys.apiKey })
    expect(found.last_duration).toBe(600)
    expect(await log()).toMatchObject([{ type: 'success', duration: 600 }, { type: 'start' }])
  })
})

describe('create=1', () => {
  test.each([
    'create=0',
    'create=',
    'create=true',
    'create=01',
    'create=1&create=0',
    'create',
    'CREATE=1',
    'create=+1',
  ])('is not %s', async (query) => {
    expect(await ping(`${t.keys.pingKey}/auto?${query}`)).toBe('404 not found')
    expect(await checkCount()).toBe(1)
  })

  test.each([
    ['auto/256?create=1', '400 invalid url format'],
    ['auto?create=1&rid=x', '400 invalid uuid format'],
    ['auto/start?create=1&rid=', '400 invalid uuid format'],
  ])('creates no check when the rest is not valid: %s', async (path, answer) => {
    expect(await ping(`${t.keys.pingKey}/${path}`)).toBe(answer)
    expect(await checkCount()).toBe(1)
  })

  test('takes the timing of the check that it creates, and leaves that of others alone', async () => {
    const timing = 'schedule=0+3+*+*+*&tz=Europe/Riga&grace=30m'
    expect(await ping(`${t.keys.pingKey}/auto?create=1&${timing}`)).toBe('201 Created')
    expect(await ping(`${t.keys.pingKey}/auto?create=1&schedule=1d`)).toBe('200 OK')
    expect(await ping(`${t.keys.pingKey}/job?create=1&schedule=never`)).toBe('200 OK')
    expect(await ping(`${t.keys.pingKey}/often?create=1&schedule=5m`)).toBe('201 Created')
    const { checks } = await t.json<{ checks: object[] }>('GET', '/api/v3/checks/', { key: t.keys.apiKey })
    expect(checks).toMatchObject([
      { slug: 'job', timeout: 86_400, grace: 3_600 },
      { slug: 'auto', schedule: '0 3 * * *', tz: 'Europe/Riga', grace: 1_800 },
      { slug: 'often', timeout: 300, grace: 3_600 },
    ])
  })

  test.each([
    ['schedule=never', 'schedule is neither a span, a cron nor an OnCalendar expression: '],
    ['schedule=5s', 'schedule is not a span from 60 to 31536000 seconds'],
    ['tz=Riga', 'tz is not a time zone'],
    ['grace=long', 'grace is not a span'],
  ])('creates no check with %s, and says why', async (query, words) => {
    expect(await ping(`${t.keys.pingKey}/auto?create=1&${query}`)).toStartWith(`400 ${words}`)
    expect(await ping(`${t.keys.pingKey}/auto?${query}`)).toBe('404 not found')
    expect(await checkCount()).toBe(1)
  })

  test('creates nothing under an unknown ping key', async () => {
    expect(await ping('nobodyhasthispingkey00/auto?create=1')).toBe('404 not found')
    expect(await ping(`${t.keys.pingKey.toUpperCase()}/auto?create=1`)).toBe('404 not found')
  })

  test('does not choose between two checks with the same slug', async () => {
    await t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { slug: 'job' } })
    expect(await ping(`${t.keys.pingKey}/job`)).toBe('409 ambiguous slug')
    expect(await ping(`${t.keys.pingKey}/job/0?create=1`)).toBe('409 ambiguous slug')
    expect(await checkCount()).toBe(2)
  })
})

test('errors are reported in a fixed order: slug, check, exit status, rid', async () => {
  expect(await ping(`${t.keys.pingKey}/JOB/999?rid=x`)).toBe('400 invalid url format')
  expect(await ping('00000000-0000-4000-8000-000000000000/999?rid=x')).toBe('404 not found')
  expect(await ping(`${t.keys.pingKey}/nojob/999?rid=x`)).toBe('404 not found')
  expect(await ping(`${id}/999?rid=x`)).toBe('400 invalid url format')
  expect(await ping(`${id}/99?rid=x`)).toBe('400 invalid uuid format')
  expect(await log()).toEqual([])
})
