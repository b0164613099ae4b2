import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import { signBadge } from '../../../src/domain/badge-urls.ts'
import { hashApiKey, type Project } from '../../../src/domain/project.ts'
import { createBadges } from '../../../src/services/badges/badges.ts'
import { findApiKey } from '../../../src/services/common/imported-secrets.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { rules } from '../../../src/services/common/rules.ts'
import { getKeyActor, listKeys, revokeKey } from '../../../src/services/projects/keys.ts'
import { getMetricsReader } from '../../../src/services/projects/project-metrics.ts'
import { importProject } from '../../support/imports.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { anAuthor, aProject, refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const THEIRS = 'secret of the old server'
const READ_WRITE = `hcw_${'a'.repeat(28)}`
const READ_ONLY = `hcr_${'b'.repeat(28)}`

let t: TestApp
let moved: Project
beforeEach(async () => {
  t = await testApp()
  const project = { ...aProject({ name: 'Moved' }), slug: '', isSearched: true }
  const key = (kind: 'read-write' | 'read-only', text: string) => ({
    ...{ lookup: hashApiKey(text, THEIRS), projectId: project.id, kind, hint: text.slice(0, 8) },
    ...{ createdAt: t.clock.now(), name: '', lastUsedAt: null },
  })
  moved = await importProject(
    t.app.deps.store,
    {
      ...{
        kind: 'healthchecks',
        project,
        drawnSlug: 'moved',
        accounts: [],
        members: [],
        secret: THEIRS,
        badges: [],
        channels: [],
      },
      keys: [key('read-write', READ_WRITE), key('read-only', READ_ONLY)],
      ...{ mailings: new Map(), checks: [], logs: new Map(), silences: [], statusPage: null },
    },
    rules(t.app.deps),
  )
})
afterEach(() => t.close())

describe('a key that was hashed with the secret of another server', () => {
  test('allows what it allowed there', async () => {
    expect((await getKeyActor(t.app.deps, READ_WRITE, null)).by.keyKind).toBe('read-write')
    expect((await getKeyActor(t.app.deps, READ_ONLY, null)).by.keyKind).toBe('read-only')
    expect((await t.call('POST', '/api/v3/checks/', { key: READ_WRITE, json: {} })).status).toBe(201)
    expect((await t.call('POST', '/api/v3/checks/', { key: READ_ONLY, json: {} })).status).toBe(401)
  })

  test('is stored by our hash after its first use, with the time of that', async () => {
    await getMetricsReader(t.app.deps, moved.id, READ_ONLY)
    await t.app.deps.background.drain()
    const own = hashApiKey(READ_ONLY, t.app.deps.site.secret)
    const stored = (await listKeys(t.app.deps, operatorIn(moved))).find(({ lookup }) => lookup === own)
    expect(stored?.lastUsedAt).toEqual(t.clock.now())
    expect((await findApiKey(t.app.deps, READ_ONLY))?.storedAs).toBe(own)
  })

  test('is the same client before and after that', async () => {
    const before = await getKeyActor(t.app.deps, READ_WRITE, null)
    await t.app.deps.background.drain()
    expect((await getKeyActor(t.app.deps, READ_WRITE, null)).by.lookup).toBe(before.by.lookup)
  })

  test('is found while another request stores it by our hash', async () => {
    const { store, site } = t.app.deps
    const listImportedSecrets = async () => {
      await store.keys.rehash(hashApiKey(READ_WRITE, THEIRS), hashApiKey(READ_WRITE, site.secret))
      return store.imports.listSecrets()
    }
    const found = await findApiKey(
      { site, store: replaced(store, { imports: { listSecrets: listImportedSecrets } }) },
      READ_WRITE,
    )
    expect(found?.project.id).toBe(moved.id)
  })

  test('works while the database cannot be written', async () => {
    const store = replaced(t.app.deps.store, { keys: { rehash: () => Promise.reject(new Error('read only')) } })
    expect((await getKeyActor({ ...t.app.deps, store }, READ_WRITE, null)).project.id).toBe(moved.id)
    await t.app.deps.background.drain()
  })

  test('is revoked by the whole key', async () => {
    await revokeKey(t.app.deps, operatorIn(moved), READ_WRITE)
    expect(await refusalOf(getKeyActor(t.app.deps, READ_WRITE, null))).toMatchObject({ code: 'unauthorized' })
  })

  test('ends with its project', async () => {
    await t.app.deps.store.by(anAuthor()).projects.delete(moved.id, 0)
    expect(await findApiKey(t.app.deps, READ_WRITE)).toBeNull()
    expect(await t.app.deps.store.imports.listSecrets()).toEqual([])
  })
})

describe('a badge URL that another server has signed', () => {
  const find = (badgeKey: string, secret: string, tag: string | null) =>
    createBadges({ ...t.app.deps, longReads: new LongReads(t.app.deps.store) }).findTagBadge({
      badgeKey,
      signature: signBadge(badgeKey, tag ?? '*', secret),
      tag,
    })

  test('shows the badge of its project', async () => {
    expect(await find(moved.badgeKey, THEIRS, null)).not.toBeNull()
    expect((await find(moved.badgeKey, THEIRS, 'prod'))?.label).toBe('prod')
  })

  test('is signed by our own secret as well', async () => {
    expect(await find(moved.badgeKey, t.app.deps.site.secret, 'prod')).not.toBeNull()
  })

  test('shows no badge of another project, and none with another secret', async () => {
    expect(await find(t.project.badgeKey, THEIRS, null)).toBeNull()
    expect(await find(moved.badgeKey, 'another secret', null)).toBeNull()
  })
})
