/** A program with a version that does not exist. It migrates the database at the given path, and ends. */
import { Database } from 'bun:sqlite'
import { bringUpToDate } from '../../../src/store/engine/sqlite/migrations.ts'
import { type Migration, SCHEMA_VERSION } from '../../../src/store/sql/migrations.ts'

export const NEXT = SCHEMA_VERSION + 1

const FILL_COLUMN = `
  ALTER TABLE counters ADD COLUMN last_kind TEXT;
  UPDATE counters SET last_kind = (SELECT kind FROM pings WHERE id = last_ping_id)`
const WRITE_LOG_ANEW = `
  CREATE TABLE same_pings AS SELECT * FROM pings ORDER BY check_id, n;
  DROP TABLE pings;
  ALTER TABLE same_pings RENAME TO pings`

/** A migration that takes longer than the copy before it, so that most kills hit the middle of its transaction. */
const MIGRATION: Migration = { to: NEXT, steps: [FILL_COLUMN, ...Array.from({ length: 4 }, () => WRITE_LOG_ANEW)] }

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2)
  using database = new Database(path, { readwrite: true, create: false })
  bringUpToDate(database, path, { migrations: [MIGRATION] })
}
