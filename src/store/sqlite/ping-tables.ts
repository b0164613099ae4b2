/** What pings read and write in SQLite: row by row, since a statement costs no round trip. */
import { UPDATE_STATUS, WATCHED_COLUMNS, type WatchedRow } from '../check-rows.ts'
import type { Sql } from '../database.ts'
import { COUNTED_COLUMNS, type CountedRow, PING_COLUMNS, type PingTables } from '../ping-tables.ts'
import { assignments, placeholders } from '../rows.ts'

const FIND_WATCHED = `SELECT ${WATCHED_COLUMNS} FROM checks WHERE id = $1`
const FIND_COUNTERS = 'SELECT * FROM counters WHERE counter_id = $1'
const NEWEST_ID = 'SELECT MAX(id) AS id FROM pings'
const INSERT_PING = `INSERT INTO pings (${PING_COLUMNS.join(', ')}) VALUES (${placeholders(PING_COLUMNS.length)})`
const UPDATE_COUNTERS = `
  UPDATE counters SET ${assignments(COUNTED_COLUMNS)} WHERE counter_id = $${COUNTED_COLUMNS.length + 1}`

export function createPingTables(sql: Pick<Sql, 'get' | 'getEach' | 'runEach'>): PingTables {
  return {
    async load(ids) {
      const found = await sql.getEach<WatchedRow>(
        FIND_WATCHED,
        ids.map((id) => [id]),
      )
      const rows = found.filter((row) => row !== null)
      // No join: SQLite takes longer to start a join than to do both look-ups.
      const counters = await sql.getEach<CountedRow>(
        FIND_COUNTERS,
        rows.map((row) => [row.counter_id]),
      )
      return { rows, counters: counters.map((counted, index) => counted ?? missing(rows[index])) }
    },
    // An id is reused only after all newer entries are gone, so no pointer leads to an entry of another check.
    async reserveIds() {
      const newest = await sql.get<{ id: number | null }>(NEWEST_ID, [])
      return (newest?.id ?? 0) + 1
    },
    async write({ entries, counters, statuses }) {
      await sql.runEach(INSERT_PING, entries)
      await sql.runEach(UPDATE_COUNTERS, counters)
      if (statuses.length > 0) await sql.runEach(UPDATE_STATUS, statuses)
    },
  }
}

function missing(row: WatchedRow | undefined): never {
  throw new Error(`check ${row?.id} has no counters`)
}
