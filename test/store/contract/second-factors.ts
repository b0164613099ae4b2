/**
 * Authenticator apps and recovery codes: set, used once, removed. Projects and duties that an account would leave behind when it closes.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import {
  after,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  aSession,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function secondFactorsContract(open: OpenStore): void {
  let g: StoreFixture
  let ann: Account
  let bob: Account
  beforeEach(async () => {
    g = await storeFixture(open)
    ;[ann, bob] = [anAccount({ email: 'ann@example.org' }), anAccount({ email: 'bob@example.org' })]
    for (const account of [ann, bob]) await g.store.by(anAuthor()).accounts.create(account)
  })
  afterEach(() => g.close())

  const by = () => g.store.by(anAuthor())
  const factor = (...recoveryLookups: readonly string[]) => ({
    totp: { secret: 'ABC', usedStep: 100 },
    recoveryLookups,
  })

  describe('a second factor', () => {
    test('is set with its recovery codes, and ends the other sessions and what was begun', async () => {
      for (const lookup of ['kept', 'other']) await by().sessions.create(aSession(ann, { lookup }), null)
      const challenge = { lookup: 'c', purpose: 'second-factor', accountId: ann.id, data: '{}' } as const
      await g.store.tokens.create({ ...challenge, expiresAt: g.clock.now() })
      expect((await by().secondFactors.set(ann.id, factor('one', 'two'), 'kept'))?.totp?.secret).toBe('ABC')
      expect((await g.store.accounts.find(ann.id))?.totp).toEqual({ secret: 'ABC', usedStep: 100 })
      expect((await g.store.sessions.list(ann.id)).map(({ lookup }) => lookup)).toEqual(['kept'])
      expect(await g.store.tokens.find('c', 'second-factor')).toBeNull()
      expect(await by().secondFactors.set(crypto.randomUUID(), factor('x'), null)).toBeNull()
    })

    test('is removed with its recovery codes', async () => {
      await by().secondFactors.set(ann.id, factor('one'), null)
      await by().secondFactors.set(ann.id, null, null)
      expect((await g.store.accounts.find(ann.id))?.totp).toBeNull()
      expect(await g.store.secondFactors.countRecoveryCodes(ann.id)).toBe(0)
    })

    test('takes each step once, and none before it, for its own secret', async () => {
      await by().secondFactors.set(ann.id, factor(), null)
      const uses = [
        await g.store.secondFactors.useTotpStep(ann.id, 'ABC', 100, null),
        await g.store.secondFactors.useTotpStep(ann.id, 'ABC', 101, null),
        await g.store.secondFactors.useTotpStep(ann.id, 'ABC', 101, null),
        await g.store.secondFactors.useTotpStep(ann.id, 'ABC', 100, null),
        await g.store.secondFactors.useTotpStep(ann.id, 'OLD', 102, null),
        await g.store.secondFactors.useTotpStep(bob.id, 'ABC', 102, null),
      ]
      expect(uses).toEqual([false, true, false, false, false, false])
    })

    test('takes a step of two uses at once', async () => {
      await by().secondFactors.set(ann.id, factor(), null)
      const uses = await Promise.all(
        [101, 101].map((step) => g.store.secondFactors.useTotpStep(ann.id, 'ABC', step, null)),
      )
      expect(uses.toSorted()).toEqual([false, true])
    })
  })

  describe('recovery codes', () => {
    const begin = (lookup: string, account = ann) =>
      g.store.tokens.create({
        lookup,
        purpose: 'second-factor',
        accountId: account.id,
        data: '{}',
        expiresAt: g.clock.now(),
      })
    const isOpen = async (lookup: string) => (await g.store.tokens.find(lookup, 'second-factor')) !== null

    test('are used once, by their account', async () => {
      await by().secondFactors.set(ann.id, factor('one', 'two'), null)
      for (const lookup of ['first', 'second']) await begin(lookup)
      await begin('of bob', bob)
      expect(await g.store.secondFactors.useRecoveryCode(bob.id, 'one', 'of bob')).toBe(false)
      expect(await g.store.secondFactors.useRecoveryCode(bob.id, 'one', 'first')).toBe(false)
      expect(await g.store.secondFactors.useRecoveryCode(ann.id, 'one', 'first')).toBe(true)
      expect(await g.store.secondFactors.useRecoveryCode(ann.id, 'one', 'second')).toBe(false)
      expect(await g.store.secondFactors.countRecoveryCodes(ann.id)).toBe(1)
      expect([await isOpen('first'), await isOpen('second'), await isOpen('of bob')]).toEqual([false, true, true])
    })

    test('are not used up by a sign-in that has ended, nor by one of two answers to it', async () => {
      await by().secondFactors.set(ann.id, factor('one', 'two', 'three'), null)
      expect(await g.store.secondFactors.useRecoveryCode(ann.id, 'one', 'ended')).toBe(false)
      expect(await g.store.secondFactors.countRecoveryCodes(ann.id)).toBe(3)
      await begin('c')
      const both = await Promise.all(
        ['one', 'two'].map((code) => g.store.secondFactors.useRecoveryCode(ann.id, code, 'c')),
      )
      expect(both.toSorted()).toEqual([false, true])
      expect(await g.store.secondFactors.countRecoveryCodes(ann.id)).toBe(2)
      await begin('totp')
      expect(await g.store.secondFactors.useTotpStep(ann.id, 'ABC', 101, 'ended')).toBe(false)
      expect(await g.store.secondFactors.useTotpStep(ann.id, 'ABC', 101, 'totp')).toBe(true)
    })

    test('stay when the password is changed, which ends links and challenges, and when those expire', async () => {
      await by().secondFactors.set(ann.id, factor('one', 'two'), null)
      await begin('c')
      await by().accounts.change(ann.id, (account) => ({ ...account, passwordHash: 'new' }), null)
      await g.store.retention.removeExpired(after(1_000_000_000))
      expect(await isOpen('c')).toBe(false)
      expect(await g.store.secondFactors.countRecoveryCodes(ann.id)).toBe(2)
    })

    test('are no links, challenges or invitations', async () => {
      await by().secondFactors.set(ann.id, factor('one'), null)
      expect(await g.store.tokens.take('one', 'sign-in')).toBeNull()
      expect(await g.store.tokens.take('one', 'second-factor')).toBeNull()
      expect(await by().accounts.change(ann.id, (account) => account, null, 'one')).toBeNull()
      expect(await g.store.invitations.find('one', g.clock.now())).toBeNull()
      expect(await g.store.secondFactors.countRecoveryCodes(ann.id)).toBe(1)
    })

    test('are replaced all at once, where there is a second factor', async () => {
      await by().secondFactors.set(ann.id, factor('one', 'two'), null)
      expect(await by().secondFactors.replaceRecoveryCodes(ann.id, ['three'])).toBe(true)
      await begin('c')
      expect(await g.store.secondFactors.useRecoveryCode(ann.id, 'one', 'c')).toBe(false)
      expect(await g.store.secondFactors.countRecoveryCodes(ann.id)).toBe(1)
      expect(await by().secondFactors.replaceRecoveryCodes(bob.id, ['four'])).toBe(false)
      expect(await g.store.secondFactors.countRecoveryCodes(bob.id)).toBe(0)
    })
  })

  describe('an account that closes', () => {
    test('is told what it alone owns, with others and without', async () => {
      const [shared, alone, owned] = [aProject({ name: 'a' }), aProject({ name: 'b' }), aProject({ name: 'c' })]
      for (const project of [shared, alone, owned]) {
        await by().projects.create(project, [], aMember(ann, project, 'owner'))
      }
      await by().team.setMember(aMember(bob, shared, 'manager'))
      await by().team.setMember(aMember(bob, owned, 'owner'))
      await by().team.setMember(aMember(ann, g.project, 'manager'))
      const { isLastAdministrator, ...projects } = await g.store.accounts.readClosing(ann.id)
      expect(isLastAdministrator).toBe(false)
      expect(projects.shared.map(({ id }) => id)).toEqual([shared.id])
      expect(projects.alone.map(({ id }) => id)).toEqual([alone.id])
    })

    test('is the last administrator if all others are suspended', async () => {
      await by().accounts.change(ann.id, (old) => ({ ...old, isAdministrator: true }), null)
      await by().accounts.change(bob.id, (old) => ({ ...old, isAdministrator: true, isSuspended: true }), null)
      expect((await g.store.accounts.readClosing(ann.id)).isLastAdministrator).toBe(true)
      await by().accounts.change(bob.id, (old) => ({ ...old, isSuspended: false }), null)
      expect((await g.store.accounts.readClosing(ann.id)).isLastAdministrator).toBe(false)
    })

    test('stays if it is not allowed, and goes otherwise', async () => {
      const refused = by().accounts.close(ann.id, () => {
        throw new Error('needed')
      })
      expect(refused).rejects.toThrow('needed')
      expect(await g.store.accounts.find(ann.id)).not.toBeNull()
      expect((await by().accounts.close(ann.id, () => {}))?.id).toBe(ann.id)
      expect(await g.store.accounts.find(ann.id)).toBeNull()
      expect(await by().accounts.close(ann.id, () => {})).toBeNull()
    })
  })
}
