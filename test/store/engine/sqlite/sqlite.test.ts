import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { copyFileSync, readdirSync } from 'node:fs'
import { openSqlite } from '../../../../src/store/engine/sqlite/sqlite.ts'
import type { Caching, Sql } from '../../../../src/store/sql/database.ts'
import { createStore } from '../../../../src/store/sql-store/sql-store.ts'
import { type Folder, temporaryFolder } from '../../../support/folder.ts'
import { openDatabase, openFile } from '../../../support/sqlite.ts'
import { storeFixture } from '../../../support/store-builders.ts'
import { storeContract } from '../../contract.ts'
import { databaseContract } from '../../database-contract.ts'

databaseContract('SQLite', openDatabase)
storeContract('SQLite', openFile)

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

test('a closed database is one file that holds everything', async () => {
  const store = createStore(await openSqlite({ path: folder.file('o.db') }))
  const g = await storeFixture(async () => ({ store, another: null, close: () => store.close() }))
  const check = await g.check()
  // A reader that has been used keeps the log from being brought in.
  expect(await store.checks.find(check.id)).not.toBeNull()
  await g.close()
  expect(readdirSync(folder.path)).toEqual(['o.db'])
  copyFileSync(folder.file('o.db'), folder.file('copy.db'))
  using copy = new Database(folder.file('copy.db'))
  expect(copy.query('SELECT id FROM checks').values()).toEqual([[check.id]])
})

test('little and much of the database are kept in memory, by each connection', async () => {
  const database = await openSqlite({ path: folder.file('o.db') })
  const cached = async (caching: Caching) => {
    database.cache(caching)
    const size = (sql: Sql) => sql.get<{ cache_size: number }>('PRAGMA cache_size', [])
    return [await database.write(size), await database.read(size)].map((row) => row?.cache_size)
  }
  expect(await cached('little')).toEqual([-4_096, -4_096])
  expect(await cached('much')).toEqual([-65_536, -16_384])
  await database.close()
})
