import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { relative } from 'node:path'
import { Refusal } from '../../../../../src/domain/errors.ts'
import type { LongWork } from '../../../../../src/lib/work/long-work.ts'
import { backUp } from '../../../../../src/store/engine/sqlite/backup/backup.ts'
import { refuseDamage } from '../../../../../src/store/engine/sqlite/file/integrity-check.ts'
import { openSqlite } from '../../../../../src/store/engine/sqlite/sqlite.ts'
import { type Folder, temporaryFolder } from '../../../../support/folder.ts'
import { rejection } from '../../../../support/store-builders.ts'

let folder: Folder
let path: string
beforeEach(async () => {
  folder = temporaryFolder()
  path = folder.file('o.db')
  await (await openSqlite({ path })).close()
})
afterEach(() => folder.remove())

function refusal(): Refusal | null {
  try {
    refuseDamage(path)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

test('an intact database passes, also while it is in use, and so does an empty or missing file', () => {
  expect(refusal()).toBeNull()
  using database = new Database(path)
  database.run(`INSERT INTO settings VALUES ('x', 'y')`)
  expect(refusal()).toBeNull()
  path = folder.file('new.db')
  expect(refusal()).toBeNull()
  writeFileSync(path, '')
  expect(refusal()).toBeNull()
})

test('the check is reported as it begins', () => {
  const told: LongWork[] = []
  refuseDamage(path, (work) => told.push(work))
  expect(told).toEqual([{ doing: 'checking', path, bytes: statSync(path).size, grows: null }])
})

test('a damaged one is refused with the damage, and stays unchanged; a command beside a server opens it', async () => {
  const bytes = readFileSync(path).fill(0x5a, 4_096 * 3, 4_096 * 6)
  writeFileSync(path, bytes)
  expect(refusal()?.message).toStartWith(`the database ${path} is damaged: `)
  expect(refusal()).toMatchObject({ code: 'database-damaged', data: { path } })
  expect(await rejection(openSqlite({ path }))).toHaveProperty('code', 'database-damaged')
  expect(readFileSync(path)).toEqual(bytes)
  await (await openSqlite({ path, checkIntegrity: false })).close()
})

test('an entry of the log that was overwritten, which SQLite does not notice, is damage', () => {
  const setEntries = (rows: readonly (readonly [checkId: string, kind: string])[]) => {
    using database = new Database(path)
    database.run('DELETE FROM pings')
    const insert = database.query(`INSERT INTO pings (check_id, n, received_at, kind, scheme, method, ua)
      VALUES (?1, 1, 0, ?2, 'http', 'GET', '')`)
    for (const row of rows) insert.run(...row)
    expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
    database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  const id = crypto.randomUUID()
  const entries = ['success', 'start', 'fail', 'log', 'ign'].map((kind) => [id, kind] as const)
  setEntries(entries)
  expect(refusal()).toBeNull()
  for (const overwritten of [[id, 'wfUD3'] as const, [`gVE4é\u0012${id.slice(6)}`, 'success'] as const]) {
    setEntries([...entries, overwritten])
    expect(refusal()?.message).toBe(`the database ${path} is damaged: entry 6 of the log was overwritten`)
  }
})

describe('words of the search', () => {
  test.each([
    [12, 'fts5: corruption found reading blob'],
    [20, 'the search index cannot be read'],
  ])('of which %i bytes were overwritten are damage', (length, damage) => {
    const unique = 'qwertyuiopa'
    {
      using database = new Database(path)
      const insert = database.query('INSERT INTO ping_words (rowid, words) VALUES (?1, ?2)')
      database.transaction(() => {
        for (let id = 1; id <= 500; id += 1) insert.run(id, `number${id} ${unique}`)
      })()
    }
    expect(refusal()).toBeNull()
    const bytes = readFileSync(path)
    const words = bytes.indexOf(unique)
    expect(words).toBeGreaterThan(0)
    writeFileSync(path, bytes.fill(0xff, words + unique.length, words + unique.length + length))
    expect(refusal()?.message).toStartWith(`the database ${path} is damaged: ${damage}`)
  })
})

test('a large one is checked to its end too', () => {
  const megabytes = 70
  const database = new Database(path)
  database.run('CREATE TABLE ballast (x)')
  for (let i = 0; i < megabytes; i += 1) database.run('INSERT INTO ballast VALUES (zeroblob(1048576))')
  database.run('CREATE TABLE late (x); INSERT INTO late VALUES (randomblob(4000))')
  database.close()
  expect(refusal()).toBeNull()
  const file = openSync(path, 'r+')
  writeSync(file, new Uint8Array(4_096).fill(0x5a), 0, 4_096, statSync(path).size - 4_096)
  closeSync(file)
  expect(refusal()?.message).toStartWith(`the database ${path} is damaged: `)
})

test('a page that two tables use is damage, and so is one that is lost', () => {
  const PAGE = 4_096
  const database = new Database(path)
  for (const [table, from] of [
    ['one', 1_000],
    ['two', 0],
  ] as const) {
    database.run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, x)`)
    const insert = database.query(`INSERT INTO ${table} VALUES (?1, zeroblob(1000))`)
    for (let id = 1; id <= 20; id += 1) insert.run(from + id)
  }
  const roots = database
    .query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name IN ('one', 'two')")
    .all()
  database.close()
  const intact = readFileSync(path)
  // Position of the number of the last page in the root of a table.
  const [one = 0, two = 0] = roots.map(({ rootpage }) => (rootpage - 1) * PAGE + 8)
  const shared = Buffer.from(intact)
  shared.copyWithin(two, one, one + 4)
  writeFileSync(path, shared)
  expect(refusal()?.message).toBe(`the database ${path} is damaged: 1 pages are used twice`)
  const SIZE_IN_PAGES = 28
  const lost = Buffer.concat([intact, new Uint8Array(PAGE)])
  lost.writeUInt32BE(lost.length / PAGE, SIZE_IN_PAGES)
  writeFileSync(path, lost)
  expect(refusal()?.message).toMatch(/is damaged: of \d+ pages, \d+ are used and 0 are free$/)
})

test('a table whose name would be longer than SQLite allows is damage', () => {
  path = folder.file('named.db')
  const database = new Database(path)
  database.run('CREATE TABLE a (x)')
  database.close()
  const bytes = readFileSync(path)
  // The first row of the schema: a size of 2 GiB, the rowid, and a header whose first value has 1 GiB (sqlite.org/fileformat2.html).
  const overwritten = [0x88, 0x80, 0x80, 0x80, 0, 1, 10, 0x88, 0x80, 0x80, 0x80, 0x0d, 1, 1, 1, 0x17]
  bytes.set(overwritten, bytes.readUInt16BE(108))
  writeFileSync(path, bytes)
  expect(refusal()?.message).toBe(`the database ${path} is damaged: string or blob too big`)
})

test('one that ends within a page is damaged, although SQLite would go on reading', () => {
  // SQLite reads the pages of the schema as soon as it opens a file, so the last page must be another one.
  const database = new Database(path)
  database.run("INSERT INTO settings (name, value) VALUES ('long', hex(zeroblob(10000)))")
  database.close()
  truncateSync(path, readFileSync(path).length - 1)
  expect(refusal()?.message).toBe(`the database ${path} is damaged: its last page is cut off`)
})

test('a log without its database is kept: SQLite would delete it with a new one', async () => {
  path = folder.file('lost.db')
  writeFileSync(`${path}-wal`, 'pings')
  const WAYS: readonly (() => Promise<unknown>)[] = [
    () => openSqlite({ path }),
    () => openSqlite({ path, create: false, checkIntegrity: false }),
    () => openSqlite({ path: relative(process.cwd(), path) }),
    () => backUp({ database: path, file: folder.file('b.db'), replace: false }),
  ]
  for (const way of WAYS) {
    expect(await rejection(way())).toMatchObject({
      code: 'database-lost',
      message: `the database ${path} is missing, but its log ${path}-wal still exists`,
      data: { path, log: `${path}-wal`, pid: null },
    })
  }
  writeFileSync(path, '')
  for (const way of WAYS) {
    expect(await rejection(way())).toHaveProperty('message', expect.stringContaining('is empty, but its log'))
  }
  expect(readFileSync(`${path}-wal`, 'utf8')).toBe('pings')
})

test.skipIf(process.platform !== 'linux')(
  'whose log a server still has open is told with that, since ending it may lose the file (needs /proc)',
  async () => {
    const server = await openSqlite({ path })
    await server.write((sql) => sql.run(`INSERT INTO settings VALUES ('x', 'y')`, []))
    rmSync(path)
    expect(await rejection(openSqlite({ path, create: false }))).toMatchObject({
      code: 'database-lost',
      data: { path, log: `${path}-wal`, pid: process.pid },
    })
    await server.close()
  },
)

test('a log without its database is kept also if the database is a link', async () => {
  mkdirSync(folder.file('disk'))
  symlinkSync('disk/lost.db', folder.file('link.db'))
  writeFileSync(folder.file('disk/lost.db-wal'), 'pings')
  expect(await rejection(openSqlite({ path: folder.file('link.db') }))).toHaveProperty('code', 'database-lost')
  expect(readFileSync(folder.file('disk/lost.db-wal'), 'utf8')).toBe('pings')
})

test('a file that a crash left half created, with its journal, is repaired when it is opened', async () => {
  path = folder.file('half.db')
  const making = new Database(path, { create: true })
  making.run('PRAGMA cache_size = 1')
  making.run('BEGIN')
  making.run('CREATE TABLE t (x)')
  making.run(`WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 2000)
    INSERT INTO t SELECT randomblob(500) FROM s`)
  const left = folder.file('left.db')
  writeFileSync(left, readFileSync(path))
  writeFileSync(`${left}-journal`, readFileSync(`${path}-journal`))
  making.run('ROLLBACK')
  making.close()
  path = left
  expect(refusal()).toBeNull()
  await (await openSqlite({ path: left })).close()
  expect(refusal()).toBeNull()
})
