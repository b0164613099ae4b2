/** Sensitive actions ask for confirmation by the means that the account has, and not again for half an hour. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { totpCode, totpStep } from '../../../../../src/domain/account/totp.ts'
import { startSession } from '../../../../../src/services/accounts/sign-in/sessions.ts'
import { addAccount, type Browser, openBrowser, setRole } from '../../../../support/browser.ts'
import { anAuthor } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PASSWORD = 'tide-lamp-orchard'
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const PAGE = '/account/security/password'
const CONFIRM = `/confirm?next=${encodeURIComponent(PAGE)}`

let t: TestApp
let ann: Account
let browser: Browser
/** Signs in by the OpenID provider. The provider asks for a second factor itself, if at all. */
const signedIn = async (on: TestApp, account: Account): Promise<Browser> => {
  const client = { address: '192.0.2.1', userAgent: 'Firefox' }
  return openBrowser(on, (await startSession(on.app.deps, account, client, { method: 'oidc' })).token)
}
beforeEach(async () => {
  t = await testApp()
  const totp = { secret: SECRET, usedStep: null }
  ann = await addAccount(t, { email: 'ann@example.org', totp }, PASSWORD)
  browser = await signedIn(t, ann)
})
afterEach(() => t.close())

const codeNow = () => totpCode(SECRET, totpStep(t.clock.now()))
const confirm = (fields: Readonly<Record<string, string>>, who = browser) =>
  who.post('/confirm', { next: PAGE, ...fields })

test('a sensitive page asks first, and offers what the account has', async () => {
  const asked = await browser.get(PAGE)
  expect([asked.status, asked.location]).toEqual([303, CONFIRM])
  const { text } = await browser.get(CONFIRM)
  expect(text).toContain('name="means" value="password"')
  expect(text).toContain('name="means" value="totp"')
  expect(text).toContain(`name="next" value="${PAGE}"`)
})

describe.each([
  ['the password', () => ({ means: 'password', password: PASSWORD })],
  ['a code', () => ({ means: 'totp', totp: codeNow() })],
])('%s', (_, fields) => {
  test('opens it for half an hour, in this browser only', async () => {
    const other = await signedIn(t, ann)
    const done = await browser.submit(CONFIRM, fields(), '/confirm')
    expect([done.status, done.location]).toEqual([303, `${PAGE}?done=confirmed`])
    t.clock.advance({ minutes: 29 })
    expect((await browser.get(PAGE)).status).toBe(200)
    expect((await browser.get(CONFIRM)).location).toBe(PAGE)
    expect((await other.get(PAGE)).location).toBe(CONFIRM)
    t.clock.advance({ minutes: 1 })
    expect((await browser.get(PAGE)).location).toBe(CONFIRM)
  })
})

describe('a right that was lost while its owner proved who it is', () => {
  const by = () => t.app.deps.store.by(anAuthor())
  const project = (page: string) => `/p/${t.project.slug}/${page}`
  const demote = async (): Promise<void> => setRole(t, ann, 'member')
  const remove = async (): Promise<void> => void (await by().team.removeMember(ann.id, t.project.id))
  const dismiss = async (): Promise<void> => void (await by().accounts.setAdministrator(ann.id, false))
  const FORBIDDEN = [403, 'No access'] as const
  const UNKNOWN = [404, 'Page not found'] as const

  test.each([
    ['the file of the project', 'of who is a member now', 'settings/export', demote, FORBIDDEN],
    ['the file of the project', 'of who is none any more', 'settings/export', remove, UNKNOWN],
    ['its audit log', 'of who is a member now', 'audit.jsonl', demote, FORBIDDEN],
    ['its audit log', 'of who is none any more', 'audit.jsonl', remove, UNKNOWN],
    ['the audit log of the server', 'of who administers no more', '/admin/audit.jsonl', dismiss, FORBIDDEN],
  ] as const)('leads to a page that says so, not to %s: %s', async (_, __, page, lose, [status, words]) => {
    await addAccount(t, { email: 'root@example.org', isAdministrator: true })
    if (lose === dismiss) await by().accounts.setAdministrator(ann.id, true)
    else await setRole(t, ann, 'owner')
    const next = page.startsWith('/') ? page : project(page)
    await lose()
    const { location } = await confirm({ next, means: 'password', password: PASSWORD })
    const isForm = page === 'settings/export'
    for (const answer of [await browser.get(location ?? ''), ...(isForm ? [await browser.post(next)] : [])]) {
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([status, null])
      expect(answer.headers.get('content-type')).toStartWith('text/html')
      expect(answer.text).toContain(words)
    }
  })
})

test('what is wrong is refused, counted, and opens nothing', async () => {
  const wrong = await confirm({ means: 'password', password: 'wrong' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Wrong password. 4 attempts left')
  const code = await confirm({ means: 'totp', totp: '000000' })
  expect(code.status).toBe(422)
  expect(code.text).toContain('The code is wrong, has been used already, or has expired. 4 attempts left')
  expect((await browser.get(PAGE)).status).toBe(303)
})

test('a code counts once, also here', async () => {
  const used = codeNow()
  await confirm({ means: 'totp', totp: used })
  const other = await signedIn(t, ann)
  expect((await confirm({ means: 'totp', totp: used }, other)).status).toBe(422)
  expect((await other.get(PAGE)).status).toBe(303)
})

test('the password and the code of somebody else are wrong', async () => {
  const bob = await addAccount(t, { email: 'bob@example.org' }, 'quiet-harbour-lamp')
  const own = await signedIn(t, bob)
  expect((await confirm({ means: 'password', password: PASSWORD }, own)).status).toBe(422)
  expect((await confirm({ means: 'totp', totp: codeNow() }, own)).location).toBe(CONFIRM)
  expect((await own.get(PAGE)).status).toBe(303)
})

test.each(['', 'passkey', 'constructor'])('means %j, which the account does not have, ask again', async (means) => {
  const asked = await confirm({ means })
  expect([asked.status, asked.location]).toEqual([303, CONFIRM])
})

test('it leads nowhere else', async () => {
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    expect((await confirm({ means: 'password', password: PASSWORD, next })).location).toBe('/?done=confirmed')
  }
})

test('an account without a password or an app needs a sign-in of the last half hour', async () => {
  const own = await signedIn(t, await addAccount(t, { email: 'bob@example.org' }))
  expect((await own.get(PAGE)).status).toBe(200)
  t.clock.advance({ minutes: 30 })
  expect((await own.get(PAGE)).location).toBe(CONFIRM)
  expect((await own.get(CONFIRM)).text).toContain('Sign out, sign in again')
})

test('a sign-in by password is proof enough for half an hour', async () => {
  const bob = await addAccount(t, { email: 'bob@example.org' }, PASSWORD)
  const own = openBrowser(t)
  await own.post('/sign-in', { email: bob.email, password: PASSWORD })
  expect((await own.get(PAGE)).status).toBe(200)
  t.clock.advance({ minutes: 30 })
  expect((await own.get(PAGE)).location).toBe(CONFIRM)
})

test('where people sign in at the provider only, it does not say that the account has no password', async () => {
  await t.close()
  const provider = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'overdue', OIDC_CLIENT_SECRET: 'secret' }
  t = await testApp({ env: { SITE_ROOT: 'https://overdue.test', ...provider, LOCAL_SIGN_IN: 'False' } })
  ann = await addAccount(t, { email: 'ann@example.org', totp: { secret: SECRET, usedStep: null } }, PASSWORD)
  browser = await signedIn(t, ann)
  t.clock.advance({ minutes: 31 })
  const { text } = await browser.get('/confirm?next=/account')
  expect(text).toContain('You have no password, authenticator app, passkey or single sign-on that works here')
  expect(text).not.toContain('Your account has no password')
})
