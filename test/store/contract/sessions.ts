/** Sessions and one-time links. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import type { Challenge } from '../../../src/domain/account/challenge.ts'
import { LINK_PURPOSES, type OneTimeLink } from '../../../src/domain/account/one-time-link.ts'
import { IDLE_SECONDS, LONGEST_SECONDS, type SecondFactor, type Session } from '../../../src/domain/account/session.ts'
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

export function sessionsContract(open: OpenStore): void {
  let g: StoreFixture
  let ann: Account
  let bob: Account
  beforeEach(async () => {
    g = await storeFixture(open)
    ;[ann, bob] = [anAccount({ email: 'ann@example.org' }), anAccount({ email: 'bob@example.org' })]
    for (const account of [ann, bob]) await g.store.by(anAuthor()).accounts.create(account)
  })
  afterEach(() => g.close())

  const lookups = async (account: Account) => (await g.store.sessions.list(account.id)).map(({ lookup }) => lookup)

  describe('a session', () => {
    test('is found by its lookup, as it was given, with its account as it is now', async () => {
      const session = aSession(ann, { lastSeenAt: after(3), address: null, userAgent: 'Firefox "1" ü' })
      await g.store.by(anAuthor()).sessions.create(session, null)
      expect(await g.store.sessions.find(session.lookup)).toEqual({ session, account: { ...ann, lastSeenAt: NOON } })
      await g.store.by(anAuthor()).accounts.change(ann.id, (old) => ({ ...old, isAdministrator: true }), null)
      expect((await g.store.sessions.find(session.lookup))?.account.isAdministrator).toBe(true)
      expect(await g.store.sessions.find('unknown')).toBeNull()
    })

    test('is not created for an account that was deleted meanwhile', async () => {
      const session = aSession(ann)
      await g.store.by(anAuthor()).accounts.delete(ann.id)
      expect(await g.store.by(anAuthor()).sessions.create(session, null)).toBe(false)
      expect(await g.store.by(anAuthor()).sessions.create(aSession(bob), null)).toBe(true)
      expect(await g.store.sessions.find(session.lookup)).toBeNull()
    })

    test('that began with a password is not created when that was changed meanwhile', async () => {
      const change = (passwordHash: string | null) =>
        g.store.by(anAuthor()).accounts.change(ann.id, (old) => ({ ...old, passwordHash }), null)
      await change('old')
      expect(await g.store.by(anAuthor()).sessions.create(aSession(ann), 'old')).toBe(true)
      await change('new')
      expect(await g.store.by(anAuthor()).sessions.create(aSession(ann), 'old')).toBe(false)
      await change(null)
      expect(await g.store.by(anAuthor()).sessions.create(aSession(ann), 'new')).toBe(false)
      expect(await lookups(ann)).toEqual([])
    })

    test('is not created without the second factor that was set up meanwhile', async () => {
      const begin = (method: Session['method'], factor?: SecondFactor) =>
        g.store.by(anAuthor()).sessions.create(aSession(ann, { method }), null, factor)
      expect(await begin('link')).toBe(true)
      const factor = { totp: { secret: 'ABC', usedStep: null }, recoveryLookups: [] }
      await g.store.by(anAuthor()).secondFactors.set(ann.id, factor, null)
      expect([await begin('link'), await begin('password')]).toEqual([false, false])
      expect([await begin('link', 'totp'), await begin('passkey'), await begin('oidc')]).toEqual([true, true, true])
      expect(await lookups(ann)).toHaveLength(3)
    })

    test('remembers when and from where it was last seen, and no earlier time', async () => {
      const session = aSession(ann)
      await g.store.by(anAuthor()).sessions.create(session, null)
      await g.store.sessions.touch(session.lookup, after(300), '2001:db8::1')
      await g.store.sessions.touch(session.lookup, after(299), '192.0.2.99')
      const touched = { ...session, lastSeenAt: after(300), address: '2001:db8::1' }
      expect((await g.store.sessions.find(session.lookup))?.session).toEqual(touched)
    })

    test('that was touched after its end stays ended', async () => {
      const session = aSession(ann)
      await g.store.by(anAuthor()).sessions.create(session, null)
      await g.store.by(anAuthor()).sessions.end(ann.id, session.lookup)
      await g.store.sessions.touch(session.lookup, after(300), null)
      expect(await g.store.sessions.find(session.lookup)).toBeNull()
    })

    test('is ended by its account only, and once', async () => {
      const session = aSession(ann)
      await g.store.by(anAuthor()).sessions.create(session, null)
      expect(await g.store.by(anAuthor()).sessions.end(bob.id, session.lookup)).toBe(false)
      expect(await g.store.by(anAuthor()).sessions.end(ann.id, session.lookup)).toBe(true)
      expect(await g.store.by(anAuthor()).sessions.end(ann.id, session.lookup)).toBe(false)
      expect(await g.store.sessions.find(session.lookup)).toBeNull()
    })
  })

  describe('the sessions of an account', () => {
    beforeEach(async () => {
      for (const [seconds, lookup] of ['a', 'c', 'b'].entries()) {
        await g.store.by(anAuthor()).sessions.create(aSession(ann, { lookup, lastSeenAt: after(seconds) }), null)
      }
      await g.store.by(anAuthor()).sessions.create(aSession(bob, { lookup: 'of bob' }), null)
    })

    test('are listed, last seen first', async () => {
      expect(await lookups(ann)).toEqual(['b', 'c', 'a'])
      expect(await lookups(bob)).toEqual(['of bob'])
    })

    test('end together, but for one', async () => {
      expect(await g.store.by(anAuthor()).sessions.endAll(ann.id, 'c')).toBe(2)
      expect(await lookups(ann)).toEqual(['c'])
      expect(await lookups(bob)).toEqual(['of bob'])
      expect(await g.store.by(anAuthor()).sessions.endAll(ann.id, null)).toBe(1)
      expect(await g.store.by(anAuthor()).sessions.endAll(ann.id, null)).toBe(0)
    })
  })

  describe('a session', () => {
    test('of a suspended account is not created', async () => {
      await g.store.by(anAuthor()).accounts.change(ann.id, (account) => ({ ...account, isSuspended: true }), null)
      expect(await g.store.by(anAuthor()).sessions.create(aSession(ann, { lookup: 'new' }), null)).toBe(false)
      expect(await g.store.sessions.find('new')).toBeNull()
    })

    test('notes when its person was last seen, and none earlier', async () => {
      const seen = async () => (await g.store.accounts.find(ann.id))?.lastSeenAt
      await g.store
        .by(anAuthor())
        .sessions.create(aSession(ann, { lookup: 'new', createdAt: after(100), lastSeenAt: after(100) }), null)
      expect(await seen()).toEqual(after(100))
      await g.store.sessions.touch('new', after(400), null)
      await g.store.accounts.see(ann.id, after(300))
      expect(await seen()).toEqual(after(400))
      await g.store.accounts.see(ann.id, after(500))
      expect(await seen()).toEqual(after(500))
    })

    test('keeps when its person proved again who they are', async () => {
      await g.store.by(anAuthor()).sessions.create(aSession(ann, { lookup: 'new', method: 'oidc' }), null)
      expect(await g.store.sessions.confirm('new', after(60))).toBe(true)
      expect((await g.store.sessions.find('new'))?.session).toMatchObject({ method: 'oidc', confirmedAt: after(60) })
      expect(await g.store.sessions.confirm('other', after(60))).toBe(false)
    })
  })

  describe('a challenge', () => {
    const challenge = (over: Partial<Challenge> = {}): Challenge => ({
      lookup: 'c',
      purpose: 'oidc',
      accountId: null,
      data: '{"nonce":"n"}',
      expiresAt: after(60),
      ...over,
    })

    test('is taken once, for what it was made', async () => {
      await g.store.tokens.create(challenge())
      expect(await g.store.tokens.take('c', 'totp')).toBeNull()
      expect(await g.store.tokens.find('c', 'oidc')).toEqual(challenge())
      expect(await g.store.tokens.take('c', 'oidc')).toEqual(challenge())
      expect(await g.store.tokens.take('c', 'oidc')).toBeNull()
    })

    test('ends when its account has ten newer ones of its purpose', async () => {
      const begin = (lookup: string, seconds: number, over: Partial<Challenge> = {}) =>
        g.store.tokens.create(challenge({ lookup, accountId: ann.id, expiresAt: after(seconds), ...over }))
      await begin('old', 1)
      await begin('other purpose', 0, { purpose: 'totp' })
      await begin('nobody', 0, { accountId: null })
      for (let n = 0; n < 9; n++) await begin(`new ${n}`, 60)
      expect(await g.store.tokens.find('old', 'oidc')).not.toBeNull()
      await begin('newest', 60)
      expect(await g.store.tokens.find('old', 'oidc')).toBeNull()
      expect(await g.store.tokens.find('newest', 'oidc')).not.toBeNull()
      expect(await g.store.tokens.find('new 0', 'oidc')).not.toBeNull()
      expect(await g.store.tokens.find('other purpose', 'totp')).not.toBeNull()
      expect(await g.store.tokens.find('nobody', 'oidc')).not.toBeNull()
    })

    test('is removed when it has expired, and with its account', async () => {
      await g.store.tokens.create(challenge())
      await g.store.tokens.create(challenge({ lookup: 'of ann', accountId: ann.id, expiresAt: after(900) }))
      await g.store.retention.removeExpired(after(61))
      expect(await g.store.tokens.find('c', 'oidc')).toBeNull()
      expect(await g.store.tokens.find('of ann', 'oidc')).not.toBeNull()
      await g.store.by(anAuthor()).accounts.delete(ann.id)
      expect(await g.store.tokens.find('of ann', 'oidc')).toBeNull()
    })
  })

  const link = (lookup: string, over: Partial<OneTimeLink> = {}): OneTimeLink => ({
    lookup,
    purpose: 'sign-in',
    accountId: ann.id,
    expiresAt: after(60),
    email: null,
    ...over,
  })

  describe('a one-time link', () => {
    test.each(LINK_PURPOSES)('for %s is found as it was given', async (purpose) => {
      const given = link('a', { purpose, accountId: purpose === 'first-account' ? null : ann.id })
      await g.store.tokens.create(given)
      expect(await g.store.tokens.find('a', purpose)).toEqual(given)
      expect(await g.store.tokens.find('b', purpose)).toBeNull()
    })

    const password = { purpose: 'password' } as const
    const foundOf = async (lookups: readonly string[]) => {
      const isThere = async (lookup: string) =>
        (await Promise.all(LINK_PURPOSES.map((purpose) => g.store.tokens.find(lookup, purpose)))).some(Boolean)
      const found = await Promise.all(lookups.map(isThere))
      return lookups.filter((_, index) => found[index])
    }

    test('to choose a password ends the earlier ones of the account, and no others', async () => {
      const first = { purpose: 'first-account', accountId: null } as const
      const others = [link('to sign in'), link('of bob', { ...password, accountId: bob.id }), link('first', first)]
      const early = [link('early', password), ...others]
      const late = [link('late', password), link('late first', first)]
      for (const one of [...early, ...late]) await g.store.tokens.create(one)
      const all = [...early, ...late].map(({ lookup }) => lookup)
      expect(await foundOf(all)).toEqual(['to sign in', 'of bob', 'first', 'late', 'late first'])
    })

    test('to sign in ends no earlier one, and its use ends all of its account', async () => {
      const others = [link('of bob', { accountId: bob.id }), link('password', password)]
      for (const one of [link('early'), link('late'), ...others]) await g.store.tokens.create(one)
      expect(await foundOf(['early', 'late', 'of bob', 'password'])).toHaveLength(4)
      expect(await g.store.tokens.take('early', 'sign-in')).toEqual(link('early'))
      expect(await g.store.tokens.take('late', 'sign-in')).toBeNull()
      expect(await foundOf(['early', 'late', 'of bob', 'password'])).toEqual(['of bob', 'password'])
    })

    test('works once, though several use it at the same time', async () => {
      await g.store.tokens.create(link('a'))
      const other = (await g.another?.()) ?? g.store
      const used = await Promise.all([g.store, other, g.store, other].map((store) => store.tokens.take('a', 'sign-in')))
      expect(used.filter(Boolean)).toHaveLength(1)
      expect(await g.store.tokens.find('a', 'sign-in')).toBeNull()
      expect(await g.store.tokens.take('a', 'sign-in')).toBeNull()
    })
  })

  describe('what has expired', () => {
    const kept = async () => {
      const links = [await g.store.tokens.find('soon', 'sign-in'), await g.store.tokens.find('later', 'password')]
      return [...(await lookups(ann)).toSorted(), ...links.flatMap((found) => found?.lookup ?? [])]
    }

    test('is removed: idle sessions, old sessions, and links', async () => {
      const [idle, longest] = [IDLE_SECONDS, LONGEST_SECONDS]
      const sessions = {
        idle: [0, 0],
        'in use': [0, 1],
        old: [0, longest - 1],
        'not so old': [1, longest - 1],
      } as const
      for (const [lookup, [created, seen]] of Object.entries(sessions)) {
        await g.store
          .by(anAuthor())
          .sessions.create(aSession(ann, { lookup, createdAt: after(created), lastSeenAt: after(seen) }), null)
      }
      await g.store.tokens.create(link('soon', { expiresAt: after(idle) }))
      await g.store.tokens.create(link('later', { purpose: 'password', expiresAt: after(idle + 1) }))
      await g.store.retention.removeExpired(after(idle))
      expect(await kept()).toEqual(['idle', 'in use', 'not so old', 'old', 'soon', 'later'])
      await g.store.retention.removeExpired(after(idle + 0.000001))
      expect(await kept()).toEqual(['in use', 'not so old', 'old', 'later'])
      await g.store.retention.removeExpired(after(longest + 0.000001))
      expect(await kept()).toEqual(['not so old'])
    })
  })
}
