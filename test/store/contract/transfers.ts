/** Checks moved to another project. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Project } from '../../../src/domain/project.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import {
  A_TRACE,
  aChannel,
  aCheck,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const HOUR = 3600

export function transfersContract(open: OpenStore): void {
  let g: StoreFixture
  let target: Project
  beforeEach(async () => {
    g = await storeFixture(open)
    target = aProject({ pingLogLimit: 2 })
    await g.store.by(anAuthor()).projects.create(target, [])
  })
  afterEach(() => g.close())

  const transfer = (check: Pick<Check, 'id'>, over: { from?: string; to?: string } = {}, author = anAuthor()) =>
    g.store.by(author).checks.transfer(check.id, { from: g.project.id, to: target.id, ...over }, g.clock.now())
  const channelOf = async (project: Project, over = {}, wanted = {}) => {
    const channel = aChannel(project, over)
    await g.store.by(anAuthor()).channels.create(channel, wanted)
    return channel
  }
  const idsIn = async (project: Project) => (await allChecks(g.store, project.id)).map(({ check }) => check.id)

  describe('a check that is transferred', () => {
    test('is in the other project only, with its id, its log and its flips, and with all channels there', async () => {
      const own = await g.channel()
      const [a, b] = [await channelOf(target), await channelOf(target)]
      const check = await g.check({ name: 'Job' }, [own])
      await g.ping(check)
      const known = await g.stored(check)
      const moved = await transfer(check)
      expect(moved).toEqual({ check: { ...known, projectId: target.id }, channelIds: [a.id, b.id].toSorted() })
      expect(await g.store.checks.find(check.id)).toEqual(moved)
      expect(await g.store.checks.findByPublicId(target.id, check.publicId)).toEqual(moved)
      expect(await g.store.checks.findByPublicId(g.project.id, check.publicId)).toBeNull()
      expect([await idsIn(g.project), await idsIn(target)]).toEqual([[], [check.id]])
      expect((await g.store.pings.list(check.id, 10)).map(({ n }) => n)).toEqual([1])
      expect((await allFlips(g.store, check.id)).map(({ n }) => n)).toEqual([1])
      expect(await g.ping(check)).toBe('ok')
    })

    test('sends its next alert to the other project, and none of those that were pending', async () => {
      const check = await g.check({}, [await g.channel()])
      const there = await channelOf(target)
      await g.ping(check, { action: 'fail' })
      await g.ping(check)
      await transfer(check)
      expect(await g.claim()).toEqual([])
      expect(await g.store.server.readOutbox()).toEqual({ pending: 0, oldestAt: null })
      await g.ping(check, { action: 'fail' })
      expect((await g.claim()).map(({ channel }) => channel.id)).toEqual([there.id])
    })

    test('shows nobody there which channels it had before', async () => {
      const check = await g.check({}, [await g.channel({ name: 'secret' })])
      await g.ping(check, { action: 'fail' })
      const { delivery } = only(await g.claim())
      await g.store.deliveries.record([delivery], { state: 'sent' }, A_TRACE, g.clock.now())
      const listed = async (project: Project) => [
        ...(await g.store.deliveries.list(project.id, null, 10)),
        ...(await g.store.deliveries.listOfFlips(project.id, [{ checkId: check.id, n: 1 }])),
      ]
      expect(await listed(g.project)).toHaveLength(2)
      await transfer(check)
      expect([await listed(g.project), await listed(target)]).toEqual([[], []])
    })

    test('keeps the time of its creation, unless a check there has the same', async () => {
      const check = await g.check({ createdAt: after(-HOUR) })
      const create = (createdAt = after(-HOUR)) =>
        g.store.by(anAuthor()).checks.upsert(aCheck(target, { createdAt }), null, (it) => ({ check: it }), g.rules)
      await create()
      await create(after(0))
      expect(String((await transfer(check))?.check.createdAt)).toBe(String(after(-HOUR + 0.000_001)))
      expect((await idsIn(target))[1]).toBe(check.id)
    })

    test('has its log shortened to the limit there', async () => {
      const check = await g.check()
      for (let n = 0; n < 5; n++) await g.ping(check)
      await transfer(check)
      await g.store.retention.prune(after(-1e9), 10)
      expect((await g.store.pings.list(check.id, 10)).map(({ n }) => n)).toEqual([5, 4])
    })

    test('takes the reminders along while it is down', async () => {
      const wanted = { reminder: { periodSeconds: HOUR, firstAt: after(HOUR) } }
      const mail = { kind: 'email', settings: 'ops@example.org' }
      const [here, there] = [await channelOf(g.project, mail, wanted), await channelOf(target, mail, wanted)]
      const due = async ({ id }: { id: string }, project: Project) =>
        (await g.store.mailings.list(project.id)).find(({ channel }) => channel.id === id)?.dueAt ?? null
      const check = await g.check()
      await g.ping(check, { action: 'fail' })
      expect([await due(here, g.project), await due(there, target)].map((date) => date !== null)).toEqual([true, false])
      await transfer(check)
      expect([await due(here, g.project), await due(there, target)].map((date) => date !== null)).toEqual([false, true])
    })

    test('leaves one project and comes to the other in the audit log, as one change', async () => {
      const check = await g.check({ name: 'Job' })
      const author = anAuthor()
      await transfer(check, {}, author)
      const rows = (await g.store.audit.list(100)).filter((row) => row.author.changeId === author.changeId)
      expect(rows.map(({ action, projectId, subject }) => [action, projectId, subject.name])).toEqual([
        ['delete', g.project.id, 'Job'],
        ['create', target.id, 'Job'],
      ])
      expect([rows[0]?.before?.transferred, rows[1]?.after?.transferred]).toEqual([true, true])
    })
  })

  test('a check that is gone or elsewhere, and a project that is gone or the same, change nothing', async () => {
    const check = await g.check()
    const before = await g.store.audit.list(100)
    expect(await transfer({ id: crypto.randomUUID() })).toBeNull()
    expect(await transfer(check, { from: target.id, to: g.project.id })).toBeNull()
    expect(await transfer(check, { to: crypto.randomUUID() })).toBeNull()
    expect(await transfer(check, { to: g.project.id })).toBeNull()
    expect(await g.stored(check)).toEqual(check)
    expect(await g.store.audit.list(100)).toEqual(before)
  })
}
