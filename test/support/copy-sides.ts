/** Databases as sides of a copy. */
import { readConfig } from '../../src/config/config.ts'
import type { CopySide } from '../../src/store/copy/side.ts'
import { openPostgresSide } from '../../src/store/engine/postgres/copy-side.ts'
import { openSqliteSide } from '../../src/store/engine/sqlite/copy-side.ts'
import type { Engine } from './databases.ts'
import type { TestDatabase } from './opened-stores.ts'
import { copySharedDatabase } from './postgres/databases.ts'
import { fileDatabase } from './sqlite.ts'

export function emptyDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'sqlite' ? fileDatabase() : copySharedDatabase()
}

/** Opens a database as one side of a copy. @param url as in DATABASE_URL */
export function openSide(url: string): Promise<CopySide> {
  const { database: address } = readConfig({ DATABASE_URL: url })
  return address.engine === 'sqlite'
    ? openSqliteSide({ path: address.path, create: true })
    : openPostgresSide({ address, create: true })
}
