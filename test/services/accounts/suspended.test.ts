/** A suspended account is treated as if it did not exist. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { issueLink } from '../../../src/services/accounts/one-time-links.ts'
import { choosePassword, resetPassword } from '../../../src/services/accounts/sign-in/passwords.ts'
import { findRemoteUser, welcomeRemoteUser } from '../../../src/services/accounts/sign-in/remote-user.ts'
import { findSignedIn } from '../../../src/services/accounts/sign-in/sessions.ts'
import { printSignInLink, requestLink, signIn, signInByLink } from '../../../src/services/accounts/sign-in/sign-in.ts'
import { anAuthor } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { accountOf, answerOf, BROWSER, codeOf, OTHER_PASSWORD, PASSWORD, tokenIn } from './people.ts'

let t: TestApp
afterEach(() => t.close())
const deps = () => t.app.deps
const suspend = ({ id }: Account) =>
  deps()
    .store.by(anAuthor())
    .accounts.change(id, (old) => ({ ...old, isSuspended: true }), null)

describe('by password and by link', () => {
  test('its sessions end, and a sign-in gets the words of a wrong password', async () => {
    t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
    const ann = await accountOf(t)
    const { token } = await signIn(deps(), ann.email, PASSWORD, BROWSER)
    const unknown = await answerOf(signIn(deps(), 'nobody@example.org', PASSWORD, BROWSER))
    await suspend(ann)
    expect(await findSignedIn(deps(), token)).toBeNull()
    expect(await answerOf(signIn(deps(), ann.email, PASSWORD, BROWSER))).toEqual(unknown)
  })

  test('its links, also later ones, are none, and no link is mailed to it', async () => {
    t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
    const ann = await accountOf(t)
    const links = async () => [
      tokenIn((await issueLink(deps(), 'sign-in', ann.id)).url),
      tokenIn((await issueLink(deps(), 'password', ann.id)).url),
    ]
    const before = await links()
    await suspend(ann)
    for (const [mailed = '', reset = ''] of [before, await links()]) {
      expect(await codeOf(signInByLink(deps(), mailed, BROWSER))).toBe('link-ended')
      expect(await codeOf(choosePassword(deps(), reset, OTHER_PASSWORD, BROWSER))).toBe('link-ended')
    }
    requestLink(deps(), 'sign-in', ann.email, null, BROWSER)
    await deps().background.drain()
    expect(t.mails).toEqual([])
  })
})

test('no link is made for it, which would not work', async () => {
  t = await testApp()
  const ann = await accountOf(t)
  await suspend(ann)
  for (const make of [resetPassword, printSignInLink]) {
    const [code, message] = await answerOf(make(deps(), OPERATOR, ann.email))
    expect([code, message]).toEqual([
      'account-suspended',
      'the account of ann@example.org is suspended: links cannot sign it in',
    ])
  }
})

describe('whom a proxy names', () => {
  test('is nobody, and no second account is made', async () => {
    t = await testApp()
    const ann = await accountOf(t)
    const behind = { ...deps(), remoteUserHeader: 'remote-user' }
    expect((await welcomeRemoteUser(behind, ann.email, null))?.id).toBe(ann.id)
    await suspend(ann)
    expect(await welcomeRemoteUser(behind, ann.email, null)).toBeNull()
    expect(await findRemoteUser(behind, ann.email)).toBeNull()
    expect(await deps().store.accounts.list()).toHaveLength(1)
  })

  test('was last seen, exact to five minutes', async () => {
    t = await testApp()
    const ann = await accountOf(t)
    const behind = { ...deps(), remoteUserHeader: 'remote-user' }
    const seenAt = async () => (await deps().store.accounts.find(ann.id))?.lastSeenAt
    const first = t.clock.now()
    await welcomeRemoteUser(behind, ann.email, null)
    expect(await seenAt()).toEqual(first)
    t.clock.advance({ minutes: 4 })
    await welcomeRemoteUser(behind, ann.email, null)
    expect(await seenAt()).toEqual(first)
    t.clock.advance({ minutes: 1 })
    await welcomeRemoteUser(behind, ann.email, null)
    expect(await seenAt()).toEqual(t.clock.now())
  })
})
