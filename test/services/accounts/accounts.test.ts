import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { OPERATOR, type Operator, type Person } from '../../../src/domain/actor.ts'
import {
  createAccount,
  deleteAccount,
  getAccount,
  listAccounts,
  setPreferences,
} from '../../../src/services/accounts/accounts.ts'
import { choosePassword, resetPassword } from '../../../src/services/accounts/sign-in/passwords.ts'
import { signIn } from '../../../src/services/accounts/sign-in/sign-in.ts'
import { refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { accountOf, answerOf, BROWSER, codeOf, ELSEWHERE, entered, PASSWORD, personAt, tokenIn } from './people.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const deps = () => t.app.deps
const signsIn = (email: string, password: string) => entered(signIn(deps(), email, password, ELSEWHERE))

describe('an account is created', () => {
  test('by the operator, without a password, which its link chooses', async () => {
    const { account, link } = await createAccount(deps(), OPERATOR, ' Ann@Example.org ', false)
    expect(account).toMatchObject({ email: 'ann@example.org', isAdministrator: false, passwordHash: null })
    expect(await deps().store.accounts.find(account.id)).toEqual(account)
    expect(link?.expiresAt).toEqual(t.clock.now().add({ hours: 24 }))
    expect(await codeOf(signsIn('ann@example.org', PASSWORD))).toBe('sign-in-failed')
    await choosePassword(deps(), tokenIn(link?.url ?? ''), PASSWORD, BROWSER)
    expect((await signsIn('ann@example.org', PASSWORD)).account.id).toBe(account.id)
  })

  test('by an administrator, who may make another one', async () => {
    const admin = personAt(await accountOf(t, { isAdministrator: true, password: null }))
    expect((await createAccount(deps(), admin, 'bob@example.org', true)).account.isAdministrator).toBe(true)
  })

  test('once for each email', async () => {
    await accountOf(t, { password: null })
    expect(await answerOf(createAccount(deps(), OPERATOR, 'ANN@example.org', false))).toEqual([
      'account-exists',
      'an account of ann@example.org exists already',
      { name: 'ann@example.org' },
    ])
  })

  test('not for a text that is no email', async () => {
    expect(await codeOf(createAccount(deps(), OPERATOR, 'ann', false))).toBe('email-invalid')
    expect(await deps().store.accounts.exist()).toBe(false)
  })
})

test('only administrators and the operator manage accounts', async () => {
  const owner = personAt(await accountOf(t, { role: 'owner', password: null }))
  const services: readonly ((by: Person | Operator) => Promise<unknown>)[] = [
    (by) => createAccount(deps(), by, 'bob@example.org', false),
    async (by) => listAccounts(deps(), by),
    (by) => resetPassword(deps(), by, 'ann@example.org'),
    (by) => getAccount(deps(), by, 'ann@example.org'),
    (by) => deleteAccount(deps(), by, 'ann@example.org'),
  ]
  const before = await deps().store.accounts.list()
  for (const service of services) expect(await codeOf(service(owner))).toBe('forbidden')
  expect(await deps().store.accounts.list()).toEqual(before)
  for (const service of services) expect(await service(OPERATOR)).toBeTruthy()
})

describe('an account', () => {
  test('is found by its id or email, and one that is meant is named', async () => {
    const ann = await accountOf(t, { password: null })
    expect(await getAccount(deps(), OPERATOR, ann.id)).toEqual(ann)
    expect(await getAccount(deps(), OPERATOR, 'Ann@example.org')).toEqual(ann)
    expect((await refusalOf(getAccount(deps(), OPERATOR, 'anm@example.org'))).data.meant).toBe('ann@example.org')
  })

  test('is listed by email, and deleted with its sessions', async () => {
    const ann = await accountOf(t)
    await accountOf(t, { email: 'aaa@example.org', password: null })
    expect((await listAccounts(deps(), OPERATOR)).map(({ email }) => email)).toEqual([
      'aaa@example.org',
      'ann@example.org',
    ])
    const { session } = await signsIn(ann.email, PASSWORD)
    expect(await deleteAccount(deps(), OPERATOR, 'ann@example.org')).toMatchObject({ id: ann.id })
    expect(await deps().store.sessions.find(session.lookup)).toBeNull()
    expect(await codeOf(signsIn(ann.email, PASSWORD))).toBe('sign-in-failed')
    expect(await codeOf(deleteAccount(deps(), OPERATOR, 'ann@example.org'))).toBe('account-not-found')
  })

  test('keeps its sessions when its preferences change', async () => {
    const ann = await accountOf(t)
    const { session, account } = await signsIn(ann.email, PASSWORD)
    const preferences = { tz: 'Europe/Riga', theme: 'dark', hasShortcuts: false } as const
    expect(await codeOf(setPreferences(deps(), personAt(ann), { ...preferences, tz: 'Mars/Olympus' }))).toBe(
      'tz-invalid',
    )
    const stored = { ...account, lastSeenAt: t.clock.now() }
    expect(await deps().store.accounts.find(ann.id)).toEqual(stored)
    await setPreferences(deps(), personAt(ann), preferences)
    expect(await deps().store.accounts.find(ann.id)).toEqual({ ...stored, ...preferences })
    expect(await deps().store.sessions.find(session.lookup)).not.toBeNull()
  })
})
