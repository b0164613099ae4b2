/** Uses of ping keys: recorded while pings are answered, and written some seconds later. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { PingKeyUses } from '../../../src/services/pings/ping-key-uses.ts'
import { listKeys } from '../../../src/services/projects/keys.ts'
import type { PingKeyUse } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const shown = async () => {
  await t.app.deps.background.drain()
  return (await listKeys(t.app.deps, t.actor)).find(({ kind }) => kind === 'ping')
}

describe('a ping key', () => {
  const ping = async (path: string) => (await t.call('GET', `/ping/${path}`)).status

  test('is used by the checks that were pinged by their slug in the last 7 days, of all that have one', async () => {
    const key = t.keys.apiKey
    for (const slug of ['weekly', 'daily', 'moved', ''])
      await t.json('POST', '/api/v3/checks/', { key, json: { name: slug, slug } })
    const { pingKey } = t.keys
    expect(await shown()).toMatchObject({ lastUsedAt: null, usedBy: { checks: 0, of: 3 } })
    await ping(`${pingKey}/weekly`)
    await ping(`${pingKey}/daily/fail`)
    await ping(`${pingKey}/none`)
    await ping(`${pingKey}/daily/256`)
    const began = t.clock.now()
    expect(await shown()).toMatchObject({ lastUsedAt: began, usedBy: { checks: 2, of: 3 } })
    t.clock.advance({ hours: 7 * 24 })
    expect(await shown()).toMatchObject({ lastUsedAt: began, usedBy: { checks: 2, of: 3 } })
    t.clock.advance({ seconds: 1 })
    expect(await shown()).toMatchObject({ lastUsedAt: began, usedBy: { checks: 0, of: 3 } })
    await ping(`${pingKey}/daily`)
    expect(await shown()).toMatchObject({ lastUsedAt: t.clock.now(), usedBy: { checks: 1, of: 3 } })
  })

  test('is used by a check that its ping has created, and not by one that was pinged by its UUID', async () => {
    const json = { name: 'By UUID', slug: 'by-uuid' }
    const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
    expect([await ping(uuid), await ping(`${t.keys.pingKey}/made?create=1`)]).toEqual([200, 201])
    expect(await shown()).toMatchObject({ usedBy: { checks: 1, of: 2 } })
  })
})

describe('uses', () => {
  /** Records the uses that the store receives. */
  function recording(isBroken = () => false) {
    const given: (readonly PingKeyUse[])[] = []
    const notePingKeyUses = async (uses: readonly PingKeyUse[]) => {
      given.push(uses)
      if (isBroken()) throw new Error('the disk is full')
    }
    const { store, background } = t.app.deps
    const uses = new PingKeyUses({ background, store: replaced(store, { keys: { notePingUses: notePingKeyUses } }) })
    return { given, note: (slug: string) => uses.note('key', slug, t.clock.now()), drain: () => background.drain() }
  }
  const slugs = (uses: readonly PingKeyUse[] = []) => uses.map(({ slug }) => slug)

  test('are written together, and once in five minutes for each check', async () => {
    const { given, note, drain } = recording()
    for (const slug of ['a', 'b', 'a']) note(slug)
    expect(given).toEqual([])
    await drain()
    t.clock.advance({ minutes: 4 })
    note('a')
    note('c')
    await drain()
    t.clock.advance({ minutes: 1 })
    for (const slug of ['a', 'c']) note(slug)
    await drain()
    expect(given.map(slugs)).toEqual([['a', 'b'], ['c'], ['a']])
  })

  test('of many checks are a thousand in batches of a hundred, and the others come with their next ping', async () => {
    const { given, note, drain } = recording()
    for (let n = 0; n < 1_010; n++) note(`${n}`)
    await drain()
    expect([given.length, ...new Set(given.map(({ length }) => length))]).toEqual([10, 100])
    for (let n = 0; n < 1_010; n++) note(`${n}`)
    await drain()
    expect(slugs(given[10])).toEqual(Array.from({ length: 10 }, (_, n) => `${1_000 + n}`))
  })

  test('that could not be written come with the next write', async () => {
    let isBroken = true
    const { given, note, drain } = recording(() => isBroken)
    note('a')
    await drain()
    isBroken = false
    note('b')
    await drain()
    expect(given.map(slugs)).toEqual([['a'], ['a', 'b']])
  })
})
