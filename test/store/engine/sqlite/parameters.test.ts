import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { withNumberedParameters } from '../../../../src/store/engine/sqlite/parameters.ts'

test('a parameter has its number, however often and in whatever order it stands', () => {
  using database = new Database(':memory:')
  const statement = database.prepare(withNumberedParameters('SELECT $2 AS b, $1 AS a, $2 AS again, $11 AS far'))
  const values = ['one', 2, 3, 4, 5, 6, 7, 8, 9, 10, null]
  expect(statement.get(...values)).toEqual({ b: 2, a: 'one', again: 2, far: null })
})

test('a text stays a text, and bytes stay bytes', () => {
  using database = new Database(':memory:')
  const statement = database.prepare(
    withNumberedParameters('SELECT typeof($1) AS text, typeof($2) AS bytes, $1 AS kept'),
  )
  expect(statement.get('007', new Uint8Array([1]))).toEqual({ text: 'text', bytes: 'blob', kept: '007' })
})

test('a value is compared with columns, and found by their indexes, as without the plus', () => {
  using database = new Database(':memory:')
  database.run(`CREATE TABLE rows (id INTEGER PRIMARY KEY, number INTEGER, name TEXT COLLATE NOCASE, at INTEGER)`)
  database.run('CREATE INDEX by_number ON rows (number)')
  database.run('CREATE INDEX by_name ON rows (name)')
  database.run('CREATE INDEX by_time ON rows (at) WHERE at IS NOT NULL')
  database.run(`INSERT INTO rows VALUES (1, 7, 'Seven', 70), (2, 8, '8', NULL), (3, NULL, NULL, 90)`)
  const read = (condition: string, ...values: (string | number | null)[]) => {
    const statement = withNumberedParameters(`SELECT id FROM rows WHERE ${condition}`)
    const plan = database.prepare<{ detail: string }, typeof values>(`EXPLAIN QUERY PLAN ${statement}`).all(...values)
    const ids = database.prepare<{ id: number }, typeof values>(statement).all(...values)
    return { ids: ids.map(({ id }) => id), plan: plan.map(({ detail }) => detail.replace(/ USING (COVERING )?/, ' ')) }
  }
  const byNumber = ['SEARCH rows INDEX by_number (number=?)']
  expect(read('number = $1', '7')).toEqual({ ids: [1], plan: byNumber })
  expect(read('number IN ($1, $2)', 7, '8')).toEqual({ ids: [1, 2], plan: byNumber })
  expect(read('number IS $1', null)).toEqual({ ids: [3], plan: byNumber })
  expect(read('name = $1', 'SEVEN')).toEqual({ ids: [1], plan: ['SEARCH rows INDEX by_name (name=?)'] })
  expect(read('name = $1', 8)).toEqual({ ids: [2], plan: ['SEARCH rows INDEX by_name (name=?)'] })
  expect(read('at > $1 ORDER BY at LIMIT $2', 60, 1)).toEqual({ ids: [1], plan: ['SEARCH rows INDEX by_time (at>?)'] })
})
