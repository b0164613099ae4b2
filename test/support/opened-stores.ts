/** Stores for tests on databases that are removed with them. */
import type { Database } from '../../src/store/sql/database.ts'
import { type StepTiming, UNTIMED } from '../../src/store/sql/steps.ts'
import { createStore } from '../../src/store/sql-store/sql-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { OpenedDatabase } from '../store/database-contract.ts'
import { withLockOrder } from './lock-order.ts'
import { openUrl } from './open-url.ts'
import type { Opened } from './store-builders.ts'

export interface TestDatabase {
  /** DATABASE_URL of the database */
  readonly url: string
  /** Removes the database. Call it when everybody has closed it. */
  remove(): Promise<void>
}

/** A database that any number of processes can open. */
export interface SharedDatabase extends TestDatabase {
  /** Copies the database. Call it while nobody has this one open. */
  copy(): Promise<SharedDatabase>
}

type MakeDatabase = () => Promise<TestDatabase>

/** Opens a store that nobody else opens. Locks that a write takes out of order fail. */
export async function storeOn(make: MakeDatabase, logBytes?: number, timing?: StepTiming): Promise<Opened> {
  return { ...(await sharedStoreOn(make, logBytes, timing)), another: null }
}

/** Opens a store that others can open, too. Locks that a write takes out of order fail. */
export async function sharedStoreOn(
  make: MakeDatabase,
  logBytes?: number,
  timing: StepTiming = UNTIMED,
): Promise<Opened> {
  const { url, remove } = await make()
  const stores: Store[] = []
  const another = async (ownLogBytes = logBytes) => {
    const store = createStore(withLockOrder(await openUrl(url)), timing, ownLogBytes)
    stores.push(store)
    return store
  }
  const store = await another()
  return {
    store,
    another,
    async close() {
      for (const opened of stores) await opened.close()
      await remove()
    },
  }
}

/** Opens a database without a store over it. */
export async function databaseOn(make: MakeDatabase): Promise<OpenedDatabase> {
  const { url, remove } = await make()
  const databases: Database[] = []
  const another = async () => {
    const database = await openUrl(url)
    databases.push(database)
    return database
  }
  return {
    database: await another(),
    another,
    async close() {
      for (const database of databases) await database.close()
      await remove()
    },
  }
}
