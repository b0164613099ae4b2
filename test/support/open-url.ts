/** Opens the database of a DATABASE_URL as commands do. */

import { openDatabase } from '../../src/app/engine.ts'
import { readConfig } from '../../src/config/config.ts'
import { NO_PROGRESS } from '../../src/lib/work/long-work.ts'
import type { Database } from '../../src/store/sql/database.ts'

export async function openUrl(url: string): Promise<Database> {
  const { database, databaseConnections } = readConfig({ DATABASE_URL: url })
  return openDatabase(database, {
    connections: databaseConnections,
    create: true,
    checkIntegrity: false,
    onFault: () => {},
    onWork: NO_PROGRESS,
    stopwatch: () => performance.now() / 1000,
  })
}
