/** Inserts many rows at a time. */
import type { Sql, Value } from './database.ts'
import { quoted } from './rows.ts'

/** Inserts rows. @param columns the columns of the rows */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const { rowsAtOnce } = sql.statements
  const whole = rowsAtOnce === 1 ? 0 : rows.length - (rows.length % rowsAtOnce)
  const lists: Value[][] = []
  for (let start = 0; start < whole; start += rowsAtOnce) lists.push(rows.slice(start, start + rowsAtOnce).flat())
  if (lists.length > 0) await sql.runEach(insertion(table, columns, rowsAtOnce), lists)
  if (whole < rows.length) await sql.runEach(insertion(table, columns, 1), rows.slice(whole))
}

function insertion(table: string, columns: readonly string[], rows: number): string {
  const numbers = Array.from({ length: rows }, (_, row) => {
    const own = columns.map((_, column) => `$${row * columns.length + column + 1}`)
    return `(${own.join(', ')})`
  })
  return `INSERT INTO ${table} (${quoted(columns)}) VALUES ${numbers.join(', ')}`
}
