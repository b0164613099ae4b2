/** Many rows written at once. */
import type { Sql, Value } from './database.ts'
import { quoted } from './rows.ts'

const ROWS_AT_ONCE = 50

/** Several rows share a statement: a round trip for each would be slow. @param columns those of the rows */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const whole = rows.length - (rows.length % ROWS_AT_ONCE)
  const lists: Value[][] = []
  for (let start = 0; start < whole; start += ROWS_AT_ONCE) lists.push(rows.slice(start, start + ROWS_AT_ONCE).flat())
  if (lists.length > 0) await sql.runEach(insertion(table, columns, ROWS_AT_ONCE), lists)
  if (whole < rows.length) await sql.runEach(insertion(table, columns, 1), rows.slice(whole))
}

function insertion(table: string, columns: readonly string[], rows: number): string {
  const numbers = Array.from({ length: rows }, (_, row) => {
    const own = columns.map((_, column) => `$${row * columns.length + column + 1}`)
    return `(${own.join(', ')})`
  })
  return `INSERT INTO ${table} (${quoted(columns)}) VALUES ${numbers.join(', ')}`
}
