/** Projects, keys, channels and settings. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Refusal } from '../../../src/domain/errors.ts'
import { type Project, storedKey } from '../../../src/domain/project.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  A_TRACE,
  aChannel,
  after,
  anAuthor,
  aProject,
  type OpenStore,
  only,
  refusalOf,
  rejection,
  SECRET,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const byId = (one: Project, other: Project) => (one.id < other.id ? -1 : 1)

export function projectsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open, { name: 'First' })
  })
  afterEach(() => g.close())

  const deletions = async () =>
    (await g.store.audit.list(100))
      .filter(({ action }) => action === 'delete')
      .map(({ subject }) => subject.kind)
      .toSorted()

  describe('projects and keys', () => {
    test('the store answers while it is open', async () => {
      expect(await g.store.server.probe()).toBeUndefined()
    })

    test('a project is found by its id and by its name, and comes back as it was given', async () => {
      expect(await g.store.projects.find(g.project.id)).toEqual(g.project)
      expect(await g.store.projects.find('First')).toBeNull()
      expect(await g.store.projects.findByIdOrName(g.project.id)).toEqual([g.project])
      expect(await g.store.projects.findByIdOrName('First')).toEqual([g.project])
      expect(await g.store.projects.findByIdOrName('first')).toEqual([])
    })

    test('an id takes precedence over an equal name', async () => {
      await g.store.by(anAuthor()).projects.create(aProject({ name: g.project.id, createdAt: after(-60) }), [])
      expect((await g.store.projects.findByIdOrName(g.project.id)).map(({ name }) => name)).toEqual(['First'])
    })

    test('projects are listed in order of creation', async () => {
      const names = ['Zebra', 'Ant', 'Mole']
      for (const [index, name] of names.entries()) {
        await g.store.by(anAuthor()).projects.create(aProject({ name, createdAt: after(index + 1) }), [])
      }
      expect((await g.store.projects.list()).map(({ name }) => name)).toEqual(['First', ...names])
    })

    test('a taken name is refused, and neither the project nor its keys are written', async () => {
      const twin = aProject({ name: 'First' })
      const key = storedKey(twin, 'read-write', 'odw_1', SECRET, after(0))
      const error = await rejection(g.store.by(anAuthor()).projects.create(twin, [key]))
      expect(error).toBeInstanceOf(Refusal)
      expect(error).toMatchObject({ code: 'project-name-taken', message: 'a project named "First" already exists' })
      expect(await g.store.projects.list()).toEqual([g.project])
      expect(await g.store.keys.find(key.lookup)).toBeNull()
    })

    test('a taken key makes the whole creation fail', async () => {
      const other = aProject()
      const [taken] = await g.store.keys.list(g.project.id)
      if (!taken) throw new Error('the ground has a ping key')
      await rejection(g.store.by(anAuthor()).projects.create(other, [{ ...taken, projectId: other.id }]))
      expect(await g.store.projects.find(other.id)).toBeNull()
    })

    test('the ping log limit is changed for one project only', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      await g.store.by(anAuthor()).projects.edit(g.project.id, { pingLogLimit: 7 })
      expect((await g.store.projects.find(g.project.id))?.pingLogLimit).toBe(7)
      expect((await g.store.projects.find(other.id))?.pingLogLimit).toBe(100)
    })

    test('an edit changes one project, its slug stays, and one that does not exist is null', async () => {
      const other = await g.store.by(anAuthor()).projects.create(aProject(), [])
      const edited = await g.store.by(anAuthor()).projects.edit(g.project.id, { name: 'Zweites' })
      expect(edited).toEqual({ ...g.project, name: 'Zweites' })
      expect(await g.store.projects.list()).toEqual([{ ...g.project, name: 'Zweites' }, other].toSorted(byId))
      expect(await g.store.by(anAuthor()).projects.edit('nothing', { name: 'Third' })).toBeNull()
    })

    test('a project does not get the name of another one, and keeps its own', async () => {
      await g.store.by(anAuthor()).projects.create(aProject({ name: 'Second' }), [])
      const rename = (name: string) => g.store.by(anAuthor()).projects.edit(g.project.id, { name })
      expect((await refusalOf(rename('Second'))).code).toBe('project-name-taken')
      expect(await rename('First')).toEqual(g.project)
    })

    test('of several that take a name at the same time, one gets it', async () => {
      const other = (await g.another?.()) ?? g.store
      const made = await Promise.allSettled([
        g.store.by(anAuthor()).projects.edit(g.project.id, { name: 'Wanted' }),
        other.by(anAuthor()).projects.create(aProject({ name: 'Wanted' }), []),
        g.store.by(anAuthor()).projects.create(aProject({ name: 'Wanted' }), []),
      ])
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    test('an API key gives access to its project with the rights of its kind', async () => {
      const write = storedKey(g.project, 'read-write', 'odw_1', SECRET, after(1))
      const read = storedKey(g.project, 'read-only', 'odr_1', SECRET, after(2))
      await g.store.by(anAuthor()).keys.create(write)
      await g.store.by(anAuthor()).keys.create(read)
      expect(await g.store.keys.find(write.lookup)).toEqual({
        project: g.project,
        kind: 'read-write',
        lastUsedAt: null,
      })
      expect((await g.store.keys.find(read.lookup))?.kind).toBe('read-only')
      expect(await g.store.keys.find('unknown')).toBeNull()
    })

    test('the last use of a key is kept, and no earlier one replaces it', async () => {
      const key = storedKey(g.project, 'read-only', 'odr_1', SECRET, after(1), 'wall')
      await g.store.by(anAuthor()).keys.create(key)
      const used = async () => (await g.store.keys.find(key.lookup))?.lastUsedAt
      await g.store.keys.touch(key.lookup, after(60))
      expect(await used()).toEqual(after(60))
      await g.store.keys.touch(key.lookup, after(30))
      expect(await used()).toEqual(after(60))
      await g.store.keys.touch('unknown', after(60))
      const listed = (await g.store.keys.list(g.project.id)).find(({ lookup }) => lookup === key.lookup)
      expect(listed).toEqual({ ...key, lastUsedAt: after(60) })
    })

    test('a ping key counts the checks that were pinged with it since then, and keeps the latest use', async () => {
      const [one, two] = [await g.check({ slug: 'one' }), await g.check({ slug: 'two' })]
      await g.store.by(anAuthor()).keys.create(storedKey(g.project, 'ping', 'second', SECRET, after(2)))
      const uses = async (since: number) =>
        Object.fromEntries(await g.store.keys.listPingUses(g.project.id, after(since)))
      const note = (pingKey: string, slug: string, at: number) =>
        g.store.keys.notePingUses([{ pingKey, slug, at: after(at) }])
      expect(await uses(0)).toEqual({})
      await g.store.keys.notePingUses([
        { pingKey: g.pingKey, slug: 'one', at: after(10) },
        { pingKey: g.pingKey, slug: 'two', at: after(20) },
        { pingKey: 'second', slug: 'two', at: after(15) },
        { pingKey: g.pingKey, slug: 'none', at: after(99) },
        { pingKey: 'unknown', slug: 'one', at: after(99) },
      ])
      const second = { checks: 1, lastAt: after(15) }
      expect(await uses(10)).toEqual({ [g.pingKey]: { checks: 2, lastAt: after(20) }, second })
      expect(await uses(16)).toEqual({
        [g.pingKey]: { checks: 1, lastAt: after(20) },
        second: { checks: 0, lastAt: after(15) },
      })
      await note(g.pingKey, 'one', 30)
      await note(g.pingKey, 'one', 25)
      expect((await uses(26))[g.pingKey]).toEqual({ checks: 1, lastAt: after(30) })
      await g.store.by(anAuthor()).checks.delete(one.id)
      expect((await uses(10))[g.pingKey]).toEqual({ checks: 1, lastAt: after(20) })
      await g.store.by(anAuthor()).keys.delete(g.project.id, 'second')
      expect(Object.keys(await uses(10))).toEqual([g.pingKey])
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      await g.store.by(anAuthor()).checks.transfer(two.id, { from: g.project.id, to: other.id }, after(40))
      expect(await uses(0)).toEqual({})
    })

    test('a key that is deleted while its uses are noted leaves none', async () => {
      const other = (await g.another?.()) ?? g.store
      for (const slug of ['one', 'two', 'three']) await g.check({ slug })
      for (const pingKey of ['a', 'b', 'c', 'd']) {
        await g.store.by(anAuthor()).keys.create(storedKey(g.project, 'ping', pingKey, SECRET, after(2)))
        const note = (slugs: readonly string[]) =>
          g.store.keys.notePingUses(slugs.map((slug) => ({ pingKey, slug, at: after(10) })))
        await note(['one', 'two'])
        await Promise.all([
          note(['three', 'two', 'one']),
          other.by(anAuthor()).keys.delete(g.project.id, pingKey),
          note(['one', 'three']),
        ])
      }
      expect(await g.store.keys.listPingUses(g.project.id, after(0))).toEqual(new Map())
    })

    test('a new ping key takes the place of all others, and API keys stay', async () => {
      const api = storedKey(g.project, 'read-only', 'odr_1', SECRET, after(1))
      await g.store.by(anAuthor()).keys.create(api)
      await g.store.by(anAuthor()).keys.create(storedKey(g.project, 'ping', 'second', SECRET, after(2)))
      const before = (await g.store.keys.list(g.project.id)).filter(({ kind }) => kind === 'ping')
      expect(before).toHaveLength(2)
      const fresh = storedKey(g.project, 'ping', 'third', SECRET, after(3))
      await g.store.by(anAuthor()).keys.replacePing(fresh)
      expect(await g.store.keys.list(g.project.id)).toEqual([api, fresh])
      expect(await deletions()).toEqual(['key', 'key'])
    })

    test('a project is deleted with its checks, integrations and alerts, and nothing of another one', async () => {
      const other = await storeFixture(async () => ({ ...g, close: async () => {} }))
      const theirs = await other.check({ slug: 'theirs' })
      const channel = await g.channel()
      const check = await g.check({ slug: 'mine' }, [channel])
      await g.ping(check)
      await g.ping(check, { action: 'fail' })
      expect(await g.store.deliveries.list(g.project.id, null, 10)).toHaveLength(1)
      // It is pending.
      expect(await g.store.channels.deleteEndedDeliveries(channel.id, 10)).toBe(0)
      expect(await g.store.by(anAuthor()).projects.delete(g.project.id, 0)).toBe(true)
      expect(await g.store.by(anAuthor()).projects.delete(g.project.id, 0)).toBe(false)
      expect(await g.store.projects.find(g.project.id)).toBeNull()
      expect(await g.store.checks.find(check.id)).toBeNull()
      expect(await g.store.channels.find(channel.id)).toBeNull()
      expect(await g.store.keys.list(g.project.id)).toEqual([])
      expect(await g.store.checks.find(theirs.id)).not.toBeNull()
      expect(await deletions()).toEqual(['project'])
    })

    test('the checks of a project that is being deleted are one row of the audit log, which counts them', async () => {
      const [one, two] = [await g.check({ slug: 'one' }), await g.check({ slug: 'two' })]
      const other = await storeFixture(async () => ({ ...g, close: async () => {} }))
      const theirs = await other.check({ slug: 'theirs' })
      const author = anAuthor()
      const ids = [one.publicId, theirs.publicId]
      expect(await g.store.by(author).projects.deleteChecks(g.project.id, ids)).toBe(1)
      expect(await g.store.checks.find(one.id)).toBeNull()
      expect(await g.store.checks.find(two.id)).not.toBeNull()
      expect(await g.store.checks.find(theirs.id)).not.toBeNull()
      const [row, ...others] = (await g.store.audit.list(100)).filter(
        (each) => each.author.changeId === author.changeId,
      )
      expect(others).toEqual([])
      expect(row).toMatchObject({ action: 'edit', before: { checks: 2 }, after: { checks: 1 } })
      expect(row?.subject).toMatchObject({ kind: 'project', id: g.project.id })
      expect(await g.store.by(anAuthor()).projects.deleteChecks(g.project.id, ids)).toBe(0)
      expect(await g.store.by(anAuthor()).projects.delete(g.project.id, 1)).toBe(true)
      const deletion = (await g.store.audit.list(100)).find(({ action }) => action === 'delete')
      expect(deletion?.before).toMatchObject({ checks: 2, channels: 0, members: 0 })
    })

    test('a ping key gives no access', async () => {
      expect(await g.store.keys.find(g.pingKey)).toBeNull()
    })

    test('keys are listed by project, oldest first', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [storedKey(other, 'ping', 'other', SECRET, after(0))])
      const late = storedKey(g.project, 'read-only', 'odr_late', SECRET, after(9))
      const soon = storedKey(g.project, 'read-write', 'odw_soon', SECRET, after(3))
      await g.store.by(anAuthor()).keys.create(late)
      await g.store.by(anAuthor()).keys.create(soon)
      expect((await g.store.keys.list(g.project.id)).slice(1)).toEqual([soon, late])
    })

    test('a deleted key gives no access, and deleting returns whether it existed', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      const key = storedKey(g.project, 'read-write', 'odw_1', SECRET, after(1))
      await g.store.by(anAuthor()).keys.create(key)
      expect(await g.store.by(anAuthor()).keys.delete(other.id, key.lookup)).toBe(false)
      expect(await g.store.keys.find(key.lookup)).not.toBeNull()
      expect(await g.store.by(anAuthor()).keys.delete(g.project.id, key.lookup)).toBe(true)
      expect(await g.store.keys.find(key.lookup)).toBeNull()
      expect(await g.store.by(anAuthor()).keys.delete(g.project.id, key.lookup)).toBe(false)
    })
  })

  describe('channels', () => {
    test('a channel comes back as it was given, settings of any shape included', async () => {
      const settings = { nested: [1, { text: '"ä" \u0000' }], none: null }
      const channel = await g.channel({ name: 'Ops', kind: 'slack', settings, lastError: 'e', disabledReason: 'd' })
      expect(await g.store.channels.list(g.project.id)).toEqual([channel])
    })

    test('channels are listed by project in order of creation, also when created in the same microsecond', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      await g.store.by(anAuthor()).channels.create(aChannel(other, { name: 'not this' }))
      const names = Array.from({ length: 8 }, (_, index) => `channel ${index}`)
      for (const name of names) await g.channel({ name })
      expect((await g.store.channels.list(g.project.id)).map(({ name }) => name)).toEqual(names)
    })
  })

  describe('a channel', () => {
    test('is found by its id, changed in everything but what it is, and deleted once', async () => {
      const channel = await g.channel({ name: 'Ops' })
      expect(await g.store.channels.find(channel.id)).toEqual(channel)
      const quietHours = { schedule: '0 22 * * *', tz: 'Europe/Riga', seconds: 32_400, upTo: 'warning' } as const
      const told = { settings: 'x', disabledReason: 'd', lastError: 'e', host: 'h' }
      const changed = { ...channel, name: 'Night', ...told, quietHours }
      const change = () => ({
        channel: { ...changed, awaitsConfirmation: true, kind: 'slack', createdAt: after(9) } as const,
      })
      expect(await g.store.channels.change(channel.id, change)).toEqual({ ...changed, awaitsConfirmation: true })
      expect(await g.store.channels.find(channel.id)).toEqual({ ...changed, awaitsConfirmation: true })
      const loud = await g.store.channels.change(channel.id, (it) => ({ channel: { ...it, quietHours: null } }))
      expect(loud).toEqual({ ...changed, awaitsConfirmation: true, quietHours: null })
      expect(await g.store.by(anAuthor()).channels.delete(channel.id)).toBe(true)
      expect(await g.store.by(anAuthor()).channels.delete(channel.id)).toBe(false)
      expect(await g.store.channels.change(channel.id, change)).toBeNull()
      expect(await g.store.channels.find(channel.id)).toBeNull()
    })

    test('keeps all of several concurrent changes', async () => {
      const { id } = await g.channel({ name: '' })
      const other = g.another ? await g.another() : g.store
      const add = (store: Store, letter: string) =>
        store.channels.change(id, (channel) => ({ channel: { ...channel, name: channel.name + letter } }))
      await Promise.all([...'abcdef'].map((letter, index) => add(index % 2 ? other : g.store, letter)))
      const stored = await g.store.channels.find(id)
      expect([...(stored?.name ?? '')].toSorted().join('')).toBe('abcdef')
    })

    test('that is deleted loses its assignments and deliveries', async () => {
      const [gone, kept] = [await g.channel(), await g.channel()]
      const check = await g.check({}, [gone, kept])
      await g.ping(check, { action: 'fail' })
      await g.store.by(anAuthor()).channels.delete(gone.id)
      expect((await g.store.checks.find(check.id))?.channelIds).toEqual([kept.id])
      expect(only(await g.claim()).channel.id).toBe(kept.id)
      expect(await g.store.deliveries.list(g.project.id, null, 10)).toHaveLength(1)
    })

    test('stays unchanged if the change is refused', async () => {
      const channel = await g.channel({ name: 'Ops' })
      const change = () => {
        throw new Refusal('not-found', 'not found')
      }
      expect(await rejection(g.store.channels.change(channel.id, change))).toBeInstanceOf(Refusal)
      expect(await g.store.channels.find(channel.id)).toEqual(channel)
    })

    test('follows its receiver to other settings, unless it got others while the message was on its way', async () => {
      const { id } = await g.channel({ settings: { id: 1, name: 'Ops' } })
      await g.ping(await g.check({}, await g.store.channels.list(g.project.id)), { action: 'fail' })
      const { delivery, channel } = only(await g.claim())
      const move = { sentWith: channel.settings, fields: { id: 2 } }
      await g.store.deliveries.record(
        [delivery],
        { state: 'pending', error: 'e', nextAttemptAt: after(1), move },
        A_TRACE,
        after(0),
      )
      expect((await g.store.channels.find(id))?.settings).toEqual({ id: 2, name: 'Ops' })
      g.clock.set(after(1).toString())
      const again = only(await g.claim())
      await g.store.deliveries.record(
        [again.delivery],
        { state: 'pending', error: 'e', nextAttemptAt: after(2), move },
        A_TRACE,
        after(1),
      )
      expect((await g.store.channels.find(id))?.settings).toEqual({ id: 2, name: 'Ops' })
    })

    test('that is disabled keeps its first reason', async () => {
      const { id } = await g.channel()
      await g.ping(await g.check({}, await g.store.channels.list(g.project.id)), { action: 'fail' })
      const { delivery } = only(await g.claim())
      await g.store.channels.change(id, (channel) => ({ channel: { ...channel, disabledReason: 'unsubscribed' } }))
      await g.store.deliveries.record(
        [delivery],
        { state: 'failed', error: '550', disablesChannel: true },
        A_TRACE,
        after(1),
      )
      expect(await g.store.channels.find(id)).toMatchObject({ disabledReason: 'unsubscribed', lastError: '550' })
    })
  })

  describe('settings', () => {
    test('the first value wins, and everybody gets it', async () => {
      expect(await g.store.settings.find('colour')).toBeNull()
      expect(await g.store.settings.getOrCreate('colour', 'red')).toBe('red')
      expect(await g.store.settings.getOrCreate('colour', 'blue')).toBe('red')
      expect(await g.store.settings.find('colour')).toBe('red')
    })

    test('two stores that settle at the same time agree', async () => {
      if (!g.another) return expect(await g.store.settings.getOrCreate('colour', 'red')).toBe('red')
      const other = await g.another()
      const both = await Promise.all([
        g.store.settings.getOrCreate('colour', 'red'),
        other.settings.getOrCreate('colour', 'blue'),
      ])
      expect(new Set(both).size).toBe(1)
    })

    test('are replaced only if nobody has changed them since, with a row in the audit log', async () => {
      const audited = (host: string) => ({
        ...({ kind: 'mail-server', id: 'mail', name: host, projectId: null, values: { host } } as const),
      })
      const replace = (from: string | null, to: string | null) =>
        g.store.by(anAuthor()).settings.replace('mail', {
          ...{ from, to, before: from === null ? null : audited(from), after: to === null ? null : audited(to) },
        })
      expect(await replace('red', 'blue')).toBe(false)
      expect(await replace(null, 'red')).toBe(true)
      expect(await replace(null, 'blue')).toBe(false)
      expect(await g.store.settings.find('mail')).toBe('red')
      expect(await replace('red', null)).toBe(true)
      expect(await g.store.settings.find('mail')).toBeNull()
      const rows = (await g.store.audit.list(10)).filter(({ subject }) => subject.kind === 'mail-server')
      expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['create', 'delete']))
    })
  })
}
