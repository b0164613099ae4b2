/** SQLite databases for tests, in memory or in a file that is removed afterwards. */
import { copyFileSync } from 'node:fs'
import type { OpenedDatabase } from '../store/database-contract.ts'
import { temporaryFolder } from './folder.ts'
import { databaseOn, type SharedDatabase, sharedStoreOn, storeOn, type TestDatabase } from './opened-stores.ts'
import type { Opened } from './store-builders.ts'

export async function memoryDatabase(): Promise<TestDatabase> {
  return { url: 'sqlite::memory:', remove: async () => {} }
}

export async function fileDatabase(): Promise<SharedDatabase> {
  const folder = temporaryFolder()
  const path = folder.file('o.db')
  return {
    url: `sqlite:${path}`,
    async copy() {
      const copied = await fileDatabase()
      copyFileSync(path, copied.url.slice('sqlite:'.length))
      return copied
    },
    remove: async () => folder.remove(),
  }
}

/** Locks that a write takes out of order fail. */
export function openMemory(logBytes?: number): Promise<Opened> {
  return storeOn(memoryDatabase, logBytes)
}

export function openFile(logBytes?: number): Promise<Opened> {
  return sharedStoreOn(fileDatabase, logBytes)
}

/** A file without a store over it. */
export function openDatabase(): Promise<OpenedDatabase> {
  return databaseOn(fileDatabase)
}
