/** Morning mails: planned by the settings of accounts, claimed for an attempt, ended by its result. It is Wednesday noon in UTC. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import type { MorningResult } from '../../../src/domain/morning/morning-mail.ts'
import { addSeconds, Temporal } from '../../../src/lib/time.ts'
import type { MorningOrder } from '../../../src/store/store.ts'
import {
  anAccount,
  anAuthor,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const instant = Temporal.Instant.from
const LEASE_SECONDS = 300
const AT_EIGHT = { morningMail: { wish: 'always', hour: 8 } } as const
const THURSDAY = '2026-03-05T08:00:00Z'
const FRIDAY = '2026-03-06T08:00:00Z'

export function morningMailsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const author = () => ({ ...anAuthor(), at: g.clock.now() })
  const create = async (settings: Partial<Account> = {}) => {
    const account = anAccount()
    await g.store.by(author()).accounts.create(account)
    await change(account, settings)
    return account
  }
  const change = ({ id }: Account, settings: Partial<Account>) =>
    g.store.by(author()).accounts.change(id, (account) => ({ ...account, ...settings }), null)
  const dueOf = async ({ id }: Account) => {
    const planned = await g.store.morningMails.find(id)
    return planned && String(planned.dueAt)
  }
  const next = async () => {
    const at = await g.store.morningMails.nextAt()
    return at && String(at)
  }
  const claim = (limit = 10) =>
    g.store.morningMails.claim(g.clock.now(), addSeconds(g.clock.now(), LEASE_SECONDS), limit)
  const endedUntil = (nextDueAt: string, error: string | null = null): MorningResult => ({
    state: 'ended',
    nextDueAt: instant(nextDueAt),
    error,
  })

  describe('the settings of an account', () => {
    test('come back as they were given, and plan a mail only while one is wanted', async () => {
      const account = await create()
      expect([await dueOf(account), await next()]).toEqual([null, null])
      await change(account, AT_EIGHT)
      expect((await g.store.accounts.find(account.id))?.morningMail).toEqual(AT_EIGHT.morningMail)
      expect([await dueOf(account), await next()]).toEqual([THURSDAY, THURSDAY])
      await change(account, { morningMail: null })
      expect((await g.store.accounts.find(account.id))?.morningMail).toBeNull()
      expect([await dueOf(account), await next()]).toEqual([null, null])
    })

    test('move the next mail by another hour and by another zone, and by nothing else', async () => {
      const account = await create(AT_EIGHT)
      await change(account, { morningMail: { wish: 'trouble', hour: 9 } })
      expect(await dueOf(account)).toBe('2026-03-05T09:00:00Z')
      await change(account, { tz: 'Asia/Tokyo' })
      expect(await dueOf(account)).toBe('2026-03-05T00:00:00Z')
      await change(account, { theme: 'dark', morningMail: { wish: 'always', hour: 9 } })
      expect(await dueOf(account)).toBe('2026-03-05T00:00:00Z')
    })

    test('go with the account', async () => {
      const account = await create(AT_EIGHT)
      await g.store.by(author()).accounts.delete(account.id)
      expect(await next()).toBeNull()
    })
  })

  describe('a mail', () => {
    test('is claimed once while its lease lasts, those that are longest due first', async () => {
      const late = await create({ morningMail: { wish: 'always', hour: 9 } })
      const early = await create(AT_EIGHT)
      expect(await claim()).toEqual([])
      g.clock.set('2026-03-05T09:30:00Z')
      const first = only(await claim(1))
      expect([first.account.id, first.mail.attempts]).toEqual([early.id, 1])
      expect((await claim()).map(({ account }) => account.id)).toEqual([late.id])
      expect(await claim()).toEqual([])
      g.clock.advance({ seconds: LEASE_SECONDS })
      expect((await claim()).map(({ mail }) => mail.attempts)).toEqual([2, 2])
    })

    test('is claimed for longer by a renewed lease, which is refused after another claim or another date', async () => {
      const account = await create(AT_EIGHT)
      g.clock.set(THURSDAY)
      const renew = ({ mail }: MorningOrder) =>
        g.store.morningMails.renew(mail, addSeconds(g.clock.now(), LEASE_SECONDS))
      const first = only(await claim())
      g.clock.advance({ seconds: LEASE_SECONDS })
      expect(await renew(first)).toBe(true)
      expect(await claim()).toEqual([])
      g.clock.advance({ seconds: LEASE_SECONDS })
      const second = only(await claim())
      expect([await renew(first), await renew(second)]).toEqual([false, true])
      g.clock.advance({ seconds: LEASE_SECONDS })
      const third = only(await claim())
      await change(account, { morningMail: { wish: 'always', hour: 10 } })
      expect(await renew(third)).toBe(false)
    })

    test('that was sent is due next on the date of its result, with no attempt', async () => {
      const account = await create(AT_EIGHT)
      g.clock.set(THURSDAY)
      await g.store.morningMails.record(only(await claim()), endedUntil(FRIDAY, 'the address was refused'))
      expect(await g.store.morningMails.find(account.id)).toEqual({
        accountId: account.id,
        dueAt: instant(FRIDAY),
        attempts: 0,
        nextAttemptAt: instant(FRIDAY),
        error: 'the address was refused',
      })
    })

    test('that is tried again keeps its date and its attempts', async () => {
      const account = await create(AT_EIGHT)
      g.clock.set(THURSDAY)
      const nextAttemptAt = instant('2026-03-05T08:00:10Z')
      await g.store.morningMails.record(only(await claim()), { state: 'pending', error: 'busy', nextAttemptAt })
      expect(await g.store.morningMails.find(account.id)).toMatchObject({ attempts: 1, error: 'busy', nextAttemptAt })
      expect(await dueOf(account)).toBe(THURSDAY)
      g.clock.set('2026-03-05T08:00:10Z')
      expect(only(await claim()).mail.attempts).toBe(2)
    })

    test.each([
      ['hour', { morningMail: { wish: 'always', hour: 10 } }, '2026-03-06T10:00:00Z'],
      ['zone', { tz: 'Asia/Tokyo' }, '2026-03-05T23:00:00Z'],
    ] as const)(
      'that ended is due next on the following morning, also if its %s was changed meanwhile',
      async (_, to, due) => {
        const account = await create(AT_EIGHT)
        g.clock.set(THURSDAY)
        const order = only(await claim())
        await change(account, to)
        await g.store.morningMails.record(order, endedUntil(FRIDAY, 'the address was refused'))
        expect(await g.store.morningMails.find(account.id)).toEqual({
          accountId: account.id,
          dueAt: instant(due),
          attempts: 0,
          nextAttemptAt: instant(due),
          error: 'the address was refused',
        })
        expect(await claim()).toEqual([])
      },
    )

    test('that ended is due next on the following morning, also if its hour is changed at the same moment', async () => {
      const account = await create(AT_EIGHT)
      g.clock.set(THURSDAY)
      const order = only(await claim())
      await Promise.all([
        change(account, { morningMail: { wish: 'always', hour: 10 } }),
        g.store.morningMails.record(order, endedUntil(FRIDAY)),
      ])
      expect(await dueOf(account)).toBe('2026-03-06T10:00:00Z')
    })

    test('that is tried again keeps the date to which it was moved meanwhile', async () => {
      const account = await create(AT_EIGHT)
      g.clock.set(THURSDAY)
      const order = only(await claim())
      await change(account, { morningMail: { wish: 'always', hour: 10 } })
      const nextAttemptAt = instant('2026-03-05T08:00:10Z')
      await g.store.morningMails.record(order, { state: 'pending', error: 'busy', nextAttemptAt })
      expect(await g.store.morningMails.find(account.id)).toMatchObject({ attempts: 0, error: null })
      expect(await dueOf(account)).toBe('2026-03-05T10:00:00Z')
    })

    test('whose attempt outlived its lease is left to the newer one', async () => {
      const account = await create(AT_EIGHT)
      g.clock.set(THURSDAY)
      const order = only(await claim())
      g.clock.advance({ seconds: LEASE_SECONDS })
      only(await claim())
      await g.store.morningMails.record(order, endedUntil(FRIDAY))
      expect([await dueOf(account), (await g.store.morningMails.find(account.id))?.attempts]).toEqual([THURSDAY, 2])
    })
  })
}
