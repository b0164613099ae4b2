/** Reports and reminders: their dates, claimed for an attempt, ended by its result. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import type { MailingEntry, MailingOrder, MailingResult, WantedMailings } from '../../../src/domain/mail/mailing.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import type { MailTargetMark, MailTargets, Store } from '../../../src/store/store.ts'
import {
  aChannel,
  aCheck,
  after,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const HOUR = 3600
const HOURLY: WantedMailings = { reminder: { periodSeconds: HOUR, firstAt: after(HOUR) } }
const LEASE_SECONDS = 60
const MAIL = { kind: 'email', settings: 'ops@example.org' } as const

export function mailingsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const channel = async (wanted: WantedMailings, over: Partial<Channel> = {}) => {
    const made = aChannel(g.project, { kind: 'email', settings: 'ops@example.org', ...over })
    await g.store.by(anAuthor()).channels.create(made, wanted)
    return made
  }
  const edit = ({ id }: Channel, mailings: WantedMailings = {}) =>
    g.store.channels.change(id, (channel) => ({ channel: { ...channel, name: 'edited' }, mailings }))
  const at = (seconds: number) => g.clock.set(after(seconds).toString())
  /** Returns the seconds from noon to the next date. */
  const next = async () => {
    const due = await g.store.mailings.nextAt()
    return due && after(0).until(due).total('seconds')
  }
  const claim = (limit = 100, store: Store = g.store) =>
    store.mailings.claim(g.clock.now(), addSeconds(g.clock.now(), LEASE_SECONDS), limit)
  const record = ({ mailing }: MailingOrder, result: MailingResult) => g.store.mailings.record(mailing, result)
  const stored = async (id: string) => {
    const found = await g.store.channels.find(id)
    if (!found) throw new Error(`there is no channel ${id}`)
    return found
  }
  const fail = (check: { id: string }) => g.ping(check, { action: 'fail' })

  describe('a channel', () => {
    test('that asks for nothing has no date', async () => {
      await channel({})
      await fail(await g.check())
      expect(await next()).toBeNull()
    })

    test('that asks for reports has its date, another one after an edit, and none once it asks no more', async () => {
      const made = await channel({ report: () => after(100) })
      expect(await next()).toBe(100)
      await edit(made, { report: () => after(200) })
      expect(await next()).toBe(200)
      await edit(made)
      await edit(made, { reminder: null })
      expect(await next()).toBe(200)
      await edit(made, { report: (dueAt) => (dueAt ?? after(0)).add({ seconds: 50 }) })
      expect(await next()).toBe(250)
      await edit(made, { report: null })
      expect(await next()).toBeNull()
    })

    test('whose date stays keeps its attempts; a new date starts again', async () => {
      const made = await channel({ report: () => after(0) })
      await record(only(await claim()), { state: 'pending', error: 'not now', nextAttemptAt: after(10) })
      await edit(made, { report: () => after(0) })
      expect(await next()).toBe(10)
      at(10)
      expect(only(await claim()).mailing.attempts).toBe(2)
      await edit(made, { report: () => after(5) })
      expect(only(await claim()).mailing.attempts).toBe(1)
    })

    test('passes null to the date function if it has no date', async () => {
      const made = await channel({})
      await edit(made, { report: (dueAt) => (dueAt === null ? after(70) : after(0)) })
      expect(await next()).toBe(70)
    })

    test('that asks for reminders has a date at once if a check is down, otherwise none', async () => {
      const [up, down] = [await g.check(), await g.check()]
      await g.ping(up)
      const made = await channel(HOURLY)
      expect(await next()).toBeNull()
      await fail(down)
      await edit(made, { reminder: { periodSeconds: 60, firstAt: after(60) } })
      expect(await next()).toBe(60)
      await channel({ reminder: { periodSeconds: 30, firstAt: after(30) } })
      expect(await next()).toBe(30)
    })

    test('that is deleted loses its dates, and an edit of it writes none', async () => {
      const made = await channel({ report: () => after(100), ...HOURLY })
      await g.store.by(anAuthor()).channels.delete(made.id)
      expect(await edit(made, { report: () => after(100) })).toBeNull()
      expect(await next()).toBeNull()
    })
  })

  describe('the date of reminders', () => {
    test('is a period after the first check goes down, and is not moved by the next', async () => {
      await channel(HOURLY)
      const [first, second] = [await g.check(), await g.check()]
      await fail(first)
      expect(await next()).toBe(HOUR)
      at(60)
      await fail(second)
      expect(await next()).toBe(HOUR)
    })

    test('counts from when the flip is written, also for a deadline that passed long ago', async () => {
      await channel(HOURLY)
      await g.ping(await g.check())
      at(10 * HOUR)
      await g.judgeOverdue()
      expect(await next()).toBe(11 * HOUR)
    })

    test('is removed when the last check recovers, and starts again after that', async () => {
      await channel(HOURLY)
      const [first, second] = [await g.check(), await g.check()]
      for (const check of [first, second]) await fail(check)
      await g.ping(first)
      expect(await next()).toBe(HOUR)
      await g.ping(second)
      expect(await next()).toBeNull()
      at(500)
      await fail(first)
      expect(await next()).toBe(500 + HOUR)
    })

    test('is removed too if a check goes down and recovers in one commit', async () => {
      await channel(HOURLY)
      const check = await g.check()
      await g.commit(g.arrival(check, { action: 'fail' }), g.arrival(check))
      expect(await next()).toBeNull()
    })

    test('is removed when the last check that is down is paused or deleted', async () => {
      await channel(HOURLY)
      const [paused, deleted] = [await g.check(), await g.check()]
      for (const check of [paused, deleted]) await fail(check)
      await g.store.by(anAuthor()).checks.change(
        paused.id,
        (check) => ({
          check: { ...check, status: 'paused', nEvents: 2 },
          flip: { checkId: check.id, n: 2, createdAt: after(0), oldStatus: 'down', newStatus: 'paused', reason: '' },
        }),
        g.rules,
      )
      expect(await next()).toBe(HOUR)
      await g.store.by(anAuthor()).checks.delete(deleted.id)
      expect(await next()).toBeNull()
    })

    test('depends only on its own project, and reports do not follow flips', async () => {
      const elsewhere = aProject()
      await g.store.by(anAuthor()).projects.create(elsewhere, [])
      await g.store.by(anAuthor()).channels.create(aChannel(elsewhere, { kind: 'email' }), HOURLY)
      await channel({ report: () => after(5 * HOUR) })
      await fail(await g.check())
      expect(await next()).toBe(5 * HOUR)
      const there = aCheck(elsewhere)
      await g.store.by(anAuthor()).checks.upsert(there, null, (check) => ({ check }), g.rules)
      await fail(there)
      expect(await next()).toBe(HOUR)
    })
  })

  describe('a claim', () => {
    test('returns the mailing with its channel and the name of the project, and nothing before it is due', async () => {
      const { id } = await channel({ report: () => after(100) })
      at(99)
      expect(await claim()).toEqual([])
      at(100)
      const order = only(await claim())
      expect(order.mailing).toEqual({
        channelId: id,
        kind: 'report',
        projectId: g.project.id,
        dueAt: after(100),
        attempts: 1,
      })
      expect(order.channel).toEqual(await stored(id))
      expect(order.projectName).toBe(g.project.name)
    })

    test('takes report and reminder of a channel separately, longest due first, up to the limit', async () => {
      const one = await channel({ report: () => after(50), ...HOURLY })
      const other = await channel({ report: () => after(HOUR + 5) })
      await fail(await g.check())
      at(2 * HOUR)
      const claimed = async () =>
        (await claim(2)).map(({ mailing: { channelId, kind } }) => `${kind} of ${channelId}`).toSorted()
      expect(await claimed()).toEqual([`reminder of ${one.id}`, `report of ${one.id}`])
      expect(await claimed()).toEqual([`report of ${other.id}`])
    })

    test('is exclusive until its lease ends; then the same mailing is due again as a further attempt', async () => {
      await channel({ report: () => after(0) })
      const first = only(await claim())
      at(59.999_999)
      expect(await claim()).toEqual([])
      expect(await next()).toBe(60)
      at(60)
      expect(only(await claim()).mailing).toEqual({ ...first.mailing, attempts: 2 })
    })

    test('by two stores at the same time gives each mailing to one of them', async () => {
      const due = 30
      for (let index = 0; index < due; index += 1) await channel({ report: () => after(0) })
      const other = (await g.another?.()) ?? g.store
      const orders = (await Promise.all([claim(20), claim(20, other), claim(20)])).flat()
      // Concurrent claims may have left some for the next one.
      orders.push(...(await claim(20, other)), ...(await claim(20)))
      expect(orders).toHaveLength(due)
      expect(new Set(orders.map(({ mailing }) => mailing.channelId)).size).toBe(due)
    })
  })

  describe('the result of an attempt', () => {
    test('sent gives it its next date as a first attempt, and clears the last error of the channel', async () => {
      const { id } = await channel({ report: () => after(0) }, { lastError: 'not now' })
      await record(only(await claim()), { state: 'sent', nextDueAt: after(1000) })
      expect(await next()).toBe(1000)
      expect((await stored(id)).lastError).toBeNull()
      at(1000)
      expect(only(await claim()).mailing).toMatchObject({ dueAt: after(1000), attempts: 1 })
    })

    test('to be tried again leaves its date, and the error with the channel', async () => {
      const { id } = await channel({ report: () => after(0) })
      await record(only(await claim()), { state: 'pending', error: 'not now', nextAttemptAt: after(10) })
      expect((await stored(id)).lastError).toBe('not now')
      expect(await next()).toBe(10)
      at(10)
      expect(only(await claim()).mailing).toMatchObject({ dueAt: after(0), attempts: 2 })
    })

    test('failed gives it its next date, and disables the channel if it failed for good', async () => {
      const { id } = await channel({ report: () => after(0) })
      const failed = { state: 'failed', error: 'no such mailbox' } as const
      await record(only(await claim()), { ...failed, disablesChannel: false, nextDueAt: after(10) })
      expect(await stored(id)).toMatchObject({ lastError: 'no such mailbox', disabledReason: null })
      at(10)
      await record(only(await claim()), { ...failed, disablesChannel: true, nextDueAt: after(20) })
      expect(await stored(id)).toMatchObject({ lastError: 'no such mailbox', disabledReason: 'no such mailbox' })
      expect(await next()).toBe(20)
    })

    test('passed over keeps the error of the channel, and removes a mailing that nobody wants any more', async () => {
      const { id } = await channel({ report: () => after(0) }, { lastError: 'not now' })
      await record(only(await claim()), { state: 'passed over', nextDueAt: after(10) })
      expect([(await stored(id)).lastError, await next()]).toEqual(['not now', 10])
      at(10)
      await record(only(await claim()), { state: 'passed over', nextDueAt: null })
      expect(await next()).toBeNull()
    })

    test('of a reminder gets no next date if no check is down any more', async () => {
      const check = await g.check()
      await channel(HOURLY)
      await fail(check)
      at(HOUR)
      await record(only(await claim()), { state: 'sent', nextDueAt: after(2 * HOUR) })
      expect(await next()).toBe(2 * HOUR)
      at(2 * HOUR)
      const order = only(await claim())
      await g.ping(check)
      await fail(check)
      expect(await next()).toBe(3 * HOUR)
      await record(order, { state: 'sent', nextDueAt: after(4 * HOUR) })
      expect(await next()).toBe(3 * HOUR)
    })

    test('of an attempt that outlived its lease is ignored', async () => {
      const { id } = await channel({ report: () => after(0) })
      const late = only(await claim())
      at(60)
      await claim()
      await record(late, { state: 'failed', error: 'too late', disablesChannel: true, nextDueAt: after(10) })
      expect(await next()).toBe(120)
      expect(await stored(id)).toMatchObject({ lastError: null, disabledReason: null })
    })

    test('is ignored if the channel was edited or deleted in the meantime', async () => {
      const made = await channel({ report: () => after(0) })
      const order = only(await claim())
      await edit(made, { report: () => after(500) })
      await record(order, { state: 'sent', nextDueAt: after(1000) })
      expect(await next()).toBe(500)
      await g.store.by(anAuthor()).channels.delete(made.id)
      await record(order, { state: 'sent', nextDueAt: after(1000) })
      expect(await next()).toBeNull()
    })
  })

  describe('the list of mailings', () => {
    const listed = () => g.store.mailings.list(g.project.id)
    const row = (channel: Channel, over: Pick<MailingEntry, 'kind' | 'dueAt' | 'nextAttemptAt'>) => ({
      channel,
      attempts: 0,
      error: null,
      ...over,
    })

    test('has reports before reminders, channels in order of creation, and none of other projects', async () => {
      await channel({})
      const both = await channel({ report: () => after(500), ...HOURLY })
      const later = await channel({ report: () => after(100) })
      const elsewhere = aProject()
      await g.store.by(anAuthor()).projects.create(elsewhere, [])
      await g.store.by(anAuthor()).channels.create(aChannel(elsewhere, { kind: 'email' }), HOURLY)
      const [one, two] = [await stored(both.id), await stored(later.id)]
      expect(await listed()).toEqual([
        row(one, { kind: 'report', dueAt: after(500), nextAttemptAt: after(500) }),
        row(one, { kind: 'reminder', dueAt: null, nextAttemptAt: null }),
        row(two, { kind: 'report', dueAt: after(100), nextAttemptAt: after(100) }),
      ])
    })

    test('shows attempts and the last error until an email of that kind is sent, whatever else the channel sends', async () => {
      const { id } = await channel({ report: () => after(0) })
      const shown = async () => only(await g.store.mailings.list(g.project.id))
      await record(only(await claim()), { state: 'pending', error: 'not now', nextAttemptAt: after(10) })
      expect(await shown()).toMatchObject({ attempts: 1, error: 'not now', dueAt: after(0) })
      expect(await shown()).toMatchObject({ nextAttemptAt: after(10) })
      at(10)
      const failed = { state: 'failed', error: 'too long', disablesChannel: false } as const
      await record(only(await claim()), { ...failed, nextDueAt: after(20) })
      expect(await shown()).toMatchObject({ attempts: 0, error: 'too long', dueAt: after(20) })
      await g.store.channels.change(id, (channel) => ({ channel: { ...channel, lastError: null } }))
      at(20)
      await record(only(await claim()), { state: 'passed over', nextDueAt: after(30) })
      expect(await shown()).toMatchObject({ error: 'too long', nextAttemptAt: after(30) })
      at(30)
      await record(only(await claim()), { state: 'sent', nextDueAt: after(40) })
      expect(await shown()).toMatchObject({ error: null })
    })
  })

  describe('the email channels of an account', () => {
    const targets = async (account: { readonly id: string }, all: boolean) => {
      const found: string[] = []
      let next: MailTargetMark | null = null
      let parts = 0
      do {
        const part: MailTargets = await g.store.channels.listMailTargets(account.id, all, next)
        found.push(...part.items.map(({ id }) => id))
        next = part.next
        parts += 1
      } while (next !== null)
      return { found: found.toSorted(), parts }
    }

    test('are those of the projects that it is a member of, or of all', async () => {
      const account = anAccount()
      const by = () => g.store.by(anAuthor())
      await by().accounts.create(account)
      const [mine, other] = [aProject({ name: 'Mine', slug: 'mine' }), aProject({ name: 'Other', slug: 'other' })]
      for (const project of [mine, other]) await by().projects.create(project, [])
      await by().team.setMember(aMember(account, mine))
      const made = [
        aChannel(mine, MAIL),
        aChannel(mine),
        aChannel(mine, { ...MAIL, createdAt: after(9) }),
        aChannel(other, MAIL),
      ]
      for (const one of made) await by().channels.create(one)
      const ids = made.filter(({ kind }) => kind === 'email').map(({ id }) => id)
      const own = ids.slice(0, 2).toSorted()
      expect(await targets(account, false)).toEqual({ found: own, parts: 1 })
      expect(await targets(account, true)).toEqual({ found: ids.toSorted(), parts: 1 })
      expect((await g.store.channels.findMany([ids[2] ?? '', 'none'])).map((found) => found?.id ?? null)).toEqual([
        ids[2] ?? '',
        null,
      ])
    })

    test('are read a thousand channels at a time, each once', async () => {
      const account = anAccount()
      const by = () => g.store.by(anAuthor())
      await by().accounts.create(account)
      await by().team.setMember(aMember(account, g.project))
      const made = Array.from({ length: 1_001 }, (_, number) =>
        aChannel(g.project, number % 500 === 0 ? MAIL : { createdAt: after(number) }),
      )
      for (const one of made) await by().channels.create(one)
      const found = made.flatMap(({ id, kind }) => (kind === 'email' ? [id] : [])).toSorted()
      for (const all of [false, true]) expect(await targets(account, all)).toEqual({ found, parts: 2 })
    })

    test('have their mailings found by their ids', async () => {
      const [both, none] = [await channel({ report: () => after(100), ...HOURLY }), await channel({})]
      const entries = await g.store.mailings.listOf([none.id, both.id])
      expect(entries.map((entry) => [entry.channel.id, entry.kind])).toEqual([
        [both.id, 'report'],
        [both.id, 'reminder'],
      ])
    })
  })

  describe('the candidates for a reminder', () => {
    test('are the checks that are down or overdue, with their newest flip', async () => {
      const [down, overdue, up] = [await g.check(), await g.check(), await g.check()]
      for (const action of ['fail', 'success', 'fail'] as const) await g.ping(down, { action })
      await g.ping(overdue)
      at(200)
      await g.ping(up)
      const found = await g.store.mailings.listDownCandidates(g.project.id, g.clock.now())
      expect(found.map(({ check: { id }, newestFlip }) => [id, newestFlip?.n])).toEqual([
        [down.id, 3],
        [overdue.id, 1],
      ])
    })

    test('have no flip if none has come with them', async () => {
      const check = await g.check({ status: 'down' })
      const found = only(await g.store.mailings.listDownCandidates(g.project.id, after(1)))
      expect([found.check.id, found.newestFlip]).toEqual([check.id, null])
    })
  })
}
