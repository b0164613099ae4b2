/** Every route of the table × everybody who may ask: a route without a fixture fails, and so does a fixture without a route. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Role } from '../../../src/domain/account/role.ts'
import { operatorIn } from '../../../src/domain/actor.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { KEY_HINT_LENGTH } from '../../../src/domain/key-kind.ts'
import { confirmUrl, type Subscription, unsubscribeUrl } from '../../../src/domain/mail/links.ts'
import { hashApiKey, type Project } from '../../../src/domain/project.ts'
import { createClientReader } from '../../../src/http/client.ts'
import { createHttp } from '../../../src/http/index.ts'
import { assetPath } from '../../../src/http/web/assets/assets.ts'
import { integrationPath } from '../../../src/http/web/href.ts'
import type { Route } from '../../../src/http/web/route.ts'
import { pageRoutes } from '../../../src/http/web/routes.ts'
import { ImportDesk } from '../../../src/import/engine/desk.ts'
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
import { openUrl } from '../../support/open-url.ts'
import { aChannel, anAuthor } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const PEOPLE = ['stranger', 'outsider', 'read-only', 'member', 'manager', 'owner', 'administrator'] as const
type Who = (typeof PEOPLE)[number]

type Statuses = Readonly<Record<Who, number>>

interface Fixture {
  /** Makes what the path names, such as a link that was not used. */
  readonly path: () => string | Promise<string>
  readonly form?: () => Fields
  readonly statuses: Statuses
  /** `no-store` by default */
  readonly cache?: string
  /** of its answer for who may see it; by default one that allows no frame around it and no style in it */
  readonly policy?: string
  /** It ends or changes who has signed in, or sends an email, of which each network may cause some in an hour. */
  readonly isOnce?: true
}

const BOOKS = 'Harbour Books'
/** No page may name this project to anybody but an administrator. */
const NEIGHBOURS = 'Neighbours'

let t: TestApp
let books: Project
let check: Check
let walkerId: string
let channelId: string
let sectionId: string
/** Another connection, which sees that something was written. */
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
  await deps.store.by(anAuthor()).createChannel(channel)
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
    importDesk: new ImportDesk(t.app.deps),
    remoteUserHeader: null,
  })
})
afterAll(async () => {
  await watch.close()
  await t.close()
})

/** Nobody listens there. */
const NO_PROVIDER = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'overdue' }
const PASSWORD = 'tide-lamp-orchard'
let count = 0
const another = (word: string) => `${word} ${++count}`

const everybody = (status: number): Statuses => ({
  stranger: status,
  outsider: status,
  'read-only': status,
  member: status,
  manager: status,
  owner: status,
  administrator: status,
})
const read = (status = 200): Statuses => ({ ...everybody(status), stranger: 303 })
const write = (status = 303): Statuses => ({ ...everybody(status), stranger: 401 })
const members = { outsider: 404 }
const writers = { ...members, 'read-only': 403 }
const managers = { ...writers, member: 403 }
const owners = { ...managers, manager: 403 }
const administrators = { ...read(403), administrator: 200 }

const link = async (purpose: 'first-account' | 'password' | 'sign-in' | 'email') => {
  const email = purpose === 'email' ? 'new@example.org' : null
  const { url } = await issueLink(t.app.deps, purpose, purpose === 'first-account' ? null : walkerId, email)
  return new URL(url).pathname
}
const unsubscribe = (what: Subscription) => () => {
  const { links, secret } = t.app.deps.site
  return new URL(unsubscribeUrl(links, channelId, what, secret)).pathname
}
const confirm = () => {
  const { links, secret } = t.app.deps.site
  return new URL(confirmUrl(links, channelId, 'ops@example.org', secret)).pathname
}
const at = (path: string) => () => path
const inBooks = (page: string) => () => `/p/${books.slug}/${page}`
const ofBackup = (page: string) => () => `/p/${books.slug}/checks/${check.publicId}${page}`
const ofChannel = (page: string) => () => `/p/${books.slug}/integrations/${channelId}${page}`

/** An alert of a check of its own, which was not sent yet. */
const ofAlert = async () => {
  const spec = { name: another('Backup'), channels: channelId }
  const { check } = await upsertCheck(t.app.deps, operatorIn(books), spec, false)
  await t.call('GET', `/ping/${check.id}/fail`)
  return `/p/${books.slug}/deliveries/${check.publicId}-1-${channelId}`
}

/** The page that deletes an integration of its own. */
async function brieflyAdded(): Promise<string> {
  const channel = aChannel(books)
  await t.app.deps.store.by(anAuthor()).createChannel(channel)
  return integrationPath(books.slug, channel.id, 'delete')
}

/** Those about a check are asked with one of their own. */
function checkForms(): Readonly<Record<string, Fixture>> {
  const span = { kind: 'simple', period: '1', 'period-unit': 'days', grace: '1', 'grace-unit': 'hours' }
  const pageOf = (word: string) => async () => {
    const { check } = await upsertCheck(t.app.deps, operatorIn(books), { name: another('Backup') }, false)
    return `/p/${books.slug}/checks/${check.publicId}/${word}`
  }
  const of = (path: string, page: Fixture['path'], done = 303) => [
    [`GET ${path}`, { path: page, statuses: { ...read(), ...writers } }],
    [
      `POST ${path}`,
      { path: page, form: () => ({ ...span, name: another('Backup') }), statuses: { ...write(done), ...writers } },
    ],
  ]
  return Object.fromEntries([
    ...of('/p/:project/checks/new', inBooks('checks/new')),
    ...['edit', 'schedule', 'rules', 'copy', 'clear', 'delete'].flatMap((word) =>
      of(`/p/:project/checks/:check/${word}`, pageOf(word)),
    ),
    // The form names no project.
    ...of('/p/:project/checks/:check/transfer', pageOf('transfer'), 422),
  ])
}

/** Keys and projects of their own, because the forms end them. */
function settingsForms(): Readonly<Record<string, Fixture>> {
  const ofKey = async () => {
    const { key } = await createKey(t.app.deps, operatorIn(books), 'read-only')
    return `/p/${books.slug}/settings/keys/${hashApiKey(key, t.app.deps.site.secret)}/revoke`
  }
  const ofPingKey = async () => {
    const { key } = await createKey(t.app.deps, operatorIn(books), 'ping')
    return `/p/${books.slug}/settings/ping-keys/${key.slice(0, KEY_HINT_LENGTH)}/revoke`
  }
  const settings = { statuses: { ...write(), ...owners } }
  return {
    'GET /p/:project/settings': { path: inBooks('settings'), statuses: { ...read(), ...writers } },
    'POST /p/:project/settings': {
      path: inBooks('settings'),
      form: () => ({ name: another(BOOKS), limit: '100' }),
      ...settings,
    },
    'POST /p/:project/settings/keys': {
      path: inBooks('settings/keys'),
      form: () => ({ 'key-name': 'deploy', 'key-kind': 'read-write' }),
      statuses: { ...write(), ...writers },
    },
    'GET /p/:project/settings/keys/created': {
      path: inBooks('settings/keys/created'),
      statuses: { ...read(), ...writers },
    },
    'GET /p/:project/settings/keys/:key/revoke': { path: ofKey, statuses: { ...read(), ...writers } },
    'POST /p/:project/settings/keys/:key/revoke': { path: ofKey, statuses: { ...write(), ...writers } },
    'GET /p/:project/settings/ping-key': { path: inBooks('settings/ping-key'), statuses: { ...read(), ...writers } },
    'POST /p/:project/settings/ping-key': { path: inBooks('settings/ping-key'), statuses: { ...write(), ...writers } },
    'POST /p/:project/settings/ping-keys': {
      path: inBooks('settings/ping-keys'),
      statuses: { ...write(), ...writers },
    },
    'GET /p/:project/settings/ping-keys/:key/revoke': { path: ofPingKey, statuses: { ...read(), ...writers } },
    'POST /p/:project/settings/ping-keys/:key/revoke': { path: ofPingKey, statuses: { ...write(), ...writers } },
    'GET /p/:project/settings/export': { path: inBooks('settings/export'), statuses: { ...read(), ...owners } },
    'POST /p/:project/settings/export': { path: inBooks('settings/export'), statuses: { ...write(200), ...owners } },
    'GET /p/:project/settings/delete': { path: inBooks('settings/delete'), statuses: { ...read(), ...owners } },
    // The form does not name the project.
    'POST /p/:project/settings/delete': {
      path: inBooks('settings/delete'),
      form: () => ({ confirm: 'something else' }),
      statuses: { ...write(422), ...owners },
    },
  }
}

/** Members, invitations and links of their own, because the forms end them. */
function teamForms(): Readonly<Record<string, Fixture>> {
  const ofMember = (page: string) => async () => {
    const account = await addAccount(t)
    await setRole(t, account, 'member', books)
    return `/p/${books.slug}/team/members/${account.id}${page}`
  }
  const invitation = (page: string) => async () => {
    const { url } = await invite(t.app.deps, operatorIn(books), 'read-only', null)
    const { pathname } = new URL(url ?? '')
    // So that there is always room for the next one.
    for (const { lookup } of (await listInvitations(t.app.deps, operatorIn(books))).slice(20)) {
      await revokeInvitation(t.app.deps, operatorIn(books), lookup)
    }
    return `${pathname}${page}`
  }
  const signUp = async () => {
    const { url } = await issueLink(t.app.deps, 'sign-up', null, `${++count}@example.org`)
    return new URL(url).pathname
  }
  const filled = () => ({ email: `${++count}@example.org`, password: PASSWORD })
  const managed = { statuses: { ...read(), ...managers } }
  const manages = { statuses: { ...write(), ...managers } }
  return {
    'GET /p/:project/team': { path: inBooks('team'), statuses: { ...read(), ...members } },
    'POST /p/:project/team/invitations': {
      path: inBooks('team/invitations'),
      form: () => ({ role: 'member' }),
      ...manages,
    },
    'GET /p/:project/team/invitations': { path: inBooks('team/invitations'), statuses: { ...read(303), ...managers } },
    'POST /p/:project/team/invitations/revoke': { path: inBooks('team/invitations/revoke'), ...manages },
    'GET /p/:project/team/invitations/created': { path: inBooks('team/invitations/created'), ...managed },
    'GET /p/:project/team/members/:account': { path: ofMember(''), ...managed },
    'POST /p/:project/team/members/:account': { path: ofMember(''), form: () => ({ role: 'read-only' }), ...manages },
    'POST /p/:project/team/members/:account/remove': { path: ofMember('/remove'), ...manages },
    'GET /p/:project/team/leave': { path: inBooks('team/leave'), statuses: { ...read(), ...members } },
    // An administrator is in no project.
    'POST /p/:project/team/leave': {
      path: inBooks('team/leave'),
      statuses: { ...write(), ...members, administrator: 422 },
      isOnce: true,
    },
    'GET /p/:project/team/ownership': { path: inBooks('team/ownership'), statuses: { ...read(), ...owners } },
    // The form names nobody.
    'POST /p/:project/team/ownership': {
      path: inBooks('team/ownership'),
      form: () => ({ to: 'nobody' }),
      statuses: { ...write(422), ...owners },
    },
    // Nothing is offered.
    'POST /p/:project/team/ownership/accept': { path: inBooks('team/ownership/accept'), statuses: write(404) },
    'POST /p/:project/team/ownership/end': { path: inBooks('team/ownership/end'), statuses: write(404) },
    'GET /invitation/:token': { path: invitation(''), statuses: everybody(200) },
    'POST /invitation/:token': { path: invitation(''), statuses: write(), isOnce: true },
    'POST /invitation/:token/account': {
      path: invitation('/account'),
      form: filled,
      statuses: everybody(303),
      isOnce: true,
    },
    'GET /sign-up': { path: at('/sign-up'), statuses: everybody(200) },
    'POST /sign-up': {
      path: at('/sign-up'),
      form: () => ({ email: `${++count}@example.org` }),
      statuses: everybody(200),
      isOnce: true,
    },
    'GET /sign-up/:token': { path: signUp, statuses: everybody(200) },
    'POST /sign-up/:token': {
      path: signUp,
      form: () => ({ password: PASSWORD }),
      statuses: everybody(303),
      isOnce: true,
    },
  }
}

/** About accounts of their own, because the forms change them. */
function adminForms(): Readonly<Record<string, Fixture>> {
  const ofAccount = (page: string) => async () => `/admin/accounts/${(await addAccount(t)).id}${page}`
  const administer = { ...write(403), administrator: 303 }
  return {
    'GET /admin': { path: at('/admin'), statuses: administrators },
    'POST /admin': { path: at('/admin'), statuses: { ...administer, administrator: 200 } },
    'GET /admin/projects': { path: at('/admin/projects'), statuses: administrators },
    'GET /admin/import': { path: at('/admin/import'), statuses: administrators },
    // This form has no file.
    'POST /admin/import': { path: at('/admin/import'), statuses: { ...administer, administrator: 422 } },
    'GET /admin/import/apply': { path: at('/admin/import/apply'), statuses: { ...administrators, administrator: 303 } },
    'POST /admin/import/apply': { path: at('/admin/import/apply'), statuses: { ...administer, administrator: 409 } },
    'POST /admin/import/discard': { path: at('/admin/import/discard'), statuses: administer },
    'GET /admin/settings': { path: at('/admin/settings'), statuses: administrators },
    'GET /admin/accounts': { path: at('/admin/accounts'), statuses: administrators },
    'GET /admin/accounts/new': { path: at('/admin/accounts/new'), statuses: administrators },
    'POST /admin/accounts/new': {
      path: at('/admin/accounts/new'),
      form: () => ({ email: `made-${++count}@example.org` }),
      statuses: administer,
    },
    'GET /admin/accounts/:account': { path: ofAccount(''), statuses: administrators },
    'POST /admin/accounts/:account': {
      path: ofAccount(''),
      form: () => ({ action: 'suspend' }),
      statuses: administer,
    },
    'GET /admin/accounts/:account/link': { path: ofAccount('/link'), statuses: administrators },
    'GET /admin/accounts/:account/delete': { path: ofAccount('/delete'), statuses: administrators },
    // The form does not name the account.
    'POST /admin/accounts/:account/delete': {
      path: ofAccount('/delete'),
      form: () => ({ confirm: 'somebody else' }),
      statuses: { ...administer, administrator: 422 },
    },
  }
}

const FIXTURES: Readonly<Record<string, Fixture>> = {
  // There are accounts already, so strangers sign in.
  'GET /': { path: at('/'), statuses: read() },
  'POST /': {
    path: at('/'),
    form: () => ({ project: books.slug, check: check.publicId }),
    statuses: { ...write(), ...writers },
  },
  'GET /setup/:token': { path: () => link('first-account'), statuses: everybody(404) },
  'POST /setup/:token': {
    path: () => link('first-account'),
    form: () => ({ email: 'late@example.org', password: PASSWORD }),
    statuses: everybody(404),
  },
  'GET /sign-in': { path: at('/sign-in'), statuses: { ...everybody(303), stranger: 200 } },
  'POST /sign-in': {
    path: at('/sign-in'),
    form: () => ({ email: 'walker@example.org', password: PASSWORD }),
    statuses: everybody(303),
    isOnce: true,
  },
  // Who is signed in goes on at once.
  'GET /sign-in/oidc': { path: at('/sign-in/oidc'), statuses: { ...everybody(303), stranger: 503 } },
  'GET /sign-in/oidc/callback': { path: at('/sign-in/oidc/callback?code=x&state=y'), statuses: everybody(422) },
  'GET /account/security/single-sign-on': { path: at('/account/security/single-sign-on'), statuses: read() },
  'POST /account/security/single-sign-on': {
    path: at('/account/security/single-sign-on'),
    form: () => ({ action: 'unlink', issuer: 'https://id.example.org', subject: '42' }),
    statuses: write(),
  },
  // Nobody has been at the provider.
  'GET /account/security/single-sign-on/link': {
    path: at('/account/security/single-sign-on/link'),
    statuses: everybody(303),
  },
  'POST /account/security/single-sign-on/link': {
    path: at('/account/security/single-sign-on/link'),
    form: () => ({ action: 'drop' }),
    statuses: write(),
  },
  'POST /sign-out': { path: at('/sign-out'), statuses: everybody(303), isOnce: true },
  // Nobody has begun to sign in.
  'GET /sign-in/code': { path: at('/sign-in/code'), statuses: everybody(303) },
  'POST /sign-in/code': { path: at('/sign-in/code'), form: () => ({ code: '123456' }), statuses: everybody(303) },
  'GET /sign-in/link': { path: at('/sign-in/link'), statuses: everybody(200) },
  'POST /sign-in/link': {
    path: at('/sign-in/link'),
    form: () => ({ email: `${++count}@example.org` }),
    statuses: everybody(200),
    isOnce: true,
  },
  'GET /sign-in/link/:token': { path: () => link('sign-in'), statuses: everybody(200) },
  'POST /sign-in/link/:token': { path: () => link('sign-in'), statuses: everybody(303), isOnce: true },
  'GET /password': { path: at('/password'), statuses: everybody(200) },
  'POST /password': {
    path: at('/password'),
    form: () => ({ email: `${++count}@example.org` }),
    statuses: everybody(200),
    isOnce: true,
  },
  'GET /password/:token': { path: () => link('password'), statuses: everybody(200) },
  'POST /password/:token': {
    path: () => link('password'),
    form: () => ({ password: PASSWORD }),
    statuses: everybody(303),
    isOnce: true,
  },
  'GET /search': { path: at('/search?q=harbour'), statuses: read() },
  'GET /projects': { path: at('/projects'), statuses: read() },
  'GET /projects/new': { path: at('/projects/new'), statuses: read() },
  'POST /projects/new': {
    path: at('/projects/new'),
    form: () => ({ name: another('Trial') }),
    statuses: write(),
    isOnce: true,
  },
  'GET /p/:project/checks': { path: inBooks('checks'), statuses: { ...read(), ...members } },
  'POST /p/:project/checks': {
    path: inBooks('checks'),
    form: () => ({ action: 'pause', all: '1' }),
    statuses: { ...write(), ...writers },
  },
  'POST /p/:project/undo': {
    path: inBooks('undo'),
    form: () => ({ token: 'none' }),
    statuses: { ...write(), ...writers },
  },
  ...checkForms(),
  ...teamForms(),
  'POST /p/:project/checks/:check/schedule/preview': {
    path: ofBackup('/schedule/preview'),
    form: () => ({ kind: 'cron', cron: '0 2 * * *', tz: 'Europe/Riga', grace: '1', 'grace-unit': 'hours' }),
    statuses: { ...write(200), ...writers },
  },
  'POST /p/:project/checks/new/preview': {
    path: inBooks('checks/new/preview'),
    form: () => ({ kind: 'simple', period: '1', 'period-unit': 'days' }),
    statuses: { ...write(200), ...writers },
  },
  'POST /p/:project/checks/:check/rules/try': {
    path: ofBackup('/rules/try'),
    form: () => ({ failure_kw: 'ERROR', text: 'ERROR' }),
    statuses: { ...write(200), ...writers },
  },
  'GET /p/:project/live': { path: inBooks('live?view=checks'), statuses: { ...read(), ...members } },
  'GET /live': { path: at('/live?view=counts'), statuses: read() },
  'GET /p/:project/checks/:check': { path: ofBackup(''), statuses: { ...read(), ...members } },
  'POST /p/:project/checks/:check': {
    path: ofBackup(''),
    form: () => ({ action: 'ping' }),
    statuses: { ...write(), ...writers },
  },
  'POST /p/:project/checks/:check/integrations': {
    path: ofBackup('/integrations'),
    form: () => ({ [`to-${channelId}`]: 'on' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/checks/:check/log': { path: ofBackup('/log'), statuses: { ...read(), ...members } },
  'GET /p/:project/checks/:check/log/:n': { path: ofBackup('/log/1'), statuses: { ...read(), ...members } },
  'GET /p/:project/checks/:check/log/:n/body': {
    path: ofBackup('/log/1/body'),
    statuses: { ...read(), ...members },
  },
  'GET /p/:project/deliveries': { path: inBooks('deliveries'), statuses: { ...read(), ...members } },
  'POST /p/:project/deliveries': {
    path: inBooks('deliveries'),
    form: () => ({ action: 'retry-all' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/deliveries/:delivery': { path: ofAlert, statuses: { ...read(), ...members } },
  'POST /p/:project/deliveries/:delivery': {
    path: ofAlert,
    form: () => ({ action: 'cancel' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/integrations': { path: inBooks('integrations'), statuses: { ...read(), ...members } },
  // Who may only read may send a test.
  'POST /p/:project/integrations': {
    path: inBooks('integrations'),
    form: () => ({ test: channelId }),
    statuses: { ...write(), ...members },
  },
  'GET /p/:project/integrations/:channel/checks': {
    path: ofChannel('/checks'),
    statuses: { ...read(), ...writers },
  },
  'POST /p/:project/integrations/:channel/checks': {
    path: ofChannel('/checks'),
    form: () => ({ action: 'all' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/integrations/:channel/delete': {
    path: ofChannel('/delete'),
    statuses: { ...read(), ...writers },
  },
  'POST /p/:project/integrations/:channel/delete': {
    path: brieflyAdded,
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/integrations/new/:kind': {
    path: inBooks('integrations/new/webhook'),
    statuses: { ...read(), ...writers },
  },
  'POST /p/:project/integrations/new/:kind': {
    path: inBooks('integrations/new/matrix'),
    form: () => ({ name: another('Room'), 'set-value': '!room:example.org' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/integrations/:channel': { path: ofChannel(''), statuses: { ...read(), ...writers } },
  'GET /p/:project/integrations/:channel/test': { path: ofChannel('/test'), statuses: { ...read(), ...writers } },
  'POST /p/:project/integrations/:channel/test': {
    path: ofChannel('/test'),
    form: () => ({ status: 'up' }),
    statuses: { ...write(200), ...writers },
  },
  'POST /p/:project/integrations/:channel': {
    path: ofChannel(''),
    form: () => ({
      name: another('Ops'),
      'set-value': 'ops@example.org',
      'set-tz': 'UTC',
      'set-report': 'off',
      'set-reminder': 'off',
    }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/first-ping': { path: inBooks('first-ping'), statuses: { ...read(), ...writers } },
  'POST /p/:project/first-ping': {
    path: inBooks('first-ping'),
    form: () => ({ action: 'send-ping' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/badges': { path: inBooks('badges'), statuses: { ...read(), ...members } },
  'GET /p/:project/reports': { path: inBooks('reports'), statuses: { ...read(), ...members } },
  'POST /p/:project/reports': {
    path: inBooks('reports'),
    form: () => ({ channel: channelId, [`report-${channelId}`]: 'weekly' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/reports/:channel': {
    path: () => `/p/${books.slug}/reports/${channelId}`,
    statuses: { ...read(), ...members },
  },
  'GET /p/:project/reports/:channel/email': {
    path: () => `/p/${books.slug}/reports/${channelId}/email`,
    statuses: { ...read(), ...members },
    policy:
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  },

  'GET /p/:project/status-page': { path: inBooks('status-page'), statuses: { ...read(), ...members } },
  'POST /p/:project/status-page': {
    path: inBooks('status-page'),
    form: () => ({ action: 'save', slug: 'harbour', title: 'Status', tz: 'UTC', public: 'on' }),
    statuses: { ...write(), ...writers },
  },
  'GET /p/:project/status-page/preview': { path: inBooks('status-page/preview'), statuses: { ...read(), ...writers } },
  'GET /p/:project/status-page/sections/:section': {
    path: () => `/p/${books.slug}/status-page/sections/${sectionId}`,
    statuses: { ...read(), ...writers },
  },
  'POST /p/:project/status-page/sections/:section': {
    path: () => `/p/${books.slug}/status-page/sections/${sectionId}`,
    form: () => ({ name: another('Shop') }),
    statuses: { ...write(), ...writers },
  },
  'GET /status/:slug': { path: at('/status/harbour'), statuses: everybody(200), cache: 'public, max-age=60' },
  'GET /wall': { path: () => `/wall?p=${books.slug}`, statuses: { ...read(), ...members } },
  'GET /tv': { path: at('/tv/'), statuses: everybody(200), cache: 'public, max-age=60' },
  // Sessions count for nothing there.
  'GET /tv/part': { path: at('/tv/part'), statuses: everybody(401) },
  ...settingsForms(),
  'GET /account': { path: at('/account'), statuses: read() },
  'POST /account': { path: at('/account'), form: () => ({ tz: 'Europe/Riga', theme: 'dark' }), statuses: write() },
  'GET /account/security': { path: at('/account/security'), statuses: read() },
  'GET /account/security/password': { path: at('/account/security/password'), statuses: read() },
  'POST /account/security/password': {
    path: at('/account/security/password'),
    form: () => ({ password: PASSWORD }),
    statuses: write(),
    isOnce: true,
  },
  // What was begun in no browser is refused.
  'POST /sign-in/passkey-options': { path: at('/sign-in/passkey-options'), statuses: everybody(200) },
  'POST /sign-in/code/passkey-options': { path: at('/sign-in/code/passkey-options'), statuses: everybody(401) },
  'POST /confirm/passkey-options': { path: at('/confirm/passkey-options'), statuses: write(200) },
  'GET /account/security/passkeys/new': { path: at('/account/security/passkeys/new'), statuses: read() },
  'POST /account/security/passkeys/new': {
    path: at('/account/security/passkeys/new'),
    form: () => ({ name: 'Laptop', passkey: '{}' }),
    statuses: write(422),
  },
  'POST /account/security/passkeys/new/passkey-options': {
    path: at('/account/security/passkeys/new/passkey-options'),
    statuses: write(200),
  },
  // Nobody has it.
  'GET /account/security/passkeys/:passkey': { path: at('/account/security/passkeys/unknown'), statuses: read(404) },
  'POST /account/security/passkeys/:passkey': {
    path: at('/account/security/passkeys/unknown'),
    form: () => ({ action: 'remove' }),
    statuses: write(404),
  },
  'GET /account/security/authenticator': { path: at('/account/security/authenticator'), statuses: read() },
  // No app was begun to set up.
  'POST /account/security/authenticator': {
    path: at('/account/security/authenticator'),
    form: () => ({ code: '123456' }),
    statuses: write(422),
  },
  'GET /account/security/authenticator/remove': {
    path: at('/account/security/authenticator/remove'),
    statuses: read(),
  },
  'POST /account/security/authenticator/remove': {
    path: at('/account/security/authenticator/remove'),
    statuses: write(),
  },
  'GET /account/security/recovery-codes': { path: at('/account/security/recovery-codes'), statuses: read() },
  // Without an app there are none.
  'POST /account/security/recovery-codes': { path: at('/account/security/recovery-codes'), statuses: write() },
  'GET /account/email': { path: at('/account/email'), statuses: read() },
  'POST /account/email': {
    path: at('/account/email'),
    form: () => ({ email: `${++count}@example.org` }),
    statuses: write(200),
    isOnce: true,
  },
  // A link of somebody else.
  'GET /account/email/:token': { path: () => link('email'), statuses: read(404) },
  'POST /account/email/:token': { path: () => link('email'), statuses: write(404) },
  'GET /account/close': { path: at('/account/close'), statuses: read() },
  // The form does not name the account.
  'POST /account/close': { path: at('/account/close'), statuses: write(422) },
  // A sign-in of just now is enough.
  'GET /confirm': { path: at('/confirm'), statuses: everybody(303) },
  'POST /confirm': { path: at('/confirm'), form: () => ({ means: 'password', password: 'wrong' }), statuses: write() },
  'GET /account/sessions': { path: at('/account/sessions'), statuses: read() },
  'POST /account/sessions': { path: at('/account/sessions'), statuses: write() },
  'GET /account/reports': { path: at('/account/reports'), statuses: read() },
  'POST /account/reports': {
    path: at('/account/reports'),
    form: () => ({ action: 'all-off' }),
    statuses: write(),
  },
  'GET /p/:project/audit': { path: inBooks('audit'), statuses: { ...read(), ...managers } },
  'GET /p/:project/audit.jsonl': { path: inBooks('audit.jsonl'), statuses: { ...read(), ...managers } },
  ...adminForms(),
  'GET /admin/audit': { path: at('/admin/audit'), statuses: administrators },
  'GET /admin/audit.jsonl': { path: at('/admin/audit.jsonl'), statuses: administrators },
  'GET /admin/instances': { path: at('/admin/instances'), statuses: administrators },
  'GET /integrations/:id/verify/:token': { path: confirm, statuses: everybody(200) },
  'POST /integrations/:id/verify/:token': { path: confirm, statuses: everybody(200) },
  'GET /integrations/:id/unsub/:token': { path: unsubscribe('alerts'), statuses: everybody(200) },
  'POST /integrations/:id/unsub/:token': { path: unsubscribe('alerts'), statuses: everybody(200) },
  'GET /integrations/:id/unsub/report/:token': { path: unsubscribe('report'), statuses: everybody(200) },
  'POST /integrations/:id/unsub/report/:token': { path: unsubscribe('report'), statuses: everybody(200) },
  'GET /integrations/:id/unsub/reminder/:token': { path: unsubscribe('reminder'), statuses: everybody(200) },
  'POST /integrations/:id/unsub/reminder/:token': { path: unsubscribe('reminder'), statuses: everybody(200) },
  'GET /docs/api': { path: at('/docs/api'), statuses: everybody(200), cache: 'public, max-age=60' },
  'GET /docs': { path: at('/docs'), statuses: everybody(200), cache: 'public, max-age=60' },
  'GET /docs/search': { path: at('/docs/search?q=grace'), statuses: everybody(200), cache: 'public, max-age=60' },
  'GET /docs/:name': { path: at('/docs/backup'), statuses: everybody(200), cache: 'public, max-age=60' },
  'GET /accounts/login': { path: at('/accounts/login'), statuses: everybody(303) },
  'GET /projects/:id/checks': {
    path: () => `/projects/${books.id}/checks/`,
    statuses: { ...everybody(303), ...members },
  },
  'GET /checks/:id/details': {
    path: () => `/checks/${check.id}/details/`,
    statuses: { ...everybody(303), ...members },
  },
  'GET /checks/:id/log': { path: () => `/checks/${check.id}/log/`, statuses: { ...everybody(303), ...members } },
  'GET /cloaked/:id': { path: () => `/cloaked/${uniqueKey(check.id)}/`, statuses: { ...everybody(303), ...members } },
  'GET /assets/:file': {
    path: () => assetPath('overdue.css'),
    statuses: everybody(200),
    cache: 'public, max-age=31536000, immutable',
  },
  'GET /favicon.svg': { path: at('/favicon.svg'), statuses: everybody(200), cache: 'public, max-age=86400' },
  'GET /favicon-down.svg': { path: at('/favicon-down.svg'), statuses: everybody(200), cache: 'public, max-age=86400' },
  'GET /favicon.ico': { path: at('/favicon.ico'), statuses: everybody(200), cache: 'public, max-age=86400' },
  'GET /robots.txt': { path: at('/robots.txt'), statuses: everybody(200), cache: 'public, max-age=86400' },
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const routeOf = (name: string) => {
  const route = table.find((each) => nameOf(each) === name)
  if (!route) throw new Error(`the table has no ${name}`)
  return route
}
const fixturesOf = (method: 'GET' | 'POST') =>
  Object.entries(FIXTURES).filter(([name]) => name.startsWith(`${method} `))

/** In which they have signed in. Routes that leave them as they were are asked with these. */
const browsers = new Map<Who, Browser>()

async function browserOf(who: Who): Promise<Browser> {
  const known = browsers.get(who) ?? (await newcomer(who))
  browsers.set(who, known)
  return known
}

/** The next routes are asked by other people, an hour later. */
function dismissAll(): void {
  browsers.clear()
  t.clock.advance({ hours: 1 })
}

/** A new browser, in which a new account of that kind has signed in. */
async function newcomer(who: Who): Promise<Browser> {
  if (who === 'stranger') return openBrowser(t)
  const account = await addAccount(t, { isAdministrator: who === 'administrator' })
  if (who !== 'outsider' && who !== 'administrator') await setRole(t, account, who satisfies Role, books)
  return signedIn(t, account)
}

async function ask(browser: Browser, method: string, { path, form }: Fixture) {
  if (method === 'POST') return browser.post(await path(), form?.() ?? {})
  const answer = await browser.ask(method, await path())
  const isStream = answer.headers.get('content-type') === 'text/event-stream'
  if (isStream) await answer.body?.cancel()
  const { status, headers } = answer
  return { status, headers, text: isStream ? '' : await answer.text() }
}

/** The right of who asks, with a form from another place. */
const sent = (browser: Browser, path: string, form: Fields, origin: string | null) =>
  browser.ask(
    'POST',
    path,
    { 'content-type': 'application/x-www-form-urlencoded', ...(origin === null ? {} : { origin }) },
    new URLSearchParams(form).toString(),
  )

const writes = async () => {
  // What an earlier request does after its answer is no write of this one.
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
      const { status, headers, text } = await ask(await browserOf(who), method, fixture)
      statuses[who] = status
      const isKept = status === 200 && fixture.cache !== undefined
      expect(headers.get('cache-control')).toBe(isKept ? (fixture.cache ?? '') : 'no-store')
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
    }
    expect(statuses).toEqual(fixture.statuses)
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

test.each(fixturesOf('GET'))('%s answers HEAD as it answers GET', async (_, fixture) => {
  const browser = await browserOf('owner')
  const [head, get] = [await ask(browser, 'HEAD', fixture), await ask(browser, 'GET', fixture)]
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
      const { status, headers } = await ask(browser, method, {
        path: at(path.replaceAll(':', '')),
        statuses: everybody(405),
      })
      expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, methods.join(', ')])
    }
  }
})

describe.each(fixturesOf('POST'))('%s', (name, { path, form }) => {
  test('from another origin, or from none, is refused and changes nothing', async () => {
    const isMailLink = routeOf(name).acceptsAnyOrigin === true
    expect(isMailLink).toBe(name.startsWith('POST /integrations/'))
    // Somebody who may: else the answer would be the same without the check.
    const who = name.startsWith('POST /admin/') ? 'administrator' : 'owner'
    for (const origin of ['https://evil.example', 'null', 'http://localhost:8000.evil.example', null]) {
      const browser = await browserOf(who)
      const token = browser.token()
      const address = await path()
      const fields = form?.() ?? {}
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
    importDesk: new ImportDesk(t.app.deps),
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
