/** The audit log of what people, keys and commands do through the services. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../src/domain/account/account.ts'
import { tokenLookup } from '../../src/domain/account/session.ts'
import { type Actor, OPERATOR } from '../../src/domain/actor.ts'
import type { AuditEntry } from '../../src/domain/audit/audit.ts'
import type { Author } from '../../src/domain/author.ts'
import { createAccount, deleteAccount, setPreferences } from '../../src/services/accounts/accounts.ts'
import {
  createAdmin,
  createFirstAccount,
  issueFirstAccountLink,
} from '../../src/services/accounts/sign-in/first-account.ts'
import { changePassword, choosePassword, resetPassword } from '../../src/services/accounts/sign-in/passwords.ts'
import { endOtherSessions, endSession } from '../../src/services/accounts/sign-in/sessions.ts'
import { signIn } from '../../src/services/accounts/sign-in/sign-in.ts'
import { deleteChannel } from '../../src/services/channels/channel-deletion.ts'
import { createChannel, editChannel, getChannel } from '../../src/services/channels/channels.ts'
import {
  clearCheck,
  copyCheck,
  deleteCheck,
  pauseCheck,
  resumeCheck,
  updateCheck,
  upsertCheck,
} from '../../src/services/checks/checks.ts'
import { createFirstCheck } from '../../src/services/checks/first-ping.ts'
import { createKey, getKeyActor, revokeKey } from '../../src/services/projects/keys.ts'
import { enterProject, removeMember, setMember } from '../../src/services/projects/members.ts'
import {
  createOwnProject,
  createProject,
  setPingLogLimit,
  setProjectSettings,
} from '../../src/services/projects/projects.ts'
import { allChecks } from '../support/lists.ts'
import { only, webhook } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { accountOf, BROWSER, entered, OTHER_PASSWORD, PASSWORD, personAt, tokenIn } from './accounts/people.ts'

const RENAMED = { name: 'Renamed', pingLogLimit: 100, isSearched: true, tz: null }

let t: TestApp
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org', SITE_ROOT: 'https://overdue.test' } })
})
afterEach(() => t.close())

const deps = () => t.app.deps
const all = () => deps().store.audit.list(1000)
const inWords = ({ action, subject }: AuditEntry) => `${action} ${subject.kind} ${subject.name}`

/** Returns the rows that `work` writes, those of a later change first. */
async function written(work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const before = await all()
  t.clock.advance({ seconds: 1 })
  await work()
  const after = await all()
  return after.slice(0, after.length - before.length)
}

const checkOf = async (name: string) => {
  const found = (await allChecks(deps().store, t.project.id)).find(({ check }) => check.name === name)
  if (!found) throw new Error(`there is no check ${name}`)
  return found.check
}
const WEBHOOK = { kind: 'webhook', name: 'Ops', settings: webhook() }

type Changes = readonly (readonly [name: string, row: string, change: (actor: Actor) => Promise<unknown>])[]

/** Changes in an order in which all succeed, beginning with those that a key may make. */
const BY_ALL: Changes = [
  ['upsertCheck', 'create check Job', (actor) => upsertCheck(deps(), actor, { name: 'Job' }, false)],
  [
    'upsertCheck of one',
    'edit check Job',
    (actor) => upsertCheck(deps(), actor, { name: 'Job', tags: 'a', unique: ['name'] }, false),
  ],
  [
    'updateCheck',
    'edit check Task',
    async (actor) => updateCheck(deps(), actor, await checkOf('Job'), { name: 'Task' }, false),
  ],
  ['pauseCheck', 'edit check Task', async (actor) => pauseCheck(deps(), actor, await checkOf('Task'))],
  ['resumeCheck', 'edit check Task', async (actor) => resumeCheck(deps(), actor, await checkOf('Task'))],
  ['clearCheck', 'edit check Task', async (actor) => clearCheck(deps(), actor, await checkOf('Task'))],
  ['deleteCheck', 'delete check Task', async (actor) => deleteCheck(deps(), actor, await checkOf('Task'))],
  ['createFirstCheck', 'create check First job', (actor) => createFirstCheck(deps(), actor, 'First job')],
  ['copyCheck', 'create check First job (copy)', async (actor) => copyCheck(deps(), actor, await checkOf('First job'))],
  ['createChannel', 'create channel Ops', (actor) => createChannel(deps(), actor, WEBHOOK)],
  [
    'editChannel',
    'edit channel Night',
    async (actor) => editChannel(deps(), actor, await getChannel(deps(), actor, 'Ops'), { name: 'Night' }),
  ],
  [
    'deleteChannel',
    'delete channel Night',
    async (actor) => deleteChannel(deps(), actor, await getChannel(deps(), actor, 'Night')),
  ],
  ['createKey', 'create key', (actor) => createKey(deps(), actor, 'ping')],
  ['revokeKey', 'delete key', (actor) => revokeKey(deps(), actor, t.keys.pingKey)],
  ['setPingLogLimit', 'edit project Tests', (actor) => setPingLogLimit(deps(), actor, 7)],
]
const BY_OWNERS: Changes = [
  ...BY_ALL,
  [
    'setMember',
    'create member newcomer@example.org',
    (actor) => setMember(deps(), actor, 'newcomer@example.org', 'member'),
  ],
  [
    'setMember of one',
    'edit member newcomer@example.org',
    (actor) => setMember(deps(), actor, 'newcomer@example.org', 'manager'),
  ],
  [
    'removeMember',
    'delete member newcomer@example.org',
    (actor) => removeMember(deps(), actor, 'newcomer@example.org'),
  ],
  ['setProjectSettings', 'edit project Renamed', (actor) => setProjectSettings(deps(), actor, RENAMED)],
]

describe('each change of a project is one row', () => {
  const rowsOf = async (actor: Actor, changes: Changes, author: Omit<Author, 'changeId' | 'at'>) => {
    await accountOf(t, { email: 'newcomer@example.org', password: null })
    for (const [name, row, change] of changes) {
      const entry = only(await written(() => change(actor)))
      expect([name, inWords(entry)]).toEqual([name, expect.stringContaining(row)])
      expect(entry.projectId).toBe(t.project.id)
      const { changeId, at, ...by } = entry.author
      expect(changeId).toMatch(/^[0-9a-f-]{36}$/)
      expect(at).toEqual(t.clock.now())
      expect(by).toEqual(author)
    }
  }

  test('with the email and the address of a person', async () => {
    const ann = await accountOf(t, { role: 'owner', password: null })
    const actor = await enterProject(deps(), personAt(ann), t.project.slug)
    if (!actor) throw new Error('the owner has no place')
    const author = { kind: 'person', accountId: ann.id, name: 'ann@example.org', address: '192.0.2.7' } as const
    await rowsOf(actor, BY_OWNERS, author)
  })

  test('with the first characters of a key, and the address of its client', async () => {
    const actor = await getKeyActor(deps(), t.keys.apiKey, '2001:db8::1')
    const author = { kind: 'key', accountId: null, name: t.keys.apiKey.slice(0, 8), address: '2001:db8::1' } as const
    await rowsOf(actor, BY_ALL, author)
  })

  test('of a command', () => rowsOf(t.actor, BY_OWNERS, { kind: 'command', accountId: null, name: '', address: null }))
})

describe('each change of an account is a row', () => {
  const authors = (rows: readonly AuditEntry[]) =>
    rows.map((row) => `${inWords(row)} by ${row.author.name || row.author.kind}`)

  test('by the person or the command that made it', async () => {
    const admin = personAt(await accountOf(t, { email: 'root@example.org', isAdministrator: true, password: null }))
    const rows = await written(() => createAccount(deps(), admin, 'ann@example.org', false))
    expect(authors(rows)).toEqual(['create account ann@example.org by root@example.org'])
    const reset = await written(() => resetPassword(deps(), OPERATOR, 'ann@example.org'))
    expect(authors(reset)).toEqual(['edit account ann@example.org by command'])
    expect(reset[0]?.after).toEqual({ password_link: true })
    await setMember(deps(), t.actor, 'ann@example.org', 'member')
    expect(authors(await written(() => deleteAccount(deps(), OPERATOR, 'ann@example.org')))).toEqual([
      'delete member ann@example.org by command',
      'delete account ann@example.org by command',
    ])
  })

  test('by that person: passwords and preferences', async () => {
    const ann = await accountOf(t)
    const link = await resetPassword(deps(), OPERATOR, 'ann@example.org')
    const preferences = { tz: 'Europe/Riga', theme: 'dark', hasShortcuts: false } as const
    const chosen = await written(() => choosePassword(deps(), tokenIn(link.url), OTHER_PASSWORD, BROWSER))
    expect(authors(chosen).toSorted()).toEqual([
      'create session ann@example.org by ann@example.org',
      'edit account ann@example.org by ann@example.org',
    ])
    for (const change of [
      () => changePassword(deps(), personAt(ann), null, PASSWORD),
      () => setPreferences(deps(), personAt(ann), preferences),
    ]) {
      expect(authors(await written(change))).toEqual(['edit account ann@example.org by ann@example.org'])
    }
    expect(await written(() => setPreferences(deps(), personAt(ann), preferences))).toEqual([])
  })

  test('by that person: a sign-in, a sign-out, and another session that ends', async () => {
    const ann = await accountOf(t)
    const sessions: string[] = []
    const enter = async () => {
      const { session } = await entered(signIn(deps(), ann.email, PASSWORD, BROWSER))
      sessions.push(session.lookup)
    }
    const [began] = await written(enter)
    expect(began).toMatchObject({
      action: 'create',
      subject: { kind: 'session', name: ann.email },
      after: { method: 'password', second_factor: null },
      author: { name: ann.email, address: '192.0.2.7' },
    })
    await enter()
    await enter()
    const [first = '', , last = ''] = sessions
    const [left] = await written(() => endSession(deps(), personAt(ann), first))
    expect(left).toMatchObject({ action: 'delete', subject: began?.subject, before: { method: 'password' } })
    expect(authors(await written(() => endOtherSessions(deps(), personAt(ann), last)))).toEqual([
      'delete session ann@example.org by ann@example.org',
    ])
    expect(await written(() => endSession(deps(), personAt(ann), first))).toEqual([])
  })

  test('by the person who set the server up, with all that it owns then', async () => {
    await createProject(deps(), 'Default')
    const token = tokenIn((await issueFirstAccountLink(deps())).url)
    const form = { email: 'ann@example.org', password: PASSWORD, projectName: 'Home', tz: 'UTC' }
    const rows = await written(() => createFirstAccount(deps(), token, form, BROWSER))
    expect(rows.map((row) => `${inWords(row)} by ${row.author.name}`).toSorted()).toEqual(
      [
        'create account ann@example.org',
        'create member ann@example.org',
        'create member ann@example.org',
        'create session ann@example.org',
        'edit project Home',
      ].map((row) => `${row} by ann@example.org`),
    )
  })

  test('by a command, where the settings make it', async () => {
    const rows = await written(() => createAdmin(deps(), { email: 'ops@example.org', password: PASSWORD }))
    expect(authors(rows)).toEqual([
      'create account ops@example.org by command',
      'create member ops@example.org by command',
    ])
  })

  test('and so is a project that a person makes, with its ping key and its owner', async () => {
    const ann = await accountOf(t, { password: null })
    const rows = await written(() => createOwnProject(deps(), personAt(ann), 'Mine'))
    expect(rows.map(({ action, subject }) => `${action} ${subject.kind}`)).toEqual([
      'create project',
      'create key',
      'create member',
    ])
    expect(new Set(rows.map(({ author }) => author.changeId)).size).toBe(1)
  })
})

describe('the API', () => {
  test('writes a row for a change and none for a question', async () => {
    const post = () => t.call('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { name: 'Job' } })
    const entry = only(await written(post))
    expect([inWords(entry), entry.author.name]).toEqual(['create check Job', t.keys.apiKey.slice(0, 8)])
    expect(await written(() => t.call('GET', '/api/v3/checks/', { key: t.keys.apiKey }))).toEqual([])
  })
})

describe('no row is written', () => {
  test('by pings, by loops, and by what a receiver answers', async () => {
    const { id } = (await upsertCheck(deps(), t.actor, { name: 'Job', timeout: 60, grace: 60 }, false)).check
    await createChannel(deps(), t.actor, WEBHOOK)
    await createChannel(deps(), t.actor, { kind: 'email', name: 'Mail', settings: 'ops@example.org' })
    await updateCheck(deps(), t.actor, await checkOf('Job'), { channels: '*' }, false)
    t.answerWith({ kind: 'unreachable', error: 'gone', permanent: true })
    const rows = await written(async () => {
      for (const end of ['', '/start', '/fail', '/log', '/7']) await t.call('POST', `/ping/${id}${end}`, { body: 'x' })
      await t.call('GET', `/ping/${t.keys.pingKey}/made-by-ping?create=1`)
      t.clock.advance({ hours: 1 })
      for (const job of ['overdue', 'deliveries', 'mailings', 'retention', 'search'] as const) await t.app.settle(job)
      const unsubscribe = /https:\/\/overdue\.test(\/\S+unsub\S+)/.exec(t.mails[0]?.text ?? '')?.[1]
      expect((await t.call('POST', unsubscribe ?? '')).status).toBe(200)
    })
    expect((await checkOf('made-by-ping')).nPings).toBe(1)
    expect(t.sent.length).toBeGreaterThan(0)
    expect(rows).toEqual([])
  })
})

test('no secret is in any row', async () => {
  const ann: Account = await accountOf(t, { role: 'owner' })
  const actor = await enterProject(deps(), personAt(ann), t.project.slug)
  if (!actor) throw new Error('the owner has no place')
  const secrets = [t.keys.apiKey, t.keys.apiKeyReadonly, t.keys.pingKey, PASSWORD, OTHER_PASSWORD, deps().site.secret]
  const { token } = await signIn(deps(), ann.email, PASSWORD, BROWSER)
  const link = tokenIn((await resetPassword(deps(), OPERATOR, ann.email)).url)
  secrets.push(token, link, tokenLookup(token), tokenLookup(link))
  const { token: fresh } = await choosePassword(deps(), link, OTHER_PASSWORD, BROWSER)
  secrets.push(fresh)
  for (const kind of ['read-write', 'read-only', 'ping']) {
    const { key } = await createKey(deps(), actor, kind)
    secrets.push(key)
    if (kind !== 'ping') await revokeKey(deps(), actor, key)
  }
  for (const url of ['https://hooks.test/s3cr3t-a', 'https://hooks.test/s3cr3t-b']) {
    const made = await createChannel(deps(), actor, { kind: 'webhook', name: 'Ops', settings: webhook(url) })
    await editChannel(deps(), actor, made, { settings: webhook('https://hooks.test/s3cr3t-c') })
    await deleteChannel(deps(), actor, made)
  }
  const mail = await createChannel(deps(), actor, { kind: 'email', name: 'Mail', settings: 's3cr3t@example.org' })
  await editChannel(deps(), actor, mail, { settings: 's3cr3t-other@example.org' })
  const { check } = await upsertCheck(deps(), actor, { name: 'Job', channels: '*' }, false)
  await updateCheck(deps(), actor, check, { tags: 'a', channels: '' }, false)
  await deleteCheck(deps(), actor, check)
  await deleteAccount(deps(), OPERATOR, ann.email)
  secrets.push(check.id, check.badgeKey, t.project.badgeKey, 's3cr3t', 'argon2')
  for (const { lookup } of await deps().store.keys.list(t.project.id)) secrets.push(lookup)

  const rows = await all()
  expect(rows.length).toBeGreaterThan(20)
  const text = JSON.stringify(rows)
  expect(text).toContain('url_down')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5)
    expect(text.includes(secret) ? secret : null).toBeNull()
  }
})
