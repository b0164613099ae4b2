/** `overdue audit …` and the commands that suspend accounts and sign them out. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createDeps } from '../../../src/app/deps.ts'
import { readConfig } from '../../../src/config/config.ts'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { createAccount } from '../../../src/services/accounts/accounts.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { run } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'

let place: TestDatabase
beforeEach(async () => {
  place = await testDatabase()
  const deps = await createDeps(readConfig({ DATABASE_URL: place.url }), () => {})
  await createProject(deps, 'Ships ⚓')
  await createAccount(deps, OPERATOR, 'jane@example.org', false)
  await deps.closeCarriers()
  await deps.store.close()
})
afterEach(() => place.remove())

const overdue = (...words: string[]) => run(words, { DATABASE_URL: place.url, SITE_ROOT: 'https://example.org' })
const linesOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')

test('audit list shows who changed what, newest first, as the filters ask', async () => {
  const [heads = '', newest = '', ...others] = linesOf((await overdue('audit', 'list')).out)
  expect(heads).toMatch(/^TIME +WHO +ACTION +KIND +NAME +FIELDS/)
  expect(newest).toMatch(/command +create +account +jane@example.org/)
  expect(others.some((row) => /create +project +Ships ⚓/.test(row))).toBe(true)
})

test('audit list has what its filters find', async () => {
  const inProject = await overdue('audit', 'list', '--project', 'Ships ⚓', '--kind', 'project', '--limit', '1')
  expect(linesOf(inProject.out)).toHaveLength(2)
  expect(JSON.parse((await overdue('audit', 'list', '--until', '2020-01-01', '--json')).out)).toEqual([])
})

test('audit export prints each row as a line of JSON', async () => {
  const lines = linesOf((await overdue('audit', 'export', '--name', 'ships')).out)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      action: 'create',
      subject: expect.objectContaining({ kind: 'project', name: 'Ships ⚓' }),
    }),
  ])
})

test.each([
  ['--kind', 'ship', 'unknown kind "ship"'],
  ['--since', 'soon', '--since soon is not a day'],
  ['--until', '+275760-09-13', '--until +275760-09-13 is not a day'],
  ['--limit', '0', '--limit 0 is not valid'],
])('audit list %s %s is refused', async (option, value, words) => {
  const { code, err } = await overdue('audit', 'list', option, value)
  expect(code).not.toBe(0)
  expect(err).toContain(words)
})

test('account suspend is in the audit log, and account sign-out says how many sessions ended', async () => {
  expect((await overdue('account', 'suspend', 'jane@example.org')).out).toContain('jane@example.org is suspended')
  expect((await overdue('account', 'sign-out', 'jane@example.org')).out).toBe('ended 0 sessions\n')
  const { out } = await overdue('audit', 'list', '--kind', 'account', '--action', 'edit')
  expect(linesOf(out).slice(1)).toEqual([expect.stringContaining('suspended')])
})

test('account unsuspend lets the account sign in again', async () => {
  await overdue('account', 'suspend', 'jane@example.org')
  const { out } = await overdue('account', 'unsuspend', 'jane@example.org')
  expect(out).toBe('jane@example.org can sign in again\n')
})
