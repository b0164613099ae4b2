import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../../../src/domain/errors.ts'
import { headOf, openForeignFile } from '../../../../src/store/engine/sqlite/foreign-file.ts'
import { openSqlite } from '../../../../src/store/engine/sqlite/sqlite.ts'
import { temporaryFolder } from '../../../support/folder.ts'

const folder = temporaryFolder()
let files = 0
afterAll(() => folder.remove())

function database(mode: 'delete' | 'wal'): { readonly path: string; readonly writer: Database } {
  const path = folder.file(`foreign-${files++}.sqlite`)
  const writer = new Database(path, { create: true })
  writer.run(`PRAGMA journal_mode = ${mode}`)
  writer.run('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)')
  writer.run(`INSERT INTO things (name) VALUES ('one')`)
  return { path, writer }
}

test.each(['delete', 'wal'] as const)(
  'in mode %s the other program goes on writing, and none of it is read',
  async (mode) => {
    const { path, writer } = database(mode)
    const foreign = await openForeignFile(path)
    expect(await foreign.all('SELECT name FROM things')).toEqual([{ name: 'one' }])
    writer.run('PRAGMA busy_timeout = 0')
    writer.run(`INSERT INTO things (name) VALUES ('two')`)
    expect(await foreign.all('SELECT name FROM things WHERE id > $1', [0])).toEqual([{ name: 'one' }])
    await foreign.close()
    expect(writer.query('SELECT name FROM things').all()).toHaveLength(2)
    writer.close()
  },
)

test('the file stays as it is, and nothing is left beside it or elsewhere', async () => {
  const { path, writer } = database('delete')
  writer.close()
  const before = readFileSync(path)
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('overdue-import-'))
  const earlier = new Set(left())
  const foreign = await openForeignFile(path)
  await foreign.all('SELECT name FROM things')
  expect(left().filter((name) => !earlier.has(name))).toEqual([])
  await foreign.close()
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(
    readdirSync(folder.path).filter((name) => name.startsWith('foreign-') && /-(?:wal|shm|journal)$/.test(name)),
  ).toEqual([])
})

test('copies that killed imports have left are removed after a day', async () => {
  const { path, writer } = database('delete')
  writer.close()
  const [old, fresh] = [mkdtempSync(join(tmpdir(), 'overdue-import-')), mkdtempSync(join(tmpdir(), 'overdue-import-'))]
  const now = statSync(fresh).mtimeMs / 1000
  utimesSync(old, now - 90_000, now - 90_000)
  const foreign = await openForeignFile(path)
  await foreign.close()
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
  rmSync(fresh, { recursive: true })
})

test('tells the columns of a table, and that there is no such table', async () => {
  const { path, writer } = database('delete')
  writer.close()
  const foreign = await openForeignFile(path)
  expect(await foreign.columns('things')).toEqual(new Set(['id', 'name']))
  expect(await foreign.columns('nothing')).toBeNull()
  await foreign.close()
})

test('a view is no table, as reading it would run what its author wrote', async () => {
  const { path, writer } = database('delete')
  writer.run('CREATE VIEW endless AS WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k) SELECT n FROM k')
  writer.run('CREATE VIRTUAL TABLE words USING fts5 (text)')
  writer.close()
  const foreign = await openForeignFile(path)
  expect(await foreign.columns('endless')).toBeNull()
  expect(await foreign.columns('words')).toBeNull()
  await foreign.close()
})

test('a write that was interrupted is told', async () => {
  const { path, writer } = database('delete')
  writer.run('PRAGMA cache_size = 1')
  writer.run('BEGIN')
  writer.run(`WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 20000)
    INSERT INTO things (name) SELECT 'thing ' || n FROM k`)
  const torn = folder.file('torn.sqlite')
  writeFileSync(torn, readFileSync(path))
  writeFileSync(`${torn}-journal`, readFileSync(`${path}-journal`))
  writer.run('ROLLBACK')
  writer.close()
  expect(openForeignFile(torn)).rejects.toMatchObject({ code: 'import-unavailable' })
})

test('a file that another program writes to for longer than a reader waits is told', async () => {
  const { path, writer } = database('delete')
  writer.run('BEGIN EXCLUSIVE')
  await expect(openForeignFile(path, 20)).rejects.toMatchObject({
    code: 'import-unavailable',
    data: { reason: expect.stringMatching(/^another program keeps the file locked/) },
  })
  writer.close()
})

describe('the database of this process', () => {
  const isLocked = (path: string) => {
    const { ino } = statSync(path)
    const locks = readFileSync('/proc/locks', 'utf8').split('\n')
    return locks.some((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
  }

  test.skipIf(!existsSync('/proc/locks'))(
    'is refused under each of its names, and keeps its locks (needs /proc)',
    async () => {
      const path = folder.file('own.db')
      const own = await openSqlite({ path })
      await own.read((sql) => sql.all('SELECT 1 FROM checks', []))
      const link = folder.file('link.db')
      linkSync(path, link)
      for (const name of [path, link, `${path}-wal`, `${path}-shm`]) {
        expect(() => headOf(name)).toThrow(`the file ${name} is the database of this server`)
        expect(await refusalOf(openForeignFile(name))).toBe('import-own-database')
        expect(isLocked(path)).toBe(true)
      }
      await own.close()
      expect(headOf(path)).toHaveLength(16)
    },
  )
})

test('a path through a file, or through a folder that may not be entered, is a refusal', async () => {
  const { path, writer } = database('wal')
  writer.close()
  expect(await refusalOf(openForeignFile(join(path, 'x.sqlite')))).toBe('import-unavailable')
})

async function refusalOf(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw error
  return error.code
}
