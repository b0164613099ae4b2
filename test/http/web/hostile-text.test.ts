/** Hostile text in every field that a client can set: a page shows it as text, without any other effect. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tokenLookup } from '../../../src/domain/account/session.ts'
import { operatorIn } from '../../../src/domain/actor.ts'
import { confirmUrl, morningUrl, unsubscribeUrl } from '../../../src/domain/mail/links.ts'
import type { Project } from '../../../src/domain/project.ts'
import type { Route } from '../../../src/http/web/route.ts'
import { pageRoutes } from '../../../src/http/web/routes.ts'
import { AdminImport } from '../../../src/import/engine/admin-import.ts'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
import { invite } from '../../../src/services/accounts/invitations.ts'
import { issueLink } from '../../../src/services/accounts/one-time-links.ts'
import { startSession } from '../../../src/services/accounts/sign-in/sessions.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { createKey } from '../../../src/services/projects/keys.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { addAccount, type Browser, type Fields, openBrowser, setRole, signedIn } from '../../support/browser.ts'
import { aSignal, bytes } from '../../support/builders.ts'
import { HOSTILE, mailWith } from '../../support/hostile-texts.ts'
import { type FormField, type PageForm, type ScannedPage, scanPage } from '../../support/page-scan.ts'
import { aChannel, anAuthor, webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'

/** Groups of texts: a test fails if any text of a group has an effect. */
const GROUPS = Array.from({ length: 5 }, (_, group) => HOSTILE.filter((_, index) => index % 5 === group).join(' '))
const [GROUP = ''] = GROUPS
/** Shortens a text to the greatest length of a name. */
const short = (text: string, length = 100) => text.slice(0, length).toWellFormed()
/** Removes characters that a header may not contain. */
const asHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '')

interface Visited extends ScannedPage {
  readonly path: string
  readonly text: string
  readonly reader: Browser
}

let t: TestApp
let table: readonly Route[]
let project: Project
let owner: Browser
let stranger: Browser
/** Values in the paths of pages, by their names in the table. */
let named: Readonly<Record<string, string>>
/** Whole paths by those of the table, where names are not enough. */
let whole: Readonly<Record<string, string>>
/** Every page, as seen by a person who may see it. */
let visited: readonly Visited[]
/** Paths of the table without a page. */
const without: string[] = []

beforeAll(async () => {
  t = await testApp({
    env: {
      INSTANCE_NAME: short(GROUP),
      OIDC_NAME: short(GROUP, 60),
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'overdue',
      EMAIL_HOST: 'mail.example.org',
      REGISTRATION_OPEN: 'True',
      SHELL_ENABLED: 'True',
    },
  })
  const { deps } = t.app
  const pings = createPingReceiver(deps)
  const longReads = new LongReads(deps.store)
  const publicLimit = createRateLimit(deps.now, 0)
  table = pageRoutes({ ...deps, publicLimit, pings, longReads, adminImport: new AdminImport(deps), backups: null })
  stranger = openBrowser(t)
  const projects = []
  for (const text of GROUPS) projects.push((await createProject(deps, short(text))).project)
  const [first] = projects
  if (!first) throw new Error('there are five projects')
  project = first
  const actor = operatorIn(project)
  const writes = () => deps.store.by(anAuthor({ at: t.clock.now(), kind: 'person', name: short(GROUP) }))

  const account = await addAccount(t, { email: 'ops@example.org', isAdministrator: true })
  const hostiles = []
  for (const text of GROUPS) hostiles.push(await addAccount(t, { email: `${short(text, 60)}@example.org` }))
  for (const each of projects) await setRole(t, account, 'owner', each)
  for (const each of hostiles) await setRole(t, each, 'member', project)
  const at = { createdAt: t.clock.now(), lastUsedAt: null }
  for (const [index, text] of GROUPS.entries()) {
    const passkey = { id: `passkey-${index}`, publicKey: 'x', counter: 0, transports: [] }
    await writes().passkeys.add({ ...passkey, ...at, accountId: account.id, name: short(text) }, null)
    await writes().identities.link({ ...at, accountId: account.id, issuer: `https://${index}`, subject: text }, null)
  }
  for (const userAgent of GROUPS) {
    await startSession(deps, account, { address: '192.0.2.1', userAgent }, { method: 'printed-link' })
  }

  const channels = GROUPS.map((text) =>
    aChannel(project, {
      name: short(text),
      settings: { ...webhook(`https://example.org/?q=${encodeURIComponent(text)}`), body_down: text },
      lastError: text,
    }),
  )
  const mailed = { value: 'ops@example.org', report: 'daily', reminder: 'daily' }
  const mail = aChannel(project, { kind: 'email', name: short(GROUP), settings: mailed })
  for (const channel of [...channels, mail]) await writes().channels.create(channel)
  for (const text of HOSTILE) {
    await upsertCheck(deps, actor, { name: short(text), tags: text.slice(0, 500), desc: text }, false)
  }
  const pinged = []
  for (const [index, text] of GROUPS.entries()) {
    const words = { tags: text.slice(0, 500), desc: text }
    const { check } = await upsertCheck(deps, actor, { name: short(`Pinged ${text}`), ...words, channels: '*' }, false)
    const target = { kind: 'id', id: check.id } as const
    const answer = answered(400, { 'x-job': asHeader(text) }, text)
    // The last alert gets no answer, so that the error is the text.
    t.answerWith(index < 4 ? answer : { kind: 'unreachable', error: text, permanent: true })
    await pings.receive(target, aSignal({ action: 'fail', method: 'POST', ua: text, body: bytes(text) }))
    await pings.receive(target, aSignal({ scheme: 'email', method: '', ua: text, body: bytes(email(text)) }))
    await t.app.settle('deliveries')
    pinged.push(check)
  }
  const { check: failing } = await upsertCheck(deps, actor, { name: short(`Down ${GROUP}`) }, false)
  await pings.receive({ kind: 'id', id: failing.id }, aSignal({ action: 'fail', body: bytes(GROUP) }))
  const [check] = pinged
  const [channel] = channels
  if (!check || !channel) throw new Error('there are checks and channels')
  await createKey(deps, actor, 'read-only', short(GROUP))
  const [key] = (await deps.store.keys.list(project.id)).filter(({ kind }) => kind === 'read-only')
  const load = { pingsPerSecond: 1, commitMilliseconds: 1, processorShare: 1, memoryMegabytes: 1 }
  const instance = { id: 'hostile', name: GROUP, version: short(GROUP), clockAhead: 0, load }
  await deps.store.server.recordAlive(t.clock.now(), undefined, {
    ...instance,
    startedAt: t.clock.now(),
    seenAt: t.clock.now(),
  })
  await writes().invitations.create({
    lookup: tokenLookup('hostile'),
    projectId: project.id,
    email: `${short(GROUP, 60)}@example.org`,
    role: 'member',
    invitedBy: null,
    createdAt: t.clock.now(),
    expiresAt: t.clock.now().add({ hours: 24 }),
  })

  owner = await signedIn(t, account)
  // After this, pages that ask for confirmation are shown.
  await deps.store.sessions.confirm(tokenLookup(owner.token() ?? ''), t.clock.now())
  const statusPage = `/p/${project.slug}/status-page`
  const page = { slug: 'hostile', title: short(GROUP), text: GROUP, tz: 'UTC', public: 'on' }
  await owner.post(statusPage, { action: 'save', ...page })
  const added = await owner.post(statusPage, {
    action: 'add',
    'section-name': short(GROUP),
    'section-tag': GROUP.split(' ')[0] ?? '',
  })
  const section = added.location ?? ''
  const id = check.publicId
  const shown = { [`show-${id}`]: 'on', [`name-${id}`]: short(GROUP), [`text-${id}`]: GROUP.slice(0, 200) }
  await owner.post(section, { name: short(GROUP), check: id, ...shown })

  const incident = `/p/${project.slug}/alerts/${failing.publicId}-1`
  await owner.post(incident, { action: 'take' })
  for (const text of GROUPS) await owner.post(incident, { action: 'note', note: short(text, 1000) })
  await owner.post(`${incident}/take`, { note: short(GROUP, 1000), day: '' })

  for (const text of GROUPS)
    await owner.post(`/p/${project.slug}/mute`, { c: id, until: '1h', reason: short(text, 1000) })

  await owner.post('/account/reports', { action: 'morning', morning: 'always', hour: '8' })

  const { links, secret } = deps.site
  const pathOf = (url: string | null) => new URL(url ?? '').pathname
  const link = async (...of: Parameters<typeof issueLink> extends [unknown, ...infer Rest] ? Rest : never) =>
    pathOf((await issueLink(deps, ...of)).url)
  whole = {
    '/invitation/:token': pathOf((await invite(deps, actor, 'read-only', null)).url),
    '/setup/:token': '/setup/none',
    '/sign-in/link/:token': await link('sign-in', hostiles[0]?.id ?? ''),
    '/sign-up/:token': await link('sign-up', null, `${short(GROUP, 60)}@example.org`),
    '/password/:token': await link('password', hostiles[1]?.id ?? ''),
    '/account/email/:token': await link('email', account.id, `${short(GROUP, 60)}@example.org`),
    '/integrations/:id/verify/:token': pathOf(confirmUrl(links, mail.id, 'ops@example.org', secret)),
    '/integrations/:id/unsub/:token': pathOf(unsubscribeUrl(links, mail.id, 'alerts', secret)),
    '/integrations/:id/unsub/report/:token': pathOf(unsubscribeUrl(links, mail.id, 'report', secret)),
    '/integrations/:id/unsub/reminder/:token': pathOf(unsubscribeUrl(links, mail.id, 'reminder', secret)),
    '/morning-mail/:id/off/:token': pathOf(morningUrl(links, account.id, account.email, 'off', secret)),
    '/morning-mail/:id/trouble/:token': pathOf(morningUrl(links, account.id, account.email, 'trouble', secret)),
    '/p/:project/mute': `/p/${project.slug}/mute?c=${check.publicId}`,
    '/p/:project/alerts/:alert/take': `${incident}/take`,
    '/p/:project/reports/:channel': `/p/${project.slug}/reports/${mail.id}`,
    '/p/:project/reports/:channel/email': `/p/${project.slug}/reports/${mail.id}/email`,
    '/assets/:file': '/assets/none',
    '/projects/:id/checks': `/projects/${project.id}/checks/`,
  }
  named = {
    project: project.slug,
    check: id,
    n: '1',
    alert: `${id}-1-${channel.id}`,
    incident: `${failing.publicId}-1`,
    channel: channel.id,
    kind: 'webhook',
    section: section.split(/[/?]/).findLast((part) => part.length > 0 && !part.includes('=')) ?? '',
    key: key?.lookup ?? '',
    account: hostiles[0]?.id ?? '',
    passkey: 'passkey-0',
    slug: 'hostile',
    name: 'backup',
    id: check.id,
  }
  visited = await visitAll()
})
afterAll(() => t.close())

function email(text: string): string {
  const name = asHeader(text).slice(0, 400)
  return mailWith(text, [`From: ${name} <a@b.example>`, `X-Job: ${name}`])
}

/** @throws when the table has a name without a value */
function pathOf({ path }: Route): string {
  return (
    whole[path] ??
    path.replaceAll(/:(\w+)/g, (_, name: string) => {
      if (named[name] === undefined) throw new Error(`nothing stands for :${name} of ${path}`)
      return encodeURIComponent(named[name])
    })
  )
}

/** Returns the readers of a route. Strangers see some pages that nobody else sees. */
function readersOf({ access }: Route): readonly Browser[] {
  if (access === 'visitor') return [stranger, owner]
  return access === 'public' ? [stranger] : [owner]
}

/** @returns null if the answer is no page, such as a stream or a file */
async function visit(path: string, reader: Browser): Promise<Visited | null> {
  const answer = await reader.ask('GET', path, { accept: 'text/html' })
  expect([path, answer.status]).not.toEqual([path, 500])
  if (!answer.headers.get('content-type')?.startsWith('text/html')) {
    await answer.body?.cancel()
    return null
  }
  const text = await answer.text()
  return { path, text, reader, ...scanPage(text.startsWith('<!doctype') ? text : `<html>${text}</html>`) }
}

/** Path of a report in a frame. It has no rights there, and is styled like an email. */
const REPORT = '/p/:project/reports/:channel/email'
const pages = () => table.filter(({ method, path }) => method === 'GET' && path !== REPORT)

async function visitAll(): Promise<readonly Visited[]> {
  const found: Visited[] = []
  const add = async (path: string, reader: Browser) => {
    const page = await visit(path, reader)
    if (page) found.push(page)
    return page !== null
  }
  for (const route of pages()) {
    const shown = []
    for (const reader of readersOf(route)) shown.push(await add(pathOf(route), reader))
    if (!shown.includes(true)) without.push(route.path)
  }
  const inProject = `/p/${project.slug}`
  const others = [
    `checks/${named.check}/log/2`,
    `alerts/${named.incident}`,
    ...['schedule', 'rules', 'alerts'].map((tab) => `checks/${named.check}/edit?tab=${tab}`),
    ...['zulip', 'shell', 'group'].map((kind) => `integrations/new/${kind}`),
  ]
  const [tag = ''] = GROUP.split(' ')
  const chosen = { check: named.check ?? '', channel: named.channel ?? '', tag, q: `${short(GROUP, 20)} nowhere` }
  for (const list of ['badges', 'alerts', 'audit']) {
    for (const [name, value] of Object.entries(chosen)) others.push(`${list}?${name}=${encodeURIComponent(value)}`)
  }
  for (const path of others) await add(`${inProject}/${path}`, owner)
  await add(`/wall?p=${project.slug}`, owner)
  for (const text of HOSTILE.filter((_, index) => index % 5 === 0)) {
    await add(`/p/${project.slug}/checks?q=${encodeURIComponent(short(text, 20))}`, owner)
  }
  return found
}

const faultsOf = (all: readonly Visited[]) =>
  all.filter(({ faults }) => faults.length > 0).map(({ path, faults }) => [path, ...faults])

test('in what is stored, on every page', () => {
  expect(faultsOf(visited)).toEqual([])
  expect(new Set(without)).toEqual(
    new Set([
      // No sign-in or linking is in progress, and a recent sign-in needs no confirmation.
      ...['/account/security/single-sign-on/link', '/sign-in/code', '/confirm'],
      // Files, and addresses that lead elsewhere.
      '/p/:project/checks/:check/log/:n/body',
      ...['/p/:project/checks/:check/schedule', '/p/:project/checks/:check/rules'],
      '/p/:project/checks/:check/ping-url',
      ...['/p/:project/team/invitations', '/admin/import/apply', '/p/:project/audit.jsonl', '/admin/audit.jsonl'],
      '/admin/backups/download',
      ...['/p/:project/deliveries', '/p/:project/deliveries/:alert', '/i/:incident'],
      ...['/accounts/login', '/projects/:id/checks', '/checks/:id/details', '/checks/:id/log'],
      ...['/favicon.svg', '/favicon-down.svg', '/favicon.ico', '/robots.txt', '/overdue-run'],
    ]),
  )
})

test('in the email of a report, which has nothing but texts, styles and links to nowhere', async () => {
  const report = await visit(whole[REPORT] ?? '', owner)
  expect(report?.faults.filter((fault) => !/^<\w+ style>$/.test(fault))).toEqual([])
  expect(new Set(report?.links)).toEqual(new Set(['#']))
})

test('is shown as it was written, in a list', () => {
  const list = visited.find(({ path }) => path === `/p/${project.slug}/checks`)?.text ?? ''
  for (const text of HOSTILE) expect(list).toContain(Bun.escapeHTML(short(text)).replaceAll('&#x27;', '&#39;'))
})

test('in addresses: in every query of every page, and in every name of a path', async () => {
  const names = new Set(['next', 'done', 'from', 'email'])
  for (const { links, forms } of visited) {
    for (const link of links) for (const [name] of new URL(link, 'http://localhost').searchParams) names.add(name)
    for (const { method, fields } of forms) if (method === 'get') for (const { name } of fields) names.add(name)
  }
  const found: Visited[] = []
  for (const [index, route] of pages().entries()) {
    const text = GROUPS[index % GROUPS.length] ?? ''
    const query = new URLSearchParams(Array.from(names, (name): [string, string] => [name, `/${text}`]))
    const hostile = encodeURIComponent(short(text))
    const paths = [`${pathOf(route)}?${query}`, route.path.replaceAll(/:\w+/g, hostile), `/${hostile}`]
    for (const reader of readersOf(route)) {
      for (const path of paths) {
        const page = await visit(path, reader)
        if (page) found.push(page)
      }
    }
  }
  expect(found.length).toBeGreaterThan(200)
  expect(faultsOf(found)).toEqual([])
})

test('typed into every form, with each of its choices', async () => {
  const found: Visited[] = []
  const sent = new Set<string>()
  let count = 0
  for (const { path, forms, reader } of visited) {
    for (const form of forms) {
      const action = form.action === '' ? path : form.action
      const key = `${action} ${form.fields.map(({ name }) => name)}`
      if (form.method !== 'post' || !form.fields.some(isTyped) || sent.has(key)) continue
      sent.add(key)
      for (const fields of filledIn(form, GROUPS[sent.size % GROUPS.length] ?? '')) {
        const { status, location, text } = await reader.post(action, fields)
        expect([action, status]).not.toEqual([action, 500])
        count += 1
        const page = location === null ? { path: action, text, reader, ...scanPage(text) } : null
        const next = page ?? (await visit(location ?? '', reader))
        if (next) found.push(next)
      }
    }
  }
  expect([sent.size > 30, count > 60]).toEqual([true, true])
  expect(faultsOf(found)).toEqual([])
})

test('in previews, which the script puts into a page', async () => {
  const checks = `/p/${project.slug}/checks`
  const own = `${checks}/${named.check}`
  const previews = {
    [`${checks}/new`]: `${checks}/new/preview`,
    [`${own}/edit?tab=schedule`]: `${own}/edit/schedule/preview`,
    [`${own}/edit?tab=rules`]: `${own}/edit/rules/preview`,
    [`${own}/edit?tab=alerts`]: `${own}/edit/alerts/preview`,
  }
  for (const [path, preview] of Object.entries(previews)) {
    const [form] = visited.find((page) => page.path === path)?.forms.filter(({ method }) => method === 'post') ?? []
    if (!form) throw new Error(`${path} has no form`)
    for (const fields of filledIn(form, GROUP)) {
      const { status, text } = await owner.post(preview, fields)
      expect([path, status, scanPage(`<html>${text}</html>`).faults]).toEqual([path, 200, []])
    }
  }
})

const isTyped = ({ kind }: FormField) => !/^(?:hidden|button|checkbox|radio|select|submit|file)$/.test(kind)

/** Fills all text fields with the text; once for each possible choice. */
function filledIn({ fields }: PageForm, text: string): readonly Fields[] {
  const [button] = fields.filter(({ kind }) => kind === 'button')
  const plain = Object.fromEntries(
    fields
      .filter((field) => field.kind !== 'button' || field === button)
      .flatMap((field) => {
        const value = isTyped(field) ? text : field.value
        return value === null ? [] : [[field.name, value] as const]
      }),
  )
  const chosen = fields.flatMap(({ name, value, choices }) =>
    choices.filter((choice) => choice !== value).map((choice) => ({ ...plain, [name]: choice })),
  )
  // A list of time zones has hundreds.
  return [plain, ...chosen.slice(0, 8)]
}
