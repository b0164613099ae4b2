import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { Refusal } from '../../../../src/domain/errors.ts'
import { asOpenError, asRefusal, faultReason, UNAVAILABLE } from '../../../../src/store/engine/sqlite/faults.ts'
import { type Folder, temporaryFolder } from '../../../support/folder.ts'

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** Errors raised by the engine itself. */
const FAULTS: Readonly<Record<string, (path: string) => unknown>> = {
  'another process keeps the database locked': (path) => {
    using holder = new Database(path, { create: true })
    using other = new Database(path)
    holder.run('BEGIN IMMEDIATE')
    return other.run('BEGIN IMMEDIATE')
  },
  'the disk is full': (path) => {
    using database = new Database(path, { create: true })
    database.run('PRAGMA max_page_count = 2')
    database.run('CREATE TABLE t (x)')
    return database.run('INSERT INTO t VALUES (zeroblob(100000))')
  },
  'the database file or its folder is read-only': (path) => {
    new Database(path, { create: true }).close()
    using database = new Database(path, { readonly: true })
    return database.run('CREATE TABLE t (x)')
  },
  'the database file was moved or replaced': (path) => {
    using database = new Database(path, { create: true })
    database.run('CREATE TABLE t (x)')
    renameSync(path, `${path}.before`)
    copyFileSync(`${path}.before`, path)
    return database.run('INSERT INTO t VALUES (1)')
  },
  'the database file cannot be opened': (path) => new Database(`${path}/no/such/folder`),
  'the file is not a database': (path) => {
    writeFileSync(path, 'this is no database, but long enough to be taken for one at first '.repeat(20))
    using database = new Database(path)
    return database.query('SELECT * FROM sqlite_master').all()
  },
}

for (const [reason, cause] of Object.entries(FAULTS)) {
  test(`"${reason}" is told to the operator, but not to clients`, () => {
    const error = thrownBy(() => cause(folder.file('f.db')))
    expect(faultReason(error)).toStartWith(reason)

    const refusal = asRefusal(error)
    if (!(refusal instanceof Refusal && error instanceof Error)) throw error
    expect([refusal.code, refusal.message]).toEqual(['unavailable', UNAVAILABLE])
    expect(refusal.reason).toStartWith(reason)
    expect(refusal.reason).toEndWith(`(${error.message})`)

    const told = asOpenError(error, 'data/o.db')
    if (!(told instanceof Refusal)) throw error
    expect(told).toMatchObject({
      code: 'database-unusable',
      message: `cannot use the database data/o.db: ${error.message}`,
      data: { path: 'data/o.db', reason: expect.stringMatching(new RegExp(`^${reason}`)) },
    })
  })
}

test('a bug of ours stays the same error, whether SQLite reports it or not', () => {
  using database = new Database(':memory:')
  for (const error of [thrownBy(() => database.run('SELEKT 1')), new Error('bug'), 'text', undefined]) {
    expect(faultReason(error)).toBeNull()
    expect(asRefusal(error)).toBe(error)
    expect(asOpenError(error, 'o.db')).toBe(error)
  }
})

test('a violated constraint is a bug of ours too', () => {
  using database = new Database(':memory:')
  database.run('CREATE TABLE t (x PRIMARY KEY)')
  database.run('INSERT INTO t VALUES (1)')
  expect(faultReason(thrownBy(() => database.run('INSERT INTO t VALUES (1)')))).toBeNull()
})

test('a refusal that passes through stays the same refusal', () => {
  const refusal = new Refusal('check-not-paused', 'taken')
  expect(asRefusal(refusal)).toBe(refusal)
})
