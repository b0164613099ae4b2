/** A program with a version that does not exist. Run with the path of a database, it migrates that, and ends. */
import { Database } from 'bun:sqlite'
import { type Migration, SCHEMA_VERSION } from '../../../src/store/migrations.ts'
import { bringUpToDate } from '../../../src/store/sqlite/migrations.ts'

export const NEXT = SCHEMA_VERSION + 1

/** Fills a column of every check, and writes the log anew. */
const MIGRATION: Migration = {
  to: NEXT,
  steps: [
    `ALTER TABLE counters ADD COLUMN last_kind TEXT;
    UPDATE counters SET last_kind = (SELECT kind FROM pings WHERE id = last_ping_id)`,
    'CREATE TABLE same_pings AS SELECT * FROM pings; DROP TABLE pings; ALTER TABLE same_pings RENAME TO pings',
  ],
}

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2)
  using database = new Database(path, { readwrite: true, create: false })
  bringUpToDate(database, path, { migrations: [MIGRATION] })
}
