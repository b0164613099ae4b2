/** The tables of a copy are those of the data model. */
import { Database as Connection } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import schema from '../../../schema.sql' with { type: 'text' }
import { CHAIN, COPIED, NOT_COPIED } from '../../../src/store/copy/tables.ts'
import postgres from '../../../src/store/engine/postgres/schema.sql' with { type: 'text' }

interface Column {
  readonly name: string
  /** place in the primary key; 0: not in it */
  readonly pk: number
}

function tablesOf(text: string): Map<string, Column[]> {
  const connection = new Connection(':memory:')
  connection.run(text)
  const named = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'ping_words_%'`
  const names = connection.query<{ name: string }, []>(named).all()
  const columns = (name: string) => connection.query<Column, []>(`PRAGMA table_info(${name})`).all()
  return new Map(names.map(({ name }) => [name, columns(name)]))
}

const tables = tablesOf(schema)
const sorted = (names: Iterable<string>) => [...names].toSorted()

test('every table is copied or made again', () => {
  expect(sorted([...COPIED.map(({ name }) => name), ...NOT_COPIED])).toEqual(sorted(tables.keys()))
})

test.each(COPIED)('every column of $name is copied, or belongs to the chain of the log', ({ name, columns }) => {
  const all = tables.get(name)?.map((column) => column.name) ?? []
  expect(sorted([...columns, ...(CHAIN[name] ?? [])])).toEqual(sorted(all))
})

test.each(COPIED)('rows of $name are read in the order of its primary key', ({ name, key }) => {
  const own =
    tables
      .get(name)
      ?.filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk) ?? []
  expect(key).toEqual(own.map((column) => column.name))
})

/** Returns names of tables and columns in the schema of PostgreSQL. */
function tablesOfPage(page: string): Map<string, string[]> {
  const found = page.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)^\)/gm)
  const columns = (body: string) =>
    Array.from(body.matchAll(/^ {2}"?([a-z_]+)"? +(?:text|bigint|double|bytea)\b/gm), ([, name = '']) => name)
  return new Map(Array.from(found, ([, name = '', body = '']) => [name, columns(body)]))
}

/** Tables that only a running program writes for itself. */
const OF_POSTGRES = ['schema_version', 'writers']

test('the same holds for PostgreSQL, which has no chain', () => {
  const own = tablesOfPage(postgres)
  expect(sorted([...COPIED.map(({ name }) => name), ...NOT_COPIED, ...OF_POSTGRES])).toEqual(sorted(own.keys()))
  for (const { name, columns } of COPIED)
    expect({ name, columns: sorted(columns) }).toEqual({ name, columns: sorted(own.get(name) ?? []) })
})

test('every row comes after those that it refers to', () => {
  const order = COPIED.map(({ name }) => name)
  for (const [, name = '', body = ''] of schema.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n\) STRICT/g)) {
    for (const [, target = ''] of body.matchAll(/REFERENCES (\w+)/g)) {
      if (order.includes(name)) expect(order.slice(0, order.indexOf(name))).toContain(target)
    }
  }
})
