import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import { hashApiKey } from '../../../src/domain/project.ts'
import type { Random } from '../../../src/services/common/deps.ts'
import { createKey, getKeyActor, listKeys, revokeKey } from '../../../src/services/projects/keys.ts'
import {
  createFirstProject,
  createProject,
  getProject,
  listProjects,
  setPingLogLimit,
} from '../../../src/services/projects/projects.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const told = async (promise: Promise<unknown>) => {
  const { code, message, data } = await refusalOf(promise)
  return [code, message, data]
}
const refusedAccess = async (key: string | null) => {
  const { code, message } = await refusalOf(getKeyActor(t.app.deps, key, null))
  return [code, message]
}

describe('a project', () => {
  test('is created with three different keys, in the documented formats', async () => {
    const { keys } = await createProject(t.app.deps, 'Second')
    expect(keys.apiKey).toMatch(/^odw_[A-Za-z0-9]{28}$/)
    expect(keys.apiKeyReadonly).toMatch(/^odr_[A-Za-z0-9]{28}$/)
    expect(keys.pingKey).toMatch(/^[a-z0-9]{22}$/)
    expect(new Set([...Object.values(keys), ...Object.values(t.keys)]).size).toBe(6)
  })

  test('has the log limit of the settings at first, and then accepts one from 1 to 1000', async () => {
    expect(t.project.pingLogLimit).toBe(100)
    for (const limit of [1, 1000]) {
      expect((await setPingLogLimit(t.app.deps, t.actor, limit)).pingLogLimit).toBe(limit)
      expect((await getProject(t.app.deps, 'Tests')).pingLogLimit).toBe(limit)
    }
    for (const limit of [0, -1, 1001, 1.5, Number.NaN]) {
      expect(await told(setPingLogLimit(t.app.deps, t.actor, limit))).toEqual([
        'out-of-range',
        'the ping log limit is out of range',
        { minimum: 1, maximum: 1000 },
      ])
    }
    expect((await getProject(t.app.deps, 'Tests')).pingLogLimit).toBe(1000)
  })

  test('needs a name of 1 to 200 characters that is not taken', async () => {
    for (const name of ['', '   ', 'x'.repeat(201)]) {
      expect(await told(createProject(t.app.deps, name))).toEqual([
        'name-invalid',
        'a project needs a name of 1 to 200 characters',
        { limit: 200 },
      ])
    }
    for (const name of ['a\u0000', '\ud83d']) {
      expect(await told(createProject(t.app.deps, name))).toContain(
        'the name of the project contains a NUL character or half of a surrogate pair',
      )
    }
    expect(await told(createProject(t.app.deps, 'Tests'))).toEqual([
      'project-name-taken',
      'a project named "Tests" already exists',
      { name: 'Tests' },
    ])
    await createProject(t.app.deps, '🦆'.repeat(200))
    expect(await listProjects(t.app.deps)).toHaveLength(2)
  })

  test('that is unknown is refused with its name', async () => {
    expect(await told(getProject(t.app.deps, 'None'))).toEqual([
      'project-not-found',
      'there is no project "None"',
      { name: 'None' },
    ])
  })

  test('is created on the first run only', async () => {
    expect(await createFirstProject(t.app.deps)).toBeNull()
    expect(await listProjects(t.app.deps)).toHaveLength(1)
  })

  test('is created once, even if two processes start at the same moment', async () => {
    const { store } = t.app.deps
    const empty: typeof store = replaced(store, { projects: { list: async () => [] } })
    const deps = { ...t.app.deps, store: empty }
    const made = await Promise.all([createFirstProject(deps), createFirstProject(deps)])
    expect(made.filter((keys) => keys !== null)).toHaveLength(1)
    expect((await listProjects(t.app.deps)).map(({ name }) => name).toSorted()).toEqual(['Default', 'Tests'])
  })
})

describe('a key', () => {
  test('for the API is stored as a keyed hash with its first eight characters, a ping key as it is', async () => {
    const stored = await listKeys(t.app.deps, t.actor)
    const { apiKey, apiKeyReadonly, pingKey } = t.keys
    const { secret } = t.app.deps.site
    expect(Object.fromEntries(stored.map(({ kind, lookup, hint }) => [kind, [lookup, hint]]))).toEqual({
      'read-write': [hashApiKey(apiKey, secret), apiKey.slice(0, 8)],
      'read-only': [hashApiKey(apiKeyReadonly, secret), apiKeyReadonly.slice(0, 8)],
      ping: [pingKey, pingKey.slice(0, 8)],
    })
    expect(hashApiKey(apiKey, secret)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashApiKey(apiKey, 'another secret')).not.toBe(hashApiKey(apiKey, secret))
  })

  test('gives access to what its kind allows', async () => {
    const { apiKey, apiKeyReadonly } = t.keys
    expect(await getKeyActor(t.app.deps, apiKey, null)).toMatchObject({
      project: { id: t.project.id },
      by: { kind: 'key', keyKind: 'read-write' },
    })
    expect(await getKeyActor(t.app.deps, apiKeyReadonly, null)).toMatchObject({ by: { keyKind: 'read-only' } })
  })

  test('of another length is missing, and one that is not known is wrong', async () => {
    for (const key of [null, '', 'x', t.keys.pingKey, `${t.keys.apiKey}x`]) {
      expect(await refusedAccess(key)).toEqual(['unauthorized', 'missing api key'])
    }
    for (const key of ['x'.repeat(32), t.keys.apiKey.toUpperCase(), t.keys.apiKey.replace('odw_', 'odr_')]) {
      expect(await refusedAccess(key)).toEqual(['unauthorized', 'wrong api key'])
    }
  })

  test('can be added to the others, but not of an unknown kind', async () => {
    const { kind, key } = await createKey(t.app.deps, t.actor, 'read-only')
    expect(kind).toBe('read-only')
    expect((await getKeyActor(t.app.deps, key, null)).by.keyKind).toBe('read-only')
    expect((await getKeyActor(t.app.deps, t.keys.apiKeyReadonly, null)).by.keyKind).toBe('read-only')
    expect(await told(createKey(t.app.deps, t.actor, 'admin'))).toEqual([
      'unknown-choice',
      'unknown kind of key "admin"',
      { choices: ['read-write', 'read-only', 'ping'] },
    ])
  })
})

describe('revoking', () => {
  test('accepts a whole key, API key or ping key', async () => {
    const { apiKey, pingKey } = t.keys
    expect((await revokeKey(t.app.deps, t.actor, apiKey)).kind).toBe('read-write')
    expect(await refusedAccess(apiKey)).toEqual(['unauthorized', 'wrong api key'])
    expect((await revokeKey(t.app.deps, t.actor, pingKey)).kind).toBe('ping')
    expect((await t.call('GET', `/ping/${pingKey}/slug?create=1`)).status).toBe(404)
    expect((await listKeys(t.app.deps, t.actor)).map(({ kind }) => kind)).toEqual(['read-only'])
  })

  test('accepts the first characters of a key, exactly as the list shows them', async () => {
    const hint = t.keys.apiKeyReadonly.slice(0, 8)
    expect((await revokeKey(t.app.deps, t.actor, hint)).hint).toBe(hint)
    expect(await refusedAccess(t.keys.apiKeyReadonly)).toEqual(['unauthorized', 'wrong api key'])
    expect(await told(revokeKey(t.app.deps, t.actor, 'odw_'))).toContain('key-not-found')
    expect((await listKeys(t.app.deps, t.actor)).map(({ kind }) => kind)).not.toContain('read-only')
  })

  test('refuses a beginning that several keys have; each can still be revoked by the whole key', async () => {
    let round = 0
    // Bytes that make keys which differ only in their last characters.
    const bytes = (length: number) => new Uint8Array(length).fill(1).fill(++round, length - 1)
    const random: Random = { ...t.app.deps.random, bytes }
    const deps = { ...t.app.deps, random }
    const [one, two] = [await createKey(deps, t.actor, 'read-write'), await createKey(deps, t.actor, 'read-write')]
    expect(one.key).not.toBe(two.key)
    expect(one.key.slice(0, 8)).toBe(two.key.slice(0, 8))
    expect(await told(revokeKey(t.app.deps, t.actor, one.key.slice(0, 8)))).toEqual([
      'key-ambiguous',
      'several keys of project "Tests" start with that',
      {},
    ])
    await revokeKey(t.app.deps, t.actor, one.key)
    expect(await refusedAccess(one.key)).toEqual(['unauthorized', 'wrong api key'])
    expect((await getKeyActor(t.app.deps, two.key, null)).by.keyKind).toBe('read-write')
  })

  test('refuses a beginning that no key of this project has', async () => {
    const { project } = await createProject(t.app.deps, 'Other')
    for (const text of ['', 'nothing', `x${t.keys.apiKey.slice(0, 7)}`, t.keys.apiKey.slice(0, 31)]) {
      expect(await told(revokeKey(t.app.deps, t.actor, text))).toContain('key-not-found')
    }
    expect(await told(revokeKey(t.app.deps, operatorIn(project), t.keys.apiKey))).toContain('key-not-found')
    expect((await getKeyActor(t.app.deps, t.keys.apiKey, null)).by.keyKind).toBe('read-write')
  })
})
