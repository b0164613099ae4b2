/** Hostile text in every field that a client can set and a page shows: it is shown as text, and nothing else happens. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { HOSTILE } from './support/hostile.ts'
import {
  ADMINISTRATOR,
  administrator,
  openSiteWithAdministrator,
  PASSWORD,
  type Person,
  type Site,
  send,
} from './support/site.ts'

/** Several texts at once, where only one of them must do something for a test to fail. */
const GROUPS = Array.from({ length: 5 }, (_, group) => HOSTILE.filter((_, index) => index % 5 === group).join(' '))

let site: Site
let owner: Person
let page: Page

beforeAll(async () => {
  site = await openSiteWithAdministrator({ EMAIL_HOST: '127.0.0.1', DEFAULT_FROM_EMAIL: 'a@example.org' })
  owner = await administrator(site)
  page = await site.tab({ as: owner })
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('Content Security Policy: ' + violatedDirective + ' ' + blockedURI))`)
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const change = (path: string, fields: Readonly<Record<string, string>>) =>
  send(site.server.baseUrl, path, fields, { cookie: owner.cookie })

/** Opens a page and expects that it is ours and runs nothing but our script. */
async function openSafely(path: string, where: Page = page): Promise<void> {
  await where.goto(path)
  await expectSafe(where)
}

async function expectSafe(where: Page = page): Promise<void> {
  await where.waitForLoadState('load')
  const state = await where.evaluate(`({
    ran: window.ran,
    scripts: document.querySelectorAll('script').length,
    inline: document.querySelectorAll('script:not([src]), style, iframe, object, embed, base, meta[http-equiv]').length,
    handlers: [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on')),
    addresses: [...document.querySelectorAll('[href], [src], [action]')].map((one) => one.href ?? one.src ?? one.action)
      .filter((url) => typeof url === 'string' && new URL(url).origin !== location.origin),
    origin: location.origin,
    styled: getComputedStyle(document.documentElement).getPropertyValue('--text') !== '',
  })`)
  expect(state).toEqual({
    ran: undefined,
    scripts: 1,
    inline: 0,
    handlers: [],
    addresses: [],
    origin: site.server.baseUrl,
    styled: true,
  })
}

/** As the text of a page shows it. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

test('names and tags of checks, and the slugs of checks that pings create', async () => {
  const { server } = site
  const { api_key, ping_key } = await server.overdue<{ api_key: string; ping_key: string }>(
    'project',
    'create',
    'Target',
  )
  for (const text of HOSTILE) {
    const answer = await fetch(`${server.baseUrl}/api/v3/checks/`, {
      method: 'POST',
      headers: { 'X-Api-Key': api_key },
      body: JSON.stringify({ name: text.slice(0, 100), tags: text.slice(0, 500), desc: text }),
    })
    expect([text, answer.status]).toEqual([text, 201])
    await fetch(`${server.baseUrl}/ping/${ping_key}/${encodeURIComponent(text)}?create=1`, {
      headers: { 'User-Agent': text.replace(/[^\x20-\x7e]/g, '') },
    })
  }
  await openSafely('/p/target/checks')
  const shown = (await page.locator('tbody th > bdi').allTextContents()).map(plain)
  expect(shown.toSorted()).toEqual(HOSTILE.map((text) => plain(text.slice(0, 100))).toSorted())
  await openSafely('/p/target/first-ping')
  expect(plain(String(await page.locator('.head b').textContent()))).toBe(plain(HOSTILE[0] ?? ''))
  for (const path of ['/p/target/checks', '/p/target/first-ping']) {
    await page.goto(path)
    for (const one of await page.locator('main th, main .tag, main b').all()) await one.dispatchEvent('mouseover')
    await expectSafe()
  }
})

test('names of projects, in the list, the switcher, headings, titles and forms', async () => {
  for (const text of HOSTILE) expect((await change('/projects/new', { name: text })).status).toBe(303)
  await openSafely('/projects')
  await page.locator('summary').click()
  await expectSafe()
  const shown = (await page.locator('.plist b').allTextContents()).map(plain)
  for (const text of HOSTILE) expect(shown).toContain(plain(text))
  const slugs = await page
    .locator('.plist a')
    .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
  for (const path of slugs.slice(0, 12)) {
    expect(path).toMatch(/^\/p\/[a-z\d-]{1,40}\/checks$/)
    await openSafely(path)
    await openSafely(path.replace('checks', 'settings'))
  }
})

test('what was typed into forms that went wrong', async () => {
  const stranger = await site.tab()
  const forms = [
    { path: '/account', button: 'Save settings', label: 'Time zone', where: page },
    { path: '/projects/new', button: 'Create project', label: 'Name', where: page },
    { path: '/sign-in/link', button: 'Mail me a link', label: 'Email', where: stranger },
  ]
  for (const { path, button, label, where } of forms) {
    for (const text of GROUPS) {
      await where.goto(path)
      // The browser checks emails itself.
      await where.evaluate(`for (const form of document.forms) form.noValidate = true
        for (const input of document.querySelectorAll('input[type=email]')) input.type = 'text'`)
      await where.getByLabel(label, { exact: true }).fill(text)
      await Promise.all([where.waitForNavigation(), where.getByRole('button', { name: button, exact: true }).click()])
      await expectSafe(where)
    }
  }
})

test('user agents of sessions, and the email and address of whoever signs in', async () => {
  const { baseUrl } = site.server
  const agents = HOSTILE.map((text) => text.replace(/[^\x20-\x7e]/g, '')).filter((text) => text.trim() !== '')
  // Nearly everything that an email may contain.
  const email = "o'x`{ran=1}&lt=/onload=@127.0.0.1"
  const { link } = await site.server.overdue<{ link: { url: string } }>('account', 'create', email)
  const answer = await send(
    baseUrl,
    new URL(link.url).pathname,
    { password: PASSWORD },
    { 'user-agent': agents[0] ?? '' },
  )
  expect(answer.status).toBe(303)
  const cookie = String(answer.headers.get('set-cookie')?.split(';')[0])
  const hostile = await site.tab({ as: { email: '', cookie } })
  await openSafely('/account', hostile)
  expect(await hostile.locator('.kv bdi').textContent()).toBe(email)
  for (const agent of agents.slice(0, 12)) {
    const signedIn = await send(
      baseUrl,
      '/sign-in',
      { email: ADMINISTRATOR, password: PASSWORD },
      { 'user-agent': agent, 'x-forwarded-for': '"><script>window.ran=1</script>' },
    )
    expect(signedIn.status).toBe(303)
  }
  await openSafely('/account/sessions')
  const shown = (await page.locator('tbody th').allTextContents()).map(plain)
  for (const agent of agents.slice(0, 12)) expect(shown).toContain(plain(agent))
})

test('codes of toasts, names of snippets, `next`, and other parameters of addresses', async () => {
  const stranger = await site.tab()
  for (const text of GROUPS) {
    const value = encodeURIComponent(`/${text}`)
    for (const [path, where] of [
      [`/p/default/first-ping?snippet=${value}&done=${value}`, page],
      [`/sign-in?next=${value}&done=${value}&email=${value}`, stranger],
    ] as const) {
      await openSafely(path, where)
      expect(await where.locator('.toast').count()).toBe(0)
    }
  }
})

test('names and tokens in paths, of pages and of nothing', async () => {
  for (const text of HOSTILE) {
    const name = encodeURIComponent(text)
    const paths = [
      `/${name}`,
      `/p/${name}/checks`,
      `/setup/${name}`,
      `/integrations/${name}/unsub/${name}`,
      `/assets/${name}`,
    ]
    for (const path of paths) {
      const answer = await fetch(site.server.baseUrl + path, { headers: { cookie: owner.cookie, accept: 'text/html' } })
      const body = await answer.text()
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
      // Nothing of an address is repeated, so nothing of it can run.
      expect([path, body.includes('window.ran')]).toEqual([path, false])
    }
  }
  for (const text of HOSTILE.slice(0, 12)) await openSafely(`/p/${encodeURIComponent(text)}/checks`)
})

test('no `next` leads a browser to another site or a script', async () => {
  const places = [
    ...HOSTILE.filter((text) => /^\w+:/.test(text)),
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/.//evil.example',
  ]
  for (const next of places) {
    const answer = await send(site.server.baseUrl, '/sign-in', { email: ADMINISTRATOR, password: PASSWORD, next })
    expect(answer.status).toBe(303)
    const to = new URL(String(answer.headers.get('location')), site.server.baseUrl)
    expect([next, to.origin]).toEqual([next, site.server.baseUrl])
  }
})
