/** The seam under the statements, on a real file: transactions that are whole, reads beside writes, patience with locks. */
import { Database as Connection } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import type { Database, Sql } from '../../src/store/database.ts'
import { SCHEMA_VERSION } from '../../src/store/migrations.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { type Folder, temporaryFolder } from '../support/sqlite.ts'
import { rejection } from '../support/store-builders.ts'

let folder: Folder
let database: Database
let beside: Connection
beforeEach(async () => {
  folder = temporaryFolder()
  database = await openSqlite({ path: folder.file('o.db') })
  beside = new Connection(folder.file('o.db'))
})
afterEach(async () => {
  beside.close()
  await database.close()
  folder.remove()
})

const set = (sql: Sql, name: string, value: string) =>
  sql.run('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2', [
    name,
    value,
  ])
const names = (sql: Sql) =>
  sql.all<{ name: string }>('SELECT name FROM settings ORDER BY name', []).then((rows) => rows.map(({ name }) => name))

test('a write that throws leaves nothing, and the next one works', async () => {
  const failure = new Error('changed my mind')
  const write = database.write(async (sql) => {
    await set(sql, 'a', '1')
    throw failure
  })
  expect(await rejection(write)).toBe(failure)
  await database.write((sql) => set(sql, 'b', '1'))
  expect(await database.read(names)).toEqual(['b'])
})

test('writes go one after the other, also when they pause in between', async () => {
  const add = (letter: string) =>
    database.write(async (sql) => {
      const row = await sql.get<{ value: string }>('SELECT value FROM settings WHERE name = $1', ['text'])
      await new Promise((resolve) => setImmediate(resolve))
      await set(sql, 'text', (row?.value ?? '') + letter)
    })
  await Promise.all([...'overdue'].map(add))
  const row = await database.read((sql) => sql.get('SELECT value FROM settings WHERE name = $1', ['text']))
  expect(row).toEqual({ value: 'overdue' })
})

test('a read sees one state of the database, whatever is written meanwhile', async () => {
  await database.write((sql) => set(sql, 'a', '1'))
  const seen = await database.read(async (sql) => {
    const before = await names(sql)
    await database.write((other) => set(other, 'b', '1'))
    return [before, await names(sql)]
  })
  expect(seen).toEqual([['a'], ['a']])
  expect(await database.read(names)).toEqual(['a', 'b'])
})

test('a read does not see what a write has not committed, and does not wait for it', async () => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const write = database.write(async (sql) => {
    await set(sql, 'a', '1')
    begun.resolve()
    await gate.promise
  })
  await begun.promise
  expect(await database.read(names)).toEqual([])
  gate.resolve()
  await write
  expect(await database.read(names)).toEqual(['a'])
})

test('a write waits for the lock of another process without holding up the event loop or the reads', async () => {
  beside.run('BEGIN IMMEDIATE')
  let isDone = false
  const write = database.write((sql) => set(sql, 'a', '1')).then(() => (isDone = true))
  for (let turn = 0; turn < 20; turn += 1) {
    expect(await database.read(names)).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(isDone).toBe(false)
  beside.run('COMMIT')
  await write
  expect(await database.read(names)).toEqual(['a'])
})

test('closing refuses the writes that wait for the lock of another process', async () => {
  await database.write((sql) => set(sql, 'before', '1'))
  beside.run('BEGIN IMMEDIATE')
  const waiting = [1, 2, 3].map((n) => rejection(database.write((sql) => set(sql, 'waiting', `${n}`))))
  expect(await database.read(names)).toEqual(['before'])
  const began = performance.now()
  await database.close()
  expect(performance.now() - began).toBeLessThan(1_000)
  for (const refusal of await Promise.all(waiting)) expect(refusal).toHaveProperty('code', 'unavailable')
  beside.run('ROLLBACK')
  expect(beside.query('SELECT name FROM settings').values()).toEqual([['before']])
})

test('closing waits for the writes that were asked for before', async () => {
  const writes = ['a', 'b', 'c'].map((name) => database.write((sql) => set(sql, name, '1')))
  await database.close()
  await Promise.all(writes)
  expect(beside.query('SELECT name FROM settings ORDER BY name').values()).toEqual([['a'], ['b'], ['c']])
})

test('a database that a newer program has taken over is read but not written, and written again when it is given back', async () => {
  beside.run(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
  const refusal = await rejection(database.write((sql) => set(sql, 'a', '1')))
  if (!(refusal instanceof Refusal && refusal.cause instanceof Error)) throw refusal
  expect(refusal.code).toBe('unavailable')
  expect(refusal.cause.message).toBe(
    `the database has version ${SCHEMA_VERSION + 1}, this program writes ${SCHEMA_VERSION}: start the newer program`,
  )
  expect(await database.read(names)).toEqual([])
  beside.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  await database.write((sql) => set(sql, 'a', '1'))
  expect(await database.read(names)).toEqual(['a'])
})

test('a write is with the other processes when its promise is kept', async () => {
  await database.write((sql) => set(sql, 'a', '1'))
  expect(beside.query('SELECT name FROM settings').values()).toEqual([['a']])
})

test('many rows are written and found by one statement, in their order', async () => {
  await database.write((sql) =>
    sql.runEach('INSERT INTO settings (name, value) VALUES ($2, $1)', [
      ['1', 'a'],
      ['2', 'b'],
    ]),
  )
  const found = await database.read((sql) =>
    sql.getEach('SELECT value FROM settings WHERE name = $1', [['b'], ['none'], ['a']]),
  )
  expect(found).toEqual([{ value: '2' }, null, { value: '1' }])
})

test('run says how many rows it changed', async () => {
  await database.write(async (sql) => {
    await set(sql, 'a', '1')
    await set(sql, 'b', '1')
    expect(await sql.run('UPDATE settings SET value = $1', ['2'])).toBe(2)
    expect(await sql.run('DELETE FROM settings WHERE name = $1', ['none'])).toBe(0)
  })
  expect.assertions(2)
})
