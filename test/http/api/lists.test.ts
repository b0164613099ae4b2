/** Lists of checks: whole or streamed, with an `ETag`. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createClientReader } from '../../../src/http/client.ts'
import { createHttp } from '../../../src/http/index.ts'
import { AdminImport } from '../../../src/import/engine/admin-import.ts'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
import type { ServerDeps } from '../../../src/services/common/deps.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { rules } from '../../../src/services/common/rules.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { RefusedNotes } from '../../../src/services/pings/refused-signals.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { aChannel, aCheck, anAuthor, rejection } from '../../support/store-builders.ts'
import { type Call, type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let key: string
const start = async () => {
  t = await testApp()
  key = t.keys.apiKey
}
const stop = () => t.close()

const create = async (json: object = {}) =>
  (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json })).uuid
const LIST = '/api/v3/checks/'

describe('a tag', () => {
  beforeEach(start)
  afterEach(stop)
  /** Returns the tag of an answer, and the status of the next request with that tag. */
  const tagOf = async (path = LIST, call: Call = { key }) => (await t.call('GET', path, call)).headers.get('etag') ?? ''
  const again = async (tag: string, path = LIST, by = key) =>
    t.call('GET', path, { key: by, headers: { 'if-none-match': tag } })

  let id: string
  beforeEach(async () => {
    id = await create({ timeout: 3600, grace: 600 })
    await t.call('GET', `/ping/${id}`)
  })
  const paths: readonly [string, () => string][] = [
    ['the list', () => LIST],
    ['a check', () => `/api/v3/checks/${id}`],
  ]

  describe.each(paths)('of %s', (_, path) => {
    test('gets 304 without a body, with the headers of the whole answer', async () => {
      const whole = await t.call('GET', path(), { key })
      const tag = whole.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\w-]{22}"$/)
      const answer = await again(tag, path())
      expect([answer.status, await answer.text()]).toEqual([304, ''])
      for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin', 'x-content-type-options']) {
        expect([name, answer.headers.get(name)]).toEqual([name, whole.headers.get(name) ?? 'missing'])
      }
      expect(answer.headers.get('cache-control')).toBe('private, no-cache')
      expect(answer.headers.get('vary')).toBe('X-Api-Key')
    })

    test('matches in a list of tags, also as a weak tag, and a star matches any', async () => {
      const tag = await tagOf(path())
      for (const given of [`"x", W/${tag} , "y"`, `W/${tag}`, '*'])
        expect((await again(given, path())).status).toBe(304)
      for (const given of ['"x"', tag.slice(1), '']) expect((await again(given, path())).status).toBe(200)
    })

    test('changes with a ping, an edit, a pause and a channel', async () => {
      const changes: (() => Promise<unknown>)[] = [
        () => t.call('GET', `/ping/${id}`),
        () => t.call('POST', `/api/v3/checks/${id}`, { key, json: { name: 'new' } }),
        () => t.call('POST', `/api/v3/checks/${id}/pause`, { key }),
      ]
      for (const change of changes) {
        const tag = await tagOf(path())
        expect((await again(tag, path())).status).toBe(304)
        t.clock.advance({ seconds: 1 })
        await change()
        expect((await again(tag, path())).status).toBe(200)
      }
    })

    test('changes when time changes a status, and not before', async () => {
      for (const [minutes, status] of [
        [60, 'grace'],
        [10, 'down'],
      ] as const) {
        const tag = await tagOf(path())
        t.clock.advance({ minutes })
        t.clock.advance({ microseconds: -1 })
        expect((await again(tag, path())).status).toBe(304)
        t.clock.advance({ microseconds: 1 })
        const answer = await again(tag, path())
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(`"status":"${status}"`)])
      }
    })

    test('changes when the clock is set back', async () => {
      const status = async () =>
        /"status":"(\w+)"/.exec(await (await t.call('GET', path(), { key })).text())?.[1] ?? 'missing'
      t.clock.advance({ hours: 3 })
      expect(await status()).toBe('down')
      const tag = await tagOf(path())
      t.clock.advance({ hours: -3 })
      expect((await again(tag, path())).status).toBe(200)
      expect(await status()).toBe('up')
    })

    test('differs by kind of key and by version', async () => {
      const tag = await tagOf(path())
      const others = [() => again(tag, path().replace('v3', 'v2')), () => again(tag, path(), t.keys.apiKeyReadonly)]
      for (const other of others) expect((await other()).status).toBe(200)
    })

    test('is no substitute for a key', async () => {
      const answer = await t.call('GET', path(), { headers: { 'if-none-match': '*' } })
      expect(answer.status).toBe(401)
      expect(answer.headers.has('etag')).toBe(false)
    })
  })

  test('of a list differs by query', async () => {
    const tag = await tagOf()
    for (const query of ['?slug=x', '?tag=x', '?tag=x&tag=y']) {
      const answer = await again(tag, LIST + query)
      expect([query, answer.status]).toEqual([query, 200])
      expect((await again(answer.headers.get('etag') ?? '', LIST + query)).status).toBe(304)
    }
  })

  test('of a list changes when a check is created or deleted, and when a channel is deleted', async () => {
    const { id: channelId } = await createChannel(t)
    await t.call('POST', `/api/v3/checks/${id}`, { key, json: { channels: '*' } })
    const changes: (() => Promise<unknown>)[] = [
      () => create(),
      () => t.app.deps.store.by(anAuthor()).channels.delete(channelId),
      () => t.call('DELETE', `/api/v3/checks/${id}`, { key }),
    ]
    for (const change of changes) {
      const tag = await tagOf()
      expect((await again(tag)).status).toBe(304)
      await change()
      expect((await again(tag)).status).toBe(200)
    }
  })

  test('does not exempt a request from the rate limit', async () => {
    await t.close()
    t = await testApp({ env: { API_RATE_LIMIT: '10' } })
    key = t.keys.apiKey
    const tag = await tagOf()
    const answer = await again(tag)
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([304, '"api";r=8;t=12'])
  })

  test('is the same for every request while nothing changes, and so is the list', async () => {
    const [first, second] = [await t.call('GET', LIST, { key }), await t.call('GET', LIST, { key })]
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await second.text()).toBe(await first.text())
    expect(second.headers.get('content-type')).toBe('application/json;charset=utf-8')
  })
})

describe('a list that was sent before', () => {
  beforeEach(start)
  afterEach(stop)
  const names = async () => {
    const { checks } = await t.json<{ checks: { name: string; n_pings: number; status: string }[] }>('GET', LIST, {
      key,
    })
    return checks.map(({ name, n_pings, status }) => `${name} ${n_pings} ${status}`)
  }
  /** Returns the bytes of a list, and those that an app with an empty cache sends. */
  const both = async (query = '') => {
    const request = () => new Request(`http://localhost${LIST}${query}`, { headers: { 'x-api-key': key } })
    return [await (await t.app.handle(request())).text(), await (await httpOf(t.app.deps).handle(request())).text()]
  }
  let ids: string[]
  beforeEach(async () => {
    ids = []
    for (let n = 0; n < 120; n += 1) ids.push(await create({ name: `n${n}`, tags: n % 2 ? 'odd' : 'even', grace: 600 }))
    expect(await names()).toHaveLength(120)
  })

  test('reads only the checks that were pinged', async () => {
    let found: readonly string[] = []
    const { store } = t.app.deps
    const watched: ServerDeps = {
      ...t.app.deps,
      store: replaced(store, {
        checks: {
          findMany: (given) => {
            found = given
            return store.checks.findMany(given)
          },
        },
      }),
    }
    const pages = countReads(watched)
    const http = httpOf(pages.deps)
    const list = async () =>
      (await http.handle(new Request(`http://localhost${LIST}`, { headers: { 'x-api-key': key } }))).text()
    await list()
    const whole = pages.count()
    await t.call('GET', `/ping/${ids[3]}`)
    await t.call('GET', `/ping/${ids[7]}/fail`)
    const again = await list()
    expect([pages.count(), found.toSorted()]).toEqual([whole, [ids[3], ids[7]].toSorted() as string[]])
    const [, fromBeginning] = await both()
    expect(again).toBe(fromBeginning ?? '')
  })

  test('is the same as one that is read from scratch, whatever has happened', async () => {
    const events: readonly (() => Promise<unknown>)[] = [
      () => t.call('GET', `/ping/${ids[0]}`),
      () => t.call('GET', `/ping/${ids[1]}/start`),
      async () => t.clock.advance({ hours: 25 }),
      () => t.app.settle('overdue'),
      () => t.call('POST', `/api/v3/checks/${ids[5]}`, { key, json: { tags: 'even' } }),
      () => t.call('POST', `/api/v3/checks/${ids[6]}/pause`, { key }),
      () => t.call('DELETE', `/api/v3/checks/${ids[7]}`, { key }),
      () => create({ name: 'new', tags: 'odd' }),
      () => t.call('GET', `/ping/${t.keys.pingKey}/fresh?create=1`),
      async () => t.clock.advance({ minutes: 5 }),
      () => Promise.all(ids.slice(10, 110).map((id) => t.call('GET', `/ping/${id}`))),
    ]
    for (const event of events) {
      await event()
      for (const query of ['', '?tag=odd', '?tag=even&tag=odd']) {
        const [again, fromBeginning] = await both(query)
        expect(again).toBe(fromBeginning ?? '')
      }
    }
  })
})

describe('a long list', () => {
  const CHECKS = 400
  const NAME = 'ä'.repeat(90)
  // All of them only read it.
  beforeAll(async () => {
    await start()
    for (let n = 0; n < CHECKS; n += 1) await create({ name: `${NAME} ${n}`, desc: 'd'.repeat(900) })
  })
  afterAll(stop)
  afterEach(() => {
    t.log.length = 0
  })

  test('is complete JSON with each check once, in order of creation', async () => {
    const answer = await t.call('GET', LIST, { key })
    expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
    const { checks } = (await answer.json()) as { checks: { name: string }[] }
    expect(checks.map(({ name }) => name)).toEqual(Array.from({ length: CHECKS }, (_, n) => `${NAME} ${n}`))
  })

  test('is read only as far as the client reads', async () => {
    const pages = countReads(t.app.deps)
    const answer = await httpOf(pages.deps).handle(listRequest())
    const begun = pages.count()
    const reader = answer.body?.getReader()
    await reader?.read()
    await Bun.sleep(0)
    expect(pages.count()).toBe(begun)
    expect(begun).toBeLessThan(CHECKS / 50)
    await reader?.cancel()
    expect(pages.count()).toBe(begun)
  })

  test('that a client does not read to its end is cut off after five minutes', async () => {
    let seconds = 0
    const http = httpOf({ ...t.app.deps, stopwatch: () => seconds }, new LongReads(t.app.deps.store, 1))
    const ask = async () => (await http.handle(listRequest())) as Response
    const answer = await ask()
    const reader = answer.body?.getReader()
    await reader?.read()
    expect((await ask()).status).toBe(503)
    seconds = 301
    const rest = (async () => {
      while (reader && !(await reader.read()).done);
    })()
    expect(await rejection(rest)).toMatchObject({ message: 'the client did not read it within 300 seconds' })
    expect((await ask()).status).toBe(200)
  })

  test('that cannot be read to its end is cut off, and the log says so', async () => {
    let reads = 0
    const { store } = t.app.deps
    const failing: ServerDeps = {
      ...t.app.deps,
      store: replaced(store, {
        checks: {
          list: (...given) =>
            ++reads > 5 ? Promise.reject(new Error('the disk is gone')) : store.checks.list(...given),
        },
      }),
    }
    const answer = await httpOf(failing).handle(listRequest())
    expect(answer.status).toBe(200)
    expect(await rejection(answer.text())).toMatchObject({ message: 'the disk is gone' })
    expect(t.log).toContainEqual({
      level: 'error',
      message: 'an answer was cut off',
      details: { reason: 'the disk is gone' },
    })
  })

  test('frees its place when it was read, was cut off, or the client has gone', async () => {
    const http = httpOf(t.app.deps, new LongReads(t.app.deps.store, 1))
    const ask = async () => (await http.handle(listRequest())) as Response
    const first = await ask()
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      { error: 'too many long answers are under way, please try again in a second' },
    ])
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(t.log).toEqual([])
    await first.body?.cancel()
    const second = await ask()
    expect(second.status).toBe(200)
    await second.text()
    expect((await ask()).status).toBe(200)
  })

  const listRequest = () => new Request(`http://localhost${LIST}`, { headers: { 'x-api-key': key } })
})

describe('a list of megabytes', () => {
  beforeEach(start)
  afterEach(stop)

  test('that is too long to keep gets 304 by its tag while nothing changes, and is read again for other clients', async () => {
    const size = 240
    const text = 'd'.repeat(9_000)
    for (let n = 0; n < size; n += 1) {
      await t.app.deps.store
        .by(anAuthor())
        .checks.upsert(
          { ...aCheck(t.project, { timeoutSeconds: 3600 }), name: `n${n}`, desc: text },
          null,
          (check) => ({ check }),
          rules(t.app.deps),
        )
    }
    const whole = await t.call('GET', LIST, { key })
    const tag = whole.headers.get('etag') ?? ''
    expect((await whole.text()).length).toBeGreaterThan(2_097_152)
    const again = (given = tag) => t.call('GET', LIST, { key, headers: { 'if-none-match': given } })
    expect((await again()).status).toBe(304)
    const other = await again('"x"')
    expect([other.status, other.headers.get('etag')]).toEqual([200, tag])
    expect(((await other.json()) as { checks: unknown[] }).checks).toHaveLength(size)
    const { items } = await t.app.deps.store.checks.list(t.project.id, {}, null)
    await t.call('GET', `/ping/${items[7]?.check.id}`)
    const pinged = await again()
    expect([pinged.status, await pinged.text()]).toEqual([200, expect.stringContaining('"n_pings":1')])
    const newTag = pinged.headers.get('etag') ?? ''
    expect((await again(newTag)).status).toBe(304)
    t.clock.advance({ seconds: 3600 })
    expect((await again(newTag)).status).toBe(200)
  })
})

/** Creates the web server with other dependencies than the app's. */
function httpOf(deps: ServerDeps, longReads = new LongReads(t.app.deps.store)) {
  return createHttp({
    ...deps,
    pings: createPingReceiver(deps),
    refusedNotes: new RefusedNotes(deps),
    clients: createClientReader([]),
    rateLimit: createRateLimit(deps.now, 0),
    publicLimit: createRateLimit(deps.now, 0),
    longReads,
    adminImport: new AdminImport(t.app.deps),
    backups: null,
    remoteUserHeader: null,
    readiness: createReadiness(deps),
    isDraining: () => false,
  })
}

function countReads(deps: ServerDeps): { deps: ServerDeps; count: () => number } {
  let count = 0
  const store = replaced(deps.store, {
    checks: {
      list: (...given) => {
        count += 1
        return deps.store.checks.list(...given)
      },
    },
  })
  return { deps: { ...deps, store }, count: () => count }
}

async function createChannel({ app, project }: TestApp) {
  const channel = aChannel(project)
  await app.deps.store.by(anAuthor()).channels.create(channel)
  return channel
}
