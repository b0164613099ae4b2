import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  createAdmin,
  createFirstAccount,
  type FirstAccountForm,
  getFirstSetUp,
  issueFirstAccountLink,
  needsFirstAccount,
  offerFirstAccount,
} from '../../../../src/services/accounts/sign-in/first-account.ts'
import { findSignedIn } from '../../../../src/services/accounts/sign-in/sessions.ts'
import { signIn } from '../../../../src/services/accounts/sign-in/sign-in.ts'
import { createProject, listProjects } from '../../../../src/services/projects/projects.ts'
import { allChecks } from '../../../support/lists.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { accountOf, BROWSER, codeOf, ELSEWHERE, PASSWORD, tokenIn } from '../people.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const deps = () => t.app.deps
const FORM: FirstAccountForm = { email: 'Ann@example.org', password: PASSWORD, projectName: null, tz: 'Europe/Riga' }
const link = async () => tokenIn((await issueFirstAccountLink(deps())).url)
const create = (token: string, over: Partial<FirstAccountForm> = {}) =>
  createFirstAccount(deps(), token, { ...FORM, ...over }, BROWSER)
/** Adds the default project of an empty database beside that of the app. */
const withDefault = () => {
  t.clock.advance({ seconds: 1 })
  return createProject(deps(), 'Default')
}

describe('the first account by its link', () => {
  test('administers, owns every project, and is signed in', async () => {
    expect(await needsFirstAccount(deps())).toBe(true)
    const { session, account } = await create(await link())
    expect(account).toMatchObject({ email: 'ann@example.org', isAdministrator: true, tz: 'Europe/Riga' })
    expect((await findSignedIn(deps(), session?.token ?? ''))?.account.id).toBe(account.id)
    expect((await deps().store.projects.listOfPerson(account.id, false)).map(({ role }) => role)).toEqual(['owner'])
    expect(await needsFirstAccount(deps())).toBe(false)
    expect((await signIn(deps(), 'ann@example.org', PASSWORD, ELSEWHERE)).account.id).toBe(account.id)
  })

  test('has no password and no session where a proxy signs people in', async () => {
    const proxied = { ...deps(), remoteUserHeader: 'x-remote-user' }
    const form = { ...FORM, password: null }
    const { session, account } = await createFirstAccount(proxied, await link(), form, BROWSER)
    expect([session, account.passwordHash]).toEqual([null, null])
    expect(await deps().store.accounts.find('ann@example.org')).toEqual(account)
    expect(await deps().store.sessions.list(account.id)).toEqual([])
  })

  test('has no password, and is signed in by its link, where people sign in at the OpenID provider only', async () => {
    const { session, account } = await create(await link(), { password: null })
    expect([session?.session.method, account.passwordHash]).toEqual(['printed-link', null])
  })

  test('names the first project, whose slug follows, and makes no check that nobody asked for', async () => {
    const { project: made } = await withDefault()
    const token = await link()
    expect((await getFirstSetUp(deps(), token)).canRename).toBe(true)
    const { project } = await create(token, { projectName: 'Home lab' })
    expect(project).toEqual({ ...made, name: 'Home lab', slug: expect.stringMatching(/^home-lab-[a-z0-9]{8}$/) })
    for (const { id } of await listProjects(deps())) expect(await allChecks(deps().store, id)).toEqual([])
  })

  test('keeps the slug when the name is the same', async () => {
    const { project } = await withDefault()
    expect((await create(await link(), { projectName: 'Default' })).project?.slug).toBe(project.slug)
  })

  test('renames no project that has another name', async () => {
    const token = await link()
    expect((await getFirstSetUp(deps(), token)).canRename).toBe(false)
    await create(token, { projectName: 'Home lab' })
    expect((await listProjects(deps())).map(({ name }) => name)).toEqual(['Tests'])
  })

  test.each([
    ['email-invalid', { email: 'ann' }],
    ['password-invalid', { password: 'short' }],
    ['name-invalid', { projectName: ' ' }],
    ['project-name-taken', { projectName: 'Tests' }],
    ['tz-invalid', { tz: 'Mars/Olympus' }],
  ] as const)('that is refused as %s leaves everything, and the link works on', async (code, over) => {
    await withDefault()
    const token = await link()
    expect(await codeOf(create(token, over))).toBe(code)
    expect(await needsFirstAccount(deps())).toBe(true)
    expect((await listProjects(deps())).map(({ name }) => name)).toEqual(['Tests', 'Default'])
    expect((await create(token)).account.isAdministrator).toBe(true)
  })

  test('is made by any of its links, within an hour, and once', async () => {
    const old = await link()
    t.clock.advance({ seconds: 3600 })
    expect(await codeOf(create(old))).toBe('link-ended')
    const [early, late] = [await link(), await link()]
    await create(early)
    for (const used of [early, late]) {
      expect(await codeOf(create(used, { email: 'bob@example.org' }))).toBe('link-ended')
    }
    expect(await codeOf(issueFirstAccountLink(deps()))).toBe('first-account-exists')
    expect(await offerFirstAccount(deps())).toBeNull()
  })

  test('is one, though two use the link at the same time', async () => {
    const token = await link()
    const made = await Promise.allSettled(
      ['ann@example.org', 'bob@example.org'].map((email) => create(token, { email })),
    )
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await deps().store.accounts.list()).toHaveLength(1)
  })
})

describe('the account of the settings', () => {
  const ADMIN = { email: 'ops@example.org', password: PASSWORD }

  test('is made when there is none, administers, and owns every project', async () => {
    const admin = await createAdmin(deps(), ADMIN)
    expect(admin).toMatchObject({ email: 'ops@example.org', isAdministrator: true })
    expect((await signIn(deps(), 'ops@example.org', PASSWORD, BROWSER)).account.id).toBe(admin?.id ?? '')
    expect((await deps().store.team.listMembers(t.project.id)).map(({ email, role }) => [email, role])).toEqual([
      ['ops@example.org', 'owner'],
    ])
  })

  test('ends the link for a first account', async () => {
    const token = await link()
    await createAdmin(deps(), ADMIN)
    expect(await codeOf(create(token))).toBe('link-ended')
  })

  test('has no password where a proxy signs people in', async () => {
    expect((await createAdmin(deps(), { ...ADMIN, password: null }))?.passwordHash).toBeNull()
  })

  test('is not made beside another one, whose password stays', async () => {
    const ann = await accountOf(t, { email: 'ops@example.org' })
    expect(await createAdmin(deps(), { ...ADMIN, password: 'another long password' })).toBeNull()
    expect(await deps().store.accounts.list()).toEqual([ann])
  })
})
