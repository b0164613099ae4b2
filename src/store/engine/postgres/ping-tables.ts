/**
 * Reads and writes pings in PostgreSQL, using only a few statements for an entire batch. Each statement takes one list of values per
 * column.
 */
import {
  COUNTER_COLUMNS,
  STATUS_COLUMNS,
  TEXT_COLUMNS,
  WATCHED_COLUMNS,
  type WatchedRow,
} from '../../sql/check-rows.ts'
import type { Value } from '../../sql/database.ts'
import { BODY_SIZE } from '../../sql/engine-statements.ts'
import { COUNTED_COLUMNS, type CountedRow, PING_COLUMNS, type PingTables } from '../../sql/ping-tables.ts'
import { placeholders } from '../../sql/rows.ts'
import { LOCK_CHECKS } from './locks.ts'
import type { Parameter } from './values.ts'

/** Runs statements. Statements that are not awaited one by one are sent together and run in order. */
interface ColumnSql {
  all<Row>(statement: string, values: readonly Parameter[]): Promise<Row[]>
  run(statement: string, values: readonly Parameter[]): Promise<number>
  /** Sends a statement without waiting for its answer. If it fails, the transaction fails with its error. */
  later(statement: string, values: readonly Parameter[]): void
}

/** Number of ids reserved at a time, which equals the increment of the sequence `ping_ids`. */
export const IDS_AT_ONCE = 4_096

const LOADED_TEXTS = new Set([...['id', 'project_id', 'status', 'last_start_rid', 'runs'], ...TEXT_COLUMNS])
/**
 * Columns to load. Bigints are cast to floating-point numbers, because the driver would return them as strings, and reading those takes
 * twice as long. All values are safe integers, so the cast does not change them.
 */
const LOADED = [...WATCHED_COLUMNS, ...COUNTER_COLUMNS].map((name) =>
  LOADED_TEXTS.has(name) ? name : `${name}::float8 AS ${name}`,
)
const LOAD = `
  SELECT ${LOADED.join(', ')}, NULL AS last_ping_id
  FROM unnest($1::text[]) AS wanted (check_id) JOIN checks ON checks.id = wanted.check_id JOIN counters USING (counter_id)`
const LOCK = `SELECT COUNT(*) AS locked, nextval('ping_ids') AS first_id FROM (${LOCK_CHECKS}) AS locks`

/** Column types. Columns that are not listed here are bigints. */
const TYPES: Readonly<Record<string, string>> = {
  id: 'bigint',
  check_id: 'text',
  kind: 'text',
  rid: 'text',
  scheme: 'text',
  method: 'text',
  ua: 'text',
  remote_addr: 'text',
  body: 'bytea',
  content_type: 'text',
  ignored_by: 'text',
  occurred_at: 'bigint',
  last_start_rid: 'text',
  runs: 'bytea',
  status: 'text',
}

/** Columns of {@link PING_COLUMNS} and {@link COUNTED_COLUMNS} that this engine does not store. */
const UNSTORED: ReadonlySet<string> = new Set(['previous_id', 'last_ping_id'])

interface Columns {
  readonly names: readonly string[]
  /** positions of these columns in the lists of values */
  readonly places: readonly number[]
}

function stored(names: readonly string[]): Columns {
  const places = names.flatMap((name, index) => (UNSTORED.has(name) ? [] : [index]))
  return { names: names.filter((name) => !UNSTORED.has(name)), places }
}

const ENTRIES = stored(PING_COLUMNS)
const COUNTERS = stored([...COUNTED_COLUMNS, 'counter_id'])
const STATUSES = stored([...STATUS_COLUMNS, 'id'])

/** Returns SQL such as `unnest($1::bigint[], $2::text[], …)`. */
function unnested({ names }: Columns, first: number, types = TYPES): string {
  return `unnest(${names.map((name, index) => `$${first + index}::${types[name] ?? 'bigint'}[]`).join(', ')})`
}

/** Returns SQL such as `a = new.a, b = new.b, …` for all columns except the last, which is the key. */
function newValues({ names }: Columns): string {
  return names
    .slice(0, -1)
    .map((name) => `${name} = new.${name}`)
    .join(', ')
}

function valuesOf({ places }: Columns, rows: readonly (readonly Value[])[]): Value[][] {
  return places.map((place) => rows.map((row) => row[place] ?? null))
}

const BODY = PING_COLUMNS.indexOf('body')
/** Maximum size in bytes of a body that is sent in a list with others. For longer bodies, the driver would take three times as long. */
const LISTED_BYTES = 16 * 1024

function isLong(entry: readonly Value[]): boolean {
  const body = entry[BODY]
  return body instanceof Uint8Array && body.length > LISTED_BYTES
}

const WRITE = `
  WITH new AS (SELECT * FROM ${unnested(COUNTERS, 1)} AS new (${COUNTERS.names.join(', ')})), counted AS (
    UPDATE counters SET ${newValues(COUNTERS)} FROM new WHERE counters.counter_id = new.counter_id
  )
  INSERT INTO pings (${ENTRIES.names.join(', ')}) SELECT * FROM ${unnested(ENTRIES, COUNTERS.names.length + 1)}`
const WRITE_ONE = `INSERT INTO pings (${ENTRIES.names.join(', ')}) VALUES (${placeholders(ENTRIES.names.length)})`
const MOVE = `
  UPDATE checks SET ${newValues(STATUSES)}
  FROM ${unnested(STATUSES, 1, { ...TYPES, id: 'text' })} AS new (${STATUSES.names.join(', ')})
  WHERE checks.id = new.id`

const OLD = 'unnest($2::text[], $3::bigint[]) AS old (check_id, n)'
const WITH_REST = `
  WITH words AS (
    DELETE FROM ping_words USING unnest($1::bigint[]) AS old (id) WHERE ping_words.id = old.id
  ), rests AS (
    DELETE FROM long_bodies USING ${OLD} WHERE long_bodies.check_id = old.check_id AND long_bodies.n = old.n
  )`
const IS_OLD = 'pings.check_id = old.check_id AND pings.n = old.n'
const REMOVE = {
  entries: `${WITH_REST} DELETE FROM pings USING ${OLD} WHERE ${IS_OLD}`,
  bodies: `
    ${WITH_REST} UPDATE pings SET dropped_bytes = ${BODY_SIZE}, body = NULL FROM ${OLD} WHERE ${IS_OLD} AND body IS NOT NULL`,
} as const

export function createPingTables(sql: ColumnSql): PingTables {
  return {
    async load(ids, entries) {
      if (entries > IDS_AT_ONCE) throw new Error(`a batch of ${entries} pings has more than ${IDS_AT_ONCE}`)
      // The rows must be read by a separate statement after the one that waits for their locks.
      const [[lock], rows] = await Promise.all([
        sql.all<{ first_id: number }>(LOCK, [ids]),
        sql.all<WatchedRow & CountedRow>(LOAD, [ids]),
      ])
      return { firstId: lock?.first_id ?? 0, rows, counters: rows }
    },
    async write({ entries, counters, statuses }) {
      const listed = entries.filter((entry) => !isLong(entry))
      sql.later(WRITE, [...valuesOf(COUNTERS, counters), ...valuesOf(ENTRIES, listed)])
      for (const entry of entries.filter(isLong)) sql.later(WRITE_ONE, valuesOf(ENTRIES, [entry]).flat())
      if (statuses.length > 0) sql.later(MOVE, valuesOf(STATUSES, statuses))
    },
    removedAtOnce: 500,
    remove(entries, part) {
      const ids = entries.map(({ id }) => id)
      const [checkIds, numbers] = [entries.map(({ checkId }) => checkId), entries.map(({ n }) => n)]
      return sql.run(REMOVE[part], [ids, checkIds, numbers])
    },
  }
}
