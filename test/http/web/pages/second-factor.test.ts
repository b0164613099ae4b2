/** The authenticator app on pages: set-up, sign-in, replacement by a recovery code, removal. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { totpCode, totpStep } from '../../../../src/domain/account/totp.ts'
import { addAccount, type Browser, openBrowser } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const EMAIL = 'ann@example.org'
const PASSWORD = 'tide-lamp-orchard'
const APP = '/account/security/authenticator'
const CODE = '/sign-in/code'

let t: TestApp
let browser: Browser
beforeEach(async () => {
  t = await testApp()
  await addAccount(t, { email: EMAIL }, PASSWORD)
  browser = openBrowser(t)
  await browser.post('/sign-in', { email: EMAIL, password: PASSWORD })
})
afterEach(() => t.close())

const codeOf = (secret: string) => totpCode(secret, totpStep(t.clock.now()))
const cookieIn = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
/** Adds a cookie to that of the session. */
const withCookie = (who: Browser, cookie: string) => ({ cookie: `overdue_session=${who.token()}; ${cookie}` })

/** Sets the app up by the page. @returns its secret and the recovery codes; the current code is used */
async function setUp(): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const page = await browser.get(APP)
  const [, key = ''] = /aria-label="Key for the app">([A-Z2-7 ]+)</.exec(page.text) ?? []
  const secret = key.replaceAll(' ', '')
  expect(page.text).toContain('name="code"')
  const cookie = cookieIn(page.headers)
  const { status, text } = await browser.post(APP, { code: codeOf(secret) }, withCookie(browser, cookie))
  expect(status).toBe(200)
  const codes = [...text.matchAll(/\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b/g)].map(([code]) => code)
  expect(codes).toHaveLength(10)
  t.clock.advance({ seconds: 30 })
  return { secret, codes }
}

/** Begins a sign-in. @returns the next address, and the cookie for the second step */
async function begin(next = ''): Promise<{ readonly location: string | null; readonly headers: { cookie: string } }> {
  const stranger = openBrowser(t)
  const fields = { email: EMAIL, password: PASSWORD, ...(next === '' ? {} : { next }) }
  const { location, headers } = await stranger.post('/sign-in', fields)
  return { location, headers: { cookie: cookieIn(headers) } }
}

describe('the set-up', () => {
  test('shows a QR code without styles of its own, and the key as text', async () => {
    const { text, headers } = await browser.get(APP)
    expect(text).toMatch(
      /<svg class="qr" viewBox="0 0 \d+ \d+" role="img" aria-label="QR code for the authenticator app"/,
    )
    expect(text).not.toContain('style=')
    expect(headers.get('set-cookie')).toMatch(
      /^overdue_new_app=[\w-]{43}; Path=\/account\/security\/authenticator; Max-Age=1800; HttpOnly; SameSite=Lax$/,
    )
  })

  test('shows the same key after a wrong code, and nothing changes', async () => {
    const page = await browser.get(APP)
    const [key = ''] = /[A-Z2-7]{4}( [A-Z2-7]{4}){7}/.exec(page.text) ?? []
    const wrong = await browser.post(APP, { code: 'x' }, withCookie(browser, cookieIn(page.headers)))
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('Wrong code. Check the clock')
    expect(wrong.text).toContain(key)
    expect((await browser.get('/account/security')).text).toContain('Set up an app')
  })

  test('shows recovery codes once, and then how many are left', async () => {
    const { codes } = await setUp()
    const { text } = await browser.get('/account/security')
    expect(text).toContain('10 codes are left.')
    expect(text).toContain('Use another app')
    expect(codes.filter((code) => text.includes(code))).toEqual([])
  })
})

describe('the second step', () => {
  test('signs in by a code, and leads on', async () => {
    const { secret } = await setUp()
    const { location, headers } = await begin('/p/tests/checks')
    expect(location).toBe(`${CODE}?next=%2Fp%2Ftests%2Fchecks`)
    const stranger = openBrowser(t)
    const { text } = await stranger.get(location ?? '', headers)
    for (const field of ['name="code"', 'name="next" value="/p/tests/checks"']) expect(text).toContain(field)
    const done = await stranger.post(CODE, { code: codeOf(secret), next: '/p/tests/checks' }, headers)
    expect([done.status, done.location]).toEqual([303, '/p/tests/checks'])
    expect((await stranger.get('/account')).text).toContain(EMAIL)
    const again = await openBrowser(t).post(CODE, { code: codeOf(secret) }, headers)
    expect([again.status, again.location]).toEqual([303, '/sign-in?done=sign-in-ended'])
  })

  test('is no session before it, and its cookie is none', async () => {
    await setUp()
    const { headers } = await begin()
    expect((await openBrowser(t).get('/account', headers)).status).toBe(303)
    const token = headers.cookie.split('=')[1] ?? ''
    expect((await openBrowser(t, token).get('/account')).status).toBe(303)
  })

  test('refuses a wrong code and one that was used, and says how many tries are left', async () => {
    const { secret } = await setUp()
    const first = await begin()
    await openBrowser(t).post(CODE, { code: codeOf(secret) }, first.headers)
    const { headers } = await begin()
    for (const [code, left] of [
      [codeOf(secret), 4],
      ['<b>1', 3],
    ]) {
      const wrong = await openBrowser(t).post(CODE, { code: String(code) }, headers)
      expect(wrong.status).toBe(422)
      expect(wrong.text).toContain(`The code is wrong, has been used already, or has expired. ${left} attempts left`)
      expect(wrong.text).not.toContain('<b>1')
    }
  })

  test('takes a recovery code, once', async () => {
    const { codes } = await setUp()
    const [code = ''] = codes
    const stranger = openBrowser(t)
    expect((await stranger.post(CODE, { code }, (await begin()).headers)).location).toBe('/')
    expect((await stranger.get('/account/security')).text).toContain('9 codes are left.')
    expect((await openBrowser(t).post(CODE, { code }, (await begin()).headers)).status).toBe(422)
  })

  test('warns when three recovery codes are left', async () => {
    const { codes } = await setUp()
    const stranger = openBrowser(t)
    const warning = 'Make new ones before you run out.'
    for (const code of codes.slice(0, 6)) await stranger.post(CODE, { code }, (await begin()).headers)
    expect((await stranger.get('/account/security')).text).not.toContain(warning)
    await stranger.post(CODE, { code: codes[6] ?? '' }, (await begin()).headers)
    expect((await stranger.get('/account/security')).text).toContain(
      `3 codes are left. Each code can be used once, instead of a code from the app. ${warning}`,
    )
  })

  test('starts again after five minutes, and for who has begun nothing', async () => {
    const { secret } = await setUp()
    const { headers } = await begin()
    t.clock.advance({ minutes: 5 })
    for (const late of [
      await browser.get(CODE, headers),
      await browser.post(CODE, { code: codeOf(secret) }, headers),
    ]) {
      expect(late.location).toBe('/sign-in?done=sign-in-ended')
    }
    expect((await openBrowser(t).get(`${CODE}?next=//evil.example`)).location).toBe('/sign-in?done=sign-in-ended')
  })
})

test('an app that is removed is asked for no more', async () => {
  await setUp()
  expect((await browser.post(`${APP}/remove`)).location).toBe('/account/security?done=app-removed')
  expect((await begin()).location).toBe('/')
})

test('new recovery codes end the earlier ones', async () => {
  const { codes } = await setUp()
  const { text } = await browser.post('/account/security/recovery-codes')
  expect(text).toMatch(/(?:[a-z2-7]{4}-){3}[a-z2-7]{4}/)
  expect(codes.filter((code) => text.includes(code))).toEqual([])
  expect((await openBrowser(t).post(CODE, { code: codes[0] ?? '' }, (await begin()).headers)).status).toBe(422)
})
