import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts'
import type { Database, Sql } from '../../src/store/sql/database.ts'
import { withLockOrder } from './lock-order.ts'
import { rejection } from './store-builders.ts'

let database: Database
beforeEach(async () => {
  database = withLockOrder(await openSqlite({ path: ':memory:' }))
})
afterEach(() => database.close())

const refusal = async (work: (sql: Sql) => Promise<void>) => String(await rejection(database.write(work)))

test('locks in order are taken, also again, and by the next write anew', async () => {
  for (let round = 0; round < 2; round += 1) {
    await database.write(async (sql) => {
      await sql.lock('project', ['a'])
      await sql.lock('check', ['b', 'a'])
      await sql.lock('project', ['a'])
      await sql.lock('check', ['a'])
      await sql.lock('check', [])
      await sql.pings.load(['a'], 1)
      await sql.lock('reminders')
      await sql.lock('reminders')
    })
  }
})

test('locks out of order fail, and so do more of one sort later', async () => {
  const wrong = async (sql: Sql) => {
    await sql.lock('check', ['a'])
    await sql.lock('project', ['a'])
  }
  expect(await refusal(wrong)).toBe('Error: the lock "project" is taken after "check"')
  const later = async (sql: Sql) => {
    await sql.lock('check', ['a'])
    await sql.lock('check', ['a', 'b'])
  }
  expect(await refusal(later)).toBe('Error: the lock "check" is taken after "check"')
})

test('a read takes none', async () => {
  const read = database.read((sql) => sql.lock('check', ['a']))
  expect(String(await rejection(read))).toBe('Error: a read takes no lock')
})
