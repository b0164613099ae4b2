/** SQLite databases for tests, in memory or in a file that is removed afterwards. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { OpenedDatabase } from '../store/database-contract.ts'
import { temporaryFolder } from './folder.ts'
import { openUrl } from './open-url.ts'
import { databaseOn, type SharedDatabase, sharedStoreOn, storeOn, type TestDatabase } from './opened-stores.ts'
import type { Opened } from './store-builders.ts'

export async function memoryDatabase(): Promise<TestDatabase> {
  return { url: 'sqlite::memory:', remove: async () => {} }
}

let migrated: Promise<Uint8Array> | null = null

/** Returns the bytes of an empty database of the newest data model. */
async function migrate(): Promise<Uint8Array> {
  const folder = temporaryFolder()
  try {
    const path = folder.file('o.db')
    await (await openUrl(`sqlite:${path}`)).close()
    return readFileSync(path)
  } finally {
    folder.remove()
  }
}

/** Copies a database that is migrated once. */
export async function fileDatabase(): Promise<SharedDatabase> {
  migrated ??= migrate()
  const image = await migrated
  const folder = temporaryFolder()
  const path = folder.file('o.db')
  writeFileSync(path, image, { mode: 0o600 })
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

/** Opens a store in memory. Locks that a write takes out of order fail. */
export function openMemory(logBytes?: number): Promise<Opened> {
  return storeOn(memoryDatabase, logBytes)
}

export function openFile(logBytes?: number): Promise<Opened> {
  return sharedStoreOn(fileDatabase, logBytes)
}

/** Opens a database file without a store over it. */
export function openDatabase(): Promise<OpenedDatabase> {
  return databaseOn(fileDatabase)
}
