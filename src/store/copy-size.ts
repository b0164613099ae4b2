/** How large a copy of a database gets. */
import type { Database as Connection } from 'bun:sqlite'

/** Without the pages that are free, in bytes. Those that are full in part are fewer in the copy. */
export function copySize(source: Connection): number {
  return (pragma(source, 'page_count') - pragma(source, 'freelist_count')) * pragma(source, 'page_size')
}

export function pragma(connection: Connection, name: 'page_count' | 'page_size' | 'freelist_count'): number {
  return Number(Object.values(connection.query(`PRAGMA ${name}`).get() ?? {})[0])
}
