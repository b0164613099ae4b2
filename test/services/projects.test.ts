import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Refusal, UserError } from '../../src/domain/errors.ts'
import { hashApiKey, type Right } from '../../src/domain/project.ts'
import type { Random } from '../../src/services/deps.ts'
import {
  createFirstProject,
  createKey,
  createProject,
  getAccess,
  getProject,
  listKeys,
  listProjects,
  requireRight,
  revokeKey,
  setPingLogLimit,
} from '../../src/services/projects.ts'
import { rejection } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const told = async (promise: Promise<unknown>) => {
  const error = await rejection(promise)
  if (!(error instanceof UserError)) throw error
  return `${error.message}; ${error.hint}`
}
const refusedAccess = async (key: string | null, right: Right = 'read') => {
  const pass = async () => requireRight(await getAccess(t.app.deps, key), right)
  const error = await rejection(pass())
  if (!(error instanceof Refusal)) throw error
  return [error.code, error.message]
}

describe('a project', () => {
  test('is made with three keys of the documented shapes, all different', async () => {
    const { keys } = await createProject(t.app.deps, 'Second')
    expect(keys.apiKey).toMatch(/^odw_[A-Za-z0-9]{28}$/)
    expect(keys.apiKeyReadonly).toMatch(/^odr_[A-Za-z0-9]{28}$/)
    expect(keys.pingKey).toMatch(/^[a-z0-9]{22}$/)
    expect(new Set([...Object.values(keys), ...Object.values(t.keys)]).size).toBe(6)
  })

  test('takes the default of the settings for its log, and a number from 1 to 1000 afterwards', async () => {
    expect(t.project.pingLogLimit).toBe(100)
    for (const limit of [1, 1000]) {
      expect((await setPingLogLimit(t.app.deps, t.project, limit)).pingLogLimit).toBe(limit)
      expect((await getProject(t.app.deps, 'Tests')).pingLogLimit).toBe(limit)
    }
    for (const limit of [0, -1, 1001, 1.5, Number.NaN]) {
      expect(await told(setPingLogLimit(t.app.deps, t.project, limit))).toContain('a whole number from 1 to 1000')
    }
    expect((await getProject(t.app.deps, 'Tests')).pingLogLimit).toBe(1000)
  })

  test('needs a name of 1 to 200 characters that is not taken', async () => {
    for (const name of ['', '   ', 'x'.repeat(201)]) {
      expect(await told(createProject(t.app.deps, name))).toContain('a name of 1 to 200 characters')
    }
    expect(await rejection(createProject(t.app.deps, 'Tests'))).toHaveProperty('code', 'conflict')
    await createProject(t.app.deps, '🦆'.repeat(200))
    expect(await listProjects(t.app.deps)).toHaveLength(2)
  })

  test('that is unknown is told with where to look', async () => {
    expect(await told(getProject(t.app.deps, 'None'))).toBe('there is no project "None"; see `overdue project list`')
  })

  test('is made on the first run only', async () => {
    expect(await createFirstProject(t.app.deps)).toBeNull()
    expect(await listProjects(t.app.deps)).toHaveLength(1)
  })

  test('of the first run is made once, though two processes start at the same moment', async () => {
    const { store } = t.app.deps
    const empty: typeof store = { ...store, listProjects: async () => [] }
    const deps = { ...t.app.deps, store: empty }
    const made = await Promise.all([createFirstProject(deps), createFirstProject(deps)])
    expect(made.filter((keys) => keys !== null)).toHaveLength(1)
    expect((await listProjects(t.app.deps)).map(({ name }) => name).toSorted()).toEqual(['Default', 'Tests'])
  })
})

describe('a key', () => {
  test('for the API is stored as a keyed hash with its first eight characters, a ping key as it is', async () => {
    const stored = await listKeys(t.app.deps, t.project)
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

  test('opens what its kind allows', async () => {
    const { apiKey, apiKeyReadonly } = t.keys
    expect(await getAccess(t.app.deps, apiKey)).toMatchObject({
      project: { id: t.project.id },
      kind: 'read-write',
    })
    expect(await getAccess(t.app.deps, apiKeyReadonly)).toMatchObject({ kind: 'read-only' })
    expect(await refusedAccess(apiKeyReadonly, 'write')).toEqual(['unauthorized', 'wrong api key'])
  })

  test('of another length is missing, and one that is not known is wrong', async () => {
    for (const key of [null, '', 'x', t.keys.pingKey, `${t.keys.apiKey}x`]) {
      expect(await refusedAccess(key)).toEqual(['unauthorized', 'missing api key'])
    }
    for (const key of ['x'.repeat(32), t.keys.apiKey.toUpperCase(), t.keys.apiKey.replace('odw_', 'odr_')]) {
      expect(await refusedAccess(key)).toEqual(['unauthorized', 'wrong api key'])
    }
  })

  test('can be made beside the others, and an unknown kind cannot', async () => {
    const { kind, key } = await createKey(t.app.deps, t.project, 'read-only')
    expect(kind).toBe('read-only')
    expect((await getAccess(t.app.deps, key)).kind).toBe('read-only')
    expect((await getAccess(t.app.deps, t.keys.apiKeyReadonly)).kind).toBe('read-only')
    expect(await told(createKey(t.app.deps, t.project, 'admin'))).toBe(
      'unknown kind of key "admin"; use one of: read-write, read-only, ping',
    )
  })
})

describe('revoking', () => {
  test('ends a key that is given whole, API key or ping key', async () => {
    const { apiKey, pingKey } = t.keys
    expect((await revokeKey(t.app.deps, t.project, apiKey)).kind).toBe('read-write')
    expect(await refusedAccess(apiKey)).toEqual(['unauthorized', 'wrong api key'])
    expect((await revokeKey(t.app.deps, t.project, pingKey)).kind).toBe('ping')
    expect((await t.call('GET', `/ping/${pingKey}/slug?create=1`)).status).toBe(404)
    expect((await listKeys(t.app.deps, t.project)).map(({ kind }) => kind)).toEqual(['read-only'])
  })

  test('ends a key that is given by its first characters, as far as the list shows them', async () => {
    const hint = t.keys.apiKeyReadonly.slice(0, 8)
    expect((await revokeKey(t.app.deps, t.project, hint)).hint).toBe(hint)
    expect(await refusedAccess(t.keys.apiKeyReadonly)).toEqual(['unauthorized', 'wrong api key'])
    expect(await told(revokeKey(t.app.deps, t.project, 'odw_'))).toStartWith('no key of project')
    expect((await listKeys(t.app.deps, t.project)).map(({ kind }) => kind)).not.toContain('read-only')
  })

  test('refuses a beginning that several keys have, and each of them can still be ended whole', async () => {
    let round = 0
    // Bytes that give keys which differ in their last characters only.
    const bytes = (length: number) => new Uint8Array(length).fill(1).fill(++round, length - 1)
    const random: Random = { ...t.app.deps.random, bytes }
    const deps = { ...t.app.deps, random }
    const [one, two] = [await createKey(deps, t.project, 'read-write'), await createKey(deps, t.project, 'read-write')]
    expect(one.key).not.toBe(two.key)
    expect(one.key.slice(0, 8)).toBe(two.key.slice(0, 8))
    expect(await told(revokeKey(t.app.deps, t.project, one.key.slice(0, 8)))).toBe(
      'several keys of project "Tests" start with that; give the whole key',
    )
    await revokeKey(t.app.deps, t.project, one.key)
    expect(await refusedAccess(one.key)).toEqual(['unauthorized', 'wrong api key'])
    expect((await getAccess(t.app.deps, two.key)).kind).toBe('read-write')
  })

  test('refuses what no key of this project begins with', async () => {
    const { project } = await createProject(t.app.deps, 'Other')
    for (const text of ['', 'nothing', `x${t.keys.apiKey.slice(0, 7)}`, t.keys.apiKey.slice(0, 31)]) {
      expect(await told(revokeKey(t.app.deps, t.project, text))).toStartWith('no key of project')
    }
    expect(await told(revokeKey(t.app.deps, project, t.keys.apiKey))).toStartWith('no key of project')
    expect((await getAccess(t.app.deps, t.keys.apiKey)).kind).toBe('read-write')
  })
})
