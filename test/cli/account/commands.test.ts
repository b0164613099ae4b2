/** `overdue account …`: its output, and its links. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createDeps } from '../../../src/app/deps.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Account } from '../../../src/domain/account/account.ts'
import type { Role } from '../../../src/domain/account/role.ts'
import { OPERATOR, operatorIn } from '../../../src/domain/actor.ts'
import { createAccount } from '../../../src/services/accounts/accounts.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import { setMember } from '../../../src/services/projects/members.ts'
import { createProject, getProject } from '../../../src/services/projects/projects.ts'
import { run, runOnTerminal } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { anAuthor } from '../../support/store-builders.ts'

let place: TestDatabase
beforeEach(async () => {
  place = await testDatabase()
  await prepare((deps) => createProject(deps, 'Backups'))
})
afterEach(() => place.remove())

const overdue = (...words: string[]) => run(words, { DATABASE_URL: place.url, SITE_ROOT: 'https://example.org' })

/** Changes the database as a server does. */
async function prepare(work: (deps: Deps) => Promise<unknown>): Promise<void> {
  const deps = await createDeps(readConfig({ DATABASE_URL: place.url }), () => {})
  await work(deps)
  await deps.closeCarriers()
  await deps.store.close()
}

/** Creates an account, with a role in the project if one is given. */
function has(email: string, over: { readonly isAdministrator?: true; readonly role?: Role } = {}): Promise<void> {
  return prepare(async (deps) => {
    const { account } = await createAccount(deps, OPERATOR, email, over.isAdministrator === true)
    if (over.role) await setMember(deps, operatorIn(await getProject(deps, 'Backups')), account.id, over.role)
  })
}

async function json<Answer>(...words: string[]): Promise<Answer> {
  const { code, out, err } = await overdue(...words, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Answer
}

const LINK = /^https:\/\/example\.org\/(setup|password)\/[\w-]{43}$/m
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/

/** Returns the hours until a time. */
const hoursUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 3_600_000)

describe('account link', () => {
  test('prints the link for the first account and when it ends', async () => {
    const { code, out } = await overdue('account', 'link')
    expect(code).toBe(0)
    const [link = '', ...rest] = out.trimEnd().split('\n')
    expect(LINK.exec(link)?.[1]).toBe('setup')
    expect(rest).toEqual([
      expect.stringMatching(
        /^→ open it to create the first account; the link can be used once, until \d{4}-\S+\+00:00$/,
      ),
    ])
    const { url, expires_at } = await json<{ url: string; expires_at: string }>('account', 'link')
    expect(url).toMatch(LINK)
    expect(url).not.toBe(link)
    expect(expires_at).toMatch(TIME)
    expect(hoursUntil(expires_at)).toBe(1)
  })

  test('is refused with a hint when there is an account', async () => {
    await has('jane@example.org')
    expect(await overdue('account', 'link')).toEqual({
      code: 1,
      out: '',
      err: 'an account exists already\n→ use `overdue account create EMAIL` for another one, or `overdue account reset EMAIL`\n',
    })
  })
})

describe('account create', () => {
  test('prints a link to choose the password, valid for a day', async () => {
    const made = await json<{ link: { url: string; expires_at: string } } & Record<string, unknown>>(
      'account',
      'create',
      ' Jane@Example.ORG ',
      '--administrator',
    )
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      email: 'jane@example.org',
      administrator: true,
      created: expect.stringMatching(TIME),
      has_password: false,
      second_factor: false,
      suspended: false,
      link: { url: expect.stringMatching(LINK), expires_at: expect.stringMatching(TIME) },
    })
    expect(made.link.url).toContain('/password/')
    expect(hoursUntil(made.link.expires_at)).toBe(24)
  })

  test('says when nobody administers the server', async () => {
    const note = '→ this server has no administrator: use `overdue account create EMAIL --administrator`'
    expect((await overdue('account', 'create', 'jane@example.org')).out.split('\n')).toContain(note)
    expect((await overdue('account', 'create', 'ops@example.org', '--administrator')).out).not.toContain(note)
    expect((await overdue('account', 'create', 'joe@example.org')).out).not.toContain(note)
  })

  test.each([
    ['jane', '"jane" is not an email address', 'use an address such as ops@example.org'],
    [
      'JANE@example.org',
      'an account of jane@example.org exists already',
      'to choose another password, use `overdue account reset EMAIL`; see `overdue account list`',
    ],
  ])('of %s is refused', async (email, message, hint) => {
    await has('jane@example.org')
    expect(await overdue('account', 'create', email)).toEqual({ code: 1, out: '', err: `${message}\n→ ${hint}\n` })
  })
})

test('account link with an email prints a link that signs in once', async () => {
  await has('jane@example.org')
  const { out } = await overdue('account', 'link', 'Jane@example.org')
  const [link = '', ...rest] = out.trimEnd().split('\n')
  expect(link).toMatch(/^https:\/\/example\.org\/sign-in\/link\/[\w-]{43}$/)
  expect(rest).toEqual([
    expect.stringMatching(
      /^→ anyone who opens it signs in as jane@example\.org; the link can be used once, until \S+\+00:00$/,
    ),
  ])
  expect((await overdue('account', 'link', 'joe@example.org')).err).toContain(
    'there is no account of "joe@example.org"',
  )
})

test('where people sign in at the OpenID provider only, there are links to sign in, and none to choose a password', async () => {
  const alone = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'overdue', LOCAL_SIGN_IN: 'False' }
  const elsewhere = (...words: string[]) => run(words, { DATABASE_URL: place.url, ...alone })
  const made = await elsewhere('account', 'create', 'jane@example.org', '--administrator')
  expect(made.out).toBe(
    'created the account of jane@example.org, an administrator; its owner signs in at the OpenID provider (LOCAL_SIGN_IN)\n',
  )
  expect(await elsewhere('account', 'reset', 'jane@example.org')).toEqual({
    code: 1,
    out: '',
    err: 'people sign in at the OpenID provider only (LOCAL_SIGN_IN), so accounts have no passwords\n→ use `overdue account link EMAIL` for a link that signs in without the provider\n',
  })
  expect((await elsewhere('account', 'link', 'jane@example.org')).code).toBe(0)
})

describe('where a proxy signs people in', () => {
  const PROXY = { REMOTE_USER_HEADER: 'X-Remote-User', TRUSTED_PROXIES: '192.0.2.1' }
  const behindProxy = (...words: string[]) => run(words, { DATABASE_URL: place.url, ...PROXY })

  test('account create prints no link to choose a password', async () => {
    expect(await behindProxy('account', 'create', 'jane@example.org', '--administrator')).toEqual({
      code: 0,
      out: 'created the account of jane@example.org, an administrator; the proxy signs its owner in (REMOTE_USER_HEADER)\n',
      err: '',
    })
    const { out } = await behindProxy('account', 'create', 'joe@example.org', '--json')
    expect(JSON.parse(out)).toMatchObject({ email: 'joe@example.org', link: null })
  })

  test('account reset says why there is nothing to reset', async () => {
    await has('jane@example.org')
    expect(await behindProxy('account', 'reset', 'jane@example.org')).toEqual({
      code: 1,
      out: '',
      err: 'a proxy signs people in by the header x-remote-user (REMOTE_USER_HEADER), so accounts have no passwords\n',
    })
  })
})

test('account list shows who administers, has a password or a second factor, is suspended, and is in how many projects', async () => {
  await has('ops@example.org', { isAdministrator: true })
  await has('jane@example.org', { role: 'member' })
  await has('gone@example.org')
  await prepare(async ({ store }) => {
    const gone = await store.accounts.find('gone@example.org')
    const change = (account: Account): Account => ({
      ...account,
      isSuspended: true,
      totp: { secret: 'ABCD', usedStep: null },
    })
    await store.by(anAuthor()).accounts.change(gone?.id ?? '', change, null)
  })
  const { out } = await overdue('account', 'list')
  const [head, ...rows] = out.trimEnd().split('\n')
  expect(head?.split(/ {2,}/)).toEqual([
    'EMAIL',
    'ADMINISTRATOR',
    'PASSWORD',
    'SECOND FACTOR',
    'SUSPENDED',
    'PROJECTS',
    'CREATED',
  ])
  expect(rows.map((row) => row.split(/ +/).slice(0, 6))).toEqual([
    ['gone@example.org', 'no', 'no', 'yes', 'yes', '0'],
    ['jane@example.org', 'no', 'no', 'no', 'no', '1'],
    ['ops@example.org', 'yes', 'no', 'no', 'no', '0'],
  ])
  const [, jane] = await json<readonly unknown[]>('account', 'list')
  expect(jane).toEqual({
    id: expect.any(String),
    email: 'jane@example.org',
    administrator: false,
    created: expect.stringMatching(TIME),
    has_password: false,
    second_factor: false,
    suspended: false,
    projects: [{ id: expect.any(String), name: 'Backups', role: 'member' }],
  })
})

test('account reset prints a link to choose another password, which differs from the earlier one', async () => {
  const { link } = await json<{ link: { url: string } }>('account', 'create', 'jane@example.org')
  const reset = await json<{ email: string; url: string; expires_at: string }>('account', 'reset', 'Jane@example.org')
  expect(reset.email).toBe('jane@example.org')
  expect(reset.url).toContain('/password/')
  expect(reset.url).not.toBe(link.url)
  expect(hoursUntil(reset.expires_at)).toBe(24)
  expect((await overdue('account', 'reset', 'jane@example.org')).out).toMatch(LINK)
  expect(await overdue('account', 'reset', 'jan@example.org')).toEqual({
    code: 1,
    out: '',
    err: 'there is no account of "jan@example.org"\n→ did you mean "jane@example.org"? Otherwise see `overdue account list`\n',
  })
})

describe('account delete', () => {
  beforeEach(async () => {
    await has('jane@example.org', { role: 'owner' })
  })

  test('says what is lost, and which projects have no owner then', async () => {
    await has('ops@example.org', { isAdministrator: true })
    expect(await overdue('account', 'delete', 'jane@example.org')).toEqual({
      code: 0,
      out: [
        'deleted the account of jane@example.org, its memberships in 1 project and its sessions',
        '→ nobody else owns "Backups": use `overdue project member add PROJECT EMAIL --role owner`',
        '',
      ].join('\n'),
      err: '',
    })
    expect(await json<readonly { email: string }[]>('account', 'list')).toMatchObject([{ email: 'ops@example.org' }])
    expect(await json<readonly unknown[]>('project', 'member', 'list', 'Backups')).toEqual([])
  })

  test('names no project that somebody else owns', async () => {
    await has('ops@example.org', { isAdministrator: true, role: 'owner' })
    const deleted = await json<{ ownerless_projects: unknown }>('account', 'delete', 'jane@example.org')
    expect(deleted.ownerless_projects).toEqual([])
  })

  test('of the last account says how to create the first one again', async () => {
    expect((await overdue('account', 'delete', 'jane@example.org')).out).toEndWith(
      '\n→ no account is left: use `overdue account link` to create one\n',
    )
    expect((await overdue('account', 'link')).code).toBe(0)
  })

  test('asks on a terminal, and does nothing after a no', async () => {
    const remove = (answer: boolean) =>
      runOnTerminal(['account', 'delete', 'jane@example.org'], { DATABASE_URL: place.url }, 200, answer)
    const asked = await remove(false)
    expect(asked.out).toContain(
      'Delete the account of jane@example.org, its memberships in 1 project and its sessions? The projects stay, but nobody else owns "Backups".',
    )
    expect(asked.code).toBe(1)
    expect(await json<readonly unknown[]>('account', 'list')).toHaveLength(1)
    expect((await remove(true)).code).toBe(0)
    expect(await json<readonly unknown[]>('account', 'list')).toEqual([])
  })
})
