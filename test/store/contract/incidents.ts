/** Incidents: opened and ended in the transactions of flips, taken and annotated by people. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Delivery, DeliveryResult } from '../../../src/domain/alert/delivery.ts'
import type { Author } from '../../../src/domain/author.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { pause } from '../../../src/domain/check/pause.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import type { Incident } from '../../../src/domain/incident/incident.ts'
import { endSilence, type Silence } from '../../../src/domain/silence/silence.ts'
import { toMicroseconds } from '../../../src/lib/time.ts'
import type { IncidentChange, IncidentKey, KeptIncident, PageMark } from '../../../src/store/store.ts'
import { allFlips } from '../../support/lists.ts'
import {
  after,
  anAccount,
  anAuthor,
  aSilenceOf,
  type OpenStore,
  only,
  refusalOf,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const HOUR = 3_600

export function incidentsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  /** Creates a check that is down since a second after noon, reported to one channel. */
  const downCheck = async () => {
    const check = await g.check({ name: 'Backup' }, [await g.channel()])
    await g.ping(check)
    g.clock.advance({ seconds: 1 })
    await g.ping(check, { action: 'fail' })
    return check
  }
  const incidents = (check: Pick<Check, 'id'>) => g.store.incidents.list(check.id, null, 10)
  const incident = async (check: Pick<Check, 'id'>) => only(await incidents(check))
  const news = async () =>
    (await g.store.deliveries.list(g.project.id, null, 100))
      .map(({ delivery, status }) => `${delivery.eventN} ${status}`)
      .toReversed()
  const events = async (check: Pick<Check, 'id'>) => {
    const listed = await g.store.incidents.listEvents(await incident(check))
    return listed.map(({ n, kind }) => `${n} ${kind}`)
  }
  const pauseCheck = (check: Pick<Check, 'id'>) =>
    g.store
      .by(anAuthor())
      .checks.change(check.id, (before) => pause(before, g.clock.now()) ?? { check: before }, g.rules)
  const toldAtOnce = (check: Pick<Check, 'id'>): KeptIncident => ({
    ...{
      checkId: check.id,
      n: 2,
      severity: 'down',
      openedAt: after(1),
      resolvedAt: null,
      told: 'down',
      toldAt: after(1),
    },
    ...{ acknowledgement: null, held: null, nextLookAt: null, lastN: 2, revision: 0 },
  })

  test('are found as the newest of each check that has one', async () => {
    const first = await downCheck()
    await g.ping(first)
    await g.ping(first, { action: 'fail' })
    const [second, healthy] = [await downCheck(), await g.check()]
    const newest = await g.store.incidents.listNewest([second.id, healthy.id, crypto.randomUUID(), first.id])
    expect(newest.map(({ checkId, n }) => [checkId, n])).toEqual([
      [second.id, 2],
      [first.id, 4],
    ])
  })

  describe('a check that goes down', () => {
    test('has an incident that is told at once, until it recovers', async () => {
      const check = await downCheck()
      expect(await incidents(check)).toEqual([toldAtOnce(check)])
      expect(await g.store.incidents.listOpen(g.project.id)).toEqual([toldAtOnce(check)])
      expect(await g.store.incidents.nextLookAt()).toBeNull()
      g.clock.advance({ seconds: 1 })
      await g.ping(check)
      expect(await incidents(check)).toEqual([{ ...toldAtOnce(check), resolvedAt: after(2), lastN: 3, revision: 1 }])
      expect(await g.store.incidents.listOpen(g.project.id)).toEqual([])
      expect(await news()).toEqual(['2 down', '3 up'])
      expect(await events(check)).toEqual(['2 flip', '3 flip'])
    })

    test('has one dated to its deadline when no ping came', async () => {
      const check = await g.check()
      await g.ping(check)
      g.clock.advance({ seconds: 300 })
      await g.judgeOverdue()
      expect(await incident(check)).toMatchObject({ n: 2, openedAt: after(120), toldAt: after(300) })
    })

    test('has one for each time in a batch of pings, of which the last is open', async () => {
      const check = await g.check({}, [await g.channel()])
      const [down, up] = [g.arrival(check, { action: 'fail' }), g.arrival(check)]
      await g.commit(up, down, up, down)
      expect(await incidents(check)).toMatchObject([
        { n: 4, resolvedAt: null, lastN: 4 },
        { n: 2, resolvedAt: after(0), lastN: 3 },
      ])
      expect(await news()).toEqual(['2 down', '3 up', '4 down'])
    })

    test('ends it without a word when it is paused, and goes on when that is undone', async () => {
      const check = await downCheck()
      const before = await g.stored(check)
      await pauseCheck(check)
      expect(await incident(check)).toMatchObject({ resolvedAt: after(1), lastN: 3 })
      const undo = () => ({ check: before, undoneFlip: 3 })
      await g.store.by(anAuthor()).checks.change(check.id, undo, g.rules)
      expect(await incident(check)).toEqual({ ...toldAtOnce(check), nextLookAt: after(1), revision: 2 })
      await g.store.incidents.look(await g.store.incidents.due(g.clock.now(), 10), g.rules)
      expect(await incident(check)).toMatchObject({ nextLookAt: null })
      await g.ping(check)
      expect(await news()).toEqual(['2 down', '3 up'])
    })

    test('has none any more when it is cleared or deleted, and nobody looks at them', async () => {
      const [cleared, deleted] = [await downCheck(), await downCheck()]
      const keys = [await incident(cleared), await incident(deleted)]
      await acknowledge(keys[1] as IncidentKey, { until: after(60) })
      await g.store.by(anAuthor()).checks.clear(cleared.id)
      await g.store.by(anAuthor()).checks.delete(deleted.id)
      for (const [index, check] of [cleared, deleted].entries()) {
        expect(await incidents(check)).toEqual([])
        expect(await g.store.incidents.find(keys[index] as IncidentKey)).toBeNull()
      }
      expect(await g.store.incidents.listOpen(g.project.id)).toEqual([])
      expect(await g.store.incidents.nextLookAt()).toBeNull()
      await g.ping(cleared, { action: 'fail' })
      expect(await incident(cleared)).toMatchObject({ n: 4, resolvedAt: null })
    })
  })

  const acknowledge = (key: IncidentKey, given: object = {}, author = anAuthor()) => {
    const taking = { note: '', until: null, takesOver: false, ...given }
    return g.store.by(author).incidents.acknowledge(key, taking, g.rules)
  }
  const handBack = (key: IncidentKey, author = anAuthor()) => g.store.by(author).incidents.handBack(key, g.rules)
  const note = (key: IncidentKey, text: string, author = anAuthor()) =>
    g.store.by(author).incidents.note(key, text, g.rules)
  const person = async (email: string) => {
    const account = anAccount({ email })
    await g.store.by(anAuthor()).accounts.create(account)
    return () => anAuthor({ kind: 'person', accountId: account.id, name: email })
  }
  const rowsOf = async ({ changeId }: Author) =>
    (await g.store.audit.list(100)).filter(({ author }) => author.changeId === changeId)
  const changed = (change: IncidentChange | null): Incident => {
    if (change === null || 'refused' in change) throw new Error('it was not changed')
    return change.incident
  }

  describe('an incident', () => {
    test('is taken and handed back, with the names in its events and in the audit log', async () => {
      const ann = await person('ann@example.org')
      const check = await downCheck()
      const by = { kind: 'person', accountId: ann().accountId, name: 'ann@example.org' } as const
      const acknowledgement = { at: after(1), by, until: after(60), note: 'Disk is full', severity: 'down' } as const
      const author = ann()
      const taken = changed(
        await acknowledge(await incident(check), { until: after(60), note: 'Disk is full' }, author),
      )
      expect(taken).toMatchObject({ acknowledgement, nextLookAt: after(60) })
      expect(await incident(check)).toMatchObject({ acknowledgement, nextLookAt: after(60), lastN: 3 })
      expect((await g.stored(check)).nEvents).toBe(3)
      expect(await rowsOf(author)).toMatchObject([
        {
          action: 'edit',
          subject: { kind: 'incident', id: `${uniqueKey(check.id)}-2`, name: 'Backup' },
          before: { acknowledged_by: null },
          after: { acknowledged_by: 'ann@example.org', note: 'Disk is full' },
        },
      ])
      changed(await handBack(await incident(check), ann()))
      expect(await incident(check)).toMatchObject({ acknowledgement: null, nextLookAt: null, lastN: 4 })
      expect(await g.store.incidents.listEvents(await incident(check))).toMatchObject([
        { kind: 'flip', n: 2 },
        { kind: 'acknowledged', n: 3, by, until: after(60), note: 'Disk is full', takenFrom: null },
        { kind: 'released', n: 4, from: 'acknowledgement', by },
      ])
      expect(await news()).toEqual(['2 down'])
    })

    test('is acknowledged at services that know it, in order behind what they were told before', async () => {
      const services = [await g.channel({ kind: 'pd', settings: 'key' }), await g.channel()]
      const check = await g.check({ name: 'Backup' }, services)
      await g.ping(check)
      await g.ping(check, { action: 'fail' })
      const taken = await acknowledge(await incident(check), { note: 'Disk is full' })
      expect(taken).toMatchObject({ owed: true })
      await g.ping(check)
      expect((await news()).toSorted()).toEqual(['2 down', '2 down', '3 acknowledged', '4 up', '4 up'])
      const told: string[] = []
      for (let orders = await g.claim(); orders.length > 0; orders = await g.claim()) {
        for (const { delivery, channel, flip, taken: by } of orders) {
          told.push(`${channel.kind}: ${by?.note ?? flip.newStatus} of ${flip.n}`)
          const trace = { beganAt: g.clock.now(), duration: 0, answer: null }
          await g.store.deliveries.record([delivery], { state: 'sent' }, trace, g.clock.now())
        }
      }
      expect(told.filter((line) => line.startsWith('pd'))).toEqual([
        'pd: down of 2',
        'pd: Disk is full of 2',
        'pd: up of 4',
      ])
      expect(told).toHaveLength(5)
    })

    describe('whose acknowledgement a service refuses', () => {
      const refused = { state: 'pending', error: 'received 500', nextAttemptAt: after(HOUR) } as const
      const end = (delivery: Delivery, result: DeliveryResult) =>
        g.store.deliveries.record(
          [delivery],
          result,
          { beganAt: g.clock.now(), duration: 0, answer: null },
          g.clock.now(),
        )
      /** Returns the next delivery of the service. */
      const next = async () => {
        const [order] = await g.claim()
        if (!order) throw new Error('nothing is due')
        return order.delivery
      }
      let check: Check
      beforeEach(async () => {
        check = await g.check({}, [await g.channel({ kind: 'pd', settings: 'key' })])
        await g.ping(check)
        await g.ping(check, { action: 'fail' })
        await end(await next(), { state: 'sent' })
        await acknowledge(await incident(check))
      })
      const states = async () =>
        (await g.store.deliveries.list(g.project.id, null, 10)).map(
          ({ delivery, error }) => `${delivery.eventN} ${delivery.state} ${error ?? ''}`,
        )

      test('is over there when the check recovers: the acknowledgement is not tried again', async () => {
        await end(await next(), refused)
        expect(await g.claim()).toEqual([])
        await g.ping(check)
        expect((await next()).eventN).toBe(4)
        expect((await states()).toSorted()).toEqual(['2 sent ', '3 failed received 500', '4 pending '])
      })

      test('is over there when the check has recovered during the attempt', async () => {
        const delivery = await next()
        await g.ping(check)
        expect(await g.claim()).toEqual([])
        await end(delivery, refused)
        expect((await next()).eventN).toBe(4)
        expect((await states()).toSorted()).toEqual(['2 sent ', '3 failed received 500', '4 pending '])
      })
    })

    test('is acknowledged at no service that has not heard of it', async () => {
      const check = await g.check({}, [await g.channel({ kind: 'pd', settings: 'key' })])
      await g.ping(check)
      const silence = aSilenceOf(g.project, { endsAt: after(60) })
      await g.store.by(anAuthor()).silences.create(silence, g.clock.now())
      await g.ping(check, { action: 'fail' })
      expect(await acknowledge(await incident(check))).toMatchObject({ owed: false })
      expect(await news()).toEqual([])
    })

    test('is among those that nobody was told of until it is told or ends', async () => {
      const untold = async (after: PageMark | null = null) =>
        (await g.store.incidents.listUntold(g.project.id, after)).items.map(({ checkId }) => checkId)
      const told = await downCheck()
      const silence = aSilenceOf(g.project, { startsAt: after(0), endsAt: after(60) })
      await g.store.by(anAuthor()).silences.create(silence, g.clock.now())
      const first = await downCheck()
      const second = await downCheck()
      expect(await untold()).toEqual([first.id, second.id])
      expect(await untold(toMicroseconds(first.createdAt))).toEqual([second.id])
      expect(await g.store.incidents.listUntold(crypto.randomUUID(), null)).toEqual({ items: [], next: null })
      await g.ping(second)
      expect(await untold()).toEqual([first.id])
      const end = (one: Silence) => endSilence(one, g.clock.now())
      await g.store.by(anAuthor()).silences.change(silence, end, g.clock.now())
      await g.store.incidents.look(await g.store.incidents.due(g.clock.now(), 10), g.rules)
      expect(await untold()).toEqual([])
      expect(await incident(told)).toMatchObject({ told: 'down' })
    })

    test('is taken from somebody only by who says so', async () => {
      const [ann, bob] = [await person('ann@example.org'), await person('bob@example.org')]
      const check = await downCheck()
      await acknowledge(await incident(check), {}, ann())
      const before = await incident(check)
      expect(await acknowledge(before, {}, bob())).toMatchObject({ refused: 'taken', by: { name: 'ann@example.org' } })
      expect(await incident(check)).toEqual(before)
      expect(changed(await acknowledge(before, { takesOver: true }, bob()))).toMatchObject({
        acknowledgement: { by: { name: 'bob@example.org' } },
      })
    })

    test('is free again when the time is over, by the look', async () => {
      const check = await downCheck()
      await acknowledge(await incident(check), { until: after(60) })
      expect(await g.store.incidents.due(after(59), 10)).toEqual([])
      g.clock.set(after(60).toString())
      const due = await g.store.incidents.due(g.clock.now(), 10)
      expect(await g.store.incidents.look(due, g.rules)).toEqual({ looked: 1, owed: false })
      expect(await incident(check)).toMatchObject({ acknowledgement: null, nextLookAt: null })
      expect(await events(check)).toEqual(['2 flip', '3 acknowledged', '4 released'])
    })

    test('is taken for as long as was meant when the clock of that time is set back', async () => {
      g.clock.set(after(7200).toString())
      const check = await downCheck()
      await acknowledge(await incident(check), { until: after(7801) })
      await g.store.server.pullBack(after(0))
      const acknowledgement = { at: after(0), until: after(600) }
      expect(await incident(check)).toMatchObject({ acknowledgement, nextLookAt: after(0) })
      g.clock.set(after(60).toString())
      await g.store.incidents.look(await g.store.incidents.due(g.clock.now(), 10), g.rules)
      expect(await incident(check)).toMatchObject({ acknowledgement, nextLookAt: after(600) })
    })

    test('is looked at by one server, and by none when it was changed since it was due', async () => {
      const check = await downCheck()
      await acknowledge(await incident(check), { until: after(60) })
      g.clock.set(after(60).toString())
      const due = await g.store.incidents.due(g.clock.now(), 10)
      const looks = await Promise.all([g.store.incidents.look(due, g.rules), g.store.incidents.look(due, g.rules)])
      expect(looks.map(({ looked }) => looked).toSorted()).toEqual([0, 1])
      await note(await incident(check), 'later')
      expect(await g.store.incidents.look(due, g.rules)).toEqual({ looked: 0, owed: false })
    })

    test('gets notes, also when it has ended and the next one is open', async () => {
      const ann = await person('ann@example.org')
      const check = await downCheck()
      expect(await note(await incident(check), 'Restarted it', ann())).toBe(true)
      await g.ping(check)
      await g.ping(check, { action: 'fail' })
      const [next, first] = await incidents(check)
      const author = ann()
      expect(await note(first as IncidentKey, 'It was the disk', author)).toBe(true)
      const ofFirst = await g.store.incidents.find(first as IncidentKey)
      expect(await g.store.incidents.listEvents(ofFirst as KeptIncident)).toMatchObject([
        { kind: 'flip', n: 2, newStatus: 'down' },
        { kind: 'note', n: 3, text: 'Restarted it' },
        { kind: 'flip', n: 4, newStatus: 'up' },
        { kind: 'note', n: 6, text: 'It was the disk' },
      ])
      expect(await g.store.incidents.listEvents(next as KeptIncident)).toMatchObject([{ kind: 'flip', n: 5 }])
      expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([5, 4, 2, 1])
      expect(await rowsOf(author)).toMatchObject([{ before: { note: null }, after: { note: 'It was the disk' } }])
    })

    test('has 100 notes at most, wherever they stand among the events of its check', async () => {
      const check = await downCheck()
      const key = await incident(check)
      for (let count = 0; count < 60; count += 1) await note(key, 'before')
      await g.ping(check)
      await g.ping(check, { action: 'fail' })
      const [next] = await incidents(check)
      for (let count = 0; count < 40; count += 1) await note(key, 'after')
      expect(await refusalOf(note(key, 'too many'))).toMatchObject({ code: 'notes-full', data: { limit: 100 } })
      const listed = await g.store.incidents.listEvents((await g.store.incidents.find(key)) as KeptIncident)
      expect(listed.map(({ kind }) => kind).filter((kind) => kind === 'note')).toHaveLength(100)
      expect(await note(next as IncidentKey, 'of the next one')).toBe(true)
    })

    test('is refused to who comes when it has ended, or when there is none', async () => {
      const check = await downCheck()
      const key = await incident(check)
      expect(await handBack(key)).toEqual({ refused: 'free' })
      await g.ping(check)
      expect(await acknowledge(key)).toEqual({ refused: 'resolved' })
      expect(await handBack(key)).toEqual({ refused: 'resolved' })
      const none = { checkId: check.id, n: 7 }
      expect([await acknowledge(none), await handBack(none), await note(none, 'x')]).toEqual([null, null, false])
    })

    test('keeps its events until it ended as long ago as events that go', async () => {
      const check = await downCheck()
      await note(await incident(check), 'still down')
      expect(await g.store.retention.prune(after(100), 10)).toMatchObject({ events: 1 })
      expect(await events(check)).toEqual(['2 flip', '3 note'])
      expect(await g.store.incidents.hasNotes(check.id, 2)).toBe(true)
      expect(await g.store.incidents.hasNotes(check.id, 3)).toBe(false)
      g.clock.set(after(50).toString())
      await g.ping(check)
      for (const { delivery } of await g.store.deliveries.list(g.project.id, 'pending', 10)) {
        await g.store.by(anAuthor()).deliveries.change(delivery.id, 'cancel')
      }
      expect(await g.store.retention.prune(after(49), 10)).toMatchObject({ events: 0 })
      expect(await events(check)).toEqual(['2 flip', '3 note', '4 flip'])
      expect(await g.store.retention.prune(after(51), 10)).toMatchObject({ events: 3 })
      expect(await incidents(check)).toEqual([])
    })
  })
}
