/** `/api/overdue/v1/silences`: the doors, bodies and answers. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { uniqueKey } from '../../../../src/domain/check/unique-key.ts'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { type Call, type TestApp, testApp } from '../../../support/test-app.ts'

interface Silence {
  readonly id: string
  readonly match: { readonly checks: readonly string[]; readonly tags: readonly string[] }
  readonly ends_at: string | null
  readonly duration: number | null
  readonly next: { readonly starts_at: string; readonly ends_at: string } | null
  readonly active: boolean
  readonly created_by: unknown
}

const PATH = '/api/overdue/v1/silences/'
const NOWHERE = '00000000-0000-4000-8000-000000000000'

let t: TestApp
let key: string
let readOnly: string
let uuid: string
beforeEach(async () => {
  // A Wednesday at noon.
  t = await testApp()
  key = t.keys.apiKey
  readOnly = t.keys.apiKeyReadonly
  uuid = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json: { name: 'Job', tags: 'prod' } })).uuid
})
afterEach(() => t.close())

const inMinutes = (minutes: number) => t.clock.now().add({ minutes }).toString()
const create = (json: unknown, by = key) => t.json<Silence>('POST', PATH, { key: by, json })
const list = async (by = key) => (await t.json<{ silences: Silence[] }>('GET', PATH, { key: by })).silences

async function answer(method: string, path: string, call: Call): Promise<string> {
  const response = await t.call(method, path, call)
  return `${response.status} ${JSON.parse(await response.text()).error}`
}

describe('a silence', () => {
  test('is created, listed, read, and ended, but not removed', async () => {
    const body = { match: { checks: [uuid.toUpperCase()] }, ends_at: inMinutes(60), reason: ' New disk. ' }
    const response = await t.call('POST', PATH, { key, json: body })
    expect(response.status).toBe(201)
    const made: Silence = JSON.parse(await response.text())
    expect(made as unknown).toEqual({
      id: expect.any(String),
      match: { checks: [uuid], tags: [] },
      starts_at: t.clock.now().toString().replace('Z', '+00:00'),
      ends_at: t.clock.now().add({ minutes: 60 }).toString().replace('Z', '+00:00'),
      until_healthy: false,
      ...{ schedule: null, tz: null, duration: null },
      next: {
        starts_at: t.clock.now().toString().replace('Z', '+00:00'),
        ends_at: t.clock.now().add({ minutes: 60 }).toString().replace('Z', '+00:00'),
      },
      up_to: 'down',
      reason: 'New disk.',
      active: true,
      created_at: t.clock.now().toString().replace('Z', '+00:00'),
      created_by: { kind: 'key', name: key.slice(0, 8) },
    })
    expect(await list()).toEqual([made])
    t.clock.advance({ minutes: 10 })
    const ended = await t.json<Silence>('DELETE', PATH + made.id, { key })
    expect(ended).toMatchObject({ id: made.id, active: false, next: null })
    expect(await t.json<Silence>('GET', PATH + made.id, { key })).toEqual(ended)
    expect(await list()).toEqual([])
  })

  test('is listed among the ended ones once it has ended, the last to end first', async () => {
    const endedOnes = async () => (await t.json<{ silences: Silence[] }>('GET', `${PATH}?ended=true`, { key })).silences
    const first = await create({ match: { checks: [uuid] }, ends_at: inMinutes(5) })
    const second = await create({ match: {}, ends_at: inMinutes(10) })
    expect(await endedOnes()).toEqual([])
    t.clock.advance({ minutes: 10 })
    expect((await endedOnes()).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await list()).toEqual([])
    expect(await answer('GET', `${PATH}?ended=yes`, { key })).toBe(
      '400 query validation error: ended has unexpected value',
    )
  })

  test('comes again by a schedule, until somebody ends it', async () => {
    const made = await create({ match: {}, schedule: '0 22 * * 6', tz: 'Europe/Riga', duration: 7_200 })
    const saturday = { starts_at: '2026-03-07T20:00:00+00:00', ends_at: '2026-03-07T22:00:00+00:00' }
    expect(made).toMatchObject({
      ...{ ends_at: null, schedule: '0 22 * * 6', tz: 'Europe/Riga', duration: 7_200 },
      ...{ active: false, next: saturday },
    })
    t.clock.set('2026-03-07T21:00:00Z')
    expect(await list()).toMatchObject([{ id: made.id, active: true, next: saturday }])
    t.clock.set('2026-03-07T22:00:00Z')
    const weekLater = { starts_at: '2026-03-14T20:00:00+00:00', ends_at: '2026-03-14T22:00:00+00:00' }
    expect(await list()).toMatchObject([{ id: made.id, active: false, next: weekLater }])
    expect(await t.json<Silence>('DELETE', PATH + made.id, { key })).toMatchObject({
      ...{ ends_at: '2026-03-07T22:00:00+00:00', active: false, next: null },
    })
    expect(await list()).toEqual([])
  })

  test('is changed: what is left out stays', async () => {
    const made = await create({ match: { tags: ['prod'] }, schedule: '0 22 * * 6', tz: 'Europe/Riga', duration: 7_200 })
    const change = (json: unknown) => t.json<Silence>('POST', PATH + made.id, { key, json })
    t.clock.set('2026-03-07T21:00:00Z')
    const next = { starts_at: '2026-03-07T20:00:00+00:00', ends_at: '2026-03-07T23:00:00+00:00' }
    expect(await change({ duration: 10_800 })).toEqual({ ...made, duration: 10_800, next, active: true })
    const ended = await change({ ends_at: '2026-03-07T22:30:00Z' })
    expect(ended).toMatchObject({ next: { ...next, ends_at: '2026-03-07T22:30:00+00:00' } })
    expect(await change({ ends_at: null, reason: 'Restore.' })).toMatchObject({ next, reason: 'Restore.' })
  })

  test.each<[unknown, string]>([
    [{ match: {} }, 'match is not a known field'],
    [{ duration: 600 }, 'duration is given without schedule'],
    [{ ends_at: null }, 'ends_at is missing: give an end, or set until_healthy'],
    [{ ends_at: '2026-03-04T11:00:00Z' }, 'ends_at is in the past'],
    [{ schedule: '0 22 * * 6' }, 'duration is missing: say how many seconds each occurrence of schedule lasts'],
  ])('is not changed by %j', async (body, problem) => {
    const made = await create({ match: {}, ends_at: inMinutes(60) })
    expect(await answer('POST', PATH + made.id, { key, json: body })).toBe(`400 json validation error: ${problem}`)
    expect(await list()).toEqual([made])
  })

  test('shows a read-only key no UUIDs and no names', async () => {
    await create({ match: { checks: [uuid] }, until_healthy: true })
    const [seen] = await list(readOnly)
    expect(seen).toMatchObject({ match: { checks: [uniqueKey(uuid)] }, created_by: { kind: 'key', name: null } })
    expect(JSON.stringify(seen)).not.toContain(uuid)
  })

  test('shows a read-only key no ping URL that somebody wrote into its reason', async () => {
    const { id } = await create({
      match: {},
      until_healthy: true,
      reason: `Run curl https://example.org/ping/${uuid} by hand`,
    })
    const seen = async (path: string) => (await t.call('GET', path, { key: readOnly })).text()
    const present = [await seen(PATH), await seen(PATH + id)]
    await t.call('DELETE', PATH + id, { key })
    for (const text of [...present, await seen(`${PATH}?ended=true`), await seen(PATH + id)]) {
      expect(text).toContain(' by hand')
      expect(text).not.toContain(uuid)
    }
  })

  test('of a ping URL is listed as such', async () => {
    await t.call('GET', `/ping/${uuid}/silence?for=20m`)
    expect(await list()).toMatchObject([{ match: { checks: [uuid] }, created_by: { kind: 'ping', name: null } }])
  })

  test('of a tag holds the alerts of its checks, until it ends', async () => {
    const { id } = await create({ match: { tags: ['prod'] }, ends_at: inMinutes(60) })
    await t.call('GET', `/ping/${uuid}/fail`)
    const held = async () => {
      const found = await t.json<{ incidents: { held: unknown }[] }>('GET', '/api/overdue/v1/incidents/', { key })
      return found.incidents.map((incident) => incident.held)
    }
    expect(await held()).toMatchObject([{ why: 'silence', silence: id }])
    await t.json('DELETE', PATH + id, { key })
    await t.app.settle('incidents')
    expect(await held()).toEqual([null])
  })
})

describe('what is refused', () => {
  const invalid = (json: unknown) => answer('POST', PATH, { key, json })

  test.each([
    [{}, 'match is missing'],
    [{ match: {} }, 'ends_at is missing: give an end, or set until_healthy'],
    [{ match: {}, ends_at: '2020-01-01T00:00:00Z' }, 'ends_at is in the past'],
    [{ match: {}, ends_at: 'noon' }, 'ends_at is not an instant such as 2026-11-16T04:09:12Z'],
    [{ match: { check: [] }, until_healthy: true }, 'match/check is not a known field'],
    [{ match: { tags: ['two words'] }, until_healthy: true }, 'match/tags/0 is not a tag'],
    [{ match: { checks: ['x'] }, until_healthy: true }, 'match/checks/0 is not the UUID of a check'],
    [{ match: {}, until_healthy: true, ends: 1 }, 'ends is not a known field'],
  ])('%j gets a sentence', async (json, words) => {
    expect(await invalid(json)).toBe(`400 json validation error: ${words}`)
    expect(await list()).toEqual([])
  })

  test('is a silence that would last too long', async () => {
    const minutes = 60 * 24 * 30 + 1
    expect(await invalid({ match: {}, ends_at: inMinutes(minutes) })).toBe(
      '400 json validation error: ends_at is more than 30 days after the start',
    )
    expect(await invalid({ match: {}, ends_at: inMinutes(60 * 24 * 8), until_healthy: true })).toContain('7 days')
  })

  test('is a check that the project does not have', async () => {
    expect(await invalid({ match: { checks: [NOWHERE] }, until_healthy: true })).toBe(
      `400 match names the check ${NOWHERE}, which the project does not have`,
    )
  })

  test('is every change by a read-only key, and every request without a key', async () => {
    const { id } = await create({ match: {}, until_healthy: true })
    const json = { match: {}, until_healthy: true }
    expect(await answer('POST', PATH, { key: readOnly, json })).toBe('401 wrong api key')
    expect(await answer('DELETE', PATH + id, { key: readOnly })).toBe('401 wrong api key')
    expect(await answer('GET', PATH, {})).toBe('401 missing api key')
    expect(await list()).toHaveLength(1)
  })

  test('is another method, and an id that is none', async () => {
    expect(await answer('PUT', PATH, { key })).toBe('405 method not allowed')
    expect(await answer('PUT', PATH + NOWHERE, { key, json: {} })).toBe('405 method not allowed')
    for (const id of [NOWHERE, 'x', uniqueKey(uuid)]) {
      expect(await answer('GET', PATH + id, { key })).toBe('404 not found')
    }
  })

  test('is a silence of another project', async () => {
    const { id } = await create({ match: {}, until_healthy: true })
    const { keys } = await createProject(t.app.deps, 'Other')
    expect(await answer('GET', PATH + id, { key: keys.apiKey })).toBe('403 forbidden')
    expect(await answer('DELETE', PATH + id, { key: keys.apiKey })).toBe('403 forbidden')
  })
})

test('the key may be in the body', async () => {
  const made = await t.json<Silence>('POST', PATH, { json: { api_key: key, match: {}, until_healthy: true } })
  expect(made.id).toHaveLength(36)
})
