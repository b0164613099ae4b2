import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findRemoteUser, welcomeRemoteUser } from '../../../../src/services/accounts/sign-in/remote-user.ts'
import { only } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { accountOf, codeOf } from '../people.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const find = (email: string) => welcomeRemoteUser(t.app.deps, email, '192.0.2.7')

test('nobody is signed in by a proxy while there is no account', async () => {
  expect(await find('ann@example.org')).toBeNull()
  expect(await t.app.deps.store.accounts.exist()).toBe(false)
})

test('a person whom the proxy names has the account of that email', async () => {
  const ann = await accountOf(t, { isAdministrator: true })
  expect(await find('Ann@Example.org')).toEqual(ann)
})

test('an unknown person gets an account once, without rights, though many requests ask at the same time', async () => {
  const ann = await accountOf(t)
  const found = await Promise.all(Array.from({ length: 5 }, () => find('Bob@example.org')))
  const bob = only((await t.app.deps.store.accounts.list()).filter(({ id }) => id !== ann.id))
  expect(bob).toMatchObject({ email: 'bob@example.org', isAdministrator: false, passwordHash: null })
  expect(found).toEqual(Array.from({ length: 5 }, () => bob))
  expect(await t.app.deps.store.team.listMembers(t.project.id)).toEqual([])
  const created = (await t.app.deps.store.audit.list(100)).filter(({ subject }) => subject.id === bob.id)
  expect(only(created).author).toMatchObject({ kind: 'person', name: 'bob@example.org', address: '192.0.2.7' })
})

test('only a request of a person makes an account', async () => {
  const ann = await accountOf(t)
  expect(await findRemoteUser(t.app.deps, 'Ann@example.org')).toEqual(ann)
  expect(await findRemoteUser(t.app.deps, 'bob@example.org')).toBeNull()
  expect(await t.app.deps.store.accounts.list()).toEqual([ann])
})

test.each([
  '',
  'bob',
  'bob@example.org, ann@example.org',
  'ü\u0000@example.org',
  // Without the blank, and in Unicode's lower case, these are the address of the account.
  'kate@example.org\u00a0',
  '\u212aate@example.org',
])('a header that says %j is refused', async (given) => {
  await accountOf(t, { email: 'kate@example.org' })
  expect(await codeOf(find(given))).toBe('email-invalid')
})
