/** Transactions on a file that other processes use too: waiting for their locks, and newer programs. */
import { Database as Connection } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Refusal } from '../../../../src/domain/errors.ts'
import { openSqlite } from '../../../../src/store/engine/sqlite/sqlite.ts'
import type { Database, Sql } from '../../../../src/store/sql/database.ts'
import { SCHEMA_VERSION } from '../../../../src/store/sql/migrations.ts'
import { type Folder, temporaryFolder } from '../../../support/folder.ts'
import { rejection } from '../../../support/store-builders.ts'

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
  // Waiting for the lock itself would take five seconds.
  expect(performance.now() - began).toBeLessThan(4_500)
  for (const refusal of await Promise.all(waiting)) expect(refusal).toHaveProperty('code', 'unavailable')
  beside.run('ROLLBACK')
  expect(beside.query('SELECT name FROM settings').values()).toEqual([['before']])
})

test('a database that a newer program has migrated is read but not written, until its version is back', async () => {
  beside.run(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
  const refusal = await rejection(database.write((sql) => set(sql, 'a', '1')))
  if (!(refusal instanceof Refusal)) throw refusal
  expect(refusal.code).toBe('unavailable')
  expect(refusal.reason).toBe(
    `the database has version ${SCHEMA_VERSION + 1}, but this program writes ${SCHEMA_VERSION}: start the newer program`,
  )
  expect(await database.read(names)).toEqual([])
  beside.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  await database.write((sql) => set(sql, 'a', '1'))
  expect(await database.read(names)).toEqual(['a'])
})
