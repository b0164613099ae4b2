/** Runs with TEST_ENGINE=postgres: `bun run test:postgres`. */
import { expect, test } from 'bun:test'
import type { Sql } from '../../../../src/store/sql/database.ts'
import { ENGINE, openSharedStore, testDatabase } from '../../../support/databases.ts'
import { databaseOn } from '../../../support/opened-stores.ts'
import { rejection } from '../../../support/store-builders.ts'
import { storeContract } from '../../contract.ts'
import { databaseContract } from '../../database-contract.ts'

if (ENGINE === 'postgres') {
  databaseContract('PostgreSQL', () => databaseOn(testDatabase))
  storeContract('PostgreSQL', openSharedStore)

  test('a statement that comes after the end of its transaction is refused', async () => {
    const opened = await databaseOn(testDatabase)
    try {
      const ended: Sql[] = []
      const failure = new Error('changed my mind')
      await rejection(
        opened.database.write(async (sql) => {
          ended.push(sql)
          throw failure
        }),
      )
      await opened.database.write(async (sql) => void ended.push(sql))
      await opened.database.read(async (sql) => void ended.push(sql))
      for (const sql of ended) {
        expect(String(await rejection(sql.run('DELETE FROM settings', [])))).toContain('has ended')
        expect(String(await rejection(sql.lock('setting', ['a'])))).toContain('has ended')
      }
    } finally {
      await opened.close()
    }
  })

  test('it is known that this test server does not wait for its disk', async () => {
    const opened = await databaseOn(testDatabase)
    try {
      expect(await opened.database.durability()).toBe('memory')
    } finally {
      await opened.close()
    }
  })

  test('each write of another process is noticed, however many others have written', async () => {
    const opened = await databaseOn(testDatabase)
    try {
      const rows = Array.from({ length: 6 }, (_, index) => [`process ${index}`])
      const insert = 'INSERT INTO writers (process, connection, revision) VALUES ($1, 0, 1800000000000000)'
      await opened.database.write((sql) => sql.runEach(insert, rows))
      const other = await opened.another()
      const revisions = new Set<string>()
      for (const name of ['a', 'b', 'c', 'd']) {
        await other.write((sql) => sql.run("INSERT INTO settings (name, value) VALUES ($1, '')", [name]))
        revisions.add((await opened.database.readOthers()).writes)
      }
      expect(revisions.size).toBe(4)
    } finally {
      await opened.close()
    }
  })

  test('processes that began to write more than a week ago are forgotten at the next start', async () => {
    const opened = await databaseOn(testDatabase)
    try {
      const daysAgo = (days: number) => (Date.now() - days * 86_400_000) * 1_000
      const insert = 'INSERT INTO writers (process, connection, revision) VALUES ($1, 0, $2)'
      await opened.database.write((sql) =>
        sql.runEach(insert, [
          ['old', daysAgo(8)],
          ['new', daysAgo(6)],
        ]),
      )
      const other = await opened.another()
      const find = "SELECT process FROM writers WHERE process IN ('old', 'new')"
      expect(await other.read((sql) => sql.all<{ process: string }>(find, []))).toEqual([{ process: 'new' }])
    } finally {
      await opened.close()
    }
  })
}
