/** `/api/overdue/v1/incidents`: checks with problems, people who took them, and events. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { uniqueKey } from '../../../../src/domain/check/unique-key.ts'
import { createKey } from '../../../../src/services/projects/keys.ts'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { type Call, type TestApp, testApp } from '../../../support/test-app.ts'

interface Incident {
  readonly id: string
  readonly resolved_at: string | null
  readonly acknowledged: { readonly by: unknown; readonly note: string; readonly until: string | null } | null
  readonly events: readonly { readonly kind: string }[]
}

const PATH = '/api/overdue/v1/incidents/'

let t: TestApp
let key: string
let readOnly: string
let uuid: string
let id: string
beforeEach(async () => {
  t = await testApp()
  key = t.keys.apiKey
  readOnly = t.keys.apiKeyReadonly
  const json = { name: 'Job', slug: 'job', tags: 'prod' }
  uuid = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json })).uuid
  await t.call('GET', `/ping/${uuid}`)
  await t.call('GET', `/ping/${uuid}/fail`)
  id = `${uniqueKey(uuid)}-2`
})
afterEach(() => t.close())

const get = (by = key) => t.json<Incident>('GET', PATH + id, { key: by })
const post = (what: string, json?: unknown, by = key) =>
  t.json<Incident>('POST', `${PATH}${id}/${what}`, json === undefined ? { key: by } : { key: by, json })
const idsOf = async (query = '') => {
  const found = await t.json<{ incidents: Incident[] }>('GET', PATH + query, { key })
  return found.incidents.map((incident) => incident.id)
}

async function answer(method: string, path: string, call: Call): Promise<string> {
  const response = await t.call(method, path, call)
  return `${response.status} ${JSON.parse(await response.text()).error}`
}

test('an incident tells what happened in it, to a read-only key without names', async () => {
  await post('acknowledge', { note: 'On it.' })
  const opened = await get(readOnly)
  expect(opened).toMatchObject({
    id,
    check: { unique_key: uniqueKey(uuid), name: 'Job', slug: 'job', tags: 'prod' },
    severity: 'down',
    resolved_at: null,
    held: null,
    acknowledged: { by: { kind: 'key', name: null }, note: 'On it.', until: null },
    next_look_at: null,
  } as never)
  expect(opened.events).toMatchObject([
    { n: 2, kind: 'flip', status: 'down', reason: 'fail' },
    { n: 3, kind: 'acknowledged', note: 'On it.', taken_from: null },
  ] as never)
  expect(JSON.stringify(opened)).not.toContain(uuid)
})

test('a read-only key gets no ping URL that somebody wrote into a note', async () => {
  const note = `Run curl https://example.org/ping/${uuid} by hand`
  await post('acknowledge', { note })
  await t.call('POST', `${PATH}${id}/notes`, { key, json: { text: note } })
  for (const path of [PATH, PATH + id]) {
    const text = await (await t.call('GET', path, { key: readOnly })).text()
    expect(text).toContain(' by hand')
    expect(text).not.toContain(uuid)
    expect(await (await t.call('GET', path, { key })).text()).toContain(uuid)
  }
})

test('incidents are listed by whether they are open, by check and by tag', async () => {
  await t.call('GET', `/ping/${uuid}`)
  t.clock.advance({ minutes: 1 })
  await t.call('GET', `/ping/${uuid}/fail`)
  const next = `${uniqueKey(uuid)}-4`
  expect(await idsOf()).toEqual([next, id])
  expect(await idsOf('?open=true')).toEqual([next])
  expect(await idsOf('?open=false')).toEqual([id])
  expect(await idsOf(`?check=${uuid}`)).toEqual([next, id])
  expect(await idsOf(`?check=${uniqueKey(uuid)}&open=false`)).toEqual([id])
  expect(await idsOf('?tag=prod')).toEqual([next, id])
  expect(await idsOf('?tag=other')).toEqual([])
})

describe('an incident is', () => {
  test('taken, taken again with another note, and handed back', async () => {
    expect((await post('acknowledge')).acknowledged).toMatchObject({ note: '', until: null })
    const until = t.clock.now().add({ minutes: 60 }).toString()
    expect((await post('acknowledge', { note: ' Disk. ', until })).acknowledged).toMatchObject({ note: 'Disk.' })
    expect((await post('release')).acknowledged).toBeNull()
    expect((await get()).events.map(({ kind }) => kind)).toEqual(['flip', 'acknowledged', 'acknowledged', 'released'])
  })

  test('taken over only when that is asked for', async () => {
    await post('acknowledge')
    const other = (await createKey(t.app.deps, t.actor, 'read-write')).key
    const path = `${PATH}${id}/acknowledge`
    expect(await answer('POST', path, { key: other, json: {} })).toBe(
      '409 an API key is on it: the request must ask to take over',
    )
    const taken = await post('acknowledge', { takes_over: true }, other)
    expect(taken.acknowledged?.by).toEqual({ kind: 'key', name: other.slice(0, 8) })
  })

  test('noted on, also after its end', async () => {
    await t.call('GET', `/ping/${uuid}`)
    const response = await t.call('POST', `${PATH}${id}/notes`, { key, json: { text: ' It was the disk. ' } })
    expect(response.status).toBe(201)
    const noted: Incident = JSON.parse(await response.text())
    expect(noted.events.at(-1)).toMatchObject({ kind: 'note', text: 'It was the disk.' } as never)
    expect(await answer('POST', `${PATH}${id}/acknowledge`, { key, json: {} })).toBe('409 the incident has ended')
  })
})

describe('what is refused', () => {
  test.each([
    ['acknowledge', { until: '2020-01-01T00:00:00Z' }, 'until is in the past'],
    ['acknowledge', { untill: 'x' }, 'untill is not a known field'],
    ['acknowledge', { note: 'x'.repeat(1_001) }, 'note is too long'],
    ['notes', {}, 'text is missing'],
    ['notes', { text: ' ' }, 'text is not a note: it is blank'],
  ])('%s with %j gets a sentence, and nothing changes', async (what, json, words) => {
    expect(await answer('POST', `${PATH}${id}/${what}`, { key, json })).toStartWith(
      `400 json validation error: ${words}`,
    )
    expect((await get()).events).toHaveLength(1)
  })

  test('is to hand back what nobody has', async () => {
    expect(await answer('POST', `${PATH}${id}/release`, { key })).toBe('409 nobody is on it')
  })

  test('is every change by a read-only key', async () => {
    for (const what of ['acknowledge', 'release', 'notes']) {
      expect(await answer('POST', `${PATH}${id}/${what}`, { key: readOnly, json: {} })).toBe('401 wrong api key')
    }
  })

  test('is an incident that does not exist, or belongs to another project', async () => {
    const { keys } = await createProject(t.app.deps, 'Other')
    for (const other of ['x', uuid, `${uniqueKey(uuid)}-1`, `${uniqueKey(uuid)}-0`, `${id}9999999999999999`]) {
      expect(await answer('GET', PATH + other, { key })).toBe('404 not found')
    }
    expect(await answer('GET', PATH + id, { key: keys.apiKey })).toBe('404 not found')
    expect(await answer('GET', `${PATH}?check=${uuid}`, { key: keys.apiKey })).toBe('403 forbidden')
  })

  test('is a query that is not valid', async () => {
    expect(await answer('GET', `${PATH}?open=yes`, { key })).toBe(
      '400 query validation error: open has unexpected value',
    )
    expect(await answer('GET', `${PATH}?check=x`, { key })).toBe(
      '400 query validation error: check does not match pattern',
    )
  })
})
