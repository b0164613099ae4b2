import { afterEach, beforeEach, expect, test } from 'bun:test'
import { badgeUrls, encodeStrictly, signBadge } from '../../src/domain/badge.ts'
import { findCheckBadge, findTagBadge, listBadges } from '../../src/services/badges.ts'
import { upsertCheck } from '../../src/services/checks.ts'
import { createProject } from '../../src/services/projects.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://overdue.example', SECRET_KEY: 'a secret of some length' } })
})
afterEach(() => t.close())

const tagged = (tags: string) => upsertCheck(t.app.deps, t.project, { tags }, false)

test('a project without tags has badges for all its checks together', async () => {
  await tagged('')
  expect(Object.keys(await listBadges(t.app.deps, t.project))).toEqual(['*'])
})

test('each tag in use has its badges once, and the tags of other projects have none', async () => {
  const { project } = await createProject(t.app.deps, 'Other')
  await upsertCheck(t.app.deps, project, { tags: 'theirs' }, false)
  await tagged('prod  db')
  await tagged('prod a/b')
  expect(Object.keys(await listBadges(t.app.deps, t.project)).toSorted()).toEqual(['*', 'a/b', 'db', 'prod'])
})

test('the URLs are signed with the key of the project and the secret of the server', async () => {
  await tagged('prod')
  const { prod } = await listBadges(t.app.deps, t.project)
  expect(prod).toEqual(badgeUrls('https://overdue.example', t.project.badgeKey, 'prod', 'a secret of some length'))
  expect(prod?.svg).not.toBe(badgeUrls('https://overdue.example', t.project.badgeKey, 'prod', 'another secret').svg)
  const start = `https://overdue.example/badge/${t.project.badgeKey}/`
  for (const url of Object.values(prod ?? {})) expect(url).toStartWith(start)
  expect(new Set(Object.values(prod ?? {})).size).toBe(6)
})

const SECRET = 'a secret of some length'
const tagBadge = (tag: string, badgeKey = t.project.badgeKey) =>
  findTagBadge(t.app.deps, { badgeKey, signature: signBadge(badgeKey, tag, SECRET), tag: encodeStrictly(tag) })

test('the badge of a tag counts the checks that have exactly that tag', async () => {
  for (const tags of ['prod', 'db prod', 'production', 'Prod', 'pro', '']) await tagged(tags)
  expect(await tagBadge('prod')).toEqual({ label: 'prod', counts: { total: 2, grace: 0, down: 0 } })
})

test('the badge of all checks counts those of the project and no others, and has the name of the site', async () => {
  const { project } = await createProject(t.app.deps, 'Other')
  await upsertCheck(t.app.deps, project, {}, false)
  for (const tags of ['prod', '', '*']) await tagged(tags)
  const all = { label: 'Overdue', counts: { total: 3, grace: 0, down: 0 } }
  expect(await tagBadge('*')).toEqual(all)
  const signature = signBadge(t.project.badgeKey, '*', SECRET)
  expect(await findTagBadge(t.app.deps, { badgeKey: t.project.badgeKey, signature, tag: null })).toEqual(all)
})

test('the badge of all checks can be given another name', async () => {
  await t.close()
  t = await testApp({ env: { SECRET_KEY: SECRET, MASTER_BADGE_LABEL: 'All jobs' } })
  expect((await tagBadge('*'))?.label).toBe('All jobs')
})

test('a signed badge without checks is there all the same', async () => {
  const none = { total: 0, grace: 0, down: 0 }
  expect(await tagBadge('gone')).toEqual({ label: 'gone', counts: none })
  expect(await tagBadge('gone', crypto.randomUUID())).toEqual({ label: 'gone', counts: none })
})

test('a badge with a signature that is not ours is not there', async () => {
  await tagged('prod')
  const { badgeKey } = t.project
  expect(await findTagBadge(t.app.deps, { badgeKey, signature: 'AAAAAAAA', tag: 'prod' })).toBeNull()
  expect(await findTagBadge(t.app.deps, { badgeKey, signature: 'AAAAAAAA', tag: null })).toBeNull()
})

test.each([
  ['Backup', 'Backup'],
  ['', 'unnamed'],
  [' ', 'unnamed'],
])('the badge of a check named %j is called %j', async (name, label) => {
  const { check } = await upsertCheck(t.app.deps, t.project, { name }, false)
  expect(await findCheckBadge(t.app.deps, check.badgeKey)).toEqual({ label, counts: { total: 1, grace: 0, down: 0 } })
})

test('a check is found by its badge key only, which is not what pings it', async () => {
  const { check } = await upsertCheck(t.app.deps, t.project, {}, false)
  expect(await findCheckBadge(t.app.deps, check.id)).toBeNull()
  expect(await findCheckBadge(t.app.deps, t.project.badgeKey)).toBeNull()
})
