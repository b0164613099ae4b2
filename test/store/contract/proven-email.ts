/** Accounts whose address is proved by a mailed link. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Account, withProvenEmail } from '../../../src/domain/account/account.ts'
import {
  after,
  anAccount,
  anAuthor,
  aSession,
  NOON,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function provenEmailContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const by = () => g.store.by(anAuthor())
  /** Creates an account with every means of signing in. */
  const usedAccount = async (over: Partial<Account> = {}): Promise<Account> => {
    const account = anAccount({ passwordHash: 'hash', ...over })
    await by().accounts.create(account)
    const { id } = account
    await by().secondFactors.set(id, { totp: { secret: 'A'.repeat(32), usedStep: null }, recoveryLookups: [id] }, null)
    const own = { id: `key ${id}`, accountId: id, createdAt: NOON, lastUsedAt: null }
    await by().passkeys.add({ ...own, name: 'Phone', publicKey: 'x', counter: 0, transports: [] }, null)
    const linked = { issuer: 'https://id.example.org', subject: id, accountId: id, createdAt: NOON, lastUsedAt: null }
    await by().identities.link(linked, null)
    await by().sessions.create(aSession(account, { method: 'passkey' }), null, 'passkey')
    for (const lookup of [`used ${id}`, `other ${id}`]) {
      await g.store.tokens.create({
        lookup,
        purpose: 'sign-in',
        accountId: id,
        expiresAt: after(60),
        email: account.email,
      })
    }
    return account
  }
  const leftOf = async ({ id }: Account) => ({
    hash: (await g.store.accounts.find(id))?.passwordHash,
    hasApp: (await g.store.accounts.find(id))?.totp != null,
    codes: await g.store.secondFactors.countRecoveryCodes(id),
    passkeys: (await g.store.passkeys.list(id)).length,
    identities: (await g.store.identities.list(id)).length,
    sessions: (await g.store.sessions.list(id)).length,
  })
  const prove = ({ id }: Account, link = `used ${id}`) => by().accounts.proveEmail(id, withProvenEmail, link)

  describe('a link to an address', () => {
    test('that nobody has confirmed confirms it, and takes away all that lets others in', async () => {
      const [account, others] = [await usedAccount({ isEmailConfirmed: false }), await usedAccount()]
      expect(await prove(account)).toMatchObject({ id: account.id, isEmailConfirmed: true, passwordHash: null })
      const none = { hash: null, hasApp: false, codes: 0, passkeys: 0, identities: 0, sessions: 0 }
      expect(await leftOf(account)).toEqual(none)
      expect(await g.store.tokens.find(`other ${account.id}`, 'sign-in')).toBeNull()
      expect(await leftOf(others)).toMatchObject({ hash: 'hash', hasApp: true, codes: 1, passkeys: 1, sessions: 1 })
      const rows = (await g.store.audit.list(50)).filter(({ action }) => action !== 'create')
      const mine = rows.filter(({ subject, after: now }) => now?.email_confirmed || subject.id.includes(account.id))
      expect(mine.map(({ action, subject }) => `${action} ${subject.kind}`).toSorted()).toEqual(
        ['delete identity', 'delete passkey', 'edit account', 'edit account'].toSorted(),
      )
      expect(mine.find(({ after: now }) => now?.email_confirmed)?.after).toEqual({
        email_confirmed: true,
        has_password: false,
        password_changed: true,
        second_factor: false,
      })
    })

    test('ends the sessions of an account without a password too', async () => {
      const account = anAccount({ isEmailConfirmed: false })
      await by().accounts.create(account)
      await by().sessions.create(aSession(account), null)
      await g.store.tokens.create({
        lookup: `used ${account.id}`,
        purpose: 'sign-in',
        accountId: account.id,
        expiresAt: after(60),
        email: account.email,
      })
      await prove(account)
      expect(await g.store.sessions.list(account.id)).toEqual([])
    })

    test('that is confirmed takes nothing away', async () => {
      const account = await usedAccount()
      const before = await leftOf(account)
      expect(await prove(account)).toMatchObject({ passwordHash: 'hash' })
      expect(await leftOf(account)).toEqual(before)
    })

    test('that was used already changes nothing', async () => {
      const account = await usedAccount({ isEmailConfirmed: false })
      const before = await leftOf(account)
      expect(await prove(account, 'unknown')).toBeNull()
      expect(await leftOf(account)).toEqual(before)
    })
  })
}
