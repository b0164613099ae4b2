/** Revisions, which show whether a project's checks have changed. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { addSeconds } from '../../../src/lib/time.ts'
import { NO_CHANGES, Revisions } from '../../../src/store/revisions/revisions.ts'
import type { CommittedChange, TouchedCheck } from '../../../src/store/store.ts'
import {
  A_TRACE,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  type OpenStore,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function revisionsContract(open: OpenStore): void {
  let g: StoreFixture
  let check: Check
  beforeEach(async () => {
    g = await storeFixture(open)
    check = await g.check({}, [await g.channel()])
  })
  afterEach(() => g.close())

  /** Returns the revisions that a write has changed: of checks, of statuses. */
  async function changedBy(write: () => Promise<unknown>, projectId = g.project.id): Promise<string> {
    const read = async () => {
      const { revision } = await g.store.changes.read(projectId, null)
      expect(g.store.changes.revisionOf(projectId)).toEqual(revision)
      return [JSON.stringify(revision), g.store.changes.statusRevision()]
    }
    const before = await read()
    expect(await read()).toEqual(before)
    await write()
    const after = await read()
    return ['checks', 'statuses'].filter((_, index) => before[index] !== after[index]).join(' and ')
  }

  describe('the revision', () => {
    const writes: readonly [string, string, () => Promise<unknown>][] = [
      ['a first ping', 'checks and statuses', () => g.ping(check)],
      ['a ping that makes its check', 'checks and statuses', () => g.commit(creating())],
      [
        'an edit',
        'checks and statuses',
        () => g.store.by(anAuthor()).checks.change(check.id, (it) => ({ check: it }), g.rules),
      ],
      ['a new check', 'checks and statuses', () => g.check()],
      [
        'a change of several',
        'checks and statuses',
        () => g.store.by(anAuthor()).checks.changeMany(g.project.id, [check.publicId], (it) => it, g.rules),
      ],
      [
        'a change of several that changes none',
        '',
        () => g.store.by(anAuthor()).checks.changeMany(g.project.id, [check.publicId], () => null, g.rules),
      ],
      [
        'a deletion of several',
        'checks and statuses',
        () => g.store.by(anAuthor()).checks.deleteMany(g.project.id, [check.publicId]),
      ],
      ['a transfer', 'checks and statuses', () => transfer()],
      ['a clearing', 'checks and statuses', () => g.store.by(anAuthor()).checks.clear(check.id)],
      ['a deletion', 'checks and statuses', () => g.store.by(anAuthor()).checks.delete(check.id)],
      [
        'a channel that is deleted',
        'checks and statuses',
        async () => g.store.by(anAuthor()).channels.delete((await channels())[0]?.id ?? ''),
      ],
      ['a clock that was put back', 'checks and statuses', () => g.store.server.pullBack(g.clock.now())],
      ['a ping that no check takes', '', () => g.ping({ id: crypto.randomUUID() })],
      ['a new channel', '', () => g.channel()],
      ['the sign of life', '', () => g.store.server.recordAlive(g.clock.now())],
      ['a look for what is overdue that finds nothing', '', () => g.judgeOverdue()],
      ['a claim of deliveries', '', () => g.claim()],
    ]
    const channels = () => g.store.channels.list(g.project.id)
    const transfer = async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      await g.store.by(anAuthor()).checks.transfer(check.id, { from: g.project.id, to: other.id }, g.clock.now())
    }
    const creating = () => ({
      ...g.arrival(check),
      target: { kind: 'slug', pingKey: g.pingKey, slug: 'made', create: true } as const,
    })

    test.each(writes)('after %s has changed %j', async (_, changed, write) => {
      expect(await changedBy(write)).toBe(changed)
    })

    test('after a ping to a check that is up has changed for checks, not for statuses', async () => {
      await g.ping(check)
      expect(await changedBy(() => g.ping(check))).toBe('checks')
    })

    test('after a timeout flip has changed for both', async () => {
      await g.ping(check)
      g.clock.set(addSeconds(g.clock.now(), 120).toString())
      expect(await changedBy(() => g.judgeOverdue())).toBe('checks and statuses')
    })

    test('of another project stays the same', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      await g.ping(check)
      expect(await changedBy(() => g.ping(check), other.id)).toBe('')
    })

    test('of checks changes when another process writes', async () => {
      const another = await g.another?.()
      if (!another) return
      const write = () => another.pings.commit([g.arrival(check)], g.rules)
      expect(await changedBy(write)).toBe('checks')
      await another.close()
    })
  })

  describe('the revision of rights', () => {
    const changedBy = async (write: () => Promise<unknown>) => {
      const before = g.store.changes.accessRevision()
      await write()
      return g.store.changes.accessRevision() !== before
    }

    test('changes when a role, a project or a session does, not with checks and their pings', async () => {
      const account = anAccount()
      const by = () => g.store.by(anAuthor())
      await by().accounts.create(account)
      expect(await changedBy(() => by().team.setMember(aMember(account, g.project)))).toBe(true)
      expect(await changedBy(() => by().sessions.endAll(account.id, null))).toBe(true)
      expect(await changedBy(() => by().projects.edit(g.project.id, { name: 'Other' }))).toBe(true)
      expect(await changedBy(() => g.ping(check))).toBe(false)
      expect(await changedBy(() => g.check())).toBe(false)
    })
  })

  test('what others have written changes a revision of its own, what this process writes does not', async () => {
    const writes = async () => (await g.store.changes.readRevisionOfOthers()).writes
    const before = await writes()
    await g.ping(check)
    expect(await writes()).toBe(before)
    const another = await g.another?.()
    if (!another) return
    await another.by(anAuthor()).projects.edit(g.project.id, { name: 'Other' })
    expect(await writes()).not.toBe(before)
  })

  describe('who watches', () => {
    /** Returns the changes that the listener gets while something is written. */
    const told = async (write: () => Promise<unknown>) => {
      const changes: CommittedChange[] = []
      const end = g.store.changes.watch((change) => changes.push(change))
      await write()
      end()
      await g.ping(check)
      return changes
    }

    test('is told which checks were pinged, with their state, and which were edited', async () => {
      const [pinged, ...others] = await told(() => g.ping(check))
      expect(others).toEqual([])
      if (pinged?.kind !== 'checks') throw new Error('a ping changes checks')
      expect([...pinged.touched]).toEqual([[g.project.id, [check.id]]])
      expect(pinged.stateOf(check.id)).toMatchObject({ id: check.id, status: 'up', nPings: 1 })
      expect([pinged.edited.size, pinged.statuses]).toEqual([0, true])
      const silence = { seconds: 60, untilHealthy: false }
      const [muted] = await told(() => g.ping(check, { action: 'log', silence }))
      expect(muted?.kind === 'checks' && [[...muted.edited.values()], muted.statuses]).toEqual([[[check.id]], false])
      const [edited] = await told(() =>
        g.store.by(anAuthor()).checks.change(check.id, (it) => ({ check: it }), g.rules),
      )
      expect(edited?.kind === 'checks' && [...edited.edited]).toEqual([[g.project.id, [check.id]]])
    })

    test('is told of integrations and alerts by their project and check, and of all after a clock that was put back', async () => {
      const { id: projectId } = g.project
      expect(await told(() => g.channel())).toEqual([{ kind: 'alerts', projectId, checkId: null }])
      await g.ping(check, { action: 'fail' })
      const [order] = await g.claim()
      if (!order) throw new Error('an alert is due')
      const record = () => g.store.deliveries.record([order.delivery], { state: 'sent' }, A_TRACE, g.clock.now())
      expect(await told(record)).toEqual([{ kind: 'alerts', projectId, checkId: check.id }])
      expect(await told(() => g.store.server.pullBack(g.clock.now()))).toEqual([{ kind: 'all' }])
    })

    test('is given no notice of a check that this process has changed', async () => {
      const told: TouchedCheck[] = []
      // A notice that names no check says that some may have been lost.
      const end = g.store.changes.watchNotices((changed) => void told.push(...changed))
      await g.ping(check)
      await g.check()
      end()
      expect(told).toEqual([])
    })
  })

  describe('the checks that have changed since a revision', () => {
    const since = async (write: () => Promise<unknown>) => {
      const { revision } = await g.store.changes.read(g.project.id, null)
      await write()
      return (await g.store.changes.read(g.project.id, revision)).checkIds?.toSorted() ?? null
    }

    test('are those that were pinged or have gone down, each once', async () => {
      const [late, pinged] = [await g.check(), await g.check()]
      await g.ping(late)
      expect(await since(async () => {})).toEqual([])
      const changed = await since(async () => {
        g.clock.set(addSeconds(g.clock.now(), 120).toString())
        await g.ping(pinged)
        await g.ping(pinged, { action: 'fail' })
        await g.judgeOverdue()
      })
      expect(changed).toEqual([late.id, pinged.id].toSorted())
    })

    test('are those since that revision, not since the last call', async () => {
      const { revision } = await g.store.changes.read(g.project.id, null)
      await g.ping(check)
      expect((await g.store.changes.read(g.project.id, revision)).checkIds).toEqual([check.id])
      expect((await g.store.changes.read(g.project.id, revision)).checkIds).toEqual([check.id])
    })

    const edits: readonly [string, () => Promise<unknown>][] = [
      ['nothing is known', async () => {}],
      ['a check was made', () => g.check()],
      ['a ping has made a check', () => g.commit(creating())],
      ['a check was edited', () => g.store.by(anAuthor()).checks.change(check.id, (it) => ({ check: it }), g.rules)],
      ['a check was deleted', () => g.store.by(anAuthor()).checks.delete(check.id)],
      ['a channel was deleted', async () => g.store.by(anAuthor()).channels.delete((await channels())[0]?.id ?? '')],
      ['the clock was put back', () => g.store.server.pullBack(g.clock.now())],
    ]
    const channels = () => g.store.channels.list(g.project.id)
    const creating = () => ({
      ...g.arrival(check),
      target: { kind: 'slug', pingKey: g.pingKey, slug: 'made', create: true } as const,
    })
    test.each(edits)('may be all if %s', async (why, write) => {
      if (why === 'nothing is known') expect((await g.store.changes.read(g.project.id, null)).checkIds).toBeNull()
      else expect(await since(write)).toBeNull()
    })

    test('may be all if they are too many to remember', async () => {
      const many = Array.from({ length: 2_001 }, () => crypto.randomUUID())
      const revisions = new Revisions(async () => ({ writes: '0', edits: '0', pinged: [] }))
      const { revision } = await revisions.ofProject('p', null)
      const changed = (ids: readonly string[]) => revisions.changed({ ...NO_CHANGES, touched: new Map([['p', ids]]) })
      changed(many.slice(1))
      expect((await revisions.ofProject('p', revision)).checkIds).toHaveLength(2_000)
      changed(many.slice(0, 1))
      expect((await revisions.ofProject('p', revision)).checkIds).toBeNull()
    })
  })

  test('checks found by id come with their channels, in the order of the ids, without deleted ones', async () => {
    const others = [await g.check(), await g.check()]
    const [first, second] = others
    const ids = [second?.id ?? '', crypto.randomUUID(), check.id, first?.id ?? '']
    const found = await g.store.checks.findMany(ids)
    expect(found.map((one) => one.check.id)).toEqual(ids.toSpliced(1, 1))
    expect(found).toEqual(
      await Promise.all(ids.toSpliced(1, 1).map(async (id) => (await g.store.checks.find(id)) as never)),
    )
    expect(found[1]?.channelIds).toHaveLength(1)
  })
}
