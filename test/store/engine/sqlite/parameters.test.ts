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
