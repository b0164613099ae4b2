import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operatorIn } from '../../../src/domain/actor.ts'
import { badgeUrls, encodeStrictly, signBadge } from '../../../src/domain/badge-urls.ts'
import { type Badges, createBadges, listBadges } from '../../../src/services/badges/badges.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { wrapped } from '../../support/wrapped-methods.ts'

let t: TestApp
let badges: Badges
async function start(env: Record<string, string>) {
  t = await testApp({ env })
  badges = createBadges({ ...t.app.deps, longReads: new LongReads(t.app.deps.store) })
}
beforeEach(() => start({ SITE_ROOT: 'https://overdue.example', SECRET_KEY: 'a secret of some length' }))
afterEach(() => t.close())

/** Returns the URLs by tag. */
const listed = async () => new Map((await Array.fromAsync(listBadges(t.app.deps, t.actor))).flat())
const tagged = (tags: string) => upsertCheck(t.app.deps, t.actor, { tags }, false)

test('a project without tags has badges for all its checks together', async () => {
  await tagged('')
  expect([...(await listed()).keys()]).toEqual(['*'])
})

test('each tag in use has its badges once, and the tags of other projects have none', async () => {
  const { project } = await createProject(t.app.deps, 'Other')
  await upsertCheck(t.app.deps, operatorIn(project), { tags: 'theirs' }, false)
  await tagged('prod  db')
  await tagged('prod a/b')
  expect([...(await listed()).keys()]).toEqual(['prod', 'db', 'a/b', '*'])
})

test('the URLs are signed with the key of the project and the secret of the server', async () => {
  await tagged('prod')
  const prod = (await listed()).get('prod')
  expect(prod).toEqual(badgeUrls('https://overdue.example', t.project.badgeKey, 'prod', 'a secret of some length'))
  expect(prod?.svg).not.toBe(badgeUrls('https://overdue.example', t.project.badgeKey, 'prod', 'another secret').svg)
  const start = `https://overdue.example/badge/${t.project.badgeKey}/`
  for (const url of Object.values(prod ?? {})) expect(url).toStartWith(start)
  expect(new Set(Object.values(prod ?? {})).size).toBe(6)
})

const SECRET = 'a secret of some length'
const tagBadge = (tag: string, badgeKey = t.project.badgeKey) =>
  badges.findTagBadge({ badgeKey, signature: signBadge(badgeKey, tag, SECRET), tag: encodeStrictly(tag) })

test('the badge of all checks counts those of the project and no others, and has the name of the site', async () => {
  const { project } = await createProject(t.app.deps, 'Other')
  await upsertCheck(t.app.deps, operatorIn(project), {}, false)
  for (const tags of ['prod', '', '*']) await tagged(tags)
  const all = { label: 'Overdue', counts: { total: 3, grace: 0, down: 0 } }
  expect(await tagBadge('*')).toEqual(all)
  const signature = signBadge(t.project.badgeKey, '*', SECRET)
  expect(await badges.findTagBadge({ badgeKey: t.project.badgeKey, signature, tag: null })).toEqual(all)
})

test('the badge of all checks can be given another name', async () => {
  await t.close()
  await start({ SECRET_KEY: SECRET, MASTER_BADGE_LABEL: 'All jobs' })
  expect((await tagBadge('*'))?.label).toBe('All jobs')
})

test('a signed badge without checks exists', async () => {
  const none = { total: 0, grace: 0, down: 0 }
  expect(await tagBadge('gone')).toEqual({ label: 'gone', counts: none })
  expect(await tagBadge('gone', crypto.randomUUID())).toEqual({ label: 'gone', counts: none })
})

test.each([
  ['Backup', 'Backup'],
  ['', 'unnamed'],
  [' ', 'unnamed'],
])('the badge of a check named %j is called %j', async (name, label) => {
  const { check } = await upsertCheck(t.app.deps, t.actor, { name }, false)
  expect(await badges.findCheckBadge(check.badgeKey)).toEqual({ label, counts: { total: 1, grace: 0, down: 0 } })
})

test('a check is found only by its badge key, which cannot ping it', async () => {
  const { check } = await upsertCheck(t.app.deps, t.actor, {}, false)
  expect(await badges.findCheckBadge(check.id)).toBeNull()
  expect(await badges.findCheckBadge(t.project.badgeKey)).toBeNull()
})

describe('what is kept for a second', () => {
  const down = async () => (await tagBadge('*'))?.counts.down
  let id: string
  let badgeKey: string
  beforeEach(async () => {
    const { check } = await upsertCheck(t.app.deps, t.actor, { timeout: 60, grace: 60 }, false)
    id = check.id
    badgeKey = check.badgeKey
    await t.call('GET', `/ping/${id}`)
  })

  test('is read once for all requests meanwhile, whatever the tag', async () => {
    let reads = 0
    const store = wrapped(t.app.deps.store, (path, method) => {
      if (path.startsWith('badges.')) reads += 1
      return method
    })
    badges = createBadges({ ...t.app.deps, store, longReads: new LongReads(t.app.deps.store, 1) })
    await Promise.all(['*', 'prod', 'db', '*'].map((tag) => tagBadge(tag)))
    await tagBadge('prod')
    expect(reads).toBe(1)
    await badges.findCheckBadge(badgeKey)
    await badges.findCheckBadge(badgeKey)
    expect(reads).toBe(2)
    t.clock.advance({ seconds: 1 })
    await tagBadge('*')
    await badges.findCheckBadge(badgeKey)
    expect(reads).toBe(4)
  })

  test('is dropped when a check goes down or is edited, and kept when a check is pinged', async () => {
    expect([await down(), (await tagBadge('*'))?.counts.total]).toEqual([0, 1])
    await t.call('GET', `/ping/${id}/fail`)
    expect([await down(), (await badges.findCheckBadge(badgeKey))?.counts.down]).toEqual([1, 1])
    await tagged('more')
    expect((await tagBadge('*'))?.counts.total).toBe(2)
  })

  test('shows changes by time within a second', async () => {
    expect(await down()).toBe(0)
    t.clock.advance({ seconds: 120 })
    expect(await down()).toBe(1)
  })

  test('is never an error: the next request is answered', async () => {
    let fails = true
    const store = wrapped(t.app.deps.store, (path, method) =>
      path === 'badges.listChecks' && fails ? () => Promise.reject(new Error('the disk is gone')) : method,
    )
    badges = createBadges({ ...t.app.deps, store, longReads: new LongReads(t.app.deps.store) })
    await expect(tagBadge('*')).rejects.toThrow('the disk is gone')
    fails = false
    expect(await down()).toBe(0)
  })
})
