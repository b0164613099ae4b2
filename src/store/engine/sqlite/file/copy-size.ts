/** Estimates the size of a copy of a database. */
import type { Database as Connection } from 'bun:sqlite'

/**
 * Returns the approximate size in bytes, which is the size of all pages except free ones. The copy may be smaller, because its pages are
 * more densely filled.
 */
export function copySize(source: Connection): number {
  return (pragma(source, 'page_count') - pragma(source, 'freelist_count')) * pragma(source, 'page_size')
}

export function pragma(connection: Connection, name: 'page_count' | 'page_size' | 'freelist_count'): number {
  return Number(Object.values(connection.query(`PRAGMA ${name}`).get() ?? {})[0])
}
