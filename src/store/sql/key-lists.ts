/**
 * Runs statements with lists of keys of a fixed length. A statement for each key would be slow, especially if each statement needed a round
 * trip.
 */
import type { Sql, Value } from './database.ts'
import { KEYS_AT_ONCE } from './rows.ts'

/** Splits keys into lists of equal length. An incomplete list is padded with null, which equals no key. */
function listsOf(keys: readonly string[]): Value[][] {
  const lists: Value[][] = []
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const list: Value[] = keys.slice(start, start + KEYS_AT_ONCE)
    while (list.length < KEYS_AT_ONCE) list.push(null)
    lists.push(list)
  }
  return lists
}

/** @param statement contains `KEYS` or `KEY_ROWS` @param more further values after the keys @returns the rows for all keys, in any order */
export async function allOf<Row>(
  sql: Sql,
  statement: string,
  keys: readonly string[],
  more: readonly Value[] = [],
): Promise<Row[]> {
  const found = listsOf(keys).map((list) => sql.all<Row>(statement, [...list, ...more]))
  // All statements must have finished before a failed transaction ends.
  await Promise.allSettled(found)
  return (await Promise.all(found)).flat()
}

/** @param statement contains `KEYS` */
export async function runForAll(sql: Sql, statement: string, keys: readonly string[]): Promise<void> {
  await sql.runEach(statement, listsOf(keys))
}
