/** Existing checks, and additions by an import: entries of their logs, other checks beside them, the history of their alerts. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { ImportedAlert } from '../../../src/domain/import/import-source.ts'
import { storedKey } from '../../../src/domain/project.ts'
import type { CheckExtension } from '../../../src/store/store.ts'
import { aFlip, anImport, aPing, importProject, stage } from '../../support/imports.ts'
import { allFlips } from '../../support/lists.ts'
import {
  aCheck,
  after,
  anAuthor,
  aProject,
  NOON,
  type OpenStore,
  refusalOf,
  SECRET,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const HOUR = 3_600

export function importedChecksContract(open: OpenStore): void {
  let g: StoreFixture
  /** a check imported with three pings and two flips */
  let check: Check
  beforeEach(async () => {
    g = await storeFixture(open)
    check = aCheck(g.project, { status: 'down', nPings: 3, nEvents: 2 })
    await stage(g.store, check, g.project, { n: 3, eventN: 2 })
    await extend([check])
  })
  afterEach(() => g.close())

  const extend = (checks: readonly Check[], over = { pings: 0, flips: 0 }, author = anAuthor()) =>
    g.store.by(author).imports.extendProject(
      {
        ...over,
        projectId: g.project.id,
        kind: 'healthchecks',
        checks: checks.map((each) => ({ check: each, channelIds: [] })),
        logs: new Map(checks.filter(({ nPings }) => nPings > 0).map(({ id }) => [id, { n: 3, eventN: 2 }])),
      },
      g.rules,
    )
  const extension = (over: Partial<CheckExtension> = {}): CheckExtension => ({
    checkId: check.id,
    seen: { n: 3, eventN: 2 },
    keptEvents: 2,
    pings: [aPing(check, 4), aPing(check, 6)],
    flips: [aFlip(check, 3)],
    state: (it) => ({ ...it, status: 'up', lastPingAt: after(6), nPings: 6 }),
    ...over,
  })
  const entries = async () => ({
    pings: (await g.store.pings.readLog(check.id, null, 100, 300)).map(({ n }) => n),
    flips: (await allFlips(g.store, check.id)).map(({ n }) => n),
  })

  describe('a check that has gone on in the source', () => {
    test('gets its newer entries and its state, and owes nothing', async () => {
      await g.channel()
      expect(await g.store.imports.extendCheck(extension(), g.rules)).toBe(true)
      expect(await g.stored(check)).toMatchObject({
        ...{ status: 'up', nPings: 6, nEvents: 3, lastPingAt: after(6) },
      })
      expect(await entries()).toEqual({ pings: [6, 4, 3, 2, 1], flips: [3, 2, 1] })
      expect(await g.store.server.readOutbox()).toEqual({ pending: 0, oldestAt: null })
      g.clock.advance({ seconds: 10 })
      await g.ping(check)
      expect((await entries()).pings).toEqual([7, 6, 4, 3, 2, 1])
    })

    test('is judged by its new state', async () => {
      await g.store.imports.extendCheck(extension(), g.rules)
      expect(String(await g.store.flips.nextLookAt())).toBe(String(after(6 + 120)))
    })

    test('takes them in several parts, and keeps its status until the last', async () => {
      const first = extension({ pings: [aPing(check, 4)], flips: [], state: null })
      expect(await g.store.imports.extendCheck(first, g.rules)).toBe(true)
      expect(await g.stored(check)).toMatchObject({ status: 'down', nPings: 4, nEvents: 2 })
      const rest = extension({ seen: { n: 4, eventN: 2 }, pings: [aPing(check, 6)] })
      expect(await g.store.imports.extendCheck(rest, g.rules)).toBe(true)
      expect(await entries()).toEqual({ pings: [6, 4, 3, 2, 1], flips: [3, 2, 1] })
    })

    test('loses the flips that time has made here since, with their alerts', async () => {
      await g.store.imports.extendCheck(extension(), g.rules)
      const channel = await g.channel()
      await g.store.by(anAuthor()).checks.change(check.id, (it) => ({ check: it, channelIds: [channel.id] }), g.rules)
      g.clock.advance({ seconds: HOUR })
      await g.judgeOverdue()
      expect((await g.stored(check)).nEvents).toBe(4)
      expect((await g.store.server.readOutbox()).pending).toBe(1)
      const later = extension({
        ...{ seen: { n: 6, eventN: 4 }, keptEvents: 3, flips: [], pings: [aPing(check, 7)] },
        state: (it) => ({ ...it, status: 'up', nPings: 7 }),
      })
      expect(await g.store.imports.extendCheck(later, g.rules)).toBe(true)
      expect(await entries()).toEqual({ pings: [7, 6, 4, 3, 2, 1], flips: [3, 2, 1] })
      expect((await g.store.server.readOutbox()).pending).toBe(0)
    })

    test('was down when it came, of which all were told, until a flip that comes ends that', async () => {
      const incident = { n: 2, told: 'down', toldAt: after(2), openedAt: after(2) } as const
      expect(await g.store.incidents.listOpen(g.project.id)).toMatchObject([{ ...incident, lastN: 2 }])
      await g.store.imports.extendCheck(extension({ flips: [aFlip(check, 3)] }), g.rules)
      const ended = { ...incident, resolvedAt: after(3), lastN: 3 }
      expect(await g.store.incidents.list(check.id, null, 10)).toMatchObject([ended])
      const seen = { n: 6, eventN: 3 }
      const down = {
        seen,
        keptEvents: 3,
        pings: [],
        flips: [aFlip(check, 4)],
        state: (it: Check) => ({ ...it, status: 'down' as const }),
      }
      await g.store.imports.extendCheck(extension(down), g.rules)
      expect(await g.store.incidents.listOpen(g.project.id)).toMatchObject([{ n: 4, told: 'down', resolvedAt: null }])
    })

    test('keeps what people have left since', async () => {
      await g.store.by(anAuthor()).incidents.note({ checkId: check.id, n: 2 }, 'the disk', g.rules)
      const later = extension({
        seen: { n: 3, eventN: 3 },
        keptEvents: 3,
        flips: [aFlip(check, 4, { oldStatus: 'down', newStatus: 'up' })],
      })
      expect(await g.store.imports.extendCheck(later, g.rules)).toBe(true)
      const [incident] = await g.store.incidents.list(check.id, null, 10)
      expect(await g.store.incidents.listEvents(incident ?? { checkId: check.id, n: 2, lastN: 0 })).toMatchObject([
        { kind: 'flip', n: 2 },
        { kind: 'note', n: 3, text: 'the disk' },
        { kind: 'flip', n: 4 },
      ])
    })

    test('ends the reminders of its project when it recovers', async () => {
      const wanted = { reminder: { periodSeconds: HOUR, firstAt: after(HOUR) } }
      const channel = { ...(await g.channel({ kind: 'email', settings: 'ops@example.org' })) }
      await g.store.by(anAuthor()).channels.change(channel.id, (it) => ({ channel: it, mailings: wanted }))
      const dates = async () => (await g.store.mailings.list(g.project.id)).map(({ dueAt }) => dueAt && String(dueAt))
      expect(await dates()).toEqual([String(after(HOUR))])
      await g.store.imports.extendCheck(extension(), g.rules)
      expect(await dates()).toEqual([null])
    })

    test('stays as it is when it was pinged, paused or deleted here since', async () => {
      const stored = await g.stored(check)
      for (const seen of [
        { n: 2, eventN: 2 },
        { n: 3, eventN: 1 },
      ]) {
        expect(await g.store.imports.extendCheck(extension({ seen, keptEvents: 1 }), g.rules)).toBe(false)
      }
      expect(await g.stored(check)).toEqual(stored)
      await g.ping(check)
      expect(await g.store.imports.extendCheck(extension(), g.rules)).toBe(false)
      expect((await entries()).pings).toEqual([4, 3, 2, 1])
      await g.store.by(anAuthor()).checks.delete(check.id)
      expect(await g.store.imports.extendCheck(extension(), g.rules)).toBe(false)
    })
  })

  describe('a project that is here', () => {
    test('gets checks from what was staged, with one row in the audit log', async () => {
      const more = aCheck(g.project, { createdAt: NOON, nPings: 3, nEvents: 2 })
      await stage(g.store, more, g.project, { n: 3, eventN: 2 })
      const author = anAuthor()
      await extend([more], { pings: 5, flips: 1 }, author)
      expect((await g.store.pings.readLog(more.id, null, 10, 300)).map(({ n }) => n)).toEqual([3, 2, 1])
      const rows = (await g.store.audit.list(100)).filter((row) => row.author.changeId === author.changeId)
      expect(rows.map(({ action, subject, after: values }) => [action, subject.kind, values])).toEqual([
        ['edit', 'project', { imported_from: 'healthchecks', checks: 1, pings: 8, flips: 3 }],
      ])
    })

    test('stays as it is without anything new', async () => {
      const before = await g.store.audit.list(100)
      await extend([])
      expect(await g.store.audit.list(100)).toEqual(before)
    })

    test('stays as it is when a check is here already, and when the project is gone', async () => {
      expect((await refusalOf(extend([check]))).code).toBe('import-clash')
      await g.store.by(anAuthor()).projects.delete(g.project.id, 0)
      expect((await refusalOf(extend([aCheck(g.project)]))).code).toBe('not-found')
    })
  })

  describe('the history of alerts', () => {
    const anAlert = (over: Partial<ImportedAlert>): ImportedAlert => ({
      ...{ id: crypto.randomUUID(), checkId: check.id, eventN: 2, channelId: '', createdAt: NOON, error: null },
      ...over,
    })

    test('is shown with its flips, is never sent, and comes once', async () => {
      const [a, b] = [await g.channel({ createdAt: NOON }), await g.channel({ createdAt: after(1) })]
      const alerts = [anAlert({ channelId: a.id }), anAlert({ channelId: b.id, error: 'received 500' })]
      expect(await g.store.imports.addAlerts(alerts)).toBe(2)
      expect(await g.store.imports.addAlerts(alerts)).toBe(0)
      expect(await g.store.imports.addAlerts([anAlert({ channelId: a.id })])).toBe(0)
      const listed = await g.store.deliveries.list(g.project.id, null, 10)
      expect(listed.map((each) => each.error).toSorted()).toEqual([null, 'received 500'])
      expect(await g.store.server.readOutbox()).toEqual({ pending: 0, oldestAt: null })
      expect(await g.store.deliveries.nextAt()).toBeNull()
    })

    test('leaves out alerts whose flip or channel is not here, or whose check is only staged', async () => {
      const channel = await g.channel()
      const coming = aCheck(g.project)
      await stage(g.store, coming, g.project, { n: 1, eventN: 1 })
      const alerts = [
        anAlert({ channelId: channel.id, eventN: 9 }),
        anAlert({ channelId: crypto.randomUUID() }),
        anAlert({ channelId: channel.id, checkId: coming.id, eventN: 1 }),
      ]
      expect(await g.store.imports.addAlerts(alerts)).toBe(0)
    })
  })

  test('a key that is stored by another hash is found by that one', async () => {
    const key = storedKey(g.project, 'read-write', 'odw_x', SECRET, NOON)
    await g.store.by(anAuthor()).keys.create(key)
    await g.store.keys.rehash(key.lookup, 'other')
    expect([await g.store.keys.find(key.lookup), (await g.store.keys.find('other'))?.kind]).toEqual([
      null,
      'read-write',
    ])
    await g.store.keys.rehash(key.lookup, 'again')
    expect(await g.store.keys.find('again')).toBeNull()
  })

  test('secrets and badges leave with their project', async () => {
    const project = aProject()
    const order = anImport({ project, secret: 'hush', badges: [{ tag: 'db', signature: 'abc' }] })
    await importProject(g.store, order, g.rules)
    await g.store.by(anAuthor()).projects.delete(project.id, 0)
    expect([await g.store.imports.listSecrets(), await g.store.badges.listSignatures(project.badgeKey, 'db')]).toEqual([
      [],
      [],
    ])
  })
}
