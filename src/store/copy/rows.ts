/** Reads tables page by page in the order of their keys, and writes rows. Uses statements that every engine accepts. */
import { storable } from '../../lib/text/text.ts'
import type { Database, Sql, Value } from '../sql/database.ts'
import { placeholders, quoted } from '../sql/rows.ts'
import type { CopiedTable } from './tables.ts'

/** The values of a row, in the order of the table's columns. */
export type Row = readonly Value[]

/** The values of a key, in the order of its columns. */
export type Key = readonly Value[]

/** Number of rows per page. A page is kept in memory and written in one transaction. */
const PAGE_ROWS = 500
const LONG_PAGE = { rows: 2_000, bytes: 4 * 1024 * 1024 }

/** Returns the SQL that selects the rows after a key. @param after null to start with the first row */
function rest({ name, key, only }: CopiedTable, after: Key | null): string {
  const beyond = after && `(${quoted(key)}) > (${placeholders(key.length)})`
  const conditions = [only, beyond].flatMap((condition) => condition ?? [])
  return `FROM ${name}${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''}`
}

const limit = (after: Key | null) => `$${(after?.length ?? 0) + 1}`

/** Reads the next rows in the order of the key. @returns an empty list if there are no more */
export async function readPage(database: Database, table: CopiedTable, after: Key | null): Promise<Row[]> {
  const { columns, key, long } = table
  return database.read(async (sql) => {
    const rows = long === undefined ? PAGE_ROWS : await countToBytes(sql, table, long, after)
    const statement = `SELECT ${quoted(columns)} ${rest(table, after)} ORDER BY ${quoted(key)} LIMIT ${limit(after)}`
    const found = await sql.all<Readonly<Record<string, Value>>>(statement, [...(after ?? []), rows])
    return found.map((row) => columns.map((column) => asStored(row[column] ?? null)))
  })
}

/**
 * Converts a value to one that every engine can store. Databases from earlier versions may contain strings that some engines cannot store.
 */
function asStored(value: Value): Value {
  return typeof value === 'string' ? storable(value) : value
}

/** Counts how many of the next rows fit in a page, based on the total size of their values in the column `long`. Returns at least 1. */
async function countToBytes(sql: Sql, table: CopiedTable, long: string, after: Key | null): Promise<number> {
  const statement = `SELECT LENGTH(${long}) AS bytes ${rest(table, after)} ORDER BY ${quoted(table.key)} LIMIT ${limit(after)}`
  const heads = await sql.all<{ bytes: number | null }>(statement, [...(after ?? []), LONG_PAGE.rows])
  let sum = 0
  const tooMany = heads.findIndex(({ bytes }, index) => {
    sum += bytes ?? 0
    return index > 0 && sum > LONG_PAGE.bytes
  })
  return tooMany === -1 ? LONG_PAGE.rows : tooMany
}

export function keyOf({ key, columns }: CopiedTable, row: Row): Key {
  return key.map((column) => row[columns.indexOf(column)] ?? null)
}

/** Number of rows to count per step, so that no statement takes long. */
const COUNTED_AT_ONCE = 100_000

/** @param after key after which rows are counted; null to count all rows */
export async function countRows(database: Database, table: CopiedTable, after: Key | null = null): Promise<number> {
  const names = quoted(table.key)
  let [counted, last] = [0, after]
  for (;;) {
    const from = rest(table, last)
    const step = `SELECT ${names} ${from} ORDER BY ${names} LIMIT 1 OFFSET ${COUNTED_AT_ONCE - 1}`
    const values = last ?? []
    const next = await database.read((sql) => sql.get<Readonly<Record<string, Value>>>(step, values))
    if (next === null) {
      const row = await database.read((sql) => sql.get<{ rows: number }>(`SELECT COUNT(*) AS rows ${from}`, values))
      return counted + (row?.rows ?? 0)
    }
    counted += COUNTED_AT_ONCE
    last = table.key.map((column) => next[column] ?? null)
  }
}
