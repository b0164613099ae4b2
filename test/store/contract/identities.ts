/** Identities of accounts at OpenID providers, and the appointment of administrators. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import type { Identity } from '../../../src/domain/account/identity.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import {
  after,
  anAccount,
  anAuthor,
  aSession,
  NOON,
  type OpenStore,
  refusalOf,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function identitiesContract(open: OpenStore): void {
  let g: StoreFixture
  let ann: Account
  let bob: Account
  beforeEach(async () => {
    g = await storeFixture(open)
    ann = await create({ email: 'ann@example.org' })
    bob = await create({ email: 'bob@example.org' })
  })
  afterEach(() => g.close())

  const create = async (over: Partial<Account> = {}): Promise<Account> => {
    const account = anAccount(over)
    await g.store.by(anAuthor()).accounts.create(account)
    return account
  }
  const anIdentity = (account: Account, over: Partial<Identity> = {}): Identity => ({
    issuer: 'https://id.example.org',
    subject: '42',
    accountId: account.id,
    createdAt: NOON,
    lastUsedAt: null,
    ...over,
  })
  const link = (identity: Identity, store = g.store) => store.by(anAuthor()).identities.link(identity, 'kept')
  const rows = async () =>
    (await g.store.audit.list(100))
      .filter(({ subject }) => subject.kind === 'identity')
      .map(({ action, subject, before, after: now }) => [action, subject.name, before, now])
  const values = { issuer: 'https://id.example.org', subject: '42' }

  describe('an identity', () => {
    test('finds its account, by issuer and subject together', async () => {
      await link(anIdentity(ann))
      await link(anIdentity(bob, { issuer: 'https://other.example.org' }))
      expect(await g.store.identities.findAccount(anIdentity(ann))).toEqual(ann)
      expect(await g.store.identities.findAccount({ issuer: 'https://other.example.org', subject: '42' })).toEqual(bob)
      expect(await g.store.identities.findAccount({ issuer: 'https://id.example.org', subject: '4' })).toBeNull()
      expect(await rows()).toContainEqual(['create', 'ann@example.org', null, values])
    })

    test('belongs to one account only', async () => {
      await link(anIdentity(ann))
      expect((await refusalOf(link(anIdentity(bob)))).code).toBe('identity-taken')
      expect(await g.store.identities.findAccount(anIdentity(ann))).toEqual(ann)
      expect(await g.store.identities.list(bob.id)).toEqual([])
    })

    test('that is linked again to its account changes nothing', async () => {
      await link(anIdentity(ann))
      await link(anIdentity(ann, { createdAt: after(9) }))
      expect(await g.store.identities.list(ann.id)).toEqual([anIdentity(ann)])
      expect(await rows()).toHaveLength(1)
    })

    test('is not linked to an account that is gone', async () => {
      await g.store.by(anAuthor()).accounts.delete(ann.id)
      expect((await refusalOf(link(anIdentity(ann)))).code).toBe('account-not-found')
    })

    test('comes with an account, both or neither', async () => {
      const eve = anAccount({ email: 'eve@example.org' })
      await g.store.by(anAuthor()).identities.createAccount(anIdentity(eve), eve)
      expect(await g.store.identities.findAccount(anIdentity(eve))).toEqual(eve)
      const late = anAccount()
      const taken = g.store.by(anAuthor()).identities.createAccount(anIdentity(late), late)
      expect((await refusalOf(taken)).code).toBe('identity-taken')
      expect(await g.store.accounts.find(late.id)).toBeNull()
      const namesake = anAccount({ email: 'ann@example.org' })
      const exists = g.store.by(anAuthor()).identities.createAccount(anIdentity(namesake, { subject: '43' }), namesake)
      expect((await refusalOf(exists)).code).toBe('account-exists')
      expect(await g.store.identities.findAccount({ ...values, subject: '43' })).toBeNull()
    })

    test('is linked once when several accounts want it at the same time', async () => {
      const other = (await g.another?.()) ?? g.store
      const all = [ann, bob].flatMap((account) => [g.store, other].map((store) => link(anIdentity(account), store)))
      const done = await Promise.allSettled(all)
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      expect(await rows()).toHaveLength(1)
    })

    test('is used later and later', async () => {
      await link(anIdentity(ann))
      await g.store.identities.touch(values, after(5))
      await g.store.identities.touch(values, after(3))
      expect(await g.store.identities.list(ann.id)).toEqual([anIdentity(ann, { lastUsedAt: after(5) })])
    })

    test('goes with its account', async () => {
      await link(anIdentity(ann))
      await g.store.by(anAuthor()).accounts.delete(ann.id)
      await link(anIdentity(bob))
      expect(await g.store.identities.findAccount(values)).toEqual(bob)
    })
  })

  describe('an unlinked identity', () => {
    const unlink = (account: Account, allow: (kept: readonly Identity[]) => void = () => {}) =>
      g.store.by(anAuthor()).identities.unlink(account.id, values, allow, 'kept')

    test('is gone, and who allows that sees the others of its account', async () => {
      await link(anIdentity(ann))
      await link(anIdentity(ann, { subject: '43', createdAt: after(1) }))
      const kept: string[] = []
      const note = (identities: readonly Identity[]) => kept.push(...identities.map(({ subject }) => subject))
      expect(await unlink(ann, note)).toEqual(anIdentity(ann))
      expect(kept).toEqual(['43'])
      expect((await g.store.identities.list(ann.id)).map(({ subject }) => subject)).toEqual(['43'])
      expect(await rows()).toContainEqual(['delete', 'ann@example.org', values, null])
      expect(await unlink(ann)).toBeNull()
    })

    test('ends the other sessions when it is linked, and none when it was linked before', async () => {
      const begin = (lookup: string) =>
        g.store.by(anAuthor()).sessions.create(aSession(ann, { lookup, method: 'oidc' }), null)
      const left = async () => (await g.store.sessions.list(ann.id)).map(({ lookup }) => lookup)
      for (const lookup of ['kept', 'other']) await begin(lookup)
      await link(anIdentity(ann))
      expect(await left()).toEqual(['kept'])
      await begin('later')
      await link(anIdentity(ann))
      expect((await left()).toSorted()).toEqual(['kept', 'later'])
    })

    test('takes the sessions with it that it may have begun', async () => {
      await link(anIdentity(ann))
      for (const lookup of ['kept', 'other']) {
        await g.store.by(anAuthor()).sessions.create(aSession(ann, { lookup, method: 'oidc' }), null)
      }
      await unlink(ann)
      expect((await g.store.sessions.list(ann.id)).map(({ lookup }) => lookup)).toEqual(['kept'])
    })

    test('stays when that is refused', async () => {
      await link(anIdentity(ann))
      const refused = unlink(ann, () => {
        throw new Refusal('identity-needed', 'no')
      })
      expect((await refusalOf(refused)).code).toBe('identity-needed')
      expect(await g.store.identities.list(ann.id)).toHaveLength(1)
    })

    test('is one of the account', async () => {
      await link(anIdentity(ann))
      expect(await unlink(bob)).toBeNull()
      expect(await g.store.identities.list(ann.id)).toHaveLength(1)
    })
  })

  describe('an administrator', () => {
    const set = (account: Account, is: boolean, store = g.store) =>
      store.by(anAuthor()).accounts.setAdministrator(account.id, is)

    test('is made and unmade, with a row for each', async () => {
      await set(bob, true)
      expect(await set(ann, true)).toEqual({ ...ann, isAdministrator: true })
      await set(ann, true)
      expect(await set(ann, false)).toEqual(ann)
      const changes = (await g.store.audit.list(100)).filter(({ action }) => action === 'edit')
      expect(changes.map(({ after: now }) => now)).toHaveLength(3)
      expect(await g.store.by(anAuthor()).accounts.setAdministrator('nobody', true)).toBeNull()
    })

    test('stays while nobody else administers, or only one who is suspended', async () => {
      await set(ann, true)
      expect((await set(ann, false))?.isAdministrator).toBe(true)
      await set(bob, true)
      await g.store.by(anAuthor()).accounts.change(bob.id, (account) => ({ ...account, isSuspended: true }), null)
      expect((await set(ann, false))?.isAdministrator).toBe(true)
    })

    test('is left when all are unmade at the same time', async () => {
      const other = (await g.another?.()) ?? g.store
      for (const account of [ann, bob]) await set(account, true)
      await Promise.all([set(ann, false), set(bob, false, other)])
      const all = (await g.store.accounts.list()).filter(({ isAdministrator }) => isAdministrator)
      expect(all).toHaveLength(1)
    })
  })
}
