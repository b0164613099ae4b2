import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { SqliteThread } from '../../../../src/store/engine/sqlite/thread.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { rejection } from '../../../support/store-builders.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

let thread: SqliteThread
beforeEach(async () => {
  thread = new SqliteThread()
  await thread.connect(null)
})
afterEach(() => thread.close())

const COUNT_TO = 'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)'

test('while a statement takes long, everything else goes on', async () => {
  let isOver = false
  const answer = thread.all(`${COUNT_TO} SELECT count(*) AS count FROM numbers`, [1_000_000]).finally(() => {
    isOver = true
  })
  let turns = 0
  while (!isOver) {
    turns += 1
    await setImmediate()
  }
  expect(await answer).toEqual([{ count: 1_000_000 }])
  expect(turns).toBeGreaterThan(100)
})

test('answers belong to what was asked, also after one that failed', async () => {
  const answers = await Promise.allSettled([
    thread.all('SELECT $1 AS n', [1]),
    thread.all('SELECT nothing'),
    thread.all('SELECT $2 AS n, $1 AS m', [2, 3]),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null))).toEqual([
    [{ n: 1 }],
    null,
    [{ n: 3, m: 2 }],
  ])
})

test('more different statements than are kept prepared', async () => {
  for (let n = 0; n < 120; n++) expect(await thread.all(`SELECT ${n} AS n`)).toEqual([{ n }])
})

test('rows are inserted all, or none if one is refused', async () => {
  await thread.all('CREATE TABLE things (id INTEGER PRIMARY KEY, body BLOB)')
  const insert = 'INSERT INTO things (id, body) VALUES ($1, $2)'
  await thread.insert(insert, [
    [1, null],
    [2, Buffer.from('two')],
  ])
  const rows = [
    [3, null],
    [2, null],
  ]
  expect(await codeOf(thread.insert(insert, rows))).toBe('SQLITE_CONSTRAINT_PRIMARYKEY')
  expect(await thread.all('SELECT id, body FROM things ORDER BY id')).toEqual([
    { id: 1, body: null },
    { id: 2, body: new Uint8Array(Buffer.from('two')) },
  ])
})

test('a file is only read, and one that is not there is an error with its code', async () => {
  const path = folder.file('things.sqlite')
  new Database(path, { create: true }).run('CREATE TABLE things (id INTEGER PRIMARY KEY)')
  await thread.connect(path)
  expect(await codeOf(thread.all('INSERT INTO things VALUES (1)'))).toBe('SQLITE_READONLY')
  expect(await codeOf(thread.connect(folder.file('missing.sqlite')).then(() => thread.all('SELECT 1')))).toBe(
    'SQLITE_CANTOPEN',
  )
})

test('after its end, what is asked is refused at once', async () => {
  await thread.close()
  await expect(thread.all('SELECT 1')).rejects.toThrow('the thread of a SQLite file has ended')
})

async function codeOf(answer: Promise<unknown>): Promise<unknown> {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof Error && 'code' in error ? error.code : error
}

test('a thread can be closed while a statement runs, which then is an error', async () => {
  const busy = new SqliteThread()
  await busy.connect(null)
  const failure = rejection(busy.all(`${COUNT_TO} SELECT count(*) FROM numbers`, [20_000_000]))
  await busy.close()
  expect(String(await failure)).toContain('has ended')
})
