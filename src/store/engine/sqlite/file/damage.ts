/** Finds damage in a SQLite file, including some kinds that SQLite's own checks miss. */
import type { Database as Connection } from 'bun:sqlite'
import { codeOf } from '../../../../lib/errors.ts'
import { copySize } from './copy-size.ts'

/**
 * Finds damage in three ways: it runs SQLite's check on each table, checks that every page is either used exactly once or free, and checks
 * columns of each log entry for impossible values. SQLite stores no checksums, so its check does not detect overwritten bytes within a
 * row's values.
 * @param check `quick_check` reads every page but does not compare indexes with tables, which would take ten times as long
 * @returns the first problem; null if there is none
 */
export function damageOf(
  connection: Connection,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): string | null {
  // Reads one snapshot of the file, even if other processes are writing.
  connection.run('BEGIN')
  try {
    return damageOfTables(connection, check) ?? damageOfPages(connection) ?? damageOfLog(connection)
  } finally {
    // SQLite may already have ended the transaction because of the damage.
    if (connection.inTransaction) connection.run('ROLLBACK')
  }
}

/** Maximum size in bytes of a file whose search index is checked word by word, which takes less than a second. */
const WORDS_UP_TO_BYTES = 8 * 1024 * 1024

/**
 * Checks the file table by table. Checking the entire file in one go would include every word of the search index, which takes a hundred
 * times as long as the rest.
 */
function damageOfTables(connection: Connection, check: 'integrity_check' | 'quick_check'): string | null {
  for (const { name, isStored } of tablesOf(connection)) {
    if (!isStored && copySize(connection) > WORDS_UP_TO_BYTES) continue
    const statement = `PRAGMA ${check}('${name.replaceAll("'", "''")}')`
    try {
      const found = connection.query<Record<string, string>, []>(statement).get()
      if (found?.[check] !== 'ok') return found?.[check] ?? 'it cannot be checked'
    } catch (error) {
      // If the lengths of words were overwritten, SQLite may try to use more memory than is available.
      if (!isStored && /^SQLITE_(?:CORRUPT|NOMEM)/.test(codeOf(error))) return 'the search index cannot be read'
      throw error
    }
  }
  return null
}

/**
 * Lists the tables, with `isStored` set for those that have pages of their own. The search index has none, but the tables in which it
 * stores its data do.
 */
function tablesOf(connection: Connection): { readonly name: string; readonly isStored: number }[] {
  const names = `SELECT 'sqlite_schema' AS name, 1 AS "isStored"
    UNION ALL SELECT name, rootpage > 0 FROM sqlite_schema WHERE type = 'table'`
  return connection.query<{ name: string; isStored: number }, []>(names).all()
}

const LOCK_BYTE = 2 ** 30

/** Checks that each page belongs to one table or index, or is free. */
function damageOfPages(connection: Connection): string | null {
  const read = (sql: string) => connection.query<Record<string, number>, []>(sql).get() ?? {}
  const { used = 0, distinct = 0 } = read('SELECT COUNT(*) AS used, COUNT(DISTINCT pageno) AS "distinct" FROM dbstat')
  if (distinct < used) return `${used - distinct} pages are used twice`
  const { page_size: pageSize = 1 } = read('PRAGMA page_size')
  const { page_count: pages = 0 } = read('PRAGMA page_count')
  const { freelist_count: free = 0 } = read('PRAGMA freelist_count')
  // SQLite uses the page at 1 GiB for locks, and stores nothing in it.
  const all = pages > LOCK_BYTE / pageSize ? pages - 1 : pages
  return used + free === all ? null : `of ${all} pages, ${used} are used and ${free} are free`
}

/**
 * Checks two columns of each entry. Bytes overwritten in a page almost always affect one of these columns, unless fewer than 50 bytes were
 * overwritten or all of them are in the body.
 */
function damageOfLog(connection: Connection): string | null {
  if (!hasOurTables(connection)) return null
  const impossible = `SELECT id FROM pings WHERE kind NOT IN ('success', 'start', 'fail', 'log', 'ign')
    OR length(check_id) <> octet_length(check_id) LIMIT 1`
  const found = connection.query<{ id: number }, []>(impossible).get()
  return found && `entry ${found.id} of the log was overwritten`
}

/** Returns whether the database belongs to Overdue. */
export function hasOurTables(connection: Connection): boolean {
  const names = `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('settings', 'projects', 'checks', 'pings')`
  return connection.query(names).all().length === 4
}
