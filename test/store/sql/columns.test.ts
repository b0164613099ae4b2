/** Conversion of values to rows of a table, and of rows to values. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fromMicroseconds, type Instant } from '../../../src/lib/time.ts'
import {
  blob,
  columns,
  columnsOrNull,
  flag,
  instant,
  json,
  named,
  number,
  orNull,
  type Row,
  table,
  text,
  word,
} from '../../../src/store/sql/columns.ts'
import type { Database } from '../../../src/store/sql/database.ts'
import { briefDatabase, ENGINE } from '../../support/databases.ts'
import { openUrl } from '../../support/open-url.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'

interface Book {
  readonly id: string
  readonly pageCount: number
  readonly binding: 'hard' | 'soft'
  readonly isLent: boolean
  readonly boughtAt: Instant
  readonly lentAt: Instant | null
  readonly tags: readonly string[]
  readonly notes: { readonly shelf: string } | null
  readonly cover: Uint8Array | null
  readonly author: { readonly name: string; readonly bornAt: Instant | null }
  readonly owner: { readonly name: string; readonly since: Instant } | null
}

const BOOKS = table<Book>(
  'books',
  'id',
  {
    id: text,
    pageCount: number,
    binding: word(),
    isLent: flag,
    boughtAt: instant,
    lentAt: orNull(instant),
    tags: json(),
    notes: orNull(json()),
    cover: orNull(blob),
    author: columns({ name: named('desc', text), bornAt: orNull(instant) }),
    owner: columnsOrNull({ name: named('owner', text), since: instant }),
  },
  'hidden more',
)

const CREATE = `
  CREATE TABLE books (
    id TEXT PRIMARY KEY, page_count BIGINT, binding TEXT, is_lent BIGINT, bought_at BIGINT, lent_at BIGINT, tags TEXT,
    notes TEXT, cover ${ENGINE === 'postgres' ? 'BYTEA' : 'BLOB'}, "desc" TEXT, born_at BIGINT, owner TEXT, since BIGINT,
    hidden TEXT, more TEXT
  )`
const FIND = 'SELECT * FROM books WHERE id = $1'

const at = fromMicroseconds(1_700_000_000_123_456)
const full: Book = {
  id: 'full',
  pageCount: 2 ** 40,
  binding: 'soft',
  isLent: true,
  boughtAt: at,
  lentAt: at,
  tags: ['x', 'y"'],
  notes: { shelf: '3' },
  cover: new Uint8Array([0, 255]),
  author: { name: 'Ada', bornAt: at },
  owner: { name: 'Eve', since: at },
}
const empty: Book = {
  ...full,
  id: 'empty',
  isLent: false,
  lentAt: null,
  notes: null,
  cover: null,
  author: { name: '', bornAt: null },
  owner: null,
}

let opened: TestDatabase
let database: Database
beforeAll(async () => {
  opened = await briefDatabase()
  database = await openUrl(opened.url)
  await database.write(async (sql) => {
    await sql.run(CREATE, [])
    for (const book of [full, empty]) await BOOKS.insert(sql, book)
  })
})
afterAll(async () => {
  await database.close()
  await opened.remove()
})

const find = (id: string) => database.read((sql) => BOOKS.get(sql, FIND, [id]))

test.each([full, empty])('the $id value comes back from its row', async (book) => {
  expect(await find(book.id)).toEqual(book)
})

test('null fills the columns of a value that has several', async () => {
  const row = await database.read((sql) => sql.get<Row>(FIND, ['empty']))
  expect(row).toMatchObject({ lent_at: null, notes: null, owner: null, since: null })
})

test('rows come in the order of the statement or of its lists, and null for none', async () => {
  await database.read(async (sql) => {
    expect(await BOOKS.all(sql, 'SELECT * FROM books ORDER BY id', [])).toEqual([empty, full])
    expect(await BOOKS.getEach(sql, FIND, [['full'], ['none'], ['empty']])).toEqual([full, null, empty])
    expect(await BOOKS.get(sql, FIND, ['none'])).toBeNull()
  })
})

test('a statement may give more columns than are read, and values of several tables', async () => {
  const shelves = columns({ book: BOOKS, copies: number })
  const found = await database.read((sql) =>
    shelves.get(sql, 'SELECT books.*, 3 AS copies FROM books WHERE id = $1', ['full']),
  )
  expect(found).toEqual({ book: full, copies: 3 })
})

test('an update writes the members that it names to the row with the key, and leaves the others', async () => {
  const update = BOOKS.updating('owner', 'isLent', 'author')
  const sold: Book = {
    ...empty,
    pageCount: 1,
    isLent: true,
    author: { name: 'Bob', bornAt: at },
    owner: { name: 'Joe', since: at },
  }
  expect(await database.write((sql) => update(sql, sold))).toBe(1)
  expect(await find('empty')).toEqual({ ...sold, pageCount: empty.pageCount })
  expect(await find('full')).toEqual(full)
  expect(await database.write((sql) => update(sql, { ...sold, id: 'none' }))).toBe(0)
  const lend = BOOKS.updatingEach('lentAt')
  await database.write((sql) =>
    lend(sql, [
      { ...sold, lentAt: at },
      { ...full, lentAt: null, pageCount: 2 },
    ]),
  )
  expect(await find('empty')).toEqual({ ...sold, pageCount: empty.pageCount, lentAt: at })
  expect(await find('full')).toEqual({ ...full, lentAt: null })
})

test('columns of no member belong to the table, and are not written', () => {
  expect(BOOKS.columns).toEqual([...BOOKS.written, 'hidden', 'more'])
  expect(BOOKS.values(full)).toHaveLength(BOOKS.written.length)
})
