/** Empty SQLite databases for tests, in memory or in a file that is removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/store/database.ts'
import { UNTIMED } from '../../src/store/retention/steps.ts'
import { createStore } from '../../src/store/sql-store.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import type { OpenedDatabase } from '../store/database-contract.ts'
import { withLockOrder } from './lock-order.ts'
import type { Opened } from './store-builders.ts'

export interface Folder {
  readonly path: string
  /** A path in it. */
  file(name: string): string
  remove(): void
}

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'overdue-test-'))
  return { path, file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Locks that a write takes out of order fail. */
export async function openMemory(logBytes?: number): Promise<Opened> {
  const store = createStore(withLockOrder(await openSqlite({ path: ':memory:' })), UNTIMED, logBytes)
  return { store, another: null, close: () => store.close() }
}

/** A file without a store over it. */
export async function openDatabase(): Promise<OpenedDatabase> {
  const folder = temporaryFolder()
  const databases: Database[] = []
  const another = async () => {
    const database = await openSqlite({ path: folder.file('o.db') })
    databases.push(database)
    return database
  }
  return {
    database: await another(),
    another,
    async close() {
      for (const database of databases) await database.close()
      folder.remove()
    },
  }
}

export async function openFile(logBytes?: number): Promise<Opened> {
  const folder = temporaryFolder()
  const stores: Store[] = []
  const another = async (ownLogBytes = logBytes) => {
    const store = createStore(await openSqlite({ path: folder.file('o.db') }), UNTIMED, ownLogBytes)
    stores.push(store)
    return store
  }
  const store = await another()
  return {
    store,
    another,
    async close() {
      for (const opened of stores) await opened.close()
      folder.remove()
    },
  }
}
