/** Checks that are cleared: their log, flips and deliveries are gone, their settings stay. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { allFlips } from '../../support/lists.ts'
import {
  aChannel,
  after,
  anAuthor,
  bytes,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const HOUR = 3600
const LONG_AGO = after(-1e9)

export function clearingContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const clear = (check: Pick<Check, 'id'>, author = anAuthor()) => g.store.by(author).checks.clear(check.id)
  const logged = async (check: Check) => (await g.store.pings.list(check.id, 100)).map(({ n }) => n)
  const flips = async (check: Check) => (await allFlips(g.store, check.id)).map(({ newStatus }) => newStatus)
  const prune = () => g.store.retention.prune(LONG_AGO, 10)

  describe('a check that is cleared', () => {
    test('is new, keeps its settings and channels, and goes on with the numbers of its pings', async () => {
      const channel = await g.channel()
      const made = await g.check({ name: 'Job', tags: 'a b' }, [channel])
      await g.ping(made)
      await g.ping(made, { action: 'start' })
      await g.ping(made, { action: 'fail', body: bytes('x') })
      const after = await clear(made)
      expect(after).toEqual({
        check: { ...made, nPings: 3, nEvents: 3, status: 'new' },
        channelIds: [channel.id],
      })
      expect(await g.store.checks.find(made.id)).toEqual(after)
      expect(await g.store.flips.nextLookAt()).toBeNull()
      await g.ping(made)
      expect(await logged(made)).toEqual([4])
    })

    test('has no log, no flips and no alerts from then on, before and after retention', async () => {
      const check = await g.check({}, [await g.channel()])
      await g.ping(check, { action: 'fail', body: bytes('secret') })
      await g.ping(check)
      await clear(check)
      for (let round = 0; round < 2; round++) {
        expect(await logged(check)).toEqual([])
        expect(await g.store.pings.readLog(check.id, null, 10, 300)).toEqual([])
        expect(await g.store.pings.find(check.id, 1)).toBeNull()
        expect(await flips(check)).toEqual([])
        expect(await g.claim()).toEqual([])
        expect(await g.store.overview.listRecoveries(g.project.id, LONG_AGO, null)).toEqual({ items: [], next: null })
        if (round === 0) expect(await prune()).toMatchObject({ pings: 2, events: 2, more: false })
      }
      expect(await prune()).toMatchObject({ pings: 0, events: 0 })
    })

    test('keeps what comes after, also when retention is late and it was cleared again', async () => {
      const channel = await g.channel()
      const check = await g.check({}, [channel])
      await g.ping(check)
      await clear(check)
      await clear(check)
      await g.ping(check, { action: 'fail' })
      await clear(check)
      await g.ping(check, { action: 'fail' })
      for (let round = 0; round < 2; round++) {
        expect(await logged(check)).toEqual([3])
        expect(await flips(check)).toEqual(['down'])
        await prune()
      }
      expect(only(await g.claim()).flip.newStatus).toBe('down')
    })

    test('may be deleted before retention has run', async () => {
      const check = await g.check()
      await g.ping(check)
      await clear(check)
      await g.ping(check)
      await g.store.by(anAuthor()).checks.delete(check.id)
      expect(await prune()).toMatchObject({ pings: 2, events: 2 })
    })

    test('ends the reminders if nothing else is down', async () => {
      const mail = aChannel(g.project, { kind: 'email', settings: 'ops@example.org' })
      await g.store.by(anAuthor()).channels.create(mail, { reminder: { periodSeconds: HOUR, firstAt: after(HOUR) } })
      const checks = [await g.check(), await g.check()]
      for (const check of checks) await g.ping(check, { action: 'fail' })
      const dates: boolean[] = []
      for (const check of checks) {
        await clear(check)
        dates.push((await g.store.mailings.nextAt()) === null)
      }
      expect(dates).toEqual([false, true])
    })

    test('is an edit in the audit log, also if it was new', async () => {
      const check = await g.check({ name: 'Job' })
      const author = anAuthor()
      await clear(check, author)
      const row = only((await g.store.audit.list(100)).filter((it) => it.author.changeId === author.changeId))
      expect([row.action, row.subject.name, row.before, row.after]).toEqual([
        'edit',
        'Job',
        { cleared: null },
        { cleared: true },
      ])
    })
  })

  test('a check that is gone gives null', async () => {
    expect(await clear({ id: crypto.randomUUID() })).toBeNull()
  })
}
