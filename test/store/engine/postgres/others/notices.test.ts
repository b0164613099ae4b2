/** Runs with TEST_ENGINE=postgres: `bun run test:postgres`. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Database, TouchedCheck } from '../../../../../src/store/sql/database.ts'
import { createStore } from '../../../../../src/store/sql-store/sql-store.ts'
import { ENGINE, testDatabase } from '../../../../support/databases.ts'
import { databaseOn } from '../../../../support/opened-stores.ts'
import { storeFixture } from '../../../../support/store-builders.ts'
import type { OpenedDatabase } from '../../../database-contract.ts'

if (ENGINE === 'postgres') {
  let opened: OpenedDatabase
  beforeEach(async () => {
    opened = await databaseOn(testDatabase)
  })
  afterEach(() => opened.close())

  /** Counts the notices to a process, including one when it begins to listen. */
  async function listener(database: Database) {
    let heard = 0
    let tell = () => {}
    const changed: TouchedCheck[] = []
    const end = database.watchNotices((told) => {
      heard += 1
      changed.push(...told)
      tell()
    })
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        tell = () => void (heard >= count && resolve())
        tell()
      })
    await until(1)
    return { end, until, heard: () => heard, changed: () => changed }
  }

  const LISTENING = "query LIKE 'LISTEN%' AND datname = current_database()"
  const listening = (database: Database) =>
    database.read(async (sql) => (await sql.all(`SELECT pid FROM pg_stat_activity WHERE ${LISTENING}`, [])).length)

  test('a process hears what others tell, and not what it tells itself', async () => {
    const { database } = opened
    const other = await opened.another()
    const [own, others] = [await listener(database), await listener(other)]
    database.notify([])
    await others.until(2)
    other.notify([])
    await own.until(2)
    expect([own.heard(), others.heard()]).toEqual([2, 2])
  })

  test('what a process tells just before it ends is heard', async () => {
    const { database } = opened
    const own = await listener(database)
    const other = await opened.another()
    other.notify([])
    other.notify([])
    await other.close()
    await own.until(3)
    expect(own.heard()).toBe(3)
  })

  test('a process that is told much at once hears of it a few times, and of a hundred checks each time', async () => {
    const { database } = opened
    const other = await opened.another()
    const own = await listener(database)
    const g = await storeFixture(async () => ({ store: createStore(database), another: null, close: async () => {} }))
    const checks: TouchedCheck[] = []
    while (checks.length < 160) {
      const { id, projectId } = await g.check()
      checks.push({ projectId, checkId: id })
    }
    const inOrder = (told: readonly TouchedCheck[]) => told.map(({ checkId }) => checkId).toSorted()
    for (const check of checks.slice(0, 60)) other.notify([check])
    await own.until(3)
    expect(inOrder(own.changed())).toEqual(inOrder(checks.slice(0, 60)))
    other.notify([...checks, { projectId: g.project.id, checkId: crypto.randomUUID() }])
    await own.until(4)
    expect(own.changed()).toHaveLength(60 + 100)
    expect(own.heard()).toBe(4)
  })

  test('a ping with so long a body that its log must be pruned is told, since another process may prune', async () => {
    const { database } = opened
    const other = await opened.another()
    const own = await listener(database)
    const store = createStore(other, undefined, 1_000)
    const g = await storeFixture(async () => ({ store, another: null, close: async () => {} }))
    const check = await g.check()
    await g.ping(check)
    // Of the new check, and of its first flip.
    await own.until(3)
    await g.ping(check, { body: new Uint8Array(900) })
    await own.until(4)
    expect(own.heard()).toBe(4)
  })

  test('nothing listens until somebody watches, nor afterwards', async () => {
    const { database } = opened
    expect(await listening(database)).toBe(0)
    const { end } = await listener(database)
    expect(await listening(database)).toBe(1)
    end()
    while ((await listening(database)) > 0) await Bun.sleep(1)
  })

  test('a process that has lost its connection listens again, and looks what it has missed', async () => {
    const { database } = opened
    const other = await opened.another()
    const own = await listener(database)
    await other.write((sql) => sql.all(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${LISTENING}`, []))
    await own.until(2)
    other.notify([])
    await own.until(3)
    expect(await listening(database)).toBe(1)
  })
}
