/** Uses every operation, with both kinds of key: each answer matches the document. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API_BODY_LIMIT } from '../../../src/http/body.ts'
import { createClientReader } from '../../../src/http/client.ts'
import { createHttp } from '../../../src/http/index.ts'
import { AdminImport } from '../../../src/import/engine/admin-import.ts'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { RefusedNotes } from '../../../src/services/pings/refused-signals.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import { type Described, described, documentPath, givenBy } from '../../support/described.ts'
import { type Call, type TestApp, testApp } from '../../support/test-app.ts'

const VERSIONS = [1, 2, 3] as const
const METRICS_KEY = 'metrics-key'
const RID = '123e4567-e89b-42d3-a456-426614174000'

let t: TestApp
const documents: Described[] = []
/** `<operation> <status>` of every answer so far. */
const seen = new Set<string>()

beforeAll(async () => {
  t = await testApp({ env: { METRICS_KEY, API_RATE_LIMIT: '1000' } })
  for (const version of [...VERSIONS, 'own'] as const) {
    documents.push(described(await (await t.call('GET', documentPath(version))).text()))
  }
})
afterAll(() => t.close())

/** Checks the answer against the document of its version. */
async function send(method: string, target: string, call: Call = {}): Promise<Response> {
  const response = await t.call(method, target, call)
  const isOwn = target.startsWith('/api/overdue/')
  const document = isOwn ? documents[3] : documents[Number(/^\/api\/v(\d)/.exec(target)?.[1] ?? 3) - 1]
  const given = await givenBy(method, target, response.clone())
  expect(document?.problems(given).map((problem) => `${method} ${target}: ${problem}`)).toEqual([])
  const operation = document?.find(method, target)
  if (operation) seen.add(`${operation.operationId} ${given.status}`)
  return response
}

const json = async <Body>(response: Promise<Response>) => (await (await response).json()) as Body

test.each([...VERSIONS])('version %i', async (version) => {
  const { apiKey: key, apiKeyReadonly } = t.keys
  const stranger = (await createProject(t.app.deps, `Strangers ${version}`)).keys.apiKey
  const root = `/api/v${version}`
  const slug = `job-${version}`

  const spec = { name: 'Job', slug, tags: 'a b', timeout: 60, unique: ['slug'] }
  const { uuid } = await json<{ uuid: string }>(send('POST', `${root}/checks/`, { key, json: spec }))
  await send('POST', `${root}/checks/`, { key, json: spec })
  await send('POST', `${root}/checks/`, { json: { ...spec, api_key: key } })
  await send('POST', `${root}/checks/`, { key, json: { schedule: '0 6 * * *', tz: 'Europe/Riga' } })
  const tooLong = { desc: 'x'.repeat(API_BODY_LIMIT) }
  for (const json of [{ timeout: 1 }, { channels: 'nobody' }, [], tooLong])
    await send('POST', `${root}/checks/`, { key, json })
  await send('POST', `${root}/checks/`, { key, body: '{' })
  await send('POST', `${root}/checks/`, { key: apiKeyReadonly, json: {} })
  await send('PUT', `${root}/checks/`, { key })
  await send('OPTIONS', `${root}/checks/`)

  const one = `${root}/checks/${uuid}`
  // Two runs, one of them under way: they give a duration, the status `started` in version 1, and a log.
  await send('POST', `/ping/${uuid}/start?rid=${RID}`, { body: 'begun' })
  t.clock.advance({ seconds: 5 })
  await send('POST', `/ping/${uuid}?rid=${RID}`, { body: 'ended' })
  await send('GET', `/ping/${uuid}/fail`)
  await send('GET', `/ping/${uuid}/log`)
  await send('GET', `/ping/${uuid}/0`)
  await send('GET', `/ping/${uuid}/start`)
  await send('GET', `${one}`, { key })

  const list = await json<{ checks: { unique_key: string }[] }>(send('GET', `${root}/checks/`, { key: apiKeyReadonly }))
  await send('GET', `${root}/checks/?slug=${slug}&tag=a&tag=b`, { key })
  await send('GET', `${root}/checks/`)
  for (const path of [`${root}/checks/`, one]) {
    const { headers } = await send('GET', path, { key })
    const known = { 'If-None-Match': headers.get('etag') ?? '' }
    expect((await send('GET', path, { key, headers: known })).status).toBe(304)
  }
  const byUniqueKey = `${root}/checks/${list.checks[0]?.unique_key}`
  for (const path of [one, byUniqueKey]) {
    for (const each of [key, apiKeyReadonly]) await send('GET', path, { key: each })
    for (const each of [key, apiKeyReadonly]) await send('GET', `${path}/flips/?seconds=3600`, { key: each })
  }
  await send('POST', byUniqueKey, { key, json: {} })
  await send('DELETE', byUniqueKey, { key })
  await send('GET', one, { key: stranger })
  await send('GET', `${root}/checks/${RID}`, { key })
  await send('GET', `${root}/checks/nothing`, { key })
  await send('GET', `${one}/flips/?start=soon`, { key })
  await send('POST', `${one}/flips`, { key })
  await send('POST', `${one}/flips/`, { key })

  await send('POST', one, { key, json: { desc: 'changed', channels: '' } })
  await send('POST', one, { key, json: { grace: 'long' } })
  await send('GET', `${one}/pings/`, { key })
  await send('GET', `${one}/pings/`, { key: apiKeyReadonly })
  await send('GET', `${one}/pings/1/body`, { key })
  await send('GET', `${one}/pings/3/body`, { key })
  await send('GET', `${one}/pings/x/body`, { key })

  for (const body of ['', 'null', '{}', '[]']) await send('POST', `${one}/pause`, { key, body })
  await send('POST', `${one}/resume`, { key })
  await send('POST', `${one}/resume`, { key })
  await send('POST', `${one}/resume`, { key, body: '1' })

  const preview = `${root}/checks/preview`
  const tried = { schedule: '30 3 * * *', tz: 'Europe/Riga', zones: ['UTC'] }
  for (const body of [{}, tried, { ...tried, check: uuid }, { check: list.checks[0]?.unique_key, timeout: 3_600 }]) {
    for (const each of [key, apiKeyReadonly]) await send('POST', preview, { key: each, json: body })
  }
  await send('POST', preview, { json: { ...tried, api_key: key } })
  for (const json of [{ schedule: '60 3 * * *' }, { grace: 1 }, []]) await send('POST', preview, { key, json })
  await send('POST', preview, { key: stranger, json: { check: uuid } })
  await send('POST', preview, { key, json: { check: RID } })
  for (const method of ['GET', 'OPTIONS']) await send(method, preview, { key })

  await send('GET', `${root}/channels/`, { key })
  const { badges } = await json<{ badges: Record<string, Record<string, string>> }>(
    send('GET', `${root}/badges/`, { key: apiKeyReadonly }),
  )
  const { badge_url } = await json<{ badge_url: string }>(send('GET', one, { key }))
  const urls = Object.values(badges).flatMap((each) => Object.values(each))
  for (const url of [...urls, badge_url, badge_url.replace('.svg', '.shields')])
    await send('GET', new URL(url).pathname)
  for (const path of ['/b/2/nobody.svg', '/badge/nobody/signed.svg', '/badge/nobody/signed/tag.svg']) {
    await send('GET', path)
  }
  await send('POST', new URL(badge_url).pathname)

  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) await send(method, `${root}/status/`)
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) await send(method, `${root}/openapi.json`)
  await send('GET', `${root}/metrics/`, { headers: { 'X-Metrics-Key': METRICS_KEY } })
  await send('HEAD', `${root}/metrics/`, { headers: { 'X-Metrics-Key': METRICS_KEY } })
  await send('GET', `${root}/metrics/`)
  const callback = `${root}/notifications/${RID}/status`
  for (const body of ['error=no&mark_disabled=1', '', 'x'.repeat(2_621_441)]) await send('POST', callback, { body })
  await send('GET', callback)
  await send('DELETE', one, { key })
  await send('DELETE', one, { key })
})

test('pings, by UUID and by slug, in every form', async () => {
  const { pingKey, apiKey: key } = t.keys
  const { uuid } = await json<{ uuid: string }>(send('POST', '/api/v3/checks/', { key, json: { slug: 'made' } }))
  const large = { body: 'x'.repeat(2_621_441) }
  for (const method of ['POST', 'GET', 'HEAD', 'PUT']) {
    const byUuid = ['', '/start', '/fail', '/log', '/silence', '/unsilence'].map((tail) => `/ping/${uuid}${tail}`)
    const bySlug = ['', '/start', '/fail', '/log', '/silence', '/unsilence', '/3'].map(
      (tail) => [`/ping/${pingKey}/`, tail] as const,
    )
    for (const path of byUuid) {
      for (const query of ['', '?for=20m', `?rid=${RID}`, '?rid=1']) await send(method, `${path}${query}`)
      await send(method, path.replace(uuid, RID))
      if (method === 'POST') await send(method, path, large)
    }
    for (const [start, tail] of bySlug) {
      const path = `${start}${method}${tail.replace('/', '-')}`.toLowerCase() + tail
      const queries = ['', '?create=1', '?create=1&for=20m', '?for=20m', '', `?rid=${RID}`, '?rid=1']
      for (const query of queries) await send(method, `${path}${query}`)
      if (method === 'POST') await send(method, path, large)
    }
    for (const path of [`/ping/${uuid}/7`, `/ping/${uuid}/300`, `/ping/${pingKey}/Made`]) await send(method, path)
  }
  await send('POST', `/api/v3/checks/${uuid}`, { key, ...large })
  // Two checks with the same slug.
  await send('POST', '/api/v3/checks/', { key, json: { slug: 'made' } })
  for (const method of ['POST', 'GET', 'HEAD']) {
    for (const tail of ['', '/start', '/fail', '/log', '/silence', '/unsilence', '/3']) {
      await send(method, `/ping/${pingKey}/made${tail}`)
    }
  }
})

test('the API of our own', async () => {
  const { apiKey: key, apiKeyReadonly } = t.keys
  const stranger = (await createProject(t.app.deps, 'Strangers here')).keys.apiKey
  const root = '/api/overdue/v1'
  const { uuid } = await json<{ uuid: string }>(send('POST', '/api/v3/checks/', { key, json: { name: 'Muted' } }))
  const until = (minutes: number) => t.clock.now().add({ minutes }).toString()

  const silences = `${root}/silences/`
  const body = { match: { checks: [uuid] }, ends_at: until(60), reason: 'Disk' }
  const { id } = await json<{ id: string }>(send('POST', silences, { key, json: body }))
  await send('POST', silences, { json: { match: { tags: ['x'] }, until_healthy: true, api_key: key } })
  for (const json of [{}, { match: {} }, [], { match: { checks: [RID] }, until_healthy: true }]) {
    await send('POST', silences, { key, json })
  }
  await send('GET', `/ping/${uuid}/silence?for=20m`)
  for (const each of [key, apiKeyReadonly]) {
    await send('GET', silences, { key: each })
    await send('GET', silences + id, { key: each })
  }
  await send('GET', silences)
  for (const query of ['?ended=true', '?ended=maybe']) await send('GET', silences + query, { key })
  await send('GET', silences + id, { key: stranger })
  await send('DELETE', silences + RID, { key })
  for (const json of [{ reason: 'A new disk' }, { duration: 60 }]) await send('POST', silences + id, { key, json })

  await send('GET', `/ping/${uuid}`)
  await send('GET', `/ping/${uuid}/fail`)
  const incidents = `${root}/incidents/`
  const list = await json<{ incidents: { id: string }[] }>(send('GET', `${incidents}?check=${uuid}`, { key }))
  const one = incidents + list.incidents[0]?.id
  for (const query of ['', '?open=true', '?open=false&tag=x', '?open=maybe', `?check=${RID}`]) {
    for (const each of [key, apiKeyReadonly]) await send('GET', incidents + query, { key: each })
  }
  for (const json of [{}, { note: 'Mine', until: until(60) }, { until: 'soon' }]) {
    await send('POST', `${one}/acknowledge`, { key, json })
  }
  await send('POST', `${one}/notes`, { key, json: { text: 'It was the disk.' } })
  await send('POST', `${one}/notes`, { key, json: {} })
  for (const each of [key, apiKeyReadonly]) await send('GET', one, { key: each })
  await send('GET', one, { key: stranger })
  for (const body of ['', 'null', '{}']) await send('POST', `${one}/release`, { key, body })
  await send('DELETE', silences + id, { key })
  await t.app.settle('incidents')
  await send('GET', one, { key })
  await send('GET', `/ping/${uuid}`)
  await send('POST', `${one}/acknowledge`, { key, json: {} })
  await send('GET', one, { key })
  for (let notes = 1; notes <= 100; notes += 1) await send('POST', `${one}/notes`, { key, json: { text: 'Again.' } })
  for (const method of ['OPTIONS', 'PUT']) for (const path of [silences, one]) await send(method, path, { key })
  for (const method of ['GET', 'OPTIONS']) await send(method, `${root}/openapi.json`)
})

test('probes and scrapers', async () => {
  const { apiKey, apiKeyReadonly } = t.keys
  const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })
  const project = `/projects/${t.project.id}`
  for (const method of ['GET', 'HEAD', 'POST']) {
    await send(method, '/healthz')
    await send(method, '/readyz')
    await send(method, '/metrics', bearer(METRICS_KEY))
    await send(method, '/metrics', bearer('another'))
    for (const path of [`${project}/metrics/`, `/projects/nobody/metrics/`]) {
      for (const key of [apiKeyReadonly, apiKey, 'short']) await send(method, path, bearer(key))
      await send(method, path)
    }
    for (const path of [`${project}/metrics`, `${project}/checks/metrics`]) {
      for (const key of [apiKeyReadonly, apiKey, 'short']) await send(method, `${path}/${key}`)
    }
  }
})

test('the rate limit of the API', async () => {
  const limited = await testApp({ env: { API_RATE_LIMIT: '1' } })
  const path = '/api/v3/channels/'
  for (const status of [200, 429]) {
    const given = await givenBy('GET', path, await limited.call('GET', path, { key: limited.keys.apiKey }))
    expect(given.status).toBe(status)
    expect(documents[2]?.problems(given)).toEqual([])
    seen.add(`listChannels ${status}`)
  }
  await limited.close()
})

test('the rate limit of badges and project metrics', async () => {
  const app = await testApp()
  const project = `/projects/${app.project.id}/metrics/`
  const paths = ['/b/2/nobody.svg', '/badge/nobody/signed.svg', '/badge/nobody/signed/tag.svg', project]
  for (let n = 0; n < 300; n += 1) await app.call('GET', '/b/2/nobody.svg')
  for (const path of paths) {
    const given = await givenBy('GET', path, await app.call('GET', path))
    expect(given.status).toBe(429)
    expect(documents[2]?.problems(given)).toEqual([])
  }
  await app.close()
})

test('a long answer while too many are under way', async () => {
  const { app, keys, call, close } = await testApp()
  const { badges } = (await (await call('GET', '/api/v3/badges/', { key: keys.apiKey })).json()) as {
    badges: Record<string, { svg: string }>
  }
  const { uuid } = (await (await call('POST', '/api/v3/checks/', { key: keys.apiKey, json: {} })).json()) as {
    uuid: string
  }
  const limit = createRateLimit(app.deps.now, 0)
  const http = createHttp({
    ...app.deps,
    pings: createPingReceiver(app.deps),
    refusedNotes: new RefusedNotes(app.deps),
    clients: createClientReader([]),
    rateLimit: limit,
    publicLimit: limit,
    longReads: new LongReads(app.deps.store, 0),
    adminImport: new AdminImport(t.app.deps),
    backups: null,
    remoteUserHeader: null,
    readiness: createReadiness(app.deps),
    isDraining: () => false,
  })
  const api = { 'X-Api-Key': keys.apiKey }
  const asked: [string, Record<string, string>][] = [
    ['/api/v3/checks/', api],
    [`/api/v3/checks/${uuid}/flips/`, api],
    ['/api/v3/badges/', api],
    [new URL(badges['*']?.svg ?? '').pathname, {}],
  ]
  for (const [path, headers] of asked) {
    const answer = await http.handle(new Request(`http://localhost${path}`, { headers }))
    const given = await givenBy('GET', path, answer)
    expect(given.status).toBe(503)
    expect(given.headers.get('retry-after')).toBe('1')
    expect(documents[2]?.problems(given)).toEqual([])
  }
  await close()
})

test('every operation was used, and nearly every described answer was seen', () => {
  const described = [documents[2], documents[3]]
    .flatMap((each) => Object.values(each?.document.paths ?? {}))
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`))
  const unseen = described.filter((answer) => !seen.has(answer))
  // These are the same for every operation: errors of the key, the rate limit, and a database that cannot be used.
  // A project would need a thousand silences.
  const others = unseen.filter((answer) => !/ (?:401|403|404|429|503)$/.test(answer))
  expect(others).toEqual(['createSilence 409', 'changeSilence 409'])
})
