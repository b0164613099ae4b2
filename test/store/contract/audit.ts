/** The audit log: rows are written with their changes, and kept. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { AuditEntry } from '../../../src/domain/audit/audit.ts'
import { type AuditPlace, type AuditRange, placeOf } from '../../../src/domain/audit/audit-list.ts'
import type { Author } from '../../../src/domain/author.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { storedKey } from '../../../src/domain/project.ts'
import {
  A_TRACE,
  aCheck,
  after,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  aSession,
  type OpenStore,
  only,
  rejection,
  SECRET,
  type StoreFixture,
  storeFixture,
  webhook,
} from '../../support/store-builders.ts'

export function auditContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open, { name: 'First' })
  })
  afterEach(() => g.close())

  const all = () => g.store.audit.list(1000)
  /** Returns the rows that `work` has written, in the order of writing. */
  const written = async (work: (author: Author) => Promise<unknown>, over: Partial<Author> = {}) => {
    const author = anAuthor(over)
    await work(author)
    const rows = (await all()).filter(({ author: { changeId } }) => changeId === author.changeId)
    for (const row of rows) expect(row.author).toEqual(author)
    return rows.map(({ author: _, ...row }) => row)
  }
  const kinds = (rows: readonly Pick<AuditEntry, 'action' | 'subject'>[]) =>
    rows.map(({ action, subject }) => `${action} ${subject.kind} ${subject.name}`)

  describe('the audit log', () => {
    test('knows who made a change, when, and from where', async () => {
      const ann = { kind: 'person', accountId: 'ann', name: 'ann@example.org', address: '2001:db8::1' } as const
      const rows = await written((author) => g.store.by(author).projects.edit(g.project.id, { name: 'Second' }), {
        ...ann,
        at: after(1.000001),
      })
      expect(rows).toEqual([
        {
          projectId: g.project.id,
          action: 'edit',
          subject: { kind: 'project', id: g.project.id, name: 'Second' },
          before: { name: 'First' },
          after: { name: 'Second' },
        },
      ])
    })

    test('lists the newest changes first, and the rows of a change as they were written', async () => {
      const account = anAccount({ email: 'ann@example.org' })
      await g.store.by(anAuthor({ at: after(2) })).accounts.create(account)
      await g.store.by(anAuthor({ at: after(1) })).projects.edit(g.project.id, { name: 'Second' })
      const fresh = aProject({ name: 'Third' })
      const key = storedKey(fresh, 'ping', 'pppppppp0000', SECRET, after(3))
      await g.store.by(anAuthor({ at: after(3) })).projects.create(fresh, [key], aMember(account, fresh, 'owner'))
      expect(kinds(await g.store.audit.list(6))).toEqual([
        'create project Third',
        'create key pppppppp',
        'create member ann@example.org',
        'create account ann@example.org',
        'edit project Second',
        'create project First',
      ])
      expect(kinds(await g.store.audit.list(2))).toEqual(['create project Third', 'create key pppppppp'])
    })

    test('knows who paused a check, a moment before its flip, and nobody else', async () => {
      const [check, other] = [await g.check({ name: 'one' }), await g.check({ name: 'two' })]
      const by = (name: string, seconds: number) => anAuthor({ kind: 'person', name, at: after(seconds) })
      const toStatus = (id: string, status: Check['status'], author: Author) =>
        g.store.by(author).checks.change(id, (old) => ({ check: { ...old, status } }), g.rules)
      const pauser = async (seconds: number, of = check) =>
        (await g.store.audit.findPausers([{ check: of, at: after(seconds) }]))[0]?.name ?? null
      await toStatus(check.id, 'paused', by('ann', 10))
      await toStatus(other.id, 'paused', by('bob', 11))
      await toStatus(check.id, 'new', by('cyd', 12))
      expect([await pauser(10), await pauser(12), await pauser(70)]).toEqual(['ann', 'ann', 'ann'])
      expect([await pauser(9), await pauser(71)]).toEqual([null, null])
      expect(await pauser(12, other)).toBe('bob')
      const elsewhere = { ...check, projectId: aProject().id }
      expect(await pauser(10, elsewhere)).toBeNull()
      await g.store.retention.pruneAudit(after(11), 100)
      expect([await pauser(12), await pauser(12, other)]).toEqual([null, 'bob'])
    })

    test('records what happens to an account, its places in projects included', async () => {
      const account = anAccount({ email: 'ann@example.org', passwordHash: 'old' })
      const { store } = g
      const rows = [
        ...(await written((by) => store.by(by).accounts.create(account))),
        ...(await written((by) =>
          store.by(by).accounts.change(account.id, (old) => ({ ...old, theme: 'dark', passwordHash: 'new' }), null),
        )),
        ...(await written((by) => store.by(by).team.setMember(aMember(account, g.project, 'member')))),
        ...(await written((by) => store.by(by).team.setMember(aMember(account, g.project, 'owner')))),
        ...(await written((by) => store.by(by).accounts.delete(account.id))),
      ]
      const values = rows.map(({ action, subject, before, after }) => [`${action} ${subject.kind}`, before, after])
      const factors = { has_password: true, second_factor: false, suspended: false }
      const mail = { morning_mail: 'off', morning_hour: null }
      const whole = {
        email: 'ann@example.org',
        administrator: false,
        ...factors,
        ...mail,
        list_rows: 'dense',
        list_picture: 'runs',
        tz: 'UTC',
      }
      expect(values).toEqual([
        ['create account', null, { ...whole, theme: 'system', shortcuts: true }],
        ['edit account', { theme: 'system', password_changed: null }, { theme: 'dark', password_changed: true }],
        ['create member', null, { role: 'member' }],
        ['edit member', { role: 'member' }, { role: 'owner' }],
        ['delete member', { role: 'owner' }, null],
        ['delete account', { ...whole, theme: 'dark', shortcuts: true }, null],
      ])
      expect(rows.map(({ projectId }) => projectId)).toEqual([
        null,
        null,
        ...[g.project.id, g.project.id, g.project.id],
        null,
      ])
    })

    test('records sign-ins and their ends, but not those that end with a change of the account', async () => {
      const account = anAccount({ email: 'ann@example.org' })
      const { store } = g
      await store.by(anAuthor()).accounts.create(account)
      const begin = (lookup: string) =>
        written((by) => store.by(by).sessions.create(aSession(account, { lookup, method: 'link' }), null, 'totp'))
      const rows = [
        ...(await begin('first session')),
        ...(await begin('second session')),
        ...(await written((by) => store.by(by).sessions.end(account.id, 'first session'))),
        ...(await written((by) => store.by(by).sessions.end(account.id, 'first session'))),
        ...(await written((by) => store.by(by).sessions.endAll(account.id, null))),
      ]
      const began = { method: 'link', second_factor: 'totp' }
      expect(rows.map(({ action, subject, before, after }) => [action, subject.id, before, after])).toEqual([
        ['create', 'first sessio', null, began],
        ['create', 'second sessi', null, began],
        ['delete', 'first sessio', { method: 'link' }, null],
        ['delete', 'second sessi', { method: 'link' }, null],
      ])
      expect(new Set(rows.map(({ subject }) => `${subject.kind} ${subject.name}`))).toEqual(
        new Set(['session ann@example.org']),
      )
      await begin('third session')
      const changed = await written((by) =>
        store.by(by).accounts.change(account.id, (old) => ({ ...old, passwordHash: 'new' }), null),
      )
      expect(kinds(changed)).toEqual(['edit account ann@example.org'])
      expect(await store.sessions.list(account.id)).toEqual([])
    })

    test('records the first account, and what it owns from then on', async () => {
      const account = anAccount({ email: 'ann@example.org' })
      const rows = await written((by) =>
        g.store.by(by).accounts.createFirst({ account, rename: { from: 'First', to: 'Home', slug: 'home' } }),
      )
      expect(kinds(rows)).toEqual([
        'create account ann@example.org',
        'edit project Home',
        'create member ann@example.org',
      ])
    })

    test('keeps the rows of each change together, when several are made at the same instant', async () => {
      for (const name of ['a', 'b', 'c']) {
        const fresh = aProject({ name })
        await g.store
          .by(anAuthor({ at: after(1) }))
          .projects.create(fresh, [storedKey(fresh, 'ping', `ping-key-${name}`, SECRET, after(1))])
      }
      const changes = (await g.store.audit.list(6)).map(({ author }) => author.changeId)
      expect(new Set(changes).size).toBe(3)
      for (const [index, id] of changes.entries()) if (index % 2 === 1) expect(changes[index - 1]).toBe(id)
    })

    test('records keys, channels and checks', async () => {
      const { store, project } = g
      const key = storedKey(project, 'read-only', 'odr_abcdEFGH', SECRET, after(1))
      const channel = { ...(await g.channel({ name: 'Ops' })), id: crypto.randomUUID() }
      const check = aCheck(project, { name: 'Job' })
      const rows = [
        ...(await written((by) => store.by(by).keys.create(key))),
        ...(await written((by) => store.by(by).keys.delete(project.id, key.lookup))),
        ...(await written((by) => store.by(by).channels.create(channel))),
        ...(await written((by) =>
          store.by(by).channels.change(channel.id, (old) => ({
            channel: { ...old, name: 'Night', settings: webhook('https://example.org/other') },
          })),
        )),
        ...(await written((by) =>
          store.by(by).checks.upsert(check, null, (fresh) => ({ check: fresh, channelIds: [channel.id] }), g.rules),
        )),
        ...(await written((by) =>
          store.by(by).checks.change(check.id, (old) => ({ check: { ...old, tags: 'a b' }, channelIds: [] }), g.rules),
        )),
        ...(await written((by) => store.by(by).checks.delete(check.id))),
        ...(await written((by) => store.by(by).channels.delete(channel.id))),
      ]
      expect(kinds(rows)).toEqual([
        'create key odr_abcd',
        'delete key odr_abcd',
        'create channel Ops',
        'edit channel Night',
        'create check Job',
        'edit check Job',
        'delete check Job',
        'delete channel Night',
      ])
      expect(new Set(rows.map(({ projectId }) => projectId))).toEqual(new Set([project.id]))
      const [edited, tagged] = [rows[3], rows[5]]
      expect(edited?.after).toEqual({ name: 'Night', changed_settings: ['url_down'] })
      expect([tagged?.before, tagged?.after]).toEqual([
        { tags: '', channels: [channel.id] },
        { tags: 'a b', channels: [] },
      ])
      expect(tagged?.subject.id).toBe(uniqueKey(check.id))
    })

    test('records that the file of a project was given out, and whether with its log', async () => {
      const rows = await written((by) => g.store.by(by).projects.noteExport(g.project, true))
      expect(rows).toEqual([
        {
          projectId: g.project.id,
          action: 'export',
          subject: { kind: 'project', id: g.project.id, name: 'First' },
          before: null,
          after: { log: true },
        },
      ])
    })

    test('records that a backup was begun, and that one was given out', async () => {
      const name = 'overdue-5f0c71ab-20260304T120000Z-by-hand.db'
      const begun = await written((by) => g.store.by(by).backups.noteBegun(name))
      const given = await written((by) => g.store.by(by).backups.noteDownload(name))
      const row = { projectId: null, subject: { kind: 'backup' as const, id: name, name }, before: null, after: {} }
      expect([...begun, ...given]).toEqual([
        { ...row, action: 'create' },
        { ...row, action: 'export' },
      ])
    })

    test('has no row for a change that changes nothing', async () => {
      const account = anAccount()
      await g.store.by(anAuthor()).accounts.create(account)
      await g.store.by(anAuthor()).team.setMember(aMember(account, g.project))
      const [check, channel] = [await g.check(), await g.channel()]
      const rows = await written(async (author) => {
        const by = g.store.by(author)
        await by.projects.edit(g.project.id, { name: 'First', pingLogLimit: 100 })
        await by.accounts.change(account.id, (old) => old, null)
        await by.team.setMember(aMember(account, g.project))
        await by.checks.change(check.id, (old) => ({ check: old }), g.rules)
        await by.channels.change(channel.id, (old) => ({ channel: { ...old, lastError: 'gone' } }))
      })
      expect(rows).toEqual([])
    })

    test('has no row for what does not exist', async () => {
      const rows = await written(async (author) => {
        const by = g.store.by(author)
        await by.projects.edit('nothing', { name: 'Other' })
        await by.keys.delete(g.project.id, 'nothing')
        await by.channels.change('nothing', (channel) => ({ channel }))
        await by.channels.delete('nothing')
        await by.checks.change('nothing', (check) => ({ check }), g.rules)
        await by.checks.delete('nothing')
        await by.accounts.change('nobody', (account) => account, null)
        await by.accounts.delete('nobody')
        await by.team.setMember(aMember({ id: 'nobody' }, g.project))
        await by.team.removeMember('nobody', g.project.id)
      })
      expect(rows).toEqual([])
    })

    test('has no row for a change that was refused, not even for the first part of it', async () => {
      const account = anAccount()
      await g.store.by(anAuthor()).accounts.create(account)
      const [check, channel] = [await g.check(), await g.channel()]
      const before = await all()
      const refused = () => {
        throw new Refusal('not-found', 'not found')
      }
      const twin = aProject()
      const [taken] = await g.store.keys.list(g.project.id)
      if (!taken) throw new Error('the ground has a ping key')
      const by = g.store.by(anAuthor())
      await rejection(by.projects.create(twin, [{ ...taken, projectId: twin.id }]))
      await rejection(by.accounts.create(anAccount({ email: account.email })))
      await rejection(by.accounts.change(account.id, refused, null))
      await rejection(by.checks.change(check.id, refused, g.rules))
      await rejection(by.checks.upsert(aCheck(g.project), null, refused, g.rules))
      await rejection(by.channels.change(channel.id, refused))
      expect(await all()).toEqual(before)
    })

    test('has no row for pings, loops and links', async () => {
      const account = anAccount()
      await g.store.by(anAuthor()).accounts.create(account)
      const check = await g.check({}, [await g.channel()])
      const before = await all()
      await g.ping(check, { action: 'fail' })
      await g.store.pings.commit(
        [{ ...g.arrival(check), target: { kind: 'slug', pingKey: g.pingKey, slug: 'made', create: true } }],
        g.rules,
      )
      g.clock.advance({ hours: 1 })
      await g.judgeOverdue()
      const { delivery } = only(await g.claim())
      await g.store.deliveries.record(
        [delivery],
        { state: 'failed', error: 'e', disablesChannel: true },
        A_TRACE,
        g.clock.now(),
      )
      await g.store.tokens.create({
        lookup: 'l',
        purpose: 'sign-in',
        accountId: account.id,
        expiresAt: after(60),
        email: null,
      })
      await g.store.tokens.take('l', 'sign-in')
      expect(await all()).toEqual(before)
    })

    test('keeps its rows when what they name is deleted', async () => {
      const account = anAccount()
      await g.store.by(anAuthor()).accounts.create(account)
      const check = await g.check()
      const before = await all()
      await g.store.by(anAuthor({ at: after(1) })).checks.delete(check.id)
      await g.store.by(anAuthor({ at: after(1) })).accounts.delete(account.id)
      await g.store.retention.prune(after(-1e9), 10)
      expect((await all()).slice(-before.length)).toEqual(before)
    })

    test('tells which checks were deleted', async () => {
      const [deleted, other, kept] = [await g.check(), await g.check(), await g.check()]
      for (const { id } of [deleted, other]) await g.store.by(anAuthor()).checks.delete(id)
      const ids = [kept.id, deleted.id, crypto.randomUUID()]
      expect(await g.store.audit.findDeletedChecks(ids)).toEqual(new Set([deleted.id]))
    })

    describe('read in pages', () => {
      const everything: AuditRange = { projectId: null, since: null, until: null }
      /** Returns the names of all rows in the range, reading two per page. */
      const names = async (over: Partial<AuditRange> = {}) => {
        const found: string[] = []
        let place: AuditPlace | null = null
        for (;;) {
          const rows = await g.store.audit.read({ ...everything, ...over }, place, 2)
          found.push(...rows.map(({ subject }) => subject.name))
          const last = rows.at(-1)
          if (last === undefined) return found
          place = placeOf(last)
        }
      }
      const rename = (seconds: number, project = g.project.id) =>
        g.store.by(anAuthor({ at: after(seconds) })).projects.edit(project, { name: `at ${seconds}` })

      test('has each row once, also where many have the same time, and those of one change in their order', async () => {
        const account = anAccount({ email: 'ann@example.org' })
        await g.store.by(anAuthor({ at: after(5) })).accounts.create(account)
        for (const name of ['a', 'b', 'c']) {
          const project = aProject({ name })
          await g.store.by(anAuthor({ at: after(5) })).projects.create(project, [], aMember(account, project, 'owner'))
        }
        await rename(6)
        const found = await names()
        expect(found).toEqual((await all()).map(({ subject }) => subject.name))
        expect(found[0]).toBe('at 6')
        expect(
          found
            .slice(1, 8)
            .join(' ')
            .replaceAll(/([abc]) ann@example.org/g, '$1')
            .split(' ')
            .toSorted(),
        ).toEqual(['a', 'ann@example.org', 'b', 'c'])
      })

      test('has what was changed since a time, and before another', async () => {
        for (const seconds of [10, 20, 30]) await rename(seconds)
        expect(await names({ since: after(20) })).toEqual(['at 30', 'at 20'])
        expect(await names({ since: after(10), until: after(30) })).toEqual(['at 20', 'at 10'])
        const [newest] = await g.store.audit.read(everything, null, 1)
        const later = newest ? placeOf(newest) : null
        const rows = await g.store.audit.read({ ...everything, until: after(20) }, later, 1)
        expect(rows.map(({ subject }) => subject.name)).toEqual(['at 10'])
      })

      test('has the rows of one project', async () => {
        const other = aProject({ name: 'Other' })
        await g.store.by(anAuthor({ at: after(1) })).projects.create(other, [])
        await rename(2, other.id)
        await rename(3)
        expect(await names({ projectId: other.id })).toEqual(['at 2', 'Other'])
        expect(await names({ projectId: 'nowhere' })).toEqual([])
      })
    })

    test('is pruned from its oldest rows on, so many at a time', async () => {
      for (const seconds of [3, 1, 2]) {
        await g.store.by(anAuthor({ at: after(seconds) })).projects.edit(g.project.id, { name: `at ${seconds}` })
      }
      const names = async () => (await all()).map(({ subject }) => subject.name).filter((name) => name.startsWith('at'))
      // The project and its key came first.
      expect(await g.store.retention.pruneAudit(after(3), 3)).toBe(3)
      expect(await names()).toEqual(['at 3', 'at 2'])
      expect(await g.store.retention.pruneAudit(after(3), 3)).toBe(1)
      expect(await g.store.retention.pruneAudit(after(3), 3)).toBe(0)
      expect(await names()).toEqual(['at 3'])
    })
  })
}
