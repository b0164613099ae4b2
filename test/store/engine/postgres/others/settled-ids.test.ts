/** Writes commit in any order, and the search misses none. Runs with TEST_ENGINE=postgres. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Database } from '../../../../../src/store/sql/database.ts'
import { createStore } from '../../../../../src/store/sql-store/sql-store.ts'
import { ENGINE, testDatabase } from '../../../../support/databases.ts'
import { openUrl } from '../../../../support/open-url.ts'
import { found, readWords } from '../../../../support/search.ts'
import { bytes, type StoreFixture, storeFixture } from '../../../../support/store-builders.ts'

if (ENGINE === 'postgres') {
  let database: Database
  let g: StoreFixture
  beforeEach(async () => {
    const { url, remove } = await testDatabase()
    database = await openUrl(url)
    const store = createStore(await openUrl(url))
    const close = async () => {
      await store.close()
      await database.close()
      await remove()
    }
    g = await storeFixture(async () => ({ store, another: null, close }))
  })
  afterEach(() => g.close())

  /** Begins a ping whose write has its id, and waits before it writes. @returns a function that commits it */
  async function latePing(check: { readonly id: string }, body: string) {
    const [reserved, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const written = database.write(async (sql) => {
      const { firstId } = await sql.pings.load([check.id], 1)
      reserved.resolve()
      await gate.promise
      const entry = [firstId, null, check.id, 1, 0, 'success', null, null, 'http', 'POST', '', null, bytes(body)]
      await sql.pings.write({ entries: [entry], counters: [], statuses: [] })
    })
    await reserved.promise
    return async () => {
      gate.resolve()
      await written
    }
  }

  test('the search waits for a ping with a lower id that commits later, and finds both', async () => {
    const [early, late] = [await g.check(), await g.check()]
    const commit = await latePing(late, 'late job')
    await g.ping(early, { body: bytes('early job') })
    await readWords(g.store)
    expect(await found(g.store, early, 'job')).toEqual([])
    await commit()
    await readWords(g.store)
    expect(await found(g.store, early, 'job')).toEqual([1])
    expect(await found(g.store, late, 'job')).toEqual([1])
  })

  test('a ping is read at once if no write is under way', async () => {
    const check = await g.check()
    await g.ping(check, { body: bytes('job') })
    await readWords(g.store)
    expect(await found(g.store, check, 'job')).toEqual([1])
  })

  test('a write in another database of the server holds up nothing', async () => {
    const other = await testDatabase()
    const elsewhere = await openUrl(other.url)
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const written = elsewhere.write(async (sql) => {
      await sql.run("INSERT INTO settings VALUES ('a', '')", [])
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    const check = await g.check()
    await g.ping(check, { body: bytes('job') })
    await readWords(g.store)
    expect(await found(g.store, check, 'job')).toEqual([1])
    gate.resolve()
    await written
    await elsewhere.close()
    await other.remove()
  })

  test('pings that came before a write are read although it is under way', async () => {
    const [early, late] = [await g.check(), await g.check()]
    await g.ping(early, { body: bytes('job') })
    expect((await g.store.search.findUnread())?.pings).toHaveLength(1)
    const commit = await latePing(late, 'late job')
    await readWords(g.store)
    expect(await found(g.store, early, 'job')).toEqual([1])
    await commit()
  })
}
