/** SQLite's plan for a statement, reduced to the parts that tests of its cost compare. */
import { Database } from 'bun:sqlite'
import schema from '../../schema.sql' with { type: 'text' }
import { withNumberedParameters } from '../../src/store/engine/sqlite/parameters.ts'

interface QueryPlan {
  /** lookups by a key or an index, `checks by key (id)` or `checks by checks_by_slug (project_id, slug)` */
  readonly seeks: readonly string[]
  /** tables and indexes that are read completely, `checks` or `deliveries by deliveries_due` */
  readonly scans: readonly string[]
  /** clauses that need a sort, `GROUP BY` or `ORDER BY` */
  readonly sorts: readonly string[]
}

const SEEK = /^SEARCH (\w+) .*?(?:INDEX (\w+)|PRIMARY KEY)(?: \((.+)\))?(?: LEFT-JOIN)?$/
const SCAN = /^SCAN (\w+)(?: .*?INDEX (\w+))?/
const SORT = /^USE TEMP B-TREE FOR (.+)/

/** Plans the statement in an empty database of `schema.sql`. Temporary tables of the statement are left out. */
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

/** Names an index. SQLite's automatic index of a key is called `key`. */
function nameOf(index = ''): string {
  return index === '' || index.startsWith('sqlite_autoindex') ? 'key' : index
}

/** @param terms `a=? AND b>? AND (b,c)<(?,?)` */
function columnsOf(terms: string): string {
  const columns = terms.split(' AND ').flatMap((term) => term.replace(/^\(|[^\w,(].*|\).*/g, '').split(','))
  return terms === '' ? '' : ` (${[...new Set(columns)].join(', ')})`
}
