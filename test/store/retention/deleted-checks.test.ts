/** A deleted check leaves nothing in any table once retention has run. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Project } from '../../../src/domain/project.ts'
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.ts'
import { type StepTiming, UNTIMED } from '../../../src/store/sql/steps.ts'
import { createStore } from '../../../src/store/sql-store/sql-store.ts'
import { type Folder, temporaryFolder } from '../../support/folder.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import { readWords } from '../../support/search.ts'
import {
  aChannel,
  after,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  bytes,
  rejection,
  type StoreFixture,
  storeFixture,
  webhook,
} from '../../support/store-builders.ts'

const LONG_AGO = after(-1e9)

let folder: Folder
let g: StoreFixture
let beside: Database
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  beside.close()
  await g.close()
  folder.remove()
})

async function openGround(timing: StepTiming = UNTIMED) {
  const store = createStore(await openSqlite({ path: folder.file('o.db') }), timing)
  g = await storeFixture(async () => ({ store, another: null, close: () => store.close() }))
  beside = new Database(folder.file('o.db'), { readonly: true })
}

const tables = () =>
  beside
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => name)

const rowsOf = (table: string) =>
  beside
    .query(`SELECT * FROM ${table}`)
    .values()
    .map((row) => JSON.stringify(row))

/** Returns every row of every table, except those that the server records about itself, and the audit log, whose rows stay. */
const contents = () =>
  new Map(
    tables()
      // The engine's own tables of words keep a trace of rows removed from ping_words.
      .filter((table) => !['settings', 'audit'].includes(table) && !table.startsWith('ping_words_'))
      .map((table) => [table, rowsOf(table).toSorted().join('\n')]),
  )
const changedSince = (before: ReadonlyMap<string, string>) =>
  [...contents()].flatMap(([table, rows]) => (rows === before.get(table) ? [] : [table]))

/** Lists the tables that have such a name in a column or a foreign key. */
function tablesThatName(words: RegExp): string[] {
  const names = (table: string) =>
    beside
      .query<{ word: string }, [string]>(
        `SELECT name AS word FROM pragma_table_xinfo(?1) UNION SELECT "table" FROM pragma_foreign_key_list(?1)`,
      )
      .all(table)
      .some(({ word }) => words.test(word))
  return tables().filter(names)
}

/** Creates a check with rows in every table that can refer to it. */
async function fullCheck() {
  const channel = await g.channel({ settings: webhook() })
  const other = aProject()
  await g.store.by(anAuthor()).projects.create(other, [])
  await readWords(g.store)
  const before = contents()
  const check = await g.check({ slug: 'full' }, [channel])
  const rest = await g.store.pings.keepRest(crypto.randomUUID(), [bytes('the rest')], g.clock.now())
  await g.commit({ ...g.arrival(check, { action: 'start', body: bytes('begin') }), rest })
  g.clock.advance({ seconds: 1 })
  const actions = ['fail', 'success'] as const
  await g.commit(
    ...Array.from({ length: 99 }, (_, n) => g.arrival(check, { action: actions[n % 2] ?? 'fail', body: bytes('x') })),
  )
  await readWords(g.store)
  await lookAt(check.id)
  // A silence that is over, since the alerts of the check are rows that can refer to it.
  for (const silence of [{ seconds: 60, untilHealthy: false }, 'end'] as const) {
    await g.ping(check, { action: 'log', silence })
  }
  await g.store.keys.notePingUses([{ pingKey: g.pingKey, slug: check.slug, at: g.clock.now() }])
  const transfer = (from: Project, to: Project) =>
    g.store.by(anAuthor()).checks.transfer(check.id, { from: from.id, to: to.id }, g.clock.now())
  await transfer(g.project, other)
  await transfer(other, g.project)
  return { before, check }
}

/** Stores the counts of a day of the check's runs. */
async function lookAt(checkId: string) {
  const now = g.clock.now()
  const claimed = await g.store.advice.claimLook(checkId, after(60))
  if (claimed === null) throw new Error('the check is not enrolled')
  const minutes = new Uint8Array()
  const day = { day: '2026-05-12', runs: 1, failed: 0, missed: 0, firstAt: now, lastAt: now, longest: null, minutes }
  await g.store.advice.writeLooks(
    [{ claimed, lookedN: 1, advice: [], days: [day], oldestDay: '', lookAfter: after(60) }],
    now,
  )
}

/** Table whose rows name checks and projects that do not exist yet. */
const STAGED = 'staged_logs'

describe('a deleted check', () => {
  test('leaves every table as it was before the check was created, once retention has run', async () => {
    await openGround()
    const other = await g.check()
    await g.ping(other)
    await g.store.retention.prune(LONG_AGO, 10)
    const { before, check } = await fullCheck()
    const filled = changedSince(before)
    await g.store.by(anAuthor()).checks.clear(check.id)
    await g.ping(check, { action: 'fail' })
    await g.store.uncounted.addRefused(
      [{ n: 1, lastTail: '/256', lastAt: g.clock.now(), target: { kind: 'id', id: check.id } }],
      g.clock.now(),
    )
    const refilled = changedSince(before)
    await g.store.by(anAuthor()).checks.delete(check.id)
    const filledOnce = new Set([...filled, ...refilled, ...changedSince(before)])
    // A table that is added later needs rows here, so that this test covers it.
    const named = tablesThatName(/^(?:checks?|check_ids?|counter_id|flips)$/).filter((table) => table !== STAGED)
    expect(named.filter((table) => !filledOnce.has(table))).toEqual([])
    expect(named.length).toBeGreaterThan(8)
    expect(filled).toContain('ping_words')
    await g.store.retention.prune(LONG_AGO, 10)
    expect(changedSince(before)).toEqual([])
  })

  test('is nowhere to be found before that', async () => {
    await openGround()
    const { check } = await fullCheck()
    await g.store.by(anAuthor()).checks.delete(check.id)
    expect(await g.ping(check)).toBe('not-found')
    expect(await g.store.pings.findTarget({ kind: 'id', id: check.id })).toBe('not-found')
    expect(await g.store.checks.find(check.id)).toBeNull()
    expect(await allChecks(g.store, g.project.id)).toEqual([])
    expect(await g.store.pings.list(check.id, 100)).toEqual([])
    expect(await g.store.pings.find(check.id, 100)).toBeNull()
    expect(await allFlips(g.store, check.id)).toEqual([])
    expect(await g.store.deliveries.list(g.project.id, null, 100)).toEqual([])
    expect(await g.store.deliveries.nextAt()).toBeNull()
    expect(await g.claim()).toEqual([])
    await g.store.retention.prune(LONG_AGO, 10)
    expect(await g.store.server.readOutbox()).toEqual({ pending: 0, oldestAt: null })
  })

  test('leaves nothing even if the process ended in the middle of the removal', async () => {
    let left = Number.POSITIVE_INFINITY
    const step: StepTiming['step'] = async (work) => {
      left -= 1
      if (left < 0) throw new Error('ended')
      return work()
    }
    let present = 0
    await openGround({ step, stopwatch: () => (present += 5) })
    const { before, check } = await fullCheck()
    await g.store.retention.prune(LONG_AGO, 10)
    await g.store.by(anAuthor()).checks.delete(check.id)
    for (const steps of [10, 60, 120]) {
      left = steps
      expect(await rejection(g.store.retention.prune(LONG_AGO, 10))).toHaveProperty('message', 'ended')
      expect(changedSince(before)).not.toEqual([])
    }
    left = Number.POSITIVE_INFINITY
    await g.store.retention.prune(LONG_AGO, 10)
    expect(changedSince(before)).toEqual([])
  })

  test('is removed in one short transaction, whatever the length of its log', async () => {
    await openGround()
    const check = await g.check()
    const body = new Uint8Array(64_000)
    for (let batch = 0; batch < 10; batch += 1) {
      await g.commit(...Array.from({ length: 100 }, () => g.arrival(check, { body })))
    }
    const free = () => beside.query<{ freelist_count: number }, []>('PRAGMA freelist_count').get()?.freelist_count ?? 0
    await g.store.by(anAuthor()).checks.delete(check.id)
    // No page of the log is free yet: that is the work that takes long.
    expect(free()).toBeLessThan(10)
    await g.store.retention.prune(LONG_AGO, 10)
    expect(free()).toBeGreaterThan(15_000)
  })
})

describe('the rows of a project', () => {
  test('are deleted with it by foreign keys, in every table that refers to a project but the audit log', async () => {
    await openGround()
    const channel = aChannel(g.project, { kind: 'email', settings: { to: 'ops@example.org' } })
    await g.store.by(anAuthor()).channels.create(channel, {
      report: () => after(60),
      reminder: { periodSeconds: 3600, firstAt: after(60) },
    })
    await g.check({}, [channel])
    await g.store.by(anAuthor()).projects.edit(g.project.id, { pingLogLimit: 1, isSearched: false })
    const account = anAccount()
    await g.store.by(anAuthor()).accounts.create(account)
    await g.store.by(anAuthor()).team.setMember(aMember(account, g.project))
    using writer = new Database(folder.file('o.db'))
    writer.run('INSERT INTO undos VALUES (?1, ?2, ?3, 0, ?4)', ['lookup', account.id, g.project.id, '[]'])
    writer.run("INSERT INTO status_pages VALUES (?1, 'books', 0, 0, '', '', 'UTC', '[]', 0)", [g.project.id])
    writer.run("INSERT INTO tokens (lookup, purpose, project_id) VALUES ('i', 'invitation', ?1)", [g.project.id])
    writer.run("INSERT INTO imported_secrets VALUES (?1, 'hush')", [g.project.id])
    writer.run(
      "INSERT INTO silences VALUES ('s', ?1, '[]', '[]', 0, 1, 0, 'down', '', 0, NULL, NULL, NULL, NULL, NULL, NULL)",
      [g.project.id],
    )
    writer.run("INSERT INTO imported_badges VALUES (?1, 'db', 'signature')", [g.project.id])
    const named = tablesThatName(/^projects?$|^project_ids?$/).filter((table) => ![STAGED, 'audit'].includes(table))
    const audit = rowsOf('audit')
    expect(named.filter((table) => rowsOf(table).length === 0)).toEqual([])
    expect(named.length).toBeGreaterThan(4)
    writer.run('PRAGMA foreign_keys = ON')
    writer.run('DELETE FROM projects')
    expect(named.filter((table) => rowsOf(table).length > 0)).toEqual([])
    expect(rowsOf('audit')).toEqual(audit)
  })
})
