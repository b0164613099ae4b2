/** Single sign-on in pages: targets of links, cookies, messages of failures, and parts that are absent without local sign-in. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../../../src/domain/account/account.ts'
import { issueLink } from '../../../../../../src/services/accounts/one-time-links.ts'
import {
  addAccount,
  administrator,
  type Browser,
  openBrowser,
  type Page,
  signedIn,
} from '../../../../../support/browser.ts'
import { type HandClock, handClock } from '../../../../../support/clock.ts'
import { CLIENT_ID, CLIENT_SECRET, type OpenIdProvider, openProvider } from '../../../../../support/openid-provider.ts'
import { type TestApp, testApp } from '../../../../../support/test-app.ts'

let provider: OpenIdProvider
let t: TestApp
let clock: HandClock = handClock()
beforeAll(async () => {
  provider = await openProvider(() => clock.now())
})
afterAll(() => provider.stop())
afterEach(() => t.close())

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  clock = handClock()
  provider.metadata = {}
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET }
  t = await testApp({ clock, env: { ...settings, OIDC_NAME: 'Harbour & Co', ...env } })
}

const ANN = { email: 'ann@example.org', email_verified: true }

/** Follows the redirect to the provider, signs in there, and returns. */
async function walk(browser: Browser, path: string, claims: Readonly<Record<string, unknown>> = ANN) {
  const away = await browser.ask('GET', path)
  const cookie = away.headers.get('set-cookie')?.split(';')[0] ?? ''
  const answer = provider.authorize(away.headers.get('location') ?? '', { claims })
  const token = browser.token()
  const session = token === null ? '' : `; overdue_session=${token}`
  return browser.get(`/sign-in/oidc/callback?${answer}`, { cookie: cookie + session })
}

describe('the sign-in', () => {
  test('offers the provider beside the password, and leads there with a cookie that scripts cannot read', async () => {
    await start()
    await addAccount(t)
    const browser = openBrowser(t)
    const { text } = await browser.get('/sign-in?next=/projects')
    expect(text).toContain('href="/sign-in/oidc?next=%2Fprojects"')
    expect(text).toContain('Sign in with Harbour &amp; Co')
    expect(text).toContain('name="password"')
    const away = await browser.get('/sign-in/oidc?next=/projects')
    expect([away.status, away.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const url = new URL(away.location ?? '')
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: 'http://localhost:8000/sign-in/oidc/callback',
      scope: 'openid email',
      code_challenge_method: 'S256',
    })
    expect(away.headers.get('set-cookie')).toMatch(
      /^overdue_oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
  })

  test.each([
    ['/projects?x=1', '/projects?x=1'],
    ['//evil.example.org/', '/'],
    ['https://evil.example.org/', '/'],
  ])('leads to the page of this server that was asked for, here %s', async (next, to) => {
    await start()
    await addAccount(t)
    const browser = openBrowser(t)
    const back = await walk(browser, `/sign-in/oidc?${new URLSearchParams({ next })}`)
    expect([back.status, back.location]).toEqual([303, to])
    expect((await browser.get('/account')).text).toContain('ann@example.org')
  })

  test('shows why it failed, with the words of strangers escaped', async () => {
    await start()
    await addAccount(t)
    const back = await walk(openBrowser(t), '/sign-in/oidc', { email: 'o&d@example.org', email_verified: false })
    expect(back.status).toBe(422)
    expect(back.text).toContain('Harbour &amp; Co does not report')
    expect(back.text).toContain('o&amp;d@example.org')
    const said = await openBrowser(t).get('/sign-in/oidc/callback?error=%3Cscript%3E&state=x')
    expect(said.status).toBe(422)
    expect(said.text).not.toContain('<script>')
  })

  test('says so when the provider does not answer, and who can help', async () => {
    await start()
    await addAccount(t)
    provider.metadata = null
    const { status, headers, text } = await openBrowser(t).get('/sign-in/oidc')
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(text).toContain('Harbour &amp; Co does not answer')
    expect(text).toContain('a link that signs you in without Harbour &amp; Co')
  })

  test('goes on at once for who is signed in', async () => {
    await start()
    const browser = await signedIn(t, await addAccount(t))
    expect((await browser.get('/sign-in/oidc?next=/projects')).location).toBe('/projects')
  })

  test('is offered to the group that administers before there is an account', async () => {
    await start({ OIDC_ADMIN_GROUP: 'ops' })
    const browser = openBrowser(t)
    expect((await browser.get('/')).text).toContain('href="/sign-in/oidc"')
    expect((await walk(browser, '/sign-in/oidc', { ...ANN, groups: ['ops'] })).location).toBe('/')
    expect((await browser.get('/admin/instances')).status).toBe(200)
  })
})

describe('a sensitive page', () => {
  test('is open after a proof at the provider, for 30 minutes', async () => {
    await start()
    await addAccount(t)
    const browser = openBrowser(t)
    await walk(browser, '/sign-in/oidc')
    const path = '/account/security/single-sign-on'
    const asks = await browser.get(path)
    expect(asks.location).toBe(`/confirm?${new URLSearchParams({ next: path })}`)
    const { text } = await browser.get(asks.location ?? '')
    const [, link = ''] = /href="(\/sign-in\/oidc\?confirm[^"]*)"/.exec(text) ?? []
    const claims = { ...ANN, auth_time: Math.floor(clock.now().epochMilliseconds / 1000) }
    const back = await walk(browser, link.replaceAll('&amp;', '&'), claims)
    expect(back.location).toStartWith(path)
    expect((await browser.get(path)).text).toContain(provider.issuer)
    clock.advance({ minutes: 30 })
    expect((await browser.get(path)).status).toBe(303)
  })

  const LINK = '/account/security/single-sign-on/link'
  const cookieOf = ({ headers }: Page) => headers.get('set-cookie')?.split(';')[0]

  /** Follows the button to the page that names the person. @returns a function that sends its form, or reads it */
  async function toLink(browser: Browser, claims: Readonly<Record<string, unknown>> = {}) {
    const answer = await browser.post('/account/security/single-sign-on', { action: 'link' })
    const [, to = ''] = /^0; url=(.*)$/.exec(answer.headers.get('refresh') ?? '') ?? []
    const withCookie = (from: Page, other = browser) => ({
      cookie: `${cookieOf(from)}; overdue_session=${other.token()}`,
    })
    const query = provider.authorize(to, { claims })
    const back = await browser.get(`/sign-in/oidc/callback?${query}`, withCookie(answer))
    expect(back.location).toBe(LINK)
    return {
      page: () => browser.get(LINK, withCookie(back)),
      send: (action: string, by = browser) => by.post(LINK, { action }, withCookie(back, by)),
    }
  }

  const jane = async () => {
    const account = await addAccount(t, { email: 'jane@example.org' })
    return { account, browser: await signedIn(t, account) }
  }
  const identitiesOf = ({ id }: Account) => t.app.deps.store.identities.list(id)

  test('links once its owner has seen who it is, by a page that leads on to the provider', async () => {
    await start()
    const { account, browser } = await jane()
    const link = await toLink(browser, { email: 'O&D@example.org', name: '<b>Olga</b>\n' })
    const { text } = await link.page()
    for (const word of ['o&amp;d@example.org', '&lt;b&gt;Olga&lt;/b&gt;', 'jane@example.org', '42', 'Do not link']) {
      expect(text).toContain(word)
    }
    expect(await identitiesOf(account)).toEqual([])
    expect((await link.send('link')).location).toBe('/account/security?done=identity-linked')
    expect((await browser.get('/account/security')).text).toContain('You can sign in with Harbour &amp; Co.')
    expect(await identitiesOf(account)).toHaveLength(1)
  })

  test('links nobody whom its owner does not know, and not later either', async () => {
    await start()
    const { account, browser } = await jane()
    const link = await toLink(browser, { name: ' ', preferred_username: 'olga' })
    expect((await link.page()).text).toContain('<bdi>olga</bdi>')
    expect((await link.send('drop')).location).toBe('/account/security/single-sign-on')
    expect((await link.page()).location).toBe('/account/security/single-sign-on')
    const late = await link.send('link')
    expect([late.status, late.text.includes('Linking has ended already')]).toEqual([422, true])
    expect(await identitiesOf(account)).toEqual([])
  })

  test('links only to the account that has begun it, within five minutes', async () => {
    await start()
    const { account, browser } = await jane()
    const link = await toLink(browser)
    const bob = await addAccount(t, { email: 'bob@example.org' })
    expect((await link.send('link', await signedIn(t, bob))).status).toBe(422)
    clock.advance({ minutes: 5 })
    expect((await link.send('link')).status).toBe(422)
    expect([await identitiesOf(account), await identitiesOf(bob)]).toEqual([[], []])
  })

  test('keeps the only way in', async () => {
    await start()
    const jane = await addAccount(t, { email: 'jane@example.org' })
    const browser = await signedIn(t, jane)
    const identity = { issuer: provider.issuer, subject: '42' }
    const { store, now } = t.app.deps
    const link = { ...identity, accountId: jane.id, createdAt: now(), lastUsedAt: null }
    await store
      .by({ changeId: 'c', kind: 'command', accountId: null, name: '', address: null, at: now() })
      .identities.link(link, (await store.sessions.list(jane.id)).at(0)?.lookup ?? null)
    const session = (await store.sessions.list(jane.id)).at(0)
    await store.sessions.confirm(session?.lookup ?? '', now())
    const unlink = () => browser.post('/account/security/single-sign-on', { action: 'unlink', ...identity })
    const refused = await unlink()
    expect([refused.status, refused.text.includes('This is the only way into your account')]).toEqual([422, true])
    await store
      .by({ changeId: 'd', kind: 'command', accountId: null, name: '', address: null, at: now() })
      .accounts.change(jane.id, (account) => ({ ...account, passwordHash: 'x' }), session?.lookup ?? null)
    expect((await unlink()).status).toBe(303)
    expect(await store.identities.list(jane.id)).toEqual([])
  })
})

describe('without local sign-in', () => {
  const ALONE = { LOCAL_SIGN_IN: 'False', EMAIL_HOST: 'mail.example.org', SITE_ROOT: 'http://localhost:8000' }

  test('the page has one button, and nothing else signs in', async () => {
    await start({ ...ALONE, REGISTRATION_OPEN: 'True' })
    const { account } = await administrator(t)
    const browser = openBrowser(t)
    const { text } = await browser.get('/sign-in')
    expect(text).toContain('href="/sign-in/oidc"')
    expect(text).not.toMatch(/<form|password/)
    expect((await browser.post('/sign-in', { email: account.email, password: 'x' })).status).toBe(405)
    const { url } = await issueLink(t.app.deps, 'password', account.id)
    for (const path of ['/sign-in/link', new URL(url).pathname, '/sign-up', '/account/security/password']) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 404])
    }
  })

  test('a link that whoever runs the server has printed signs in', async () => {
    await start(ALONE)
    const { account } = await administrator(t)
    const browser = openBrowser(t)
    const { url } = await issueLink(t.app.deps, 'sign-in', account.id)
    expect((await browser.post(new URL(url).pathname)).status).toBe(303)
    expect((await browser.get('/account')).text).toContain(account.email)
  })

  test('the set-up asks for no password', async () => {
    await start(ALONE)
    const { url } = await issueLink(t.app.deps, 'first-account', null)
    const browser = openBrowser(t)
    const { pathname } = new URL(url)
    expect((await browser.get(pathname)).text).not.toContain('name="password"')
    expect((await browser.post(pathname, { email: 'ann@example.org', tz: 'UTC' })).status).toBe(303)
    expect((await browser.get('/account')).text).toContain('ann@example.org')
  })
})
