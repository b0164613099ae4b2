import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { OPERATOR } from '../../../../src/domain/actor.ts'
import { Refusal } from '../../../../src/domain/errors.ts'
import { deleteAccount } from '../../../../src/services/accounts/accounts.ts'
import { getAccountLink, issueLink } from '../../../../src/services/accounts/one-time-links.ts'
import { changePassword, choosePassword, resetPassword } from '../../../../src/services/accounts/sign-in/passwords.ts'
import { signIn } from '../../../../src/services/accounts/sign-in/sign-in.ts'
import { replaced } from '../../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import {
  accountOf,
  BROWSER,
  codeOf,
  ELSEWHERE,
  entered,
  OTHER_PASSWORD,
  PASSWORD,
  personAt,
  tokenIn,
} from '../people.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const deps = () => t.app.deps
const signsIn = (email: string, password: string) => entered(signIn(deps(), email, password, ELSEWHERE))

/** Returns the remaining ones of these sessions, by their places in the list. */
const left = async (sessions: readonly { session: { lookup: string } }[]) => {
  const found = await Promise.all(sessions.map(({ session }) => deps().store.sessions.find(session.lookup)))
  return found.flatMap((one, index) => (one ? [index] : []))
}

describe('a password chosen by a link', () => {
  let ann: Account
  let token: string
  beforeEach(async () => {
    ann = await accountOf(t)
    token = tokenIn((await resetPassword(deps(), OPERATOR, 'ann@example.org')).url)
  })

  test('replaces the old one, which is valid until then, and signs in', async () => {
    const early = await signsIn(ann.email, PASSWORD)
    expect((await getAccountLink(deps(), 'password', token)).account.id).toBe(ann.id)
    const fresh = await entered(choosePassword(deps(), token, OTHER_PASSWORD, BROWSER))
    expect(fresh.session.address).toBe('192.0.2.7')
    expect(await left([early, fresh])).toEqual([1])
    expect(await codeOf(signsIn(ann.email, PASSWORD))).toBe('sign-in-failed')
    expect((await signsIn(ann.email, OTHER_PASSWORD)).account.id).toBe(ann.id)
  })

  test('ends the link, and a mailed one', async () => {
    const mailed = tokenIn((await issueLink(deps(), 'sign-in', ann.id)).url)
    await choosePassword(deps(), token, OTHER_PASSWORD, BROWSER)
    expect(await codeOf(choosePassword(deps(), token, PASSWORD, BROWSER))).toBe('link-ended')
    expect(await codeOf(getAccountLink(deps(), 'sign-in', mailed))).toBe('link-ended')
  })

  test.each(['short', 'password123', 'aaaaaaaaaaaa', 'Ann@example.org'])(
    'is not %j, and the link works on',
    async (password) => {
      expect(await codeOf(choosePassword(deps(), token, password, BROWSER))).toBe('password-invalid')
      expect((await choosePassword(deps(), token, OTHER_PASSWORD, BROWSER)).account.id).toBe(ann.id)
    },
  )

  test('that could not be stored leaves the link', async () => {
    const { store } = deps()
    const by: typeof store.by = (author) =>
      replaced(store.by(author), {
        accounts: { change: () => Promise.reject(new Refusal('unavailable', 'the disk is full', { reason: 'full' })) },
      })
    const failed = choosePassword({ ...deps(), store: { ...store, by } }, token, OTHER_PASSWORD, BROWSER)
    expect(await codeOf(failed)).toBe('unavailable')
    expect((await choosePassword(deps(), token, OTHER_PASSWORD, BROWSER)).account.id).toBe(ann.id)
  })

  test('is one, though two choose at the same time', async () => {
    const chosen = await Promise.allSettled(
      [PASSWORD, OTHER_PASSWORD].map((password) => choosePassword(deps(), token, password, BROWSER)),
    )
    expect(chosen.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await deps().store.sessions.list(ann.id)).toHaveLength(1)
  })

  test('is for nobody when the account is gone', async () => {
    await deleteAccount(deps(), OPERATOR, ann.id)
    expect(await codeOf(choosePassword(deps(), token, OTHER_PASSWORD, BROWSER))).toBe('link-ended')
  })
})

describe('a password that its owner changes', () => {
  const change = (account: Account, session: string | null, password: string) =>
    changePassword(deps(), personAt(account), session, password)

  test('keeps this session, and the others end', async () => {
    const ann = await accountOf(t)
    const [here, there] = [await signsIn(ann.email, PASSWORD), await signsIn(ann.email, PASSWORD)]
    await change(ann, here.session.lookup, OTHER_PASSWORD)
    expect(await left([here, there])).toEqual([0])
    expect((await signsIn(ann.email, OTHER_PASSWORD)).account.id).toBe(ann.id)
  })

  test('stays when the new one is bad', async () => {
    const ann = await accountOf(t)
    const here = await signsIn(ann.email, PASSWORD)
    expect(await codeOf(change(ann, null, 'short'))).toBe('password-invalid')
    expect(await deps().store.accounts.find(ann.id)).toMatchObject({ passwordHash: ann.passwordHash })
    expect(await left([here])).toEqual([0])
  })

  test('may be the first one', async () => {
    const ann = await accountOf(t, { password: null })
    await change(ann, null, OTHER_PASSWORD)
    expect((await signsIn(ann.email, OTHER_PASSWORD)).account.id).toBe(ann.id)
  })
})
