/** Signing in by password, signing out, and the cookie. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { addAccount, type Browser, memberWith, openBrowser, signedIn } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PASSWORD = 'tide-lamp-orchard'
const EMAIL = 'ann@example.org'

let t: TestApp
let ann: Account
let browser: Browser
const begin = async (env: Readonly<Record<string, string>> = {}) => {
  t = await testApp({ env })
  ann = await addAccount(t, { email: EMAIL }, PASSWORD)
  browser = openBrowser(t)
}
beforeEach(() => begin())
afterEach(() => t.close())

const signIn = (over: Readonly<Record<string, string>> = {}, headers = {}) =>
  browser.post('/sign-in', { email: EMAIL, password: PASSWORD, ...over }, headers)
const cookieOf = async (headers = {}) => (await signIn({}, headers)).headers.get('set-cookie')

describe('the form', () => {
  test('asks for email and password, and offers a link only where email is set up', async () => {
    const { status, text } = await browser.get('/sign-in')
    expect(status).toBe(200)
    expect(text).toContain('autocomplete="username"')
    expect(text).toContain('type="password" autocomplete="current-password"')
    expect(text).not.toContain('/sign-in/link')
    expect((await browser.get('/sign-in/link')).status).toBe(404)
    await t.close()
    await begin({ EMAIL_HOST: 'mail.example.org' })
    expect((await browser.get('/sign-in')).text).toContain('href="/sign-in/link"')
  })

  test('leads to the start while nobody has an account', async () => {
    await t.close()
    t = await testApp()
    const answer = await openBrowser(t).get('/sign-in?next=/account')
    expect([answer.status, answer.location]).toEqual([303, '/'])
  })

  test('signs in, and leads to the projects', async () => {
    const answer = await signIn({ email: '  ANN@example.org ' })
    expect([answer.status, answer.location]).toEqual([303, '/'])
    expect(await browser.get('/account').then(({ text }) => text)).toContain(EMAIL)
  })

  test('is passed over by who is signed in', async () => {
    await signIn()
    expect((await browser.get('/sign-in')).location).toBe('/')
    expect((await browser.get('/sign-in?next=/account')).location).toBe('/account')
  })

  test.each([
    ['nobody@example.org', PASSWORD],
    [EMAIL, 'not the password'],
    [EMAIL, ''],
    ['', ''],
    ['no email at all', PASSWORD],
    [`${'x'.repeat(10_000)}@example.org`, PASSWORD],
  ])('says the same of the email %p with the password %p, and keeps only the email', async (email, password) => {
    const answer = await signIn({ email, password })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Email and password do not match. 4 attempts left, then a wait of 15 min.')
    expect(answer.text).toContain(`value="${email}"`)
    expect(answer.text).not.toContain('not the password')
    expect(answer.text).not.toContain(PASSWORD)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('counts down the tries, then asks to wait, with the right password too', async () => {
    const said: (string | undefined)[] = []
    for (let tries = 0; tries < 5; tries++) {
      const { text } = await signIn({ password: 'wrong' })
      said.push(/do not match\. ([^<]+)</.exec(text)?.[1])
    }
    expect(said).toEqual([
      '4 attempts left, then a wait of 15 min.',
      '3 attempts left, then a wait of 15 min.',
      '2 attempts left, then a wait of 15 min.',
      '1 attempt left, then a wait of 15 min.',
      'Wait 15 min, then try again.',
    ])
    const refused = await signIn()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    expect(refused.text).toContain('Too many attempts. Wait 15 min, then try again.')
    expect(refused.text).toContain(`value="${EMAIL}"`)
    t.clock.advance({ minutes: 14, seconds: 30 })
    expect((await signIn()).text).toContain('Wait 30 s, then try again.')
    t.clock.advance({ seconds: 30 })
    expect((await signIn()).status).toBe(303)
  })

  test('asks to try again when too many passwords wait to be checked, and takes the try back', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<boolean>()
    using verify = spyOn(Bun.password, 'verify').mockReturnValue(isOver)
    const waiting = Array.from({ length: 21 }, (_, party) =>
      t.app.deps.passwords.verify('x', null, { lane: 'visitor', party: `${party}` }),
    )
    const { status, headers, text } = await signIn()
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(text).toContain('Too many passwords are being checked at the moment, try again in a few seconds.')
    end(false)
    await Promise.all(waiting)
    verify.mockRestore()
    expect((await signIn({ password: 'wrong' })).text).toContain('4 attempts left')
  })
})

describe('where a sign-in leads', () => {
  test('to the page that was asked for', async () => {
    const asked = await browser.get('/p/tests/checks?status=down&q=a%20b')
    expect(asked.location).toBe('/sign-in?next=%2Fp%2Ftests%2Fchecks%3Fstatus%3Ddown%26q%3Da%2520b')
    const { text } = await browser.get(asked.location ?? '')
    expect(text).toContain('name="next" value="/p/tests/checks?status=down&amp;q=a%20b"')
    expect((await signIn({ next: '/p/tests/checks?status=down&q=a%20b' })).location).toBe(
      '/p/tests/checks?status=down&q=a%20b',
    )
  })

  test('after a wrong password too', async () => {
    const { text } = await signIn({ password: 'wrong', next: '/account' })
    expect(text).toContain('name="next" value="/account"')
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)'])(
    'never to another site, as by %j',
    async (next) => {
      const page = await browser.get(`/sign-in?${new URLSearchParams({ next })}`)
      expect(page.text).not.toContain('evil')
      expect(page.text).not.toContain('name="next"')
      expect((await signIn({ next })).location).toBe('/')
    },
  )
})

describe('the cookie', () => {
  test('is out of reach for scripts and for forms of other sites', async () => {
    expect(await cookieOf()).toMatch(/^overdue_session=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/)
  })

  test('is sent back over https only, when the sign-in came by https', async () => {
    await t.close()
    await begin({ SITE_ROOT: 'https://overdue.example' })
    expect(await cookieOf()).toEndWith('; SameSite=Lax; Secure')
  })

  test('is for the path of SITE_ROOT', async () => {
    await t.close()
    await begin({ SITE_ROOT: 'https://example.org/tools/watch' })
    expect(await cookieOf()).toContain('; Path=/tools/watch; ')
    expect((await browser.get('/tools/watch/account')).status).toBe(200)
    expect((await browser.get('/account')).status).toBe(200)
  })

  test('is for https when a trusted proxy says so; nobody else is believed', async () => {
    await t.close()
    await begin({ HOST: '127.0.0.1', PORT: '0', SITE_ROOT: 'http://overdue.example' })
    browser = openBrowser(t, null, `http://127.0.0.1:${await t.app.start()}`)
    expect(await cookieOf({ 'x-forwarded-proto': 'https' })).toEndWith('; Secure')
    expect(await cookieOf()).toEndWith('; SameSite=Lax')
    await t.close()
    await begin({ HOST: '127.0.0.1', PORT: '0', SITE_ROOT: 'http://overdue.example', TRUSTED_PROXIES: '192.0.2.1' })
    browser = openBrowser(t, null, `http://127.0.0.1:${await t.app.start()}`)
    expect(await cookieOf({ 'x-forwarded-proto': 'https' })).toEndWith('; SameSite=Lax')
  })
})

describe('a session', () => {
  test('is new with each sign-in, and the one that the browser had ends', async () => {
    await signIn()
    const first = browser.token()
    await signIn()
    expect(browser.token()).not.toBe(first)
    expect((await openBrowser(t, first).get('/account')).status).toBe(303)
    expect((await browser.get('/account')).status).toBe(200)
  })

  test('of another account in the same browser ends too', async () => {
    const other = await memberWith(t, 'owner')
    const old = other.token()
    browser = openBrowser(t, old)
    await signIn()
    expect((await browser.get('/account')).text).toContain(EMAIL)
    expect((await openBrowser(t, old).get('/account')).status).toBe(303)
  })

  test('is not begun by a token from outside', async () => {
    const planted = 'B'.repeat(43)
    browser = openBrowser(t, planted)
    await signIn()
    expect(browser.token()).not.toBe(planted)
    expect((await openBrowser(t, planted).get('/account')).status).toBe(303)
  })

  test('records the browser and no secret', async () => {
    await signIn()
    const sessions = await t.app.deps.store.sessions.list(ann.id)
    expect(sessions).toMatchObject([{ address: null, userAgent: expect.stringContaining('Firefox/133.0') }])
    expect(JSON.stringify(sessions)).not.toContain(browser.token() ?? '')
  })
})

describe('signing out', () => {
  test('ends the session, removes the cookie, and says so', async () => {
    browser = await signedIn(t, ann)
    const token = browser.token()
    const answer = await browser.post('/sign-out')
    expect([answer.status, answer.location]).toEqual([303, '/sign-in?done=signed-out'])
    expect(answer.headers.get('set-cookie')).toStartWith('overdue_session=; Path=/; Max-Age=0; HttpOnly')
    expect((await browser.get(answer.location ?? '')).text).toContain('You are signed out.')
    expect((await openBrowser(t, token).get('/account')).status).toBe(303)
  })

  test('removes the cookie of a session that has ended, and of none', async () => {
    browser = await signedIn(t, ann)
    t.clock.advance({ hours: 15 * 24 })
    for (const each of [browser, openBrowser(t)]) {
      const answer = await each.post('/sign-out')
      expect([answer.status, answer.location]).toEqual([303, '/sign-in?done=signed-out'])
      expect(answer.headers.get('set-cookie')).toStartWith('overdue_session=; Path=/; Max-Age=0; HttpOnly')
    }
  })

  test('leaves other browsers alone', async () => {
    const [one, other] = [await signedIn(t, ann), await signedIn(t, ann)]
    await one.post('/sign-out')
    expect((await other.get('/account')).status).toBe(200)
  })

  test('takes no GET, which a link of another site could send', async () => {
    browser = await signedIn(t, ann)
    expect((await browser.get('/sign-out')).status).toBe(405)
    expect((await browser.get('/account')).status).toBe(200)
  })
})
