/** Choosing another password by a mailed link. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import { addAccount, type Browser, openBrowser } from '../../../support/browser.ts'
import { anAuthor } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const EMAIL = 'ann@example.org'
const PASSWORD = 'tide-lamp-orchard'
const OTHER = 'lantern-quarry-plum'

let t: TestApp
let ann: Account
let browser: Browser
const begin = async (env: Readonly<Record<string, string>>) => {
  t = await testApp({ env })
  ann = await addAccount(t, { email: EMAIL }, PASSWORD)
  browser = openBrowser(t)
}
beforeEach(() => begin({ EMAIL_HOST: 'mail.example.org' }))
afterEach(() => t.close())

const askFor = async (email: string, path = '/password') => {
  const answer = await browser.post(path, { email })
  await t.app.deps.background.drain()
  return answer
}
/** Returns the path of the newest mailed link. */
const mailed = () => {
  const [url] = /http\S+\/password\/[\w-]+/.exec(t.mails.at(-1)?.text ?? '') ?? []
  if (url === undefined) throw new Error('no link was mailed')
  return new URL(url).pathname
}
const signIn = (password: string) => openBrowser(t).post('/sign-in', { email: EMAIL, password })

describe('a forgotten password', () => {
  test('is asked about at the sign-in only where email is set up', async () => {
    expect((await browser.get('/sign-in')).text).toContain('<a href="/password">Forgot your password?</a>')
    expect((await browser.get('/password')).status).toBe(200)
    await t.close()
    await begin({})
    expect((await browser.get('/sign-in')).text).not.toContain('href="/password"')
    expect((await browser.get('/password')).status).toBe(404)
  })

  test('is replaced by a mailed link, which works once', async () => {
    await askFor(EMAIL)
    expect(t.mails.map(({ to, subject }) => [to, subject])).toEqual([[EMAIL, 'Choose a password for Overdue']])
    expect((await browser.post(mailed(), { password: OTHER })).status).toBe(303)
    expect((await browser.get('/account')).text).toContain(EMAIL)
    expect((await signIn(PASSWORD)).status).toBe(422)
    expect((await signIn(OTHER)).status).toBe(303)
    expect((await openBrowser(t).post(mailed(), { password: PASSWORD })).status).toBe(404)
  })

  test('leads in the end to the page that was asked for', async () => {
    const next = '?next=%2Fprojects'
    await askFor(EMAIL, `/password${next}`)
    expect(t.mails[0]?.text).toContain(mailed() + next)
    expect((await browser.post(mailed() + next, { password: OTHER })).location).toBe('/projects?done=password-changed')
  })

  test('is answered alike whether there is such an account or not', async () => {
    const [known, unknown] = [await askFor(EMAIL), await askFor('nobody@example.org')]
    expect(t.mails).toHaveLength(1)
    const same = (text: string) => text.replace(/<bdi>[^<]*@example[^<]*<\/bdi>/, '')
    expect([unknown.status, same(unknown.text)]).toEqual([known.status, same(known.text)])
  })

  test('counts with the links to sign in', async () => {
    for (let tries = 0; tries < 5; tries++) await askFor(EMAIL, tries % 2 === 0 ? '/password' : '/sign-in/link')
    for (const path of ['/password', '/sign-in/link']) expect((await askFor(EMAIL, path)).status).toBe(429)
    expect(t.mails).toHaveLength(5)
  })

  test('does not pass the authenticator app', async () => {
    const factor = { totp: { secret: 'A'.repeat(32), usedStep: null }, recoveryLookups: [] }
    await t.app.deps.store.by(anAuthor()).secondFactors.set(ann.id, factor, null)
    await askFor(EMAIL)
    expect((await browser.post(mailed(), { password: OTHER })).location).toStartWith('/sign-in/code')
    expect((await browser.get('/account')).status).toBe(303)
  })

  test('of an address that nobody has confirmed: the link confirms it, and says before what goes', async () => {
    const words = 'This address has not been confirmed yet.'
    await askFor(EMAIL)
    expect((await browser.get(mailed())).text).not.toContain(words)
    const victim = await addAccount(t, { email: 'victim@example.org', isEmailConfirmed: false }, PASSWORD)
    const factor = { totp: { secret: 'A'.repeat(32), usedStep: null }, recoveryLookups: [] }
    await t.app.deps.store.by(anAuthor()).secondFactors.set(victim.id, factor, null)
    await askFor(victim.email)
    expect((await browser.get(mailed())).text).toContain(words)
    expect((await browser.post(mailed(), { password: OTHER })).location).toBe('/?done=password-changed')
    expect(await t.app.deps.store.accounts.find(victim.id)).toMatchObject({ isEmailConfirmed: true, totp: null })
  })
})
