/** A copy of a database into another one, between all engines. */

import { Database as Connection } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { Refusal } from '../../../src/domain/errors.ts'
import type { LongWork } from '../../../src/lib/work/long-work.ts'
import { type CopyOrder, copyDatabase } from '../../../src/store/copy/copy.ts'
import { refuseCopied, reopen } from '../../../src/store/copy/marks.ts'
import type { CopySide } from '../../../src/store/copy/side.ts'
import { COPIED } from '../../../src/store/copy/tables.ts'
import type { Database, Value } from '../../../src/store/sql/database.ts'
import { UNTIMED } from '../../../src/store/sql/steps.ts'
import { createStore } from '../../../src/store/sql-store/sql-store.ts'
import { handClock } from '../../support/clock.ts'
import { emptyDatabase, openSide } from '../../support/copy-sides.ts'
import { ENGINE, type Engine } from '../../support/databases.ts'
import { type Filled, fillDatabase } from '../../support/filled-database.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { fileDatabase } from '../../support/sqlite.ts'
import { aCheck, anAuthor, refusalOf, rejection, storeFixture } from '../../support/store-builders.ts'
import { ROWS_BEFORE, TOKENS, TOKENS_AFTER } from '../moved-tokens.ts'
import formerModel from '../version-13/sqlite.sql' with { type: 'text' }

// Each test makes several databases.
setDefaultTimeout(30_000)

let opened: { readonly side: CopySide; readonly made: TestDatabase }[]
beforeEach(() => {
  opened = []
})
afterEach(async () => {
  for (const { side, made } of opened) {
    await side.database.close()
    await made.remove()
  }
})

async function emptySide(engine: Engine): Promise<CopySide> {
  const made = await emptyDatabase(engine)
  const side = await openSide(made.url)
  opened.push({ side, made })
  return side
}

async function filledSide(engine: Engine): Promise<CopySide & Filled> {
  const side = await emptySide(engine)
  return { ...side, ...(await fillDatabase(side.database)) }
}

function copy(from: CopySide, to: CopySide, over: Partial<CopyOrder> = {}) {
  return copyDatabase({ from, to, id: crypto.randomUUID(), now: handClock().now, ...over })
}

/** Returns all rows of a table, without columns that only one engine has. */
function rowsOf({ database }: CopySide, name: string): Promise<Record<string, Value>[]> {
  const table = COPIED.find((each) => each.name === name)
  const columns = table?.columns.map((column) => `"${column}"`).join(', ')
  const where = table?.only ? `WHERE ${table.only}` : ''
  return database.read((sql) =>
    sql.all(`SELECT ${columns} FROM ${name} ${where} ORDER BY ${table?.key.join(', ')}`, []),
  )
}

async function contentsOf(side: CopySide): Promise<Record<string, Record<string, Value>[]>> {
  const entries = await Promise.all(COPIED.map(async ({ name }) => [name, await rowsOf(side, name)] as const))
  return Object.fromEntries(entries)
}

const storeOf = ({ database }: CopySide) => createStore(database, UNTIMED)

/** A side whose writes fail after some. */
function failing(side: CopySide, writes: number): CopySide {
  let left = writes
  const write: Database['write'] = (work) => {
    left -= 1
    if (left < 0) throw new Refusal('unavailable', 'try again', { reason: 'the connection is lost' })
    return side.database.write(work)
  }
  return {
    ...side,
    database: new Proxy(side.database, {
      get: (target, name) => (name === 'write' ? write : Reflect.get(target, name).bind(target)),
    }),
  }
}

/** Directions of copies. PostgreSQL's suite leaves out the copy between files, a small part of the copy between engines. */
const WAYS: readonly (readonly [Engine, Engine])[] =
  ENGINE === 'sqlite'
    ? [['sqlite', 'sqlite']]
    : [
        ['sqlite', 'postgres'],
        ['postgres', 'sqlite'],
        ['postgres', 'postgres'],
      ]

describe.each(WAYS)('a copy from %s to %s', (source, target) => {
  test('holds every row, of every kind', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    const before = await contentsOf(from)
    for (const [name, rows] of Object.entries(before))
      expect({ name, isEmpty: rows.length === 0 }).toEqual({ name, isEmpty: false })
    const { rowsBefore, tables } = await copy(from, to)
    expect(await contentsOf(to)).toEqual(before)
    expect(rowsBefore).toBe(0)
    expect(tables.map(({ table, rows }) => [table, rows])).toEqual(
      Object.entries(before).map(([name, rows]) => [name, rows.length]),
    )
    expect(tables.every(({ isEqual, copied, rows }) => isEqual && copied === rows)).toBe(true)
  })

  test.if(source === 'sqlite')('of an earlier version has its links, codes, invitations and offers', async () => {
    const made = await fileDatabase()
    const path = made.url.slice('sqlite:'.length)
    rmSync(path)
    using old = new Connection(path, { create: true })
    old.run(`${formerModel}; ${ROWS_BEFORE}; PRAGMA user_version = 13`)
    old.close()
    const from = await openSide(made.url)
    opened.push({ side: from, made })
    const to = await emptySide(target)
    await copy(from, to)
    const moved = await to.database.read((sql) => sql.all<Record<string, Value>>(TOKENS, []))
    expect(moved).toEqual(TOKENS_AFTER)
  })

  test('has the log of each check, and goes on with it', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    const { pinged, cleared, staged } = from.ids
    await copy(from, to)
    const [old, fresh] = [storeOf(from), storeOf(to)]
    for (const id of [pinged, cleared]) {
      expect((await old.pings.list(id, 100)).length).toBeGreaterThan(1)
      expect(await fresh.pings.list(id, 100)).toEqual(await old.pings.list(id, 100))
    }
    const g = await storeFixture(async () => ({ store: fresh, another: null, close: async () => {} }))
    const [newest] = await fresh.pings.list(pinged, 1)
    expect(await g.ping({ id: pinged })).toBe('ok')
    expect((await fresh.pings.list(pinged, 2)).map(({ n }) => n)).toEqual([(newest?.n ?? 0) + 1, newest?.n ?? 0])
    // Retention finds deleted and cleared checks.
    await fresh.retention.prune(g.clock.now().subtract({ hours: 24 }), 100)
    const left = await to.database.read((sql) =>
      sql.all<{ check_id: string }>('SELECT DISTINCT check_id FROM pings', []),
    )
    expect(left.map(({ check_id }) => check_id).toSorted()).toEqual([pinged, cleared, staged].toSorted())
    expect((await fresh.pings.list(cleared, 100)).map(({ n }) => n)).toEqual([6, 5])
  })

  test('has what an import has staged, and the import goes on with it', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    await copy(from, to)
    const store = storeOf(to)
    const g = await storeFixture(async () => ({ store, another: null, close: async () => {} }))
    const [log] = await store.imports.listStagedLogs()
    const check = aCheck({ ...g.project, id: log?.projectId ?? '' }, { id: from.ids.staged, nPings: 3, nEvents: 3 })
    await store.by(anAuthor()).imports.extendProject(
      {
        projectId: check.projectId,
        kind: 'healthchecks',
        checks: [{ check, channelIds: [] }],
        logs: new Map([[check.id, { n: 3, eventN: 3 }]]),
        ...{ pings: 0, flips: 0 },
      },
      g.rules,
    )
    expect((await store.pings.readLog(check.id, null, 10, 300)).map(({ n }) => n)).toEqual([3, 2, 1])
  })

  test('is searched anew', async () => {
    const from = await filledSide(source)
    await from.database.write((sql) => sql.run("INSERT INTO settings VALUES ('search_cursor', '12')", []))
    const to = await emptySide(target)
    await copy(from, to)
    expect((await storeOf(to).search.findUnread())?.after).toBe(0)
  })

  test('that was interrupted goes on where it was, and copies nothing twice', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    const before = await contentsOf(from)
    const all = Object.values(before).flat().length
    expect(await refusalOf(copy(from, failing(to, 12)))).toMatchObject({
      code: 'copy-failed',
      message: 'the copy was interrupted: the connection is lost',
    })
    expect(await refusalOf(refuseCopied(from.database, from.address))).toMatchObject({
      code: 'database-copied',
      data: { isComplete: false },
    })
    const work: LongWork[] = []
    const { rowsBefore } = await copy(from, to, { onWork: (each) => work.push(each) })
    expect(rowsBefore).toBeGreaterThan(10)
    expect(rowsBefore).toBeLessThan(all)
    expect(await contentsOf(to)).toEqual(before)
    const told = work.filter((each) => 'rows' in each && each.doing === 'copying')
    expect(new Set(told.map((each) => 'rows' in each && each.rows))).toEqual(new Set([all]))
    expect(told.at(-1)).toMatchObject({ done: all })
  })

  test('that is stopped ends after the page under way, says how far it came, and goes on there', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    const all = Object.values(await contentsOf(from)).flat().length
    const stop = new AbortController()
    const work: LongWork[] = []
    const onWork = (each: LongWork) => {
      work.push(each)
      if ('done' in each && each.done > 0) stop.abort()
    }
    const refusal = await refusalOf(copy(from, to, { signal: stop.signal, onWork }))
    const [last] = work.slice(-1)
    const done = last && 'done' in last ? last.done : 0
    expect(refusal).toMatchObject({
      code: 'copy-stopped',
      message: `the copy was stopped: ${done} of ${all} rows are in ${to.address}`,
    })
    expect(Object.values(await contentsOf(to)).flat()).toHaveLength(done)
    expect((await copy(from, to)).rowsBefore).toBe(done)
  })

  test('that is stopped while both sides are compared compares them again', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    const stop = new AbortController()
    const onWork = ({ doing }: LongWork) => doing === 'comparing' && stop.abort()
    expect(await refusalOf(copy(from, to, { signal: stop.signal, onWork }))).toMatchObject({ code: 'copy-stopped' })
    expect(await refusalOf(refuseCopied(to.database, to.address))).toMatchObject({ code: 'database-incomplete' })
    const { tables, rowsBefore } = await copy(from, to)
    expect(rowsBefore).toBe(tables.reduce((sum, { rows }) => sum + rows, 0))
  })

  test.each([0, 1])('that ends after %d writes leaves a target that is empty and can be filled', async (writes) => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    // Writes to the source fail, too: it is marked second.
    await rejection(copy(failing(from, 0), failing(to, writes)))
    expect(Object.values(await contentsOf(to)).flat()).toEqual([])
    const marked = writes === 0 ? null : { code: 'database-incomplete', data: { from: from.address } }
    const refused = refuseCopied(to.database, to.address)
    if (marked) expect(await refusalOf(refused)).toMatchObject(marked)
    else await refused
    await refuseCopied(from.database, from.address)
    await copy(from, to)
    await refuseCopied(to.database, to.address)
  })

  test('marks its source, which can be opened again, and not the target', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    await copy(from, to)
    await refuseCopied(to.database, to.address)
    const refusal = await refusalOf(refuseCopied(from.database, from.address))
    expect(refusal).toMatchObject({ code: 'database-copied', data: { to: to.address, isComplete: true } })
    expect(refusal.message).toContain(`was copied to ${to.address} at 2026-`)
    expect(await refusalOf(copy(from, await emptySide(target)))).toMatchObject({ code: 'database-copied' })
    expect(await reopen(from)).toEqual({ to: to.address, isComplete: true })
    await refuseCopied(from.database, from.address)
    expect(await reopen(from)).toEqual({ to: null, isComplete: false })
  })

  test('there and back gives an equal database', async () => {
    const first = await filledSide(source)
    const second = await emptySide(target)
    const third = await emptySide(source)
    const there = await copy(first, second)
    const back = await copy(second, third)
    expect(back.tables).toEqual(there.tables)
    expect(await contentsOf(third)).toEqual(await contentsOf(first))
  })

  test('refuses a target that holds anything, and changes neither side', async () => {
    const from = await filledSide(source)
    const to = await filledSide(target)
    const before = await contentsOf(to)
    expect(await refusalOf(copy(from, to))).toMatchObject({ code: 'copy-target-taken', data: { to: to.address } })
    expect(await contentsOf(to)).toEqual(before)
    await refuseCopied(from.database, from.address)
  })

  test('refuses a half-filled target of another copy, and a source that is one', async () => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    await rejection(copy(from, failing(to, 12)))
    const other = await filledSide(source)
    expect(await refusalOf(copy(other, to))).toMatchObject({
      code: 'database-incomplete',
      data: { from: from.address },
    })
    expect(await refusalOf(copy(to, await emptySide(source)))).toMatchObject({ code: 'database-incomplete' })
    expect(await refusalOf(refuseCopied(to.database, to.address))).toMatchObject({ code: 'database-incomplete' })
    expect(await refusalOf(reopen(to))).toMatchObject({ code: 'database-incomplete' })
    // After the source was opened again, it may have changed.
    await reopen(from)
    expect(await refusalOf(copy(from, to))).toMatchObject({ code: 'database-incomplete' })
    // Another target may be used instead.
    await copy(from, await emptySide(target))
  })

  test.each([
    [
      "UPDATE checks SET tags = 'other' WHERE name = 'pinged'",
      'checks: 2 rows in the source, 2 in the copy, the first row',
    ],
    [
      'DELETE FROM pings WHERE id = (SELECT MAX(id) FROM pings)',
      'pings: 23 rows in the source, 22 in the copy, the first row',
    ],
    ["INSERT INTO settings (name, value) VALUES ('zz', '1')", 'settings: 2 rows in the source, 3 in the copy'],
  ])('finds what was changed behind it by %s', async (change, problem) => {
    const from = await filledSide(source)
    const to = await emptySide(target)
    const spoiled: CopySide = {
      ...to,
      async finish() {
        await to.finish()
        await to.database.write((sql) => sql.run(change, []))
      },
    }
    const refusal = await refusalOf(copy(from, spoiled))
    expect(refusal.code).toBe('copy-differs')
    expect(refusal.data.problems).toHaveLength(1)
    expect(refusal.data.problems?.[0]).toStartWith(problem)
    if (change.startsWith('UPDATE')) expect(refusal.data.problems?.[0]).toEndWith(`has the key ${from.ids.pinged}`)
    expect(await refusalOf(refuseCopied(to.database, to.address))).toMatchObject({ code: 'database-incomplete' })
  })
})

test('texts that not every engine can store lose what cannot be stored', async () => {
  const from = await filledSide('sqlite')
  await from.database.write((sql) => sql.run('UPDATE checks SET tags = $1', ['a\0b']))
  const to = await emptySide(ENGINE)
  await copy(from, to)
  expect((await rowsOf(to, 'checks')).map(({ tags }) => tags)).toEqual(['ab', 'ab'])
})
