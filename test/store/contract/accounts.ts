/** Accounts: created, found, changed, deleted, and the first of all. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import type { FirstAccount, Store } from '../../../src/store/store.ts'
import {
  after,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  aSession,
  NOON,
  type OpenStore,
  refusalOf,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function accountsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open, { name: 'Default' })
  })
  afterEach(() => g.close())

  const create = async (over: Partial<Account> = {}): Promise<Account> => {
    const account = anAccount(over)
    await g.store.by(anAuthor()).accounts.create(account)
    return account
  }
  const link = (lookup: string, over: { purpose?: 'password' | 'sign-in'; accountId: string }) =>
    g.store.tokens.create({ lookup, purpose: 'password', expiresAt: after(60), email: null, ...over })
  const first = (store: Store, over: Partial<FirstAccount> = {}) =>
    store.by(anAuthor()).accounts.createFirst({ account: anAccount({ isAdministrator: true }), rename: null, ...over })

  describe('an account', () => {
    test('comes back as it was given, found by its id and by its email in any case', async () => {
      expect(await g.store.accounts.exist()).toBe(false)
      const over = {
        isAdministrator: true,
        isEmailConfirmed: false,
        passwordHash: '$argon2id$',
        tz: 'Europe/Riga',
        hasShortcuts: false,
        listRows: 'roomy',
        listPicture: '24h',
      } as const
      const account = await create({ ...over, email: 'ann@example.org', theme: 'dark', createdAt: after(0.000001) })
      expect(await g.store.accounts.find(account.id)).toEqual(account)
      expect(await g.store.accounts.find(' Ann@Example.org')).toEqual(account)
      expect(await g.store.accounts.find('bob@example.org')).toBeNull()
      expect(await g.store.accounts.exist()).toBe(true)
    })

    test('gets another hash of the same password only in place of the one that was verified', async () => {
      const account = await create({ passwordHash: 'pbkdf2_sha256$' })
      const { id } = account
      await g.store.by(anAuthor()).sessions.create(aSession(account, { lookup: 'kept' }), 'pbkdf2_sha256$')
      expect(await g.store.accounts.renewPasswordHash(id, '$argon2id$', 'other')).toBe(false)
      expect(await g.store.accounts.renewPasswordHash(id, 'pbkdf2_sha256$', '$argon2id$')).toBe(true)
      expect((await g.store.accounts.find(id))?.passwordHash).toBe('$argon2id$')
      expect(await g.store.sessions.find('kept')).not.toBeNull()
    })

    test('is listed by its email', async () => {
      for (const name of ['c', 'a', 'b']) await create({ email: `${name}@example.org` })
      const emails = (await g.store.accounts.list()).map(({ email }) => email)
      expect(emails).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
    })

    test('is refused when there is one with its email', async () => {
      const { email } = await create()
      const error = await refusalOf(create({ email }))
      expect([error.code, error.data.name]).toEqual(['account-exists', email])
      expect(await g.store.accounts.list()).toHaveLength(1)
    })

    test('is created once when two create it at the same time', async () => {
      const other = (await g.another?.()) ?? g.store
      const made = await Promise.allSettled(
        [g.store, other, g.store, other].map((store) =>
          store.by(anAuthor()).accounts.create(anAccount({ email: 'ann@example.org' })),
        ),
      )
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await g.store.accounts.list()).toHaveLength(1)
    })

    test('loses its places in projects, sessions and links when it is deleted, and the projects stay', async () => {
      const [gone, kept] = [await create(), await create()]
      for (const account of [gone, kept]) {
        await g.store.by(anAuthor()).team.setMember(aMember(account, g.project))
        await g.store.by(anAuthor()).sessions.create(aSession(account, { lookup: `session of ${account.id}` }), null)
        await link(`link of ${account.id}`, { accountId: account.id })
      }
      expect(await g.store.by(anAuthor()).accounts.delete(gone.id)).toEqual({ ...gone, lastSeenAt: NOON })
      expect(await g.store.by(anAuthor()).accounts.delete(gone.id)).toBeNull()
      expect(await g.store.accounts.find(gone.id)).toBeNull()
      expect((await g.store.team.listMembers(g.project.id)).map(({ accountId }) => accountId)).toEqual([kept.id])
      expect(await g.store.sessions.find(`session of ${gone.id}`)).toBeNull()
      expect(await g.store.tokens.find(`link of ${gone.id}`, 'password')).toBeNull()
      expect(await g.store.sessions.find(`session of ${kept.id}`)).not.toBeNull()
      expect(await g.store.tokens.find(`link of ${kept.id}`, 'password')).not.toBeNull()
      expect(await g.store.projects.list()).toEqual([g.project])
    })
  })

  describe('a changed account', () => {
    const signedIn = async () => {
      const [created, stranger] = [await create({ passwordHash: 'old' }), await create()]
      const account = { ...created, lastSeenAt: NOON }
      for (const lookup of ['this', 'other'])
        await g.store.by(anAuthor()).sessions.create(aSession(account, { lookup }), null)
      await g.store.by(anAuthor()).sessions.create(aSession(stranger, { lookup: 'of a stranger' }), null)
      await link('a link', { accountId: account.id })
      await link('a link of a stranger', { accountId: stranger.id })
      return account
    }
    const left = async () => {
      const found = []
      for (const lookup of ['this', 'other', 'of a stranger'])
        if (await g.store.sessions.find(lookup)) found.push(lookup)
      for (const lookup of ['a link', 'a link of a stranger']) {
        if (await g.store.tokens.find(lookup, 'password')) found.push(lookup)
      }
      return found
    }

    test.each([
      { email: 'new@example.org' },
      { passwordHash: 'new' },
      { passwordHash: null },
      { totp: { secret: 'NEW', usedStep: null } },
    ])('with %j keeps one session, and the others and the links end', async (change) => {
      const account = await signedIn()
      const changed = await g.store.by(anAuthor()).accounts.change(account.id, (old) => ({ ...old, ...change }), 'this')
      expect(changed).toEqual({ ...account, ...change })
      expect(await g.store.accounts.find(account.id)).toEqual({ ...account, ...change })
      expect(await left()).toEqual(['this', 'of a stranger', 'a link of a stranger'])
    })

    test('that is suspended loses every session', async () => {
      const account = await signedIn()
      await g.store.by(anAuthor()).accounts.change(account.id, (old) => ({ ...old, isSuspended: true }), null)
      expect(await left()).toEqual(['of a stranger', 'a link of a stranger'])
    })

    test('keeps no session when none is named', async () => {
      const account = await signedIn()
      await g.store.by(anAuthor()).accounts.change(account.id, (old) => ({ ...old, passwordHash: 'new' }), null)
      expect(await left()).toEqual(['of a stranger', 'a link of a stranger'])
    })

    test('may need a link, which ends with it', async () => {
      const account = await signedIn()
      const change = (lookup: string, tz: string) =>
        g.store.by(anAuthor()).accounts.change(account.id, (old) => ({ ...old, tz }), 'this', lookup)
      expect(await change('unknown', 'Asia/Tokyo')).toBeNull()
      expect(await g.store.accounts.find(account.id)).toEqual(account)
      expect((await change('a link', 'Asia/Tokyo'))?.tz).toBe('Asia/Tokyo')
      expect(await change('a link', 'Europe/Riga')).toBeNull()
      expect((await g.store.accounts.find(account.id))?.tz).toBe('Asia/Tokyo')
      expect(await left()).toEqual(['this', 'other', 'of a stranger', 'a link of a stranger'])
    })

    test('that is refused leaves its link', async () => {
      const [account, { email }] = [await signedIn(), await create()]
      const taken = g.store.by(anAuthor()).accounts.change(account.id, (old) => ({ ...old, email }), null, 'a link')
      expect((await refusalOf(taken)).code).toBe('account-exists')
      expect(await left()).toHaveLength(5)
    })

    test('keeps all sessions and links when neither its email nor its password changes', async () => {
      const account = await signedIn()
      const change = {
        tz: 'Asia/Tokyo',
        theme: 'light',
        hasShortcuts: false,
        listRows: 'roomy',
        listPicture: '24h',
        isAdministrator: true,
      } as const
      await g.store.by(anAuthor()).accounts.change(account.id, (old) => ({ ...old, ...change }), null)
      expect(await g.store.accounts.find(account.id)).toEqual({ ...account, ...change })
      expect(await left()).toEqual(['this', 'other', 'of a stranger', 'a link', 'a link of a stranger'])
    })

    test('keeps its creation time, and its id', async () => {
      const account = await create()
      const change = (old: Account): Account => ({ ...old, createdAt: after(99) })
      await g.store.by(anAuthor()).accounts.change(account.id, change, null)
      expect(await g.store.accounts.find(account.id)).toEqual(account)
    })

    test('does not take the email of another one', async () => {
      const [account, { email }] = [await signedIn(), await create()]
      const taken = g.store.by(anAuthor()).accounts.change(account.id, (old) => ({ ...old, email }), null)
      expect((await refusalOf(taken)).code).toBe('account-exists')
      expect(await g.store.accounts.find(account.id)).toEqual(account)
      expect(await left()).toHaveLength(5)
    })

    test('that does not exist is null', async () => {
      expect(await g.store.by(anAuthor()).accounts.change('nobody', (old) => old, null)).toBeNull()
    })

    test('keeps all of several concurrent changes', async () => {
      const { id } = await create({ tz: '' })
      const other = (await g.another?.()) ?? g.store
      const add = (store: Store, letter: string) =>
        store.by(anAuthor()).accounts.change(id, (old) => ({ ...old, tz: old.tz + letter }), null)
      await Promise.all([...'abcdef'].map((letter, index) => add(index % 2 ? other : g.store, letter)))
      expect([...((await g.store.accounts.find(id))?.tz ?? '')].toSorted().join('')).toBe('abcdef')
    })
  })

  describe('the first account', () => {
    test('owns every project without an owner, and one of them gets another name and slug', async () => {
      const ops = await g.store.by(anAuthor()).projects.create(aProject({ name: 'Ops', createdAt: after(1) }), [])
      const account = anAccount({ isAdministrator: true, createdAt: after(5) })
      expect(await first(g.store, { account, rename: { from: 'Default', to: 'Home', slug: 'home' } })).toEqual(account)
      expect(await g.store.accounts.find(account.id)).toEqual(account)
      expect(
        (await g.store.projects.listOfPerson(account.id, false)).map(({ project, role }) => [project, role]),
      ).toEqual([
        [{ ...g.project, name: 'Home', slug: 'home' }, 'owner'],
        [ops, 'owner'],
      ])
      expect(await g.store.team.listMembers(ops.id)).toEqual([
        { ...aMember(account, ops, 'owner', after(5)), email: account.email },
      ])
    })

    test('renames nothing when no project has the first name', async () => {
      await first(g.store, { rename: { from: 'Other', to: 'Home', slug: 'home' } })
      expect(await g.store.projects.list()).toEqual([g.project])
    })

    test('is not created when the new name is taken, and everything stays as it was', async () => {
      await g.store.by(anAuthor()).projects.create(aProject({ name: 'Ops' }), [])
      await g.store.tokens.create({
        lookup: 'a',
        purpose: 'first-account',
        accountId: null,
        expiresAt: after(60),
        email: null,
      })
      const error = await refusalOf(first(g.store, { rename: { from: 'Default', to: 'Ops', slug: 'ops' } }))
      expect(error.code).toBe('project-name-taken')
      expect(await g.store.accounts.exist()).toBe(false)
      expect(await g.store.projects.find(g.project.id)).toEqual(g.project)
      expect(await g.store.tokens.find('a', 'first-account')).not.toBeNull()
    })

    test('ends the links for a first account', async () => {
      await g.store.tokens.create({
        lookup: 'a',
        purpose: 'first-account',
        accountId: null,
        expiresAt: after(60),
        email: null,
      })
      await first(g.store)
      expect(await g.store.tokens.find('a', 'first-account')).toBeNull()
    })

    test('is not created beside another one, which owns nothing by that', async () => {
      await create()
      expect(await first(g.store, { rename: { from: 'Default', to: 'Home', slug: 'home' } })).toBeNull()
      expect(await g.store.accounts.list()).toHaveLength(1)
      expect(await g.store.team.listMembers(g.project.id)).toEqual([])
      expect(await g.store.projects.list()).toEqual([g.project])
    })

    test('is one, though several are created at the same time', async () => {
      const other = (await g.another?.()) ?? g.store
      const made = await Promise.all([g.store, other, g.store, other].map((store) => first(store)))
      const winner = made.find((account) => account !== null)
      expect(made.filter((account) => account !== null)).toHaveLength(1)
      expect(await g.store.accounts.list()).toEqual(winner ? [winner] : [])
      expect((await g.store.team.listMembers(g.project.id)).map(({ accountId }) => accountId)).toEqual([
        winner?.id ?? '',
      ])
    })
  })
}
