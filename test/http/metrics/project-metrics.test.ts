import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type App, createApp } from '../../../src/app/app.ts'
import { createDeps } from '../../../src/app/deps.ts'
import { readConfig } from '../../../src/config/config.ts'
import { createKey } from '../../../src/services/projects/keys.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { readExposition } from '../../domain/support/exposition-reader.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const root = () => `/projects/${t.project.id}`
const bearer = (key: string, scheme = 'Bearer') => ({ headers: { authorization: `${scheme} ${key}` } })
const statusOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  (await t.call(method, path, { headers })).status
const createCheck = async (json: object = {}) =>
  (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
const samples = async () =>
  readExposition(await (await t.call('GET', `${root()}/metrics/`, bearer(t.keys.apiKeyReadonly))).text())
const values = async (name: string) =>
  (await samples()).filter((sample) => sample.name === name).map(({ value }) => Number(value))

test('at most ten answers of an account are built at once, since each is held in memory', async () => {
  await createCheck()
  const ask = () => t.call('GET', `${root()}/metrics/`, bearer(t.keys.apiKeyReadonly))
  const answers = await Promise.all(Array.from({ length: 12 }, ask))
  const told = answers.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`)
  expect(told.toSorted()).toEqual([...Array(10).fill('200 null'), '503 1', '503 1'])
  expect((await ask()).status).toBe(200)
})

describe('the three URLs', () => {
  const paths: readonly [string, () => [string, Record<string, string>]][] = [
    ['the key in the path', () => [`${root()}/metrics/${t.keys.apiKeyReadonly}`, {}]],
    ['the key under checks', () => [`${root()}/checks/metrics/${t.keys.apiKeyReadonly}`, {}]],
    ['a bearer token', () => [`${root()}/metrics/`, bearer(t.keys.apiKeyReadonly).headers]],
    ['a bearer token, without the slash', () => [`${root()}/metrics`, bearer(t.keys.apiKeyReadonly).headers]],
    ['a scheme in small letters', () => [`${root()}/metrics/`, bearer(t.keys.apiKeyReadonly, 'bearer').headers]],
  ]
  test.each(paths)('%s gives the same answer, as text that is not cached', async (_, given) => {
    await createCheck({ name: 'Job' })
    const [path, headers] = given()
    const answer = await t.call('GET', path, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    expect((await answer.text()).split('\n')[2]).toMatch(/^hc_check_up\{name="Job", tags="", unique_key="\w{40}"\} 1$/)
    expect(await statusOf(path, headers, 'HEAD')).toBe(200)
    expect(await statusOf(path, headers, 'POST')).toBe(405)
  })

  test('also answer below the path of SITE_ROOT', async () => {
    await t.close()
    t = await testApp({ env: { SITE_ROOT: 'https://example.org/watch' } })
    expect(await statusOf(`/watch${root()}/metrics/${t.keys.apiKeyReadonly}`)).toBe(200)
  })
})

describe('access', () => {
  const both = async (key: string) => [
    await statusOf(`${root()}/metrics/${key}`),
    await statusOf(`${root()}/checks/metrics/${key}`),
    await statusOf(`${root()}/metrics/`, bearer(key).headers),
  ]

  test('without a key, or with another scheme, is refused: 401', async () => {
    const key = t.keys.apiKeyReadonly
    for (const authorization of ['', key, `Basic ${key}`, `Token ${key}`, 'Bearer']) {
      expect(await statusOf(`${root()}/metrics/`, { authorization })).toBe(401)
    }
    expect(await statusOf(`${root()}/metrics`)).toBe(401)
    // The header of the API has no effect here.
    expect(await statusOf(`${root()}/metrics/`, { 'x-api-key': key })).toBe(401)
  })

  test('with a key of another length is refused: 400', async () => {
    for (const key of ['x', 'x'.repeat(31), 'x'.repeat(33)]) expect(await both(key)).toEqual([400, 400, 400])
    expect(await statusOf(`${root()}/metrics/%FF`)).toBe(400)
  })

  test('with an unknown or a read-write key is refused: 403', async () => {
    for (const key of ['x'.repeat(32), t.keys.apiKey]) expect(await both(key)).toEqual([403, 403, 403])
  })

  test('with a key of another project is refused: 403, and the other way round', async () => {
    const other = await createProject(t.app.deps, 'Other')
    expect(await both(other.keys.apiKeyReadonly)).toEqual([403, 403, 403])
    expect(await statusOf(`/projects/${other.project.id}/metrics/${t.keys.apiKeyReadonly}`)).toBe(403)
    expect(await statusOf(`/projects/${other.project.id}/metrics/${other.keys.apiKeyReadonly}`)).toBe(200)
  })

  test('with any read-only key of the project is granted', async () => {
    const { key } = await createKey(t.app.deps, t.actor, 'read-only')
    expect(await both(key)).toEqual([200, 200, 200])
  })

  test.each(['x', 'A', ''])('with %j for a project is not a route', async (id) => {
    const upper = id === 'A' ? t.project.id.toUpperCase().replace(/^\d+/, 'AAAAAAAA') : id
    expect(await statusOf(`/projects/${upper}/metrics/${t.keys.apiKeyReadonly}`)).toBe(404)
    expect(await statusOf(`/projects/${upper}/metrics/`, bearer(t.keys.apiKeyReadonly).headers)).toBe(404)
  })

  test('with PROMETHEUS_ENABLED=False is refused: 404', async () => {
    await t.close()
    t = await testApp({ env: { PROMETHEUS_ENABLED: 'False' } })
    expect(await both(t.keys.apiKeyReadonly)).toEqual([404, 404, 404])
    expect(await statusOf(`${root()}/metrics/`)).toBe(404)
  })

  test('errors are sentences that show no key', async () => {
    const answer = await t.call('GET', `${root()}/metrics/${t.keys.apiKey}`)
    expect(await answer.text()).toBe('this is not a read-only key of the project')
  })
})

describe('the answer', () => {
  test('follows what happens to a check', async () => {
    const uuid = await createCheck({ name: 'Job', tags: 'a b', timeout: 60, grace: 60 })
    expect(await values('hc_check_up')).toEqual([1])
    expect(await values('overdue_check_last_success_timestamp_seconds')).toEqual([])

    await t.call('POST', `/ping/${uuid}/start`)
    expect(await values('hc_check_started')).toEqual([1])
    t.clock.advance({ milliseconds: 2500 })
    await t.call('POST', `/ping/${uuid}`)
    const success = t.clock.now().epochMilliseconds / 1000
    expect(await values('overdue_check_last_success_timestamp_seconds')).toEqual([success])
    expect(await values('overdue_check_last_duration_seconds')).toEqual([2.5])
    expect(await values('overdue_check_run_duration_seconds_count')).toEqual([1])

    t.clock.advance({ seconds: 10 })
    await t.call('POST', `/ping/${uuid}/fail`)
    expect(await values('hc_check_up')).toEqual([0])
    expect(await values('hc_tag_up')).toEqual([0, 0])
    expect(await values('hc_checks_down_total')).toEqual([1])
    expect(await values('overdue_check_last_success_timestamp_seconds')).toEqual([success])
    // That failure did not end a run.
    expect(await values('overdue_check_last_duration_seconds')).toEqual([])
    expect(await values('overdue_check_run_duration_seconds_count')).toEqual([1])

    await t.call('POST', `/api/v3/checks/${uuid}/pause`, { key: t.keys.apiKey })
    expect([await values('hc_check_up'), await values('hc_check_paused')]).toEqual([[1], [1]])
  })

  test('covers this project only', async () => {
    const other = await createProject(t.app.deps, 'Other')
    await t.json('POST', '/api/v3/checks/', { key: other.keys.apiKey, json: { name: 'Theirs', tags: 'theirs' } })
    await createCheck({ name: 'Ours' })
    const names = (await samples()).flatMap(({ labels }) => [labels.name, labels.tag].filter(Boolean))
    expect([...new Set(names)]).toEqual(['Ours'])
  })

  test('continues its counts of runs after a restart', async () => {
    await t.close()
    t = await testApp({ isShared: true })
    const uuid = await createCheck({ name: 'Job' })
    const run = async (seconds: number) => {
      await t.call('POST', `/ping/${uuid}/start`)
      t.clock.advance({ seconds })
      await t.call('POST', `/ping/${uuid}`)
    }
    const path = `${root()}/metrics/${t.keys.apiKeyReadonly}`
    const histogram = async ({ handle }: App) => {
      const text = await (await handle(new Request(`http://localhost${path}`))).text()
      return readExposition(text).flatMap(({ name, labels, value }) =>
        name.startsWith('overdue_check_run') ? [`${labels.le ?? name.split('_').at(-1)} ${value}`] : [],
      )
    }
    await run(3)
    await run(100)
    const before = await histogram(t.app)
    expect(before).toEqual([
      ...['1 0', '5 1', '15 1', '60 1', '300 2', '900 2', '3600 2', '14400 2', '43200 2', '86400 2', '+Inf 2'],
      'sum 103',
      'count 2',
    ])
    await t.app.stop()
    const config = readConfig({ DATABASE_URL: t.databaseUrl })
    const restarted = createApp(config, await createDeps(config, () => {}, { now: t.clock.now }))
    expect(await histogram(restarted)).toEqual(before)
    for (const end of ['/start', '']) await restarted.handle(new Request(`http://localhost/ping/${uuid}${end}`))
    expect((await histogram(restarted)).slice(-3)).toEqual(['+Inf 3', 'sum 103', 'count 3'])
    await restarted.stop()
  })
})
