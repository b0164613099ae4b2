/** Refused pings: recorded while they are answered, and written by a loop. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { RefusedNotes } from '../../../src/services/pings/refused-signals.ts'
import type { NotedRefusal } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let id: string
beforeEach(async () => {
  t = await testApp()
  const json = { name: 'Job', slug: 'job' }
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
})
afterEach(() => t.close())

const stored = async () => (await t.app.deps.store.uncounted.listRefused([id], t.clock.now())).get(id) ?? null
const ping = async (path: string, method = 'GET') => (await t.call(method, `/ping/${path}`)).status

describe('a refused ping', () => {
  test('of a known check is counted by the loop, and answered as before', async () => {
    const { pingKey } = t.keys
    const asked = ['/-1', '/3221225477', '/256', '/FAIL', '/done', '/start/', '?rid=7', '/2147483647'].map(
      (tail) => id + tail,
    )
    const bySlug = ['job/FAIL', 'job/-1', 'job/300', 'Job', 'job?rid=x'].map((rest) => `${pingKey}/${rest}`)
    const statuses: number[] = []
    for (const path of [...asked, ...bySlug]) statuses.push(await ping(path))
    expect(statuses).toEqual([404, 400, 400, 400, 404, 404, 400, 400, 404, 404, 400, 400, 400])
    expect(await stored()).toBeNull()
    await t.app.settle('refused')
    expect(await stored()).toMatchObject({ n: 13, lastTail: '?rid=x' })
    await t.app.settle('refused')
    expect(await stored()).toMatchObject({ n: 13 })
  })

  test('is counted also when its URL is no ping URL', async () => {
    const statuses: number[] = []
    const urls = [`/ping/{${id}}`, `/ping/${id}%2Ffail`, `/${id}`, `/${id}/fail`, `//ping/${id}`, `/Ping/${id}`]
    for (const url of urls) statuses.push((await t.call('GET', url)).status)
    expect(statuses).toEqual(urls.map(() => 404))
    await t.app.settle('refused')
    expect(await stored()).toMatchObject({ n: 6, lastTail: '' })
  })

  test('of a slug that checks share is counted for each of them', async () => {
    const json = { name: 'Other', slug: 'job' }
    await t.json('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
    for (const tail of ['', '/fail']) expect(await ping(`${t.keys.pingKey}/job${tail}`)).toBe(409)
    await t.app.settle('refused')
    expect(await stored()).toMatchObject({ n: 2, lastTail: 'job' })
  })

  test('is no accepted one, no preflight, and none that names no check', async () => {
    for (const path of [id, `${id}/`, `${id}/start`, `${id}/0`, `${t.keys.pingKey}/job/log`])
      expect(await ping(path)).toBe(200)
    const headers = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' }
    for (const tail of ['/FAIL', '/start/']) await t.call('OPTIONS', `/ping/${id}${tail}`, { headers })
    for (const path of ['', 'x', `${t.keys.pingKey}/other/FAIL`, `${crypto.randomUUID()}/start`]) await ping(path)
    await t.app.settle('refused')
    expect(await stored()).toBeNull()
  })

  test('is written before the server stops', async () => {
    const shared = await testApp({ isShared: true })
    const other = await testApp({ beside: shared })
    const json = { name: 'Job' }
    const made = await shared.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: shared.keys.apiKey, json })
    await other.app.start()
    await other.call('GET', `/ping/${made.uuid}/-1`)
    await other.close()
    const found = await shared.app.deps.store.uncounted.listRefused([made.uuid], shared.clock.now())
    expect(found.get(made.uuid)).toMatchObject({ n: 1, lastTail: '/-1' })
    await shared.close()
  })
})

describe('the notes', () => {
  /** Records the refusals that the store receives. */
  function recording(fails: () => boolean = () => false) {
    const given: (readonly NotedRefusal[])[] = []
    const addRefused = async (noted: readonly NotedRefusal[]) => {
      given.push(noted)
      if (fails()) throw new Error('the disk is full')
    }
    return {
      given,
      notes: new RefusedNotes({ now: t.clock.now, store: replaced(t.app.deps.store, { uncounted: { addRefused } }) }),
    }
  }
  const target = (slug: string) => ({ kind: 'slug', pingKey: 'key', slug, create: false }) as const

  test('of a flood take bounded memory, and know the first thousand targets', async () => {
    const { given, notes } = recording()
    for (let n = 0; n < 5_000; n++) notes.note(target(`${n}`), `/${'x'.repeat(5_000)}`)
    for (let n = 0; n < 5; n++) notes.note(target('7'), '/-1')
    notes.note(target('y'.repeat(500)), '/-1')
    await notes.write()
    expect(given[0]).toHaveLength(1_000)
    expect(given[0]?.[7]).toMatchObject({ n: 6, lastTail: '/-1' })
    expect(Math.max(...(given[0] ?? []).map(({ lastTail }) => lastTail.length))).toBe(40)
    await notes.write()
    expect(given).toHaveLength(1)
  })

  test('that could not be written are kept, with what came meanwhile', async () => {
    let isBroken = true
    const { given, notes } = recording(() => isBroken)
    notes.note(target('a'), '/-1')
    notes.note(target('b'), '/-1')
    const writing = notes.write()
    notes.note(target('a'), '/-2')
    expect(await writing.catch((error: Error) => error.message)).toBe('the disk is full')
    isBroken = false
    await notes.write()
    expect(given[1]?.map(({ n, lastTail }) => [n, lastTail])).toEqual([
      [2, '/-2'],
      [1, '/-1'],
    ])
  })
})
