import { afterEach, beforeEach, expect, test } from 'bun:test'
import { badgeUrls } from '../../src/domain/badge.ts'
import { listBadges } from '../../src/services/badges.ts'
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
