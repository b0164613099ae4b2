/** Passkeys of accounts. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import { PASSKEY_LIMIT, type Passkey } from '../../../src/domain/account/passkey.ts'
import {
  after,
  anAccount,
  anAuthor,
  aSession,
  NOON,
  type OpenStore,
  only,
  refusalOf,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

let made = 0

function aPasskey({ id: accountId }: Pick<Account, 'id'>, over: Partial<Passkey> = {}): Passkey {
  const n = ++made
  const own = { id: `credential-${n}`, name: `Key ${n}`, publicKey: 'pQECAyYg', counter: 0, transports: ['usb', 'nfc'] }
  return { ...own, accountId, createdAt: after(n), lastUsedAt: null, ...over }
}

export function passkeysContract(open: OpenStore): void {
  let g: StoreFixture
  let ann: Account
  let bob: Account
  beforeEach(async () => {
    g = await storeFixture(open)
    ;[ann, bob] = [anAccount({ email: 'ann@example.org' }), anAccount({ email: 'bob@example.org' })]
    for (const account of [ann, bob]) await g.store.by(anAuthor()).accounts.create(account)
  })
  afterEach(() => g.close())

  // The audit log is read by time.
  const by = () => g.store.by(anAuthor({ at: after(++made) }))
  const added = async (account: Account, over: Partial<Passkey> = {}) => {
    const passkey = aPasskey(account, over)
    await by().passkeys.add(passkey, null)
    return passkey
  }
  const newest = async () => only(await g.store.audit.list(1))

  describe('a passkey', () => {
    test('is found as it was added, by its id or among those of its account, oldest first', async () => {
      const second = await added(ann, { createdAt: after(2), lastUsedAt: after(3), counter: 4_294_967_295 })
      const first = await added(ann, { createdAt: after(1), name: 'ü "1"' })
      await added(bob)
      expect(await g.store.passkeys.list(ann.id)).toEqual([first, second])
      expect(await g.store.passkeys.find(second.id)).toEqual(second)
      expect(await g.store.passkeys.find('unknown')).toBeNull()
    })

    test('belongs to one account', async () => {
      const { id } = await added(ann)
      for (const account of [ann, bob]) {
        expect((await refusalOf(by().passkeys.add(aPasskey(account, { id }), null))).code).toBe('passkey-exists')
      }
      expect((await g.store.passkeys.find(id))?.accountId).toBe(ann.id)
      expect(await g.store.passkeys.list(bob.id)).toEqual([])
    })

    test('needs an account, and goes with it', async () => {
      const { id } = await added(ann)
      await by().accounts.delete(ann.id)
      expect(await g.store.passkeys.find(id)).toBeNull()
      expect((await refusalOf(by().passkeys.add(aPasskey(ann), null))).code).toBe('account-not-found')
    })

    test('is refused beyond the limit of its account', async () => {
      for (let n = 0; n < PASSKEY_LIMIT; n++) await added(ann)
      expect((await refusalOf(by().passkeys.add(aPasskey(ann), null))).code).toBe('passkey-limit')
      await added(bob)
      expect(await g.store.passkeys.list(ann.id)).toHaveLength(PASSKEY_LIMIT)
    })

    test('is renamed and removed by its account only', async () => {
      const passkey = await added(ann)
      expect(await by().passkeys.rename(bob.id, passkey.id, 'Mine')).toBeNull()
      expect(await by().passkeys.remove(bob.id, passkey.id, null)).toBeNull()
      expect(await g.store.passkeys.find(passkey.id)).toEqual(passkey)
      expect(await by().passkeys.rename(ann.id, passkey.id, 'Phone')).toEqual({ ...passkey, name: 'Phone' })
      expect(await by().passkeys.remove(ann.id, passkey.id, null)).toEqual({ ...passkey, name: 'Phone' })
      expect(await by().passkeys.remove(ann.id, passkey.id, null)).toBeNull()
    })

    test('that is added ends the sessions of its account, but one', async () => {
      const [kept, ended, others] = [aSession(ann), aSession(ann), aSession(bob)]
      for (const session of [kept, ended, others]) await g.store.by(anAuthor()).sessions.create(session, null)
      await by().passkeys.add(aPasskey(ann), kept.lookup)
      expect(await g.store.sessions.list(ann.id)).toEqual([kept])
      expect(await g.store.sessions.list(bob.id)).toEqual([others])
    })

    test('that is removed ends the sessions of its account, but one', async () => {
      const { id } = await added(ann)
      const [kept, ended, others] = [aSession(ann), aSession(ann), aSession(bob)]
      for (const session of [kept, ended, others]) await g.store.by(anAuthor()).sessions.create(session, null)
      await by().passkeys.remove(ann.id, id, kept.lookup)
      expect(await g.store.sessions.list(ann.id)).toEqual([kept])
      expect(await g.store.sessions.list(bob.id)).toEqual([others])
    })

    test('goes with the second factor when all factors are removed, with a row of its own', async () => {
      const [first, second, others] = [await added(ann), await added(ann), await added(bob)]
      await by().sessions.create(aSession(ann), null)
      expect(await by().secondFactors.remove(ann.id)).toMatchObject({ id: ann.id, totp: null })
      expect(await g.store.passkeys.list(ann.id)).toEqual([])
      expect(await g.store.passkeys.list(bob.id)).toEqual([others])
      expect(await g.store.sessions.list(ann.id)).toEqual([])
      const gone = (await g.store.audit.list(20)).filter(
        ({ action, subject }) => action === 'delete' && subject.kind === 'passkey',
      )
      const rows = gone.map(({ action, subject }) => `${action} ${subject.id}`)
      expect(rows.toSorted()).toEqual([`delete ${first.id}`, `delete ${second.id}`].toSorted())
      expect(await by().secondFactors.remove('nobody')).toBeNull()
    })

    test('has rows in the audit log, without its public key', async () => {
      const { id, name } = await added(ann, { name: 'Laptop' })
      const subject = { kind: 'passkey', id, name } as const
      expect(await newest()).toMatchObject({ action: 'create', subject, projectId: null, before: null })
      expect((await newest()).after).toEqual({ name: 'Laptop', account: ann.id })
      await by().passkeys.rename(ann.id, id, 'Phone')
      expect(await newest()).toMatchObject({ action: 'edit', before: { name: 'Laptop' }, after: { name: 'Phone' } })
      await by().passkeys.remove(ann.id, id, null)
      expect(await newest()).toMatchObject({
        action: 'delete',
        before: { name: 'Phone', account: ann.id },
        after: null,
      })
    })
  })

  describe('the counter of a passkey', () => {
    const use = (id: string, counter: number) => g.store.passkeys.use({ id, counter }, after(60))

    test('must grow', async () => {
      const { id } = await added(ann, { counter: 5 })
      for (const counter of [0, 4, 5]) expect(await use(id, counter)).toBe(false)
      expect(await g.store.passkeys.find(id)).toMatchObject({ counter: 5, lastUsedAt: null })
      expect(await use(id, 6)).toBe(true)
      expect(await g.store.passkeys.find(id)).toMatchObject({ counter: 6, lastUsedAt: after(60) })
    })

    test('may stay at zero, and begin to count', async () => {
      const { id } = await added(ann)
      expect([await use(id, 0), await use(id, 0), await use(id, 1), await use(id, 0)]).toEqual([
        true,
        true,
        true,
        false,
      ])
    })

    test('is taken once when two uses come at once with the same number', async () => {
      const { id } = await added(ann)
      expect((await Promise.all([use(id, 7), use(id, 7)])).toSorted()).toEqual([false, true])
    })

    test('of no passkey counts nothing', async () => {
      expect(await g.store.passkeys.use({ id: 'unknown', counter: 0 }, NOON)).toBe(false)
    })
  })
}
