/** Pages behind links in emails: a page asks for confirmation, its button acts, and a wrong link reveals nothing. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../../src/domain/channel/channel.ts'
import { confirmUrl, type Subscription, unsubscribeUrl } from '../../../../src/domain/mail/links.ts'
import { aChannel, anAuthor, aProject, webhook } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const HOSTILE = `"><script>alert('x')</script>`

const open = (siteRoot: string) =>
  testApp({ env: { SITE_ROOT: siteRoot, EMAIL_HOST: 'mail.example.org', SITE_NAME: 'Wächter <1>' } })

let usual: TestApp
/** The app of the current test: the shared one unless it opens its own. */
let t: TestApp
let channel: Channel
const begin = async (app: TestApp) => {
  t = app
  t.log.length = 0
  channel = await add({ kind: 'email', settings: { value: 'ops@example.org' }, awaitsConfirmation: true })
}
beforeAll(async () => {
  usual = await open('https://overdue.test')
})
afterAll(() => usual.close())
beforeEach(() => begin(usual))
afterEach(async () => {
  if (t !== usual) await t.close()
})

async function add(given: Partial<Channel>): Promise<Channel> {
  const { store } = t.app.deps
  const { id } = aChannel(t.project, given)
  await store.by(anAuthor()).channels.create(aChannel(t.project, { ...given, id }))
  const added = await store.channels.find(id)
  if (!added) throw new Error('the channel was not stored')
  return added
}

const confirmPath = (given = channel, address = 'ops@example.org', secret = t.app.deps.site.secret) =>
  new URL(confirmUrl(t.app.deps.site.links, given.id, address, secret)).pathname
const unsubscribePath = (given = channel, secret = t.app.deps.site.secret, what: Subscription = 'alerts') =>
  new URL(unsubscribeUrl(t.app.deps.site.links, given.id, what, secret)).pathname
const endPath = (what: Subscription, given = channel) => unsubscribePath(given, t.app.deps.site.secret, what)
const put = (over: Partial<Channel>) =>
  t.app.deps.store.channels.change(channel.id, (stored) => ({ channel: { ...stored, ...over } }))
const stored = (id = channel.id) => t.app.deps.store.channels.find(id)

async function visit(method: string, path: string, body?: string) {
  const headers = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await t.call(method, path, body === undefined ? {} : { body, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const links = [
  ['confirm', () => confirmPath(), { awaitsConfirmation: false, disabledReason: null }],
  ['stop alerts', () => unsubscribePath(), { disabledReason: 'unsubscribed by the receiver' }],
  ['stop reports', () => endPath('report'), { settings: { value: 'ops@example.org', report: 'off' } }],
  ['stop reminders', () => endPath('reminder'), { settings: { value: 'ops@example.org', reminder: 'off' } }],
] as const

describe.each(links)('the link to %s', (_, path, effect) => {
  test('shows a page with one button, and changes nothing, however often it is opened', async () => {
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, text } = await visit(method, path())
      expect(status).toBe(200)
      if (method === 'GET') {
        expect(text.match(/<button\b/g)).toHaveLength(1)
        expect(text).toContain('<form method="post">')
        expect(text).toContain('ops@example.org')
      }
    }
    expect(await stored()).toEqual(channel)
  })

  test('acts when the button is pressed, and pressing it again does no harm', async () => {
    for (const _ of [1, 2]) {
      const { status, text } = await visit('POST', path(), '')
      expect(status).toBe(200)
      expect(text).not.toContain('<button')
      expect(await stored()).toEqual({ ...channel, ...effect })
    }
  })

  test('acts by the one click of an email program, however it sends the form', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const body = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    expect((await t.call('POST', path(), { headers, body })).status).toBe(200)
    expect(await stored()).toEqual({ ...channel, ...effect })
    expect((await visit('POST', path(), 'List-Unsubscribe=One-Click')).status).toBe(200)
  })

  test('is not valid with another token, for another channel, or for none', async () => {
    const other = await add({ kind: 'email', settings: 'other@example.org' })
    const right = path()
    const wrong = [
      right.replace(/.\/$/, (end) => (end === 'a/' ? 'b/' : 'a/')),
      right.replace(/.\/$/, '/'),
      right.replace(/\/$/, 'a/'),
      right.replace(channel.id, other.id),
      right.replace(channel.id, crypto.randomUUID()),
      right.replace(channel.id, channel.id.toUpperCase()),
      right.replace(channel.id, 'x'),
      right.replace(/[^/]+\/$/, '%zz/'),
      right.replace(/[^/]+\/$/, `${'é'.repeat(16)}/`),
    ]
    for (const address of wrong) {
      for (const method of ['GET', 'POST']) {
        const { status, text, headers } = await visit(method, address)
        expect([address, status]).toEqual([address, 404])
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(text).not.toMatch(/example\.org|Tests|<button/)
      }
    }
    expect(await stored()).toEqual(channel)
    expect(await stored(other.id)).toEqual(other)
  })

  test('works with and without its final slash, and takes no other method', async () => {
    expect((await visit('GET', path().slice(0, -1))).status).toBe(200)
    const { status, headers } = await visit('DELETE', path())
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect(await stored()).toEqual(channel)
  })

  test.each(['', '/tools/watch'])('works under a SITE_ROOT with a path, asked at "%s"', async (prefix) => {
    await begin(await open('https://example.org/tools/watch'))
    expect(path()).toStartWith('/tools/watch/integrations/')
    const asked = path().replace('/tools/watch', prefix)
    expect((await visit('GET', asked)).status).toBe(200)
    await visit('POST', asked)
    expect(await stored()).toEqual({ ...channel, ...effect })
  })

  test('shows a page of its own server only, which nothing keeps, and which search engines skip', async () => {
    const { headers, text } = await visit('GET', path())
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'self';")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(text).toContain('Wächter &lt;1&gt;</title>')
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|(?:src|href)="(?!\/)/)
  })
})

test('an email program, which sends no Origin, can unsubscribe with one click (RFC 8058)', async () => {
  const { status } = await visit('POST', unsubscribePath(), 'List-Unsubscribe=One-Click')
  expect(status).toBe(200)
  expect((await stored())?.disabledReason).toBe('unsubscribed by the receiver')
})

test('a receiver who unsubscribed can confirm again, but a channel that is disabled for another reason stays disabled', async () => {
  await visit('POST', unsubscribePath())
  await visit('POST', confirmPath())
  expect((await stored())?.disabledReason).toBeNull()
  await put({ disabledReason: '550 no such user' })
  await visit('POST', confirmPath())
  expect(await stored()).toMatchObject({ awaitsConfirmation: false, disabledReason: '550 no such user' })
})

test('a token works for one purpose and one secret only', async () => {
  const [confirmToken] = /[^/]+(?=\/$)/.exec(confirmPath()) ?? []
  const [unsubscribeToken = ''] = /[^/]+(?=\/$)/.exec(unsubscribePath()) ?? []
  const crossed = [
    unsubscribePath().replace(unsubscribeToken, confirmToken ?? ''),
    unsubscribePath(channel, 'another secret'),
    confirmPath(channel, 'ops@example.org', 'another secret'),
    confirmPath(channel, 'OPS@example.org'),
  ]
  for (const path of crossed) expect((await visit('POST', path)).status).toBe(404)
  expect(await stored()).toEqual(channel)
})

test.each([
  ['alerts', 'emails'],
  ['report', 'reports'],
  ['reminder', 'reminders'],
] as const)('the page of the link to end %s says what ends', async (what, words) => {
  for (const [method, start] of [
    ['GET', /Stop (all )?/],
    ['POST', /No more /],
  ] as const) {
    const { text } = await visit(method, endPath(what))
    expect(text).toMatch(new RegExp(start.source + words))
    expect(text.includes('Other emails about the project will continue.')).toBe(what !== 'alerts')
  }
})

test('the token of a link stops nothing else', async () => {
  const tokenOf = (what: Subscription) => /[^/]+(?=\/$)/.exec(endPath(what))?.[0] ?? ''
  for (const [what, other] of [
    ['alerts', 'report'],
    ['report', 'alerts'],
    ['reminder', 'report'],
  ] as const) {
    expect((await visit('POST', endPath(what).replace(tokenOf(what), tokenOf(other)))).status).toBe(404)
  }
  expect(await stored()).toEqual(channel)
})

test('a channel without reports and reminders has none to stop', async () => {
  const bare = await add({ kind: 'email', settings: 'bare@example.org' })
  for (const what of ['report', 'reminder'] as const) {
    expect((await visit('POST', endPath(what, bare))).status).toBe(200)
  }
  expect(await stored(bare.id)).toEqual(bare)
})

test('a confirmation link that was opened before the address changed confirms nothing afterwards', async () => {
  const path = confirmPath()
  expect((await visit('GET', path)).status).toBe(200)
  await put({ settings: 'other@example.org' })
  expect((await visit('POST', path)).status).toBe(404)
  expect((await stored())?.awaitsConfirmation).toBe(true)
})

test('channels of other kinds have no such pages', async () => {
  const hook = await add({ settings: webhook() })
  expect((await visit('POST', unsubscribePath(hook))).status).toBe(404)
  expect(await stored(hook.id)).toEqual(hook)
})

test('text that strangers wrote is escaped', async () => {
  const { store } = t.app.deps
  const project = aProject({ name: HOSTILE })
  await store.by(anAuthor()).projects.create(project, [])
  const hostile = aChannel(project, { kind: 'email', settings: `<b>'&@example.org`.replace(/[<>]/g, '') })
  await store.by(anAuthor()).channels.create(hostile)
  const { text } = await visit('GET', unsubscribePath(hostile))
  expect(text).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;')
  expect(text).toContain('b&#39;&amp;@example.org')
  expect(text).not.toContain('<script>alert')
})

test('neither the address nor the link is logged', async () => {
  await visit('POST', unsubscribePath())
  expect(t.log.map(({ message }) => message)).toEqual(['receiver unsubscribed'])
  expect(JSON.stringify(t.log)).not.toMatch(/example\.org|unsub\//)
})
