/** Changes of accounts by administrators. The transaction knows the remaining administrators. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import {
  after,
  aMember,
  anAccount,
  anAuthor,
  type OpenStore,
  rejection,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function administrationContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const by = () => g.store.by(anAuthor({ at: after(1) }))
  const make = async (email: string, over: Partial<Account> = {}) => {
    const account = anAccount({ email, ...over })
    await by().accounts.create(account)
    return account
  }

  describe('accounts in pages', () => {
    const emails = async (text: string, last: string | null, limit = 10) =>
      (await g.store.accounts.listPage(text, last, limit)).map(({ account }) => account.email)

    test('come by email, after one, with the number of their projects', async () => {
      const ann = await make('ann@example.org')
      await make('cyd@example.org')
      await make('bob@example.org')
      await by().team.setMember(aMember(ann, g.project))
      expect(await emails('', null, 2)).toEqual(['ann@example.org', 'bob@example.org'])
      expect(await emails('', 'bob@example.org')).toEqual(['cyd@example.org'])
      const [first, second] = await g.store.accounts.listPage('', null, 2)
      expect([first?.places, second?.places]).toEqual([1, 0])
      expect(first?.account.id).toBe(ann.id)
    })

    test('are found by a part of the email, in any case, where % and _ mean themselves', async () => {
      await make('a_b@example.org')
      await make('axb@example.org')
      await make('50%@example.org')
      expect(await emails('A_B', null)).toEqual(['a_b@example.org'])
      expect(await emails('%', null)).toEqual(['50%@example.org'])
      expect(await emails('\\', null)).toEqual([])
    })
  })

  describe('a change by an administrator', () => {
    const asked = async (account: Account) => {
      const seen: unknown[] = []
      await by().accounts.administer(
        account.id,
        (stored) => stored,
        ({ email }, hasOther) => void seen.push(email, hasOther),
      )
      return seen
    }

    test('knows whether another account administers, which one that is suspended does not', async () => {
      const ann = await make('ann@example.org', { isAdministrator: true })
      const bob = await make('bob@example.org', { isAdministrator: true, isSuspended: true })
      await make('cyd@example.org')
      expect(await asked(ann)).toEqual(['ann@example.org', false])
      expect(await asked(bob)).toEqual(['bob@example.org', true])
    })

    test('that is refused changes nothing, and no row is written', async () => {
      const ann = await make('ann@example.org', { isAdministrator: true })
      await g.store.tokens.create({
        lookup: 'l',
        purpose: 'sign-in',
        accountId: ann.id,
        expiresAt: after(60),
        email: null,
      })
      const before = await g.store.audit.list(100)
      const refuse = () => {
        throw new Error('refused')
      }
      await rejection(by().accounts.administer(ann.id, (stored) => ({ ...stored, isSuspended: true }), refuse))
      await rejection(by().accounts.delete(ann.id, refuse))
      expect(await g.store.accounts.find(ann.id)).toMatchObject({ isSuspended: false })
      expect(await g.store.tokens.find('l', 'sign-in')).not.toBeNull()
      expect(await g.store.audit.list(100)).toEqual(before)
    })

    test('is asked of no account that does not exist', async () => {
      const never = () => {
        throw new Error('asked')
      }
      expect(await by().accounts.administer('nobody', (stored) => stored, never)).toBeNull()
      expect(await by().accounts.delete('nobody', never)).toBeNull()
    })

    test('of two administrators who each suspend the other at once, one stays', async () => {
      const [ann, bob] = [
        await make('ann@example.org', { isAdministrator: true }),
        await make('bob@example.org', { isAdministrator: true }),
      ]
      const suspend = ({ id }: Account) =>
        by().accounts.administer(
          id,
          (stored) => ({ ...stored, isSuspended: true }),
          (_, hasOther) => {
            if (!hasOther) throw new Error('the last one')
          },
        )
      await Promise.allSettled([suspend(ann), suspend(bob)])
      const stored = await Promise.all([ann, bob].map(({ id }) => g.store.accounts.find(id)))
      expect(stored.filter((account) => account?.isSuspended)).toHaveLength(1)
    })
  })

  test('a link that an administrator makes is in the audit log, without what opens it', async () => {
    const ann = await make('ann@example.org')
    await g.store
      .by(anAuthor({ at: after(2) }))
      .tokens.issueLink({ lookup: 'hash', purpose: 'password', accountId: ann.id, expiresAt: after(60), email: null })
    expect(await g.store.tokens.find('hash', 'password')).toMatchObject({ accountId: ann.id })
    const [row] = await g.store.audit.list(1)
    expect(row).toMatchObject({ action: 'edit', subject: { kind: 'account', name: 'ann@example.org' } })
    expect([row?.before, row?.after]).toEqual([{ password_link: null }, { password_link: true }])
    expect(JSON.stringify(row)).not.toContain('hash')
  })
}
