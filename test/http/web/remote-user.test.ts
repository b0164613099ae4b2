/** The pages behind a proxy that signs people in, over a real socket. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { pageRoutes } from '../../../src/http/web/routes.ts'
import { AdminImport } from '../../../src/import/engine/admin-import.ts'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
import { createAdmin, issueFirstAccountLink } from '../../../src/services/accounts/sign-in/first-account.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { type Browser, openBrowser } from '../../support/browser.ts'
import { anAuthor } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const ANN = { 'x-remote-user': 'ann@example.org' }

let t: TestApp
let browser: Browser
const begin = async (env: Readonly<Record<string, string>> = {}) => {
  t = await testApp({
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      REMOTE_USER_HEADER: 'X-Remote-User',
      TRUSTED_PROXIES: '127.0.0.1',
      EMAIL_HOST: 'mail.example.org',
      ...env,
    },
  })
  browser = openBrowser(t, null, `http://127.0.0.1:${await t.app.start()}`)
}
const addAdmin = () => createAdmin(t.app.deps, { email: 'admin@example.org', password: null })
beforeEach(async () => {
  await begin()
  await addAdmin()
})
afterEach(() => t.close())

test('whom the proxy names is signed in, as the account of that email', async () => {
  const { status, text } = await browser.get('/account', ANN)
  expect(status).toBe(200)
  expect(text).toContain('<dd><bdi>ann@example.org</bdi></dd>')
  expect((await browser.get('/', ANN)).status).toBe(200)
  expect((await browser.get('/account', { 'x-remote-user': 'admin@example.org' })).text).toContain('Administrator')
  expect((await t.app.deps.store.accounts.list()).map(({ email }) => email)).toEqual([
    'admin@example.org',
    'ann@example.org',
  ])
})

test('whom it does not name gets a page that says so, without a form', async () => {
  expect((await browser.get('/projects')).location).toBe('/sign-in?next=%2Fprojects')
  const { status, text } = await browser.get('/sign-in')
  expect(status).toBe(200)
  expect(text).toContain('Overdue did not receive an email address from it in the header <code>x-remote-user</code>.')
  expect(text).not.toContain('<form')
  expect((await browser.get('/sign-in?next=/account', ANN)).location).toBe('/account')
})

test('whose account is suspended is told to ask, and not that the proxy is wrong', async () => {
  await browser.get('/account', ANN)
  const { store } = t.app.deps
  const ann = await store.accounts.find('ann@example.org')
  await store.by(anAuthor()).accounts.change(ann?.id ?? '', (old) => ({ ...old, isSuspended: true }), null)
  expect((await browser.get('/account', ANN)).status).toBe(303)
  const { text } = await browser.get('/sign-in', ANN)
  expect(text).toContain('You cannot sign in here. Ask an administrator of this server.')
  expect(text).not.toContain('sent no email')
})

test('who is not the proxy is not believed', async () => {
  await t.close()
  await begin({ TRUSTED_PROXIES: '192.0.2.1' })
  await addAdmin()
  for (const headers of [ANN, { ...ANN, 'x-forwarded-for': '192.0.2.1' }]) {
    expect((await browser.get('/account', headers)).location).toStartWith('/sign-in?next=')
  }
  expect(await t.app.deps.store.accounts.list()).toHaveLength(1)
})

test('there are no passwords, no links to sign in, no sessions and no sign-out', async () => {
  const { deps } = t.app
  const routes = pageRoutes({
    ...deps,
    publicLimit: createRateLimit(deps.now, 0),
    pings: createPingReceiver(deps),
    longReads: new LongReads(deps.store),
    adminImport: new AdminImport(t.app.deps),
    backups: null,
    remoteUserHeader: 'x-remote-user',
  })
  const gone = /sign-out|^\/password|sign-in\/link|security|sessions/
  expect(routes.filter(({ path }) => gone.test(path)).map(({ path }) => path)).toEqual([])
  expect((await browser.post('/sign-in', { email: 'ann@example.org', password: 'x' })).status).toBe(405)
  const { text } = await browser.get('/account', ANN)
  expect(text).not.toMatch(/sign-out|security|sessions/i)
})

test('a form still needs the origin of the site', async () => {
  const saved = await browser.post('/account', { tz: 'Europe/Riga', theme: 'dark' }, ANN)
  expect([saved.status, saved.location]).toEqual([303, '/account?done=saved'])
  const forged = { ...ANN, origin: 'https://evil.example' }
  expect((await browser.post('/account', { tz: 'UTC', theme: 'light' }, forged)).status).toBe(403)
  expect((await browser.get('/account', ANN)).text).toContain('data-theme="dark"')
})

test('a name that is no email is refused, in words that say which header needs one', async () => {
  const { status, text } = await browser.get('/account', { 'x-remote-user': 'ann' })
  expect(status).toBe(400)
  expect(text).toContain(
    'The proxy names &quot;ann&quot; in the header x-remote-user. It must send an email address without spaces, and without capitals other than A to Z.',
  )
})

describe('the first account by its link', () => {
  let path: string
  beforeEach(async () => {
    await t.close()
    await begin()
    path = new URL((await issueFirstAccountLink(t.app.deps)).url).pathname
  })
  const FILLED = { email: 'eve@example.org', password: 'tide-lamp-orchard', project: '', tz: 'Europe/Riga' }

  test('is that of whom the proxy names, without a password and a session', async () => {
    const { status, text } = await browser.get(path, ANN)
    expect(status).toBe(200)
    expect(text).toContain('<bdi>ann@example.org</bdi>')
    expect(text).not.toMatch(/name="(email|password)"/)
    const answer = await browser.post(path, FILLED, ANN)
    expect([answer.status, answer.location]).toEqual([303, '/p/tests/first-ping'])
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await t.app.deps.store.accounts.list()).toMatchObject([
      { email: 'ann@example.org', isAdministrator: true, passwordHash: null, tz: 'Europe/Riga' },
    ])
    expect((await browser.get('/projects', ANN)).text).toContain('Tests')
  })

  test.each([
    [403, {}, 'no email address from its proxy in the header x-remote-user. Let the proxy send your email there'],
    [
      400,
      { 'x-remote-user': 'ann' },
      'in the header x-remote-user. It must send an email address without spaces, and without capitals other than A to Z.',
    ],
  ])('is refused with %i when the proxy says %j', async (status, headers, words) => {
    for (const answer of [await browser.get(path, headers), await browser.post(path, FILLED, headers)]) {
      expect(answer.status).toBe(status)
      expect(answer.text).toContain(words)
    }
    expect(await t.app.deps.store.accounts.exist()).toBe(false)
  })
})

test('while nobody has an account, the proxy makes none', async () => {
  await t.close()
  await begin()
  expect((await browser.get('/', ANN)).text).toContain('<code>overdue account link</code>')
  expect((await browser.get('/projects', ANN)).status).toBe(303)
  expect(await t.app.deps.store.accounts.exist()).toBe(false)
})
