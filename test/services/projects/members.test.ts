import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ROLES } from '../../../src/domain/account/role.ts'
import {
  enterProject,
  listMembers,
  listOwnedAlone,
  listPlaces,
  listProjectsOf,
  readRole,
  removeMember,
  setMember,
} from '../../../src/services/projects/members.ts'
import { createOwnProject, getProject } from '../../../src/services/projects/projects.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { aMember, anAuthor, refusalOf } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { accountOf, answerOf, codeOf, personAt } from '../accounts/people.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const deps = () => t.app.deps
const ann = () => accountOf(t, { password: null })

describe('a member', () => {
  test('is added by email in any case, and keeps the time of that when the role changes', async () => {
    const { id } = await ann()
    const since = t.clock.now()
    const added = await setMember(deps(), t.actor, 'Ann@Example.org', 'read-only')
    const member = { accountId: id, projectId: t.project.id, createdAt: since, email: 'ann@example.org' }
    expect(added).toEqual({ ...member, role: 'read-only' })
    t.clock.advance({ hours: 1 })
    expect(await setMember(deps(), t.actor, 'ann@example.org', 'owner')).toEqual({ ...member, role: 'owner' })
    expect(await listMembers(deps(), t.actor)).toEqual([{ ...member, role: 'owner' }])
  })

  test('needs an account, and no other one is named', async () => {
    await ann()
    expect(await answerOf(setMember(deps(), t.actor, 'anm@example.org', 'member'))).toEqual([
      'account-not-found',
      'there is no account of "anm@example.org"',
      { name: 'anm@example.org', meant: undefined },
    ])
  })

  test('is not added when the account is deleted meanwhile', async () => {
    const { id } = await ann()
    const { store } = deps()
    const findAccount = async (email: string) => {
      const found = await store.accounts.find(email)
      await store.by(anAuthor()).accounts.delete(id)
      return found
    }
    const added = setMember(
      { ...deps(), store: replaced(store, { accounts: { find: findAccount } }) },
      t.actor,
      'ann@example.org',
      'member',
    )
    expect(await codeOf(added)).toBe('account-not-found')
  })

  test('who became an owner meanwhile is left alone by a manager', async () => {
    const [{ id }, manager] = [
      await accountOf(t, { role: 'member', password: null }),
      await accountOf(t, { email: 'bob@example.org', role: 'manager', password: null }),
    ]
    const actor = await enterProject(deps(), personAt(manager), t.project.slug)
    if (!actor) throw new Error('the project is closed to its manager')
    const { store } = deps()
    const makeOwner = aMember({ id }, t.project, 'owner')
    const findAccount = async (email: string) => {
      await store.by(anAuthor()).team.setMember(makeOwner)
      return store.accounts.find(email)
    }
    const meanwhile = { ...deps(), store: replaced(store, { accounts: { find: findAccount } }) }
    expect(await codeOf(setMember(meanwhile, actor, 'ann@example.org', 'read-only'))).toBe('forbidden')
    expect(await codeOf(removeMember(meanwhile, actor, 'ann@example.org'))).toBe('forbidden')
    expect((await listMembers(deps(), t.actor)).map(({ role }) => role)).toEqual(['owner', 'manager'])
  })

  test('is removed once', async () => {
    await ann()
    const added = await setMember(deps(), t.actor, 'ann@example.org', 'member')
    expect(await removeMember(deps(), t.actor, 'ANN@example.org')).toEqual(added)
    expect(await listMembers(deps(), t.actor)).toEqual([])
    for (const email of ['ann@example.org', 'nobody@example.org']) {
      expect(await answerOf(removeMember(deps(), t.actor, email))).toEqual([
        'member-not-found',
        `"${email}" is not a member of the project "Tests"`,
        { name: email, project: 'Tests' },
      ])
    }
  })
})

test('roles are read by their names', async () => {
  expect(ROLES.map(readRole)).toEqual([...ROLES])
  expect(() => readRole('admin')).toThrow('unknown role "admin"')
})

describe('the projects of a person', () => {
  const names = (projects: readonly { project: { name: string } }[]) => projects.map(({ project }) => project.name)

  test('are those with a place in them; an administrator sees all', async () => {
    const [account, admin] = [
      await accountOf(t, { role: 'read-only', password: null }),
      await accountOf(t, { email: 'root@example.org', isAdministrator: true, password: null }),
    ]
    t.clock.advance({ seconds: 1 })
    await createOwnProject(deps(), personAt(admin), 'Of the administrator')
    expect(names(await listProjectsOf(deps(), personAt(account)))).toEqual(['Tests'])
    expect(names(await listProjectsOf(deps(), personAt(admin)))).toEqual(['Tests', 'Of the administrator'])
    expect(names(await listPlaces(deps(), admin))).toEqual(['Of the administrator'])
  })

  test('are owned alone while nobody else owns them', async () => {
    const account = await accountOf(t, { role: 'owner', password: null })
    const alone = async () => (await listOwnedAlone(deps(), account)).map(({ name }) => name)
    expect(await alone()).toEqual(['Tests'])
    await accountOf(t, { email: 'bob@example.org', role: 'manager', password: null })
    expect(await alone()).toEqual(['Tests'])
    await setMember(deps(), t.actor, 'bob@example.org', 'owner')
    expect(await alone()).toEqual([])
  })

  test('may have the name of a project of others, which the command line then asks for by id', async () => {
    const [account, other] = [await ann(), await accountOf(t, { email: 'bob@example.org', password: null })]
    const mine = await createOwnProject(deps(), personAt(account), 'Backups')
    t.clock.advance({ seconds: 1 })
    const theirs = await createOwnProject(deps(), personAt(other), 'Backups')
    // Neither slug reveals that the other project exists.
    for (const { slug } of [mine, theirs]) expect(slug).toMatch(/^backups-[a-z0-9]{8}$/)
    const twice = await refusalOf(createOwnProject(deps(), personAt(account), 'Backups'))
    expect(twice.code).toBe('project-name-taken')
    const { code, data } = await refusalOf(getProject(deps(), 'Backups'))
    expect(code).toBe('project-ambiguous')
    expect(data.problems).toEqual([mine, theirs].map(({ id, slug }) => `${id}  /p/${slug}`))
    expect(await getProject(deps(), theirs.id)).toEqual(theirs)
  })

  test('made by that person are owned', async () => {
    const account = await ann()
    const project = await createOwnProject(deps(), personAt(account), 'Mine')
    expect((await deps().store.team.listMembers(project.id)).map(({ accountId, role }) => [accountId, role])).toEqual([
      [account.id, 'owner'],
    ])
  })
})
