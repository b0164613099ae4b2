/** Every route of the table × every kind of person: a route without a fixture fails, and so does a fixture without a route. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Role } from '../../../src/domain/account/role.ts'
import { operatorIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { KEY_HINT_LENGTH } from '../../../src/domain/key-kind.ts'
import {
  confirmUrl,
  type MorningLinkPurpose,
  morningUrl,
  type Subscription,
  unsubscribeUrl,
} from '../../../src/domain/mail/links.ts'
import { hashApiKey, type Project } from '../../../src/domain/project.ts'
import { createClientReader } from '../../../src/http/client.ts'
import { createHttp } from '../../../src/http/index.ts'
import { assetPath } from '../../../src/http/web/assets/assets.ts'
import type { Fixture, Fixtures } from '../../../src/http/web/fixture.ts'
import { PAGES } from '../../../src/http/web/pages/index.ts'
import type { Route } from '../../../src/http/web/route.ts'
import { pageRoutes } from '../../../src/http/web/routes.ts'
import { AdminImport } from '../../../src/import/engine/admin-import.ts'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
import { invite, listInvitations, revokeInvitation } from '../../../src/services/accounts/invitations.ts'
import { issueLink } from '../../../src/services/accounts/one-time-links.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { RefusedNotes } from '../../../src/services/pings/refused-signals.ts'
import { createKey } from '../../../src/services/projects/keys.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import { addSection, saveSettings } from '../../../src/services/status-pages/status-pages.ts'
import type { Database } from '../../../src/store/sql/database.ts'
import { addAccount, type Browser, type Fields, openBrowser, setRole, signedIn } from '../../support/browser.ts'
import { hasHelpPlace } from '../../support/help-place.ts'
import { openUrl } from '../../support/open-url.ts'
import { aChannel, anAuthor } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const PEOPLE = ['stranger', 'outsider', 'read-only', 'member', 'manager', 'owner', 'administrator'] as const
type Who = (typeof PEOPLE)[number]

const BOOKS = 'Harbour Books'
/** Name of a project that pages may show only to administrators. */
const NEIGHBOURS = 'Neighbours'

let t: TestApp
let books: Project
let check: Check
let walkerId: string
let channelId: string
let sectionId: string
/** Another connection, which notices writes. */
let watch: Database
let table: readonly Route[]

beforeAll(async () => {
  const env = { EMAIL_HOST: 'mail.example.org', REGISTRATION_OPEN: 'True', ...NO_PROVIDER }
  t = await testApp({ isShared: true, env })
  const { deps } = t.app
  books = (await createProject(deps, BOOKS)).project
  const { project: neighbours } = await createProject(deps, NEIGHBOURS)
  await setRole(t, await addAccount(t), 'owner', neighbours)
  walkerId = (await addAccount(t, { email: 'walker@example.org' }, PASSWORD)).id
  const channel = aChannel(books, { kind: 'email', settings: { value: 'ops@example.org' } })
  channelId = channel.id
  await deps.store.by(anAuthor()).channels.create(channel)
  check = (await upsertCheck(deps, operatorIn(books), { name: 'Backup' }, false)).check
  await t.call('POST', `/ping/${check.id}`, { body: 'done' })
  const page = { slug: 'harbour', title: 'Status', text: '', tz: 'UTC', isPublic: true, isIndexed: false }
  await saveSettings(deps, operatorIn(books), page)
  sectionId = (await addSection(deps, operatorIn(books), { name: 'Shop', tag: null })).id
  watch = await openUrl(t.databaseUrl)
  table = pageRoutes({
    ...deps,
    publicLimit: createRateLimit(deps.now, 0),
    pings: createPingReceiver(deps),
    longReads: new LongReads(t.app.deps.store),
    adminImport: new AdminImport(t.app.deps),
    backups: null,
    remoteUserHeader: null,
  })
})
afterAll(async () => {
  await watch.close()
  await t.close()
})

/** Settings of a provider at an address on which nothing listens. */
const NO_PROVIDER = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'overdue' }
const PASSWORD = 'tide-lamp-orchard'
let count = 0

const pathOf = (url: string) => new URL(url).pathname
const link = async (purpose: 'first-account' | 'password' | 'sign-in' | 'email') => {
  const email = purpose === 'email' ? 'new@example.org' : null
  const { url } = await issueLink(t.app.deps, purpose, purpose === 'first-account' ? null : walkerId, email)
  return pathOf(url)
}
const unsubscribe = (what: Subscription) => {
  const { links, secret } = t.app.deps.site
  return pathOf(unsubscribeUrl(links, channelId, what, secret))
}
/** Creates the link of an account that gets a morning mail. */
const morningLink = async (purpose: MorningLinkPurpose) => {
  const { id, email } = await addAccount(t)
  await t.app.deps.store
    .by(anAuthor())
    .accounts.change(id, (account) => ({ ...account, morningMail: { wish: 'always', hour: 8 } }), null)
  const { links, secret } = t.app.deps.site
  return pathOf(morningUrl(links, id, email, purpose, secret))
}
const addCheck = async (channels = '') => {
  const spec = { name: `Backup ${++count}`, channels }
  return (await upsertCheck(t.app.deps, operatorIn(books), spec, false)).check
}

const addChannel = async () => {
  const channel = aChannel(books)
  await t.app.deps.store.by(anAuthor()).channels.create(channel)
  return channel
}

/** Values of names in braces. Forms change and end things, so most are created anew each time. */
const NAMES: Readonly<Record<string, () => string | Promise<string>>> = {
  n: () => String(++count),
  password: () => PASSWORD,
  project: () => books.slug,
  'project-id': () => books.id,
  check: () => check.publicId,
  'check-id': () => check.id,
  'check-key': () => uniqueKey(check.id),
  'new-check': async () => (await addCheck()).publicId,
  channel: () => channelId,
  'new-channel': async () => (await addChannel()).id,
  /** an alert of a check of its own, not sent yet */
  async alert() {
    const channel = await addChannel()
    const { id, publicId } = await addCheck(channel.id)
    await t.call('GET', `/ping/${id}/fail`)
    return `${publicId}-1-${channel.id}`
  },
  /** an open incident of a check of its own */
  async incident() {
    const { id, publicId } = await addCheck()
    await t.call('GET', `/ping/${id}/fail`)
    return `${publicId}-1`
  },
  section: () => sectionId,
  'status-page': () => 'harbour',
  async 'api-key'() {
    const { key } = await createKey(t.app.deps, operatorIn(books), 'read-only')
    return hashApiKey(key, t.app.deps.site.secret)
  },
  async 'ping-key'() {
    const { key } = await createKey(t.app.deps, operatorIn(books), 'ping')
    return key.slice(0, KEY_HINT_LENGTH)
  },
  account: async () => (await addAccount(t)).id,
  async member() {
    const account = await addAccount(t)
    await setRole(t, account, 'member', books)
    return account.id
  },
  async invitation() {
    const { url } = await invite(t.app.deps, operatorIn(books), 'read-only', null)
    // Makes room for the next one.
    for (const { lookup } of (await listInvitations(t.app.deps, operatorIn(books))).slice(20)) {
      await revokeInvitation(t.app.deps, operatorIn(books), lookup)
    }
    return pathOf(url ?? '')
  },
  'link:first-account': () => link('first-account'),
  'link:password': () => link('password'),
  'link:sign-in': () => link('sign-in'),
  'link:email': () => link('email'),
  'link:sign-up': async () => pathOf((await issueLink(t.app.deps, 'sign-up', null, `${++count}@example.org`)).url),
  confirm() {
    const { links, secret } = t.app.deps.site
    return pathOf(confirmUrl(links, channelId, 'ops@example.org', secret))
  },
  'unsubscribe:alerts': () => unsubscribe('alerts'),
  'unsubscribe:report': () => unsubscribe('report'),
  'unsubscribe:reminder': () => unsubscribe('reminder'),
  'morning:off': () => morningLink('off'),
  'morning:trouble': () => morningLink('trouble'),
  'style-sheet': () => assetPath('overdue.css').replace('/assets/', ''),
}

async function filled(text: string): Promise<string> {
  let whole = text
  for (const [name] of text.matchAll(/\{[a-z:-]+\}/g)) {
    const make = NAMES[name.slice(1, -1)]
    if (!make) throw new Error(`${text}: no test knows ${name}. Give it a maker in NAMES, or the fixture another "at"`)
    whole = whole.replace(name, await make())
  }
  return whole
}

const DAY = 'public, max-age=86400'
/** Routes that belong to no page. */
const OTHERS: Fixtures = {
  'GET /p/:project/live': { for: 'read', at: '/p/{project}/live?view=checks', type: 'text/event-stream' },
  'GET /live': { for: 'people', at: '/live?view=counts', type: 'text/event-stream' },
  'GET /assets/:file': {
    for: 'everybody',
    at: '/assets/{style-sheet}',
    type: 'text/css',
    cache: 'public, max-age=31536000, immutable',
  },
  'GET /favicon.svg': { for: 'everybody', type: 'image/svg+xml', cache: DAY },
  'GET /favicon-down.svg': { for: 'everybody', type: 'image/svg+xml', cache: DAY },
  'GET /favicon.ico': { for: 'everybody', type: 'image/svg+xml', cache: DAY },
  'GET /robots.txt': { for: 'everybody', type: 'text/plain', cache: DAY },
  'GET /overdue-run': { for: 'everybody', type: 'text/x-shellscript', cache: 'public, max-age=300' },
}

const FIXTURES = Object.fromEntries(
  [...PAGES, { fixtures: OTHERS }].flatMap(({ fixtures }) => Object.entries(fixtures)),
)

const RIGHTS = ['read', 'write', 'manage', 'own']

/** Returns the status for each of {@link PEOPLE}. */
function statusesOf(name: string, fixture: Fixture): Readonly<Record<string, number>> {
  const isGet = name.startsWith('GET ')
  const { status = isGet ? 200 : 303, but } = fixture
  const least = RIGHTS.indexOf(fixture.for)
  const right = { 'read-only': 0, member: 1, manager: 2, owner: 3 }
  const of = (who: Who): number => {
    if (fixture.for === 'everybody') return status
    if (who === 'stranger') return isGet ? 303 : 401
    if (who === 'administrator' || fixture.for === 'people') return status
    if (fixture.for === 'administrators') return 403
    if (who === 'outsider') return 404
    return right[who] < least ? 403 : status
  }
  return { ...Object.fromEntries(PEOPLE.map((who) => [who, of(who)])), ...but }
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const routeOf = (name: string) => {
  const route = table.find((each) => nameOf(each) === name)
  if (!route) throw new Error(`the table has no ${name}`)
  return route
}
const fixturesOf = (method: 'GET' | 'POST') =>
  Object.entries(FIXTURES).filter(([name]) => name.startsWith(`${method} `))

/** Browsers of signed-in people. They request routes that change nothing about these people. */
const browsers = new Map<Who, Browser>()

async function browserOf(who: Who): Promise<Browser> {
  const known = browsers.get(who) ?? (await newcomer(who))
  browsers.set(who, known)
  return known
}

/** Lets other people request the next routes, an hour later. */
function dismissAll(): void {
  browsers.clear()
  t.clock.advance({ hours: 1 })
}

/** Opens a new browser, and signs a new account of that kind in. */
async function newcomer(who: Who): Promise<Browser> {
  if (who === 'stranger') return openBrowser(t)
  const account = await addAccount(t, { isAdministrator: who === 'administrator' })
  if (who !== 'outsider' && who !== 'administrator') await setRole(t, account, who satisfies Role, books)
  return signedIn(t, account)
}

const addressOf = (name: string, { at = name.replace(/^\w+ /, '').replace(/:(\w+)/g, '{$1}') }: Fixture) => filled(at)
const formOf = async ({ form = {} }: Fixture): Promise<Fields> => JSON.parse(await filled(JSON.stringify(form)))

async function ask(browser: Browser, method: string, name: string, fixture: Fixture) {
  const address = await addressOf(name, fixture)
  return method === 'POST' ? browser.post(address, await formOf(fixture)) : read(browser, method, address)
}

async function read(browser: Browser, method: string, address: string) {
  const answer = await browser.ask(method, address)
  const isStream = answer.headers.get('content-type') === 'text/event-stream'
  if (isStream) await answer.body?.cancel()
  const { status, headers } = answer
  return { status, headers, text: isStream ? '' : await answer.text() }
}

/** Lists the targets of Help in the menu and of other links to documents. */
const helpIn = (text: string) =>
  Array.from(text.matchAll(/href="\/docs\/(?!api|search)([^"?]+)"/g), ([, place = '']) => place)

/** Sends a form in this browser, from a given origin or without one. */
const sent = (browser: Browser, path: string, form: Fields, origin: string | null) =>
  browser.ask(
    'POST',
    path,
    { 'content-type': 'application/x-www-form-urlencoded', ...(origin === null ? {} : { origin }) },
    new URLSearchParams(form).toString(),
  )

const writes = async () => {
  // Work of an earlier request after its answer is no write of this one.
  await t.app.deps.background.drain()
  return (await watch.readOthers()).writes
}

test('every route has a fixture, and every fixture a route', () => {
  expect(Object.keys(FIXTURES).toSorted()).toEqual(table.map(nameOf).toSorted())
})

describe.each(Object.entries(FIXTURES))('%s', (name, fixture) => {
  const [method = ''] = name.split(' ')
  afterEach(() => fixture.isOnce && dismissAll())

  test('is for whom it is for, keeps to its cache rule, and names no project of others', async () => {
    const statuses: Record<string, number> = {}
    for (const who of PEOPLE) {
      const { status, headers, text } = await ask(await browserOf(who), method, name, fixture)
      statuses[who] = status
      const isKept = status === 200 && fixture.cache !== undefined
      expect(headers.get('cache-control')).toBe(isKept ? (fixture.cache ?? '') : 'no-store')
      if (method === 'GET' && status === 200) {
        expect(headers.get('content-type')).toStartWith(fixture.type ?? 'text/html')
      }
      const own = status === 200 ? fixture.policy : undefined
      const policy = headers.get('content-security-policy')
      if (own === undefined) expect(policy).toMatch(/^default-src 'none'; (?!.*unsafe).*frame-ancestors 'none'$/)
      else expect(policy).toBe(own)
      expect(headers.get('x-frame-options')).toBe(own === undefined ? 'DENY' : 'SAMEORIGIN')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      const isOutside = who === 'outsider' && !/ \/(integrations|invitation)\//.test(name)
      const hidden = who === 'administrator' ? [] : [NEIGHBOURS, ...(isOutside ? [BOOKS] : [])]
      expect(hidden.filter((project) => text.includes(project))).toEqual([])
      if (!name.startsWith('GET /docs')) expect(helpIn(text).filter((place) => !hasHelpPlace(place))).toEqual([])
    }
    expect(statuses).toEqual(statusesOf(name, fixture))
  })
})

test('whatever is sensitive comes back to a page of its own', () => {
  const pages = new Set(table.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const sensitive = table.filter(({ isSensitive }) => isSensitive !== undefined)
  expect(sensitive.length).toBeGreaterThan(0)
  expect(sensitive.filter(({ path }) => !pages.has(path)).map(nameOf)).toEqual([])
})

test('whatever needs to know who asks is kept by nobody', () => {
  expect(table.filter(({ access, cache }) => access !== 'public' && cache !== 'no-store').map(nameOf)).toEqual([])
})

test.each(fixturesOf('GET'))('%s answers HEAD as it answers GET', async (name, fixture) => {
  const browser = await browserOf('owner')
  const [head, get] = [await ask(browser, 'HEAD', name, fixture), await ask(browser, 'GET', name, fixture)]
  expect(head.status).toBe(get.status)
  for (const header of ['content-type', 'cache-control', 'location']) {
    expect(head.headers.get(header)).toBe(get.headers.get(header))
  }
})

test('other methods are refused on every path, with those that it takes', async () => {
  const browser = await browserOf('owner')
  for (const [path, routes] of Map.groupBy(table, (route) => route.path)) {
    const methods = routes.flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : ['POST']))
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (each) => !methods.includes(each),
    )
    for (const method of others) {
      const address = path.replaceAll(':', '')
      const { status, headers } = method === 'POST' ? await browser.post(address) : await read(browser, method, address)
      expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, methods.join(', ')])
    }
  }
})

describe.each(fixturesOf('POST'))('%s', (name, fixture) => {
  test('from another origin, or from none, is refused and changes nothing', async () => {
    const isMailLink = routeOf(name).acceptsAnyOrigin === true
    expect(isMailLink).toBe(/^POST \/(?:integrations|morning-mail)\//.test(name))
    // A person with the right: otherwise the answer would be the same without the check.
    const who = name.startsWith('POST /admin/') ? 'administrator' : 'owner'
    for (const origin of ['https://evil.example', 'null', 'http://localhost:8000.evil.example', null]) {
      const browser = await browserOf(who)
      const token = browser.token()
      const address = await addressOf(name, fixture)
      const fields = await formOf(fixture)
      const before = await writes()
      const { status, headers } = await sent(browser, address, fields, origin)
      if (isMailLink) {
        expect(status).toBe(200)
        continue
      }
      expect([origin, status]).toEqual([origin, 403])
      expect(headers.get('set-cookie')).toBeNull()
      expect(await writes()).toBe(before)
      expect(browser.token()).toBe(token)
      expect((await browser.get('/account')).status).toBe(200)
    }
  })
})

test('a form from this server is a write that the other connection sees', async () => {
  const browser = await newcomer('owner')
  const before = await writes()
  expect((await browser.post('/sign-out')).status).toBe(303)
  expect(await writes()).not.toBe(before)
})

test('no route outside the table answers with a page', async () => {
  const { deps } = t.app
  const limit = createRateLimit(deps.now, 0)
  const http = createHttp({
    ...deps,
    pings: createPingReceiver(deps),
    refusedNotes: new RefusedNotes(deps),
    clients: createClientReader([]),
    rateLimit: limit,
    publicLimit: limit,
    longReads: new LongReads(t.app.deps.store),
    adminImport: new AdminImport(t.app.deps),
    backups: null,
    remoteUserHeader: null,
    readiness: createReadiness(deps),
    isDraining: () => false,
  })
  const pages = new Set(table.map(({ path }) => path))
  // The last one answers for addresses that no route has.
  const others = http.routes.map(({ path }) => path).filter((path) => path !== '/*' && !pages.has(path))
  expect(others.length).toBeGreaterThan(30)
  for (const path of new Set(others)) {
    for (const method of ['GET', 'POST']) {
      const headers = { accept: 'text/html', origin: 'http://localhost:8000' }
      const address = `http://localhost${path.replaceAll(':', '').replaceAll('*', 'x')}`
      const answer = await http.handle(new Request(address, { method, headers }))
      expect([path, answer.headers.get('content-type') ?? '']).toEqual([path, expect.not.stringContaining('html')])
    }
  }
})
