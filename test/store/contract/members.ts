/** Members of projects, and the projects of a person. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ROLES, type Role } from '../../../src/domain/account/role.ts'
import {
  after,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function membersContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open, { name: 'First' })
  })
  afterEach(() => g.close())

  const create = async (email: string) => {
    const account = anAccount({ email })
    await g.store.by(anAuthor()).accounts.create(account)
    return account
  }
  const project = (name: string, seconds: number) =>
    g.store.by(anAuthor()).projects.create(aProject({ name, createdAt: after(seconds) }), [])
  const set = (account: { id: string }, of: { id: string }, role: Role = 'member', seconds = 0) =>
    g.store.by(anAuthor()).team.setMember(aMember(account, of, role, after(seconds)))

  describe('members', () => {
    test.each(ROLES)('are listed by email, one of them as %s', async (role) => {
      const [bob, ann] = [await create('bob@example.org'), await create('ann@example.org')]
      expect(await set(bob, g.project, role, 1)).toEqual({
        ...aMember(bob, g.project, role, after(1)),
        email: bob.email,
      })
      await set(ann, g.project, 'member', 2)
      await set(ann, await project('Other', 1))
      expect(await g.store.team.listMembers(g.project.id)).toEqual([
        { ...aMember(ann, g.project, 'member', after(2)), email: ann.email },
        { ...aMember(bob, g.project, role, after(1)), email: bob.email },
      ])
    })

    test('keep the time of their first role', async () => {
      const ann = await create('ann@example.org')
      await set(ann, g.project, 'member', 1)
      expect((await set(ann, g.project, 'owner', 9))?.createdAt).toEqual(after(1))
      expect(await g.store.team.listMembers(g.project.id)).toEqual([
        { ...aMember(ann, g.project, 'owner', after(1)), email: ann.email },
      ])
    })

    test('need an account', async () => {
      expect(await set({ id: 'nobody' }, g.project)).toBeNull()
      expect(await g.store.team.listMembers(g.project.id)).toEqual([])
    })

    test('are removed once, from one project only', async () => {
      const [ann, other] = [await create('ann@example.org'), await project('Other', 1)]
      await set(ann, g.project)
      await set(ann, other)
      const remove = () => g.store.by(anAuthor()).team.removeMember(ann.id, g.project.id)
      expect([await remove(), await remove()]).toEqual([{ ...aMember(ann, g.project), email: ann.email }, null])
      expect(await g.store.team.listMembers(g.project.id)).toEqual([])
      expect(await g.store.team.listMembers(other.id)).toHaveLength(1)
      expect(await g.store.by(anAuthor()).team.removeMember('nobody', other.id)).toBeNull()
    })

    test('stay as they are when the change is refused, which sees the role before it', async () => {
      const [ann, bob] = [await create('ann@example.org'), await create('bob@example.org')]
      await set(ann, g.project, 'owner')
      const before = await g.store.team.listMembers(g.project.id)
      const seen: (Role | null)[] = []
      const refuse = (role: Role | null) => {
        seen.push(role)
        throw new Error('refused')
      }
      const by = () => g.store.by(anAuthor())
      await expect(by().team.setMember(aMember(ann, g.project, 'member'), refuse)).rejects.toThrow('refused')
      await expect(by().team.setMember(aMember(bob, g.project, 'member'), refuse)).rejects.toThrow('refused')
      await expect(by().team.removeMember(ann.id, g.project.id, refuse)).rejects.toThrow('refused')
      expect(seen).toEqual(['owner', null, 'owner'])
      expect(await g.store.team.listMembers(g.project.id)).toEqual(before)
    })

    test('of several changes at once have one role', async () => {
      const ann = await create('ann@example.org')
      const other = (await g.another?.()) ?? g.store
      await Promise.all(
        ROLES.map((role, index) =>
          (index % 2 ? other : g.store).by(anAuthor()).team.setMember(aMember(ann, g.project, role)),
        ),
      )
      expect(await g.store.team.listMembers(g.project.id)).toHaveLength(1)
    })
  })

  describe('a project of a person', () => {
    test('is found by its slug, with the role', async () => {
      const [ann, bob] = [await create('ann@example.org'), await create('bob@example.org')]
      await set(ann, g.project, 'read-only')
      const { slug } = g.project
      expect(await g.store.projects.findOfPerson(slug, ann.id)).toEqual({ project: g.project, role: 'read-only' })
      expect(await g.store.projects.findOfPerson(slug, bob.id)).toEqual({ project: g.project, role: null })
      expect(await g.store.projects.findOfPerson('unknown', ann.id)).toBeNull()
    })

    test('made by that person is owned from the start', async () => {
      const ann = await create('ann@example.org')
      const fresh = aProject({ name: 'Mine', slug: 'mine' })
      const made = await g.store.by(anAuthor()).projects.create(fresh, [], aMember(ann, fresh, 'owner'))
      expect(await g.store.projects.findOfPerson('mine', ann.id)).toEqual({ project: made, role: 'owner' })
    })
  })

  describe('the projects of a person', () => {
    test('are listed in order of creation, with the role and the number of checks, also those that are down', async () => {
      const ann = await create('ann@example.org')
      const [late, soon] = [await project('Late', 9), await project('Soon', 1)]
      await project('Of others', 2)
      await set(ann, late, 'manager')
      await set(ann, soon, 'member')
      await set(ann, g.project, 'owner')
      await g.check()
      await g.ping(await g.check(), { action: 'fail' })
      await g.ping(await g.check(), { action: 'success' })
      expect(await g.store.projects.listOfPerson(ann.id, false)).toEqual([
        { project: g.project, role: 'owner', checks: 3, down: 1, up: 1, paused: 0, unpinged: 1, hasOwner: true },
        { project: soon, role: 'member', checks: 0, down: 0, up: 0, paused: 0, unpinged: 0, hasOwner: false },
        { project: late, role: 'manager', checks: 0, down: 0, up: 0, paused: 0, unpinged: 0, hasOwner: false },
      ])
      expect(await g.store.projects.listPlacesOfPerson(ann.id, false)).toEqual([
        { project: g.project, role: 'owner' },
        { project: soon, role: 'member' },
        { project: late, role: 'manager' },
      ])
      expect(await g.store.projects.listBriefs(ann.id, false)).toEqual([
        { id: g.project.id, slug: g.project.slug, name: 'First', down: 1, role: 'owner' },
        { id: soon.id, slug: soon.slug, name: 'Soon', down: 0, role: 'member' },
        { id: late.id, slug: late.slug, name: 'Late', down: 0, role: 'manager' },
      ])
    })

    test('include those without a place in them, when all are wanted', async () => {
      const [ann, bob] = [await create('ann@example.org'), await create('bob@example.org')]
      const other = await project('Other', 1)
      await set(ann, other, 'read-only')
      await set(bob, other, 'owner')
      const none = { checks: 0, down: 0, up: 0, paused: 0, unpinged: 0 }
      expect(await g.store.projects.listOfPerson(ann.id, true)).toEqual([
        { project: g.project, role: null, hasOwner: false, ...none },
        { project: other, role: 'read-only', hasOwner: true, ...none },
      ])
      expect(await g.store.projects.listOfPerson('nobody', false)).toEqual([])
      expect(await g.store.projects.listPlacesOfPerson(ann.id, true)).toEqual([
        { project: g.project, role: null },
        { project: other, role: 'read-only' },
      ])
      const names = async (...of: [string, boolean]) =>
        (await g.store.projects.listBriefs(...of)).map(({ name }) => name)
      expect(await names(ann.id, true)).toEqual(['First', 'Other'])
      expect((await g.store.projects.listBriefs(ann.id, true)).map(({ role }) => role)).toEqual(['owner', 'owner'])
      expect(await names('nobody', false)).toEqual([])
    })
  })
  test('the contents of a project, and the checks of several that are down, are counted', async () => {
    const [ann, empty] = [await create('ann@example.org'), await project('Empty', 1)]
    await set(ann, g.project)
    await g.channel()
    await g.check({ slug: 'job' })
    await g.ping(await g.check(), { action: 'fail' })
    expect(await g.store.projects.countContents(g.project.id)).toEqual({ checks: 2, slugs: 1, channels: 1, members: 1 })
    expect(await g.store.projects.countContents(empty.id)).toEqual({ checks: 0, slugs: 0, channels: 0, members: 0 })
    expect(await g.store.projects.countDown([empty.id, g.project.id, 'unknown'])).toEqual([0, 1, 0])
  })

  test('a project is held by the same one of its owners, and by itself while it has none', async () => {
    const { id: projectId, badgeKey } = g.project
    const holders = async () => [
      await g.store.projects.findHolder({ projectId }),
      await g.store.projects.findHolder({ badgeKey }),
    ]
    expect(await holders()).toEqual([projectId, projectId])
    const people = [await create('ann@example.org'), await create('bob@example.org'), await create('cyd@example.org')]
    for (const [index, account] of people.entries()) await set(account, g.project, index === 0 ? 'manager' : 'owner')
    const [first] = people
      .slice(1)
      .map(({ id }) => id)
      .toSorted()
    expect(await holders()).toEqual([first ?? '', first ?? ''])
    expect(await g.store.projects.findHolder({ projectId: badgeKey })).toBeNull()
    expect(await g.store.projects.findHolder({ badgeKey: projectId })).toBeNull()
  })
}
