/** How SQLite goes about a statement, in no more of the engine's words than a test of its cost looks at. */
import { Database } from 'bun:sqlite'
import schema from '../../schema.sql' with { type: 'text' }
import { withNumberedParameters } from '../../src/store/engine/sqlite/parameters.ts'

interface QueryPlan {
  /** where rows are found by their key or an index, `checks by key (id)` or `checks by checks_by_slug (project_id, slug)` */
  readonly seeks: readonly string[]
  /** what is read from one end to the other, `checks` or `deliveries by deliveries_due` */
  readonly scans: readonly string[]
  /** what is sorted, `GROUP BY` or `ORDER BY` */
  readonly sorts: readonly string[]
}

const SEEK = /^SEARCH (\w+) .*?(?:INDEX (\w+)|PRIMARY KEY)(?: \((.+)\))?(?: LEFT-JOIN)?$/
const SCAN = /^SCAN (\w+)(?: .*?INDEX (\w+))?/
const SORT = /^USE TEMP B-TREE FOR (.+)/

/** In an empty database of `schema.sql`; tables that a statement makes for itself are left out. */
export function queryPlan(statement: string): QueryPlan {
  using database = new Database(':memory:')
  database.run(schema)
  const names = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  const tables = new Set(names.map(({ name }) => name))
  const values = Array.from({ length: new Set(statement.match(/\$\d+/g)).size }, () => 'v')
  const steps = database
    .query<{ detail: string }, string[]>(`EXPLAIN QUERY PLAN ${withNumberedParameters(statement)}`)
    .all(...values)
  const found = (pattern: RegExp) =>
    steps.flatMap(({ detail }) => [pattern.exec(detail) ?? []].filter(({ length }) => length > 0))
  const ofTables = (pattern: RegExp) => found(pattern).filter(([, table = '']) => tables.has(table))
  return {
    seeks: ofTables(SEEK).map(([, table, index, terms = '']) => `${table} by ${nameOf(index)}${columnsOf(terms)}`),
    scans: ofTables(SCAN).map(([, table, index]) => (index === undefined ? `${table}` : `${table} by ${index}`)),
    sorts: found(SORT).map(([, what = '']) => what),
  }
}

/** The index that the engine makes for a key is the key. */
function nameOf(index = ''): string {
  return index === '' || index.startsWith('sqlite_autoindex') ? 'key' : index
}

/** @param terms `a=? AND b>? AND (b,c)<(?,?)` */
function columnsOf(terms: string): string {
  const columns = terms.split(' AND ').flatMap((term) => term.replace(/^\(|[^\w,(].*|\).*/g, '').split(','))
  return terms === '' ? '' : ` (${[...new Set(columns)].join(', ')})`
}
