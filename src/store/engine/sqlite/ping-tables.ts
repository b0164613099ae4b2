/** Reads and writes pings in SQLite row by row, because statements need no round trips. */
import { SHOWN_CHECK, UPDATE_STATUS, WATCHED_COLUMNS, type WatchedRow } from '../../sql/check-rows.ts'
import type { Sql } from '../../sql/database.ts'
import { BODY_SIZE } from '../../sql/engine-statements.ts'
import { COUNTED_COLUMNS, type CountedRow, PING_COLUMNS, type PingTables } from '../../sql/ping-tables.ts'
import { assignments, placeholders } from '../../sql/rows.ts'

const FIND_WATCHED = `SELECT ${WATCHED_COLUMNS.join(', ')} FROM checks WHERE id = $1 AND ${SHOWN_CHECK}`
const FIND_COUNTERS = 'SELECT * FROM counters WHERE counter_id = $1'
const NEWEST_ID = 'SELECT MAX(id) AS id FROM pings'
const INSERT_PING = `INSERT INTO pings (${PING_COLUMNS.join(', ')}) VALUES (${placeholders(PING_COLUMNS.length)})`
const UPDATE_COUNTERS = `
  UPDATE counters SET ${assignments(COUNTED_COLUMNS)} WHERE counter_id = $${COUNTED_COLUMNS.length + 1}`

// Ids are reused when the newest entries are deleted, because their check was cleared or deleted. A ping's number is never reused.
const REMOVE = {
  entries: 'DELETE FROM pings WHERE id = $1 AND check_id = $2 AND n = $3',
  bodies: `
    UPDATE pings SET dropped_bytes = ${BODY_SIZE}, body = NULL
    WHERE id = $1 AND check_id = $2 AND n = $3 AND body IS NOT NULL`,
} as const
const REMOVE_REST = 'DELETE FROM long_bodies WHERE check_id = $1 AND n = $2'

export function createPingTables(sql: Pick<Sql, 'get' | 'getEach' | 'run' | 'runEach' | 'words'>): PingTables {
  return {
    async load(ids) {
      const found = await sql.getEach<WatchedRow>(
        FIND_WATCHED,
        ids.map((id) => [id]),
      )
      const rows = found.filter((row) => row !== null)
      // The counters are not joined to the checks, because SQLite takes longer to start a join than to do both lookups.
      const counters = await sql.getEach<CountedRow>(
        FIND_COUNTERS,
        rows.map((row) => [row.counter_id]),
      )
      const newest = await sql.get<{ id: number | null }>(NEWEST_ID, [])
      // An id is reused only after all newer entries have been deleted, so no pointer leads to another check's entry.
      const firstId = (newest?.id ?? 0) + 1
      return { firstId, rows, counters: counters.map((counted, index) => counted ?? missing(rows[index])) }
    },
    async write({ entries, counters, statuses }) {
      await sql.runEach(INSERT_PING, entries)
      await sql.runEach(UPDATE_COUNTERS, counters)
      if (statuses.length > 0) await sql.runEach(UPDATE_STATUS, statuses)
    },
    removedAtOnce: 1,
    async remove(entries, part) {
      let removed = 0
      for (const { id, checkId, n, hasRest } of entries) {
        if ((await sql.run(REMOVE[part], [id, checkId, n])) === 0) continue
        await sql.words.remove(id)
        if (hasRest) await sql.run(REMOVE_REST, [checkId, n])
        removed += 1
      }
      return removed
    },
  }
}

function missing(row: WatchedRow | undefined): never {
  throw new Error(`check ${row?.id} has no counters`)
}
