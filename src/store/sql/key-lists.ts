/**
 * Runs statements on fixed-length lists of keys. Running a statement for each key would be slow, especially if each one needed a round
 * trip.
 */
import type { Sql, Value } from './database.ts'
import { KEYS_AT_ONCE } from './rows.ts'

/** Splits keys into lists of equal length. The last list is padded with null, which is not equal to any key. */
function listsOf(keys: readonly string[]): Value[][] {
  const lists: Value[][] = []
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const list: Value[] = keys.slice(start, start + KEYS_AT_ONCE)
    while (list.length < KEYS_AT_ONCE) list.push(null)
    lists.push(list)
  }
  return lists
}

/**
 * @param statement contains `KEYS` or `KEY_ROWS`
 * @param more additional values after the keys
 * @returns the rows for all keys, in any order
 */
export async function allOf<Row>(
  sql: Sql,
  statement: string,
  keys: readonly string[],
  more: readonly Value[] = [],
): Promise<Row[]> {
  const found = listsOf(keys).map((list) => sql.all<Row>(statement, [...list, ...more]))
  // If one of the statements fails, the others must finish before the transaction ends.
  await Promise.allSettled(found)
  return (await Promise.all(found)).flat()
}

/** @param statement contains `KEYS` */
export async function runForAll(sql: Sql, statement: string, keys: readonly string[]): Promise<void> {
  await sql.runEach(statement, listsOf(keys))
}
