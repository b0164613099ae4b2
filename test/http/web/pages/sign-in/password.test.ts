/** Choosing a password by a link, and changing it on one's own page. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { OPERATOR } from '../../../../../src/domain/actor.ts'
import { resetPassword } from '../../../../../src/services/accounts/sign-in/passwords.ts'
import { addAccount, type Browser, memberWith, openBrowser, signedIn } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const EMAIL = 'ann@example.org'
const OLD = 'tide-lamp-orchard'
const NEW = 'quiet-harbour-lamp'

let t: TestApp
let ann: Account
beforeEach(async () => {
  t = await testApp()
  ann = await addAccount(t, { email: EMAIL }, OLD)
})
afterEach(() => t.close())

const canSignIn = async (password: string) =>
  (await openBrowser(t).post('/sign-in', { email: EMAIL, password })).status === 303

const BAD = [
  ['short', 'The password is too short; use at least 10 characters.'],
  ['Password123', 'The password is one of the commonest, which are guessed first; use another one.'],
  [EMAIL, 'The password is the email address or a part of it; use one that nobody can guess.'],
  ['aaaaaaaaaaaa', 'The password is one character repeated; use one that nobody can guess.'],
  ['x'.repeat(1_001), 'The password is too long; use at most 1000 characters.'],
] as const

describe('a link to choose a password', () => {
  let path: string
  let browser: Browser
  beforeEach(async () => {
    path = new URL((await resetPassword(t.app.deps, OPERATOR, EMAIL)).url).pathname
    browser = openBrowser(t)
  })

  test('names the account, and changes nothing when it is opened', async () => {
    const { status, text } = await browser.get(path)
    expect(status).toBe(200)
    expect(text).toContain(`<bdi>${EMAIL}</bdi>`)
    expect(text).toContain('autocomplete="new-password"')
    expect(await canSignIn(OLD)).toBe(true)
  })

  test('of an account without a password says nothing of other sessions', async () => {
    const bob = await addAccount(t, { email: 'bob@example.org' })
    const first = new URL((await resetPassword(t.app.deps, OPERATOR, bob.email)).url).pathname
    expect((await browser.get(first)).text).not.toContain('sessions')
    expect((await browser.post(first, { password: NEW })).location).toBe('/?done=password-set')
  })

  test('sets the password, signs in, ends all other sessions, and works once', async () => {
    const other = await signedIn(t, ann)
    const answer = await browser.post(path, { password: NEW })
    expect([answer.status, answer.location]).toEqual([303, '/?done=password-changed'])
    expect((await browser.get(answer.location ?? '')).text).toContain(
      'Password changed. Your other sessions have ended.',
    )
    expect((await other.get('/account')).status).toBe(303)
    expect([await canSignIn(OLD), await canSignIn(NEW)]).toEqual([false, true])
    const again = await openBrowser(t).post(path, { password: 'another-harbour' })
    expect([again.status, again.headers.get('set-cookie')]).toEqual([404, null])
  })

  test.each(BAD)('refuses %j and shows the form again, without it', async (password, words) => {
    const answer = await browser.post(path, { password })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(words)
    expect(answer.text).toContain('aria-invalid="true"')
    expect(answer.text).not.toMatch(/type="password"[^>]* value=/)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect((await browser.get(path)).status).toBe(200)
  })

  test.each(['x', 'A'.repeat(43), '%00', '%zz', `${'A'.repeat(42)}%2F`])('with the token %s is none', async (token) => {
    expect((await browser.get(`/password/${token}`)).status).toBe(404)
  })
})

describe('the page for the own password', () => {
  const PATH = '/account/security/password'
  let browser: Browser
  beforeEach(async () => {
    browser = openBrowser(t)
    await browser.post('/sign-in', { email: EMAIL, password: OLD })
  })
  const save = (password: string) => browser.post(PATH, { password })

  test('changes it, keeps this session, and ends the others', async () => {
    const other = await signedIn(t, ann)
    const stranger = await memberWith(t, 'member')
    const answer = await browser.submit(PATH, { password: NEW })
    expect([answer.status, answer.location]).toEqual([303, '/account/security?done=password-changed'])
    expect((await browser.get(answer.location ?? '')).text).toContain('Password changed.')
    expect((await other.get('/account')).status).toBe(303)
    expect((await stranger.get('/account')).status).toBe(200)
    expect([await canSignIn(OLD), await canSignIn(NEW)]).toEqual([false, true])
  })

  test.each(BAD)('refuses %j', async (password, words) => {
    const { status, text } = await save(password)
    expect(status).toBe(422)
    expect(text).toContain(words)
    expect(text).not.toMatch(/type="password"[^>]* value=/)
  })

  test('asks again who it is half an hour after the sign-in', async () => {
    t.clock.advance({ minutes: 30 })
    const asked = await save(NEW)
    expect([asked.status, asked.location]).toEqual([303, `/confirm?next=${encodeURIComponent(PATH)}`])
    expect([await canSignIn(OLD), await canSignIn(NEW)]).toEqual([true, false])
  })

  test('chooses the first one', async () => {
    const bob = await signedIn(t, await addAccount(t, { email: 'bob@example.org' }))
    expect((await bob.get('/account/security')).text).toContain('Your account has no password.')
    expect((await bob.post(PATH, { password: NEW })).status).toBe(303)
    expect((await bob.get('/account/security')).text).toContain('You can sign in with your password.')
  })

  test('neither the password nor its hash is in the audit log', async () => {
    await save(NEW)
    const entries = JSON.stringify(await t.app.deps.store.audit.list(10))
    expect(entries).toContain(EMAIL)
    expect(entries).not.toMatch(/argon2|quiet-harbour|tide-lamp/)
  })
})
