/** Converts rows from Bun.SQL to the store's rows. */
import type { Value } from '../../sql/database.ts'

interface Column {
  readonly name: string
  /** object id (OID) of the type */
  readonly type: number
}

/** Bun.SQL's result for one statement. */
export type Rows = Record<string, unknown>[] & {
  /** number of rows that were found or changed */
  readonly count: number
  /** command tag such as `SELECT`, `UPDATE` or `COMMIT` */
  readonly command: string
  readonly columns?: readonly Column[]
}

/** Types that Bun.SQL returns as strings because their values may not be safe integers. The store only writes safe integers. */
const INT8 = 20
const NUMERIC = 1700

/** Converts bigints in rows to numbers, in place. */
export function withNumbers(rows: Rows): Rows {
  const columns = (rows.columns ?? []).filter(({ type }) => type === INT8 || type === NUMERIC)
  if (columns.length === 0) return rows
  for (const row of rows) {
    for (const { name } of columns) {
      const value = row[name]
      if (value !== null) row[name] = Number(value)
    }
  }
  return rows
}

/** A statement parameter. A list becomes a PostgreSQL array. */
export type Parameter = Value | readonly Value[]

/** Converts a value for the driver. The driver would also accept lists as they are, but it encodes them more slowly. */
export function parameterOf(value: Parameter): Value {
  return isList(value) ? arrayOf(value) : value
}

function isList(value: Parameter): value is readonly Value[] {
  return Array.isArray(value)
}

/** Returns an array such as `{1,NULL,"a \"word\""}`. */
function arrayOf(list: readonly Value[]): string {
  return `{${list.map(elementOf).join(',')}}`
}

const SPECIAL = /["\\]/
const TO_ESCAPE = /["\\]/g

function elementOf(value: Value): string | number {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return value
  if (typeof value === 'string') return `"${SPECIAL.test(value) ? value.replace(TO_ESCAPE, '\\$&') : value}"`
  return `"\\\\x${value.toHex()}"`
}
