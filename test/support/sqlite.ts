/** Empty SQLite databases for tests, in memory or in a file that is removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStore } from '../../src/store/sql-store.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { UNTIMED } from '../../src/store/steps.ts'
import type { Store } from '../../src/store/store.ts'
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

export async function openMemory(logBytes?: number): Promise<Opened> {
  const store = createStore(await openSqlite({ path: ':memory:' }), UNTIMED, logBytes)
  return { store, another: null, close: () => store.close() }
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
