/** Sessions and one-time links. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import { LINK_PURPOSES, type OneTimeLink } from '../../../src/domain/account/one-time-link.ts'
import { IDLE_SECONDS, LONGEST_SECONDS } from '../../../src/domain/account/session.ts'
import {
  after,
  anAccount,
  anAuthor,
  aSession,
  type Ground,
  ground,
  type OpenStore,
} from '../../support/store-builders.ts'

export function sessionsContract(open: OpenStore): void {
  let g: Ground
  let ann: Account
  let bob: Account
  beforeEach(async () => {
    g = await ground(open)
    ;[ann, bob] = [anAccount({ email: 'ann@example.org' }), anAccount({ email: 'bob@example.org' })]
    for (const account of [ann, bob]) await g.store.by(anAuthor()).createAccount(account)
  })
  afterEach(() => g.close())

  const lookups = async (account: Account) => (await g.store.listSessions(account.id)).map(({ lookup }) => lookup)

  describe('a session', () => {
    test('is found by its lookup, as it was given, with its account as it is now', async () => {
      const session = aSession(ann, { lastSeenAt: after(3), address: null, userAgent: 'Firefox "1" ü' })
      await g.store.createSession(session, null)
      expect(await g.store.findSession(session.lookup)).toEqual({ session, account: ann })
      await g.store.by(anAuthor()).changeAccount(ann.id, (old) => ({ ...old, isAdministrator: true }), null)
      expect((await g.store.findSession(session.lookup))?.account.isAdministrator).toBe(true)
      expect(await g.store.findSession('unknown')).toBeNull()
    })

    test('is not created for an account that was deleted meanwhile', async () => {
      const session = aSession(ann)
      await g.store.by(anAuthor()).deleteAccount(ann.id)
      expect(await g.store.createSession(session, null)).toBe(false)
      expect(await g.store.createSession(aSession(bob), null)).toBe(true)
      expect(await g.store.findSession(session.lookup)).toBeNull()
    })

    test('that began with a password is not created when that was changed meanwhile', async () => {
      const change = (passwordHash: string | null) =>
        g.store.by(anAuthor()).changeAccount(ann.id, (old) => ({ ...old, passwordHash }), null)
      await change('old')
      expect(await g.store.createSession(aSession(ann), 'old')).toBe(true)
      await change('new')
      expect(await g.store.createSession(aSession(ann), 'old')).toBe(false)
      await change(null)
      expect(await g.store.createSession(aSession(ann), 'new')).toBe(false)
      expect(await lookups(ann)).toEqual([])
    })

    test('remembers when and from where it was last seen, and no earlier time', async () => {
      const session = aSession(ann)
      await g.store.createSession(session, null)
      await g.store.touchSession(session.lookup, after(300), '2001:db8::1')
      await g.store.touchSession(session.lookup, after(299), '192.0.2.99')
      const touched = { ...session, lastSeenAt: after(300), address: '2001:db8::1' }
      expect((await g.store.findSession(session.lookup))?.session).toEqual(touched)
    })

    test('that was touched after its end stays ended', async () => {
      const session = aSession(ann)
      await g.store.createSession(session, null)
      await g.store.endSession(ann.id, session.lookup)
      await g.store.touchSession(session.lookup, after(300), null)
      expect(await g.store.findSession(session.lookup)).toBeNull()
    })

    test('is ended by its account only, and once', async () => {
      const session = aSession(ann)
      await g.store.createSession(session, null)
      expect(await g.store.endSession(bob.id, session.lookup)).toBe(false)
      expect(await g.store.endSession(ann.id, session.lookup)).toBe(true)
      expect(await g.store.endSession(ann.id, session.lookup)).toBe(false)
      expect(await g.store.findSession(session.lookup)).toBeNull()
    })
  })

  describe('the sessions of an account', () => {
    beforeEach(async () => {
      for (const [seconds, lookup] of ['a', 'c', 'b'].entries()) {
        await g.store.createSession(aSession(ann, { lookup, lastSeenAt: after(seconds) }), null)
      }
      await g.store.createSession(aSession(bob, { lookup: 'of bob' }), null)
    })

    test('are listed, last seen first', async () => {
      expect(await lookups(ann)).toEqual(['b', 'c', 'a'])
      expect(await lookups(bob)).toEqual(['of bob'])
    })

    test('end together, but for one', async () => {
      expect(await g.store.endSessions(ann.id, 'c')).toBe(2)
      expect(await lookups(ann)).toEqual(['c'])
      expect(await lookups(bob)).toEqual(['of bob'])
      expect(await g.store.endSessions(ann.id, null)).toBe(1)
      expect(await g.store.endSessions(ann.id, null)).toBe(0)
    })
  })

  const link = (lookup: string, over: Partial<OneTimeLink> = {}): OneTimeLink => ({
    lookup,
    purpose: 'sign-in',
    accountId: ann.id,
    expiresAt: after(60),
    ...over,
  })

  describe('a one-time link', () => {
    test.each(LINK_PURPOSES)('for %s is found as it was given', async (purpose) => {
      const given = link('a', { purpose, accountId: purpose === 'first-account' ? null : ann.id })
      await g.store.createLink(given)
      expect(await g.store.findLink('a')).toEqual(given)
      expect(await g.store.findLink('b')).toBeNull()
    })

    const password = { purpose: 'password' } as const
    const foundOf = async (lookups: readonly string[]) => {
      const found = await Promise.all(lookups.map((lookup) => g.store.findLink(lookup)))
      return lookups.filter((_, index) => found[index] !== null)
    }

    test('to choose a password ends the earlier ones of the account, and no others', async () => {
      const first = { purpose: 'first-account', accountId: null } as const
      const others = [link('to sign in'), link('of bob', { ...password, accountId: bob.id }), link('first', first)]
      const early = [link('early', password), ...others]
      const late = [link('late', password), link('late first', first)]
      for (const one of [...early, ...late]) await g.store.createLink(one)
      const all = [...early, ...late].map(({ lookup }) => lookup)
      expect(await foundOf(all)).toEqual(['to sign in', 'of bob', 'first', 'late', 'late first'])
    })

    test('to sign in ends no earlier one, and its use ends all of its account', async () => {
      const others = [link('of bob', { accountId: bob.id }), link('password', password)]
      for (const one of [link('early'), link('late'), ...others]) await g.store.createLink(one)
      expect(await foundOf(['early', 'late', 'of bob', 'password'])).toHaveLength(4)
      expect(await g.store.useLink('early')).toBe(true)
      expect(await g.store.useLink('late')).toBe(false)
      expect(await foundOf(['early', 'late', 'of bob', 'password'])).toEqual(['of bob', 'password'])
    })

    test('works once, though several use it at the same time', async () => {
      await g.store.createLink(link('a'))
      const other = (await g.another?.()) ?? g.store
      const used = await Promise.all([g.store, other, g.store, other].map((store) => store.useLink('a')))
      expect(used.filter(Boolean)).toHaveLength(1)
      expect(await g.store.findLink('a')).toBeNull()
      expect(await g.store.useLink('a')).toBe(false)
    })
  })

  describe('what has expired', () => {
    const kept = async () => {
      const links = []
      for (const lookup of ['soon', 'later']) if (await g.store.findLink(lookup)) links.push(lookup)
      return [...(await lookups(ann)).toSorted(), ...links]
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
        await g.store.createSession(aSession(ann, { lookup, createdAt: after(created), lastSeenAt: after(seen) }), null)
      }
      await g.store.createLink(link('soon', { expiresAt: after(idle) }))
      await g.store.createLink(link('later', { purpose: 'password', expiresAt: after(idle + 1) }))
      await g.store.removeExpired(after(idle))
      expect(await kept()).toEqual(['idle', 'in use', 'not so old', 'old', 'soon', 'later'])
      await g.store.removeExpired(after(idle + 0.000001))
      expect(await kept()).toEqual(['in use', 'not so old', 'old', 'later'])
      await g.store.removeExpired(after(longest + 0.000001))
      expect(await kept()).toEqual(['not so old'])
    })
  })
}
