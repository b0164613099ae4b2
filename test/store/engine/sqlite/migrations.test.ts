import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import schema from '../../../../schema.sql' with { type: 'text' }
import type { LongWork } from '../../../../src/lib/work/long-work.ts'
import { bringUpToDate, schemaVersion } from '../../../../src/store/engine/sqlite/migrations.ts'
import { openSqlite } from '../../../../src/store/engine/sqlite/sqlite.ts'
import {
  FIRST_VERSION,
  MIGRATIONS,
  type Migration,
  SCHEMA_VERSION,
  stepsFrom,
} from '../../../../src/store/sql/migrations.ts'
import { type Folder, temporaryFolder } from '../../../support/folder.ts'
import { refusalOf } from '../../../support/store-builders.ts'
import { FORMER_VERSIONS, formerModel } from '../../former-models.ts'
import { EVENTS_AFTER, EVENTS_SINCE, FLIPS_BEFORE } from '../../moved-flips.ts'
import { ROWS_BEFORE, TOKENS, TOKENS_AFTER, TOKENS_SINCE } from '../../moved-tokens.ts'

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const path = () => folder.file('o.db')

/** Versions that do not exist yet. */
const [NEXT, SECOND, THIRD] = [SCHEMA_VERSION + 1, SCHEMA_VERSION + 2, SCHEMA_VERSION + 3]

const TO_NEXT: Migration = {
  to: NEXT,
  steps: [{ sqlite: 'CREATE TABLE two (x); INSERT INTO two VALUES (2)', postgres: 'nothing for SQLite' }],
}
const TO_SECOND: Migration = { to: SECOND, steps: ['ALTER TABLE two ADD COLUMN y', 'UPDATE two SET y = 3'] }
const TO_THIRD: Migration = { to: THIRD, steps: ['DROP TABLE two; CREATE TABLE four (x)'] }

/** Name of the copy of the file before the migration. */
const COPY = `o.db.v${SCHEMA_VERSION}`

const INSERT_PROJECT = 'INSERT INTO projects (id, name, badge_key, ping_log_limit, created_at, slug) VALUES'

/** A database of this version, which is older than the steps, with one project in it. */
function makeOld(): Database {
  const database = new Database(path(), { create: true })
  database.run('PRAGMA journal_mode = WAL')
  bringUpToDate(database, path())
  database.run(`${INSERT_PROJECT} ('p', 'Old', 'b', 100, 0, 'old')`)
  return database
}

const tables = (database: Database) =>
  database
    .query<{ name: string }, []>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    .all()
    .map(({ name }) => name)

const structure = (database: Database) =>
  database.query<{ sql: string }, []>('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name').all()

/** Returns tables with their columns and keys, and indexes: equal after statements that change a table and ones that create it. */
const layout = (database: Database) => [
  ...tables(database).map((table) => [
    database.query(`SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo('${table}')`).all(),
    database.query(`SELECT * FROM pragma_foreign_key_list('${table}')`).all(),
    database.query(`SELECT name, wr, strict FROM pragma_table_list WHERE name = '${table}'`).all(),
  ]),
  database.query(`SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY name`).all(),
]

const copies = () => readdirSync(folder.path).filter((name) => name.includes('.v'))

test.each(FORMER_VERSIONS)('a database of version %d becomes one of today', (version) => {
  using database = new Database(':memory:')
  database.run(formerModel(version, 'sqlite'))
  using today = new Database(':memory:')
  today.run(schema)
  expect(layout(database)).not.toEqual(layout(today))
  for (const step of stepsFrom(version, MIGRATIONS, 'sqlite')) database.run(step)
  expect(layout(database)).toEqual(layout(today))
})

test.each(FORMER_VERSIONS.filter((version) => version < TOKENS_SINCE))(
  'links, challenges, codes, invitations and offers of version %d become tokens',
  (version) => {
    using database = new Database(path(), { create: true })
    database.run(
      `${formerModel(version, 'sqlite')}; ${ROWS_BEFORE}; PRAGMA user_version = ${version}; PRAGMA foreign_keys = ON`,
    )
    bringUpToDate(database, path())
    expect(database.query(TOKENS).all()).toEqual(TOKENS_AFTER)
    expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
  },
)

test.each(FORMER_VERSIONS.filter((version) => version < EVENTS_SINCE))(
  'flips of version %d become events, and their deliveries and attempts are kept',
  (version) => {
    using database = new Database(path(), { create: true })
    database.run(
      `${formerModel(version, 'sqlite')}; ${FLIPS_BEFORE}; PRAGMA user_version = ${version}; PRAGMA foreign_keys = ON`,
    )
    bringUpToDate(database, path())
    for (const [statement, found] of EVENTS_AFTER) expect(database.query(statement).all()).toEqual([...found])
    expect(database.query('PRAGMA foreign_key_check').values()).toEqual([])
  },
)

describe('a new database', () => {
  test('is created from schema.sql, without a copy beside it', () => {
    using made = new Database(path(), { create: true })
    bringUpToDate(made, path())
    using model = new Database(':memory:')
    model.run(schema)
    expect(structure(made)).toEqual(structure(model))
    expect(structure(made).length).toBeGreaterThan(10)
    expect(schemaVersion(made)).toBe(SCHEMA_VERSION)
    expect(copies()).toEqual([])
  })

  test('begins with the settings that are given, which an existing one does not get', () => {
    using made = new Database(path(), { create: true })
    bringUpToDate(made, path(), { firstSettings: { first: '1' } })
    bringUpToDate(made, path(), { migrations: [TO_NEXT], firstSettings: { later: '2' } })
    expect(made.query('SELECT name, value FROM settings').values()).toEqual([['first', '1']])
  })

  test('whose first settings cannot be written is not created', () => {
    using made = new Database(path(), { create: true })
    made.run('CREATE TEMP TABLE settings (x)')
    expect(() => bringUpToDate(made, path(), { firstSettings: { first: '1' } })).toThrow('settings')
    expect([tables(made), schemaVersion(made)]).toEqual([[], 0])
  })

  test('is not changed by a second call', () => {
    using made = makeOld()
    bringUpToDate(made, path())
    expect(made.query('SELECT name FROM projects').values()).toEqual([['Old']])
  })
})

describe('an older database', () => {
  test('goes through the steps between its version and the wanted one, in order, and keeps what it holds', () => {
    using database = makeOld()
    bringUpToDate(database, path(), { migrations: [TO_NEXT, TO_SECOND] })
    expect(database.query('SELECT x, y FROM two').values()).toEqual([[2, 3]])
    expect(schemaVersion(database)).toBe(SECOND)
    bringUpToDate(database, path(), { migrations: [TO_NEXT, TO_SECOND, TO_THIRD] })
    expect(tables(database)).toContain('four')
    expect(tables(database)).not.toContain('two')
    expect(database.query('SELECT name FROM projects').values()).toEqual([['Old']])
  })

  test('is copied first, as it was, beside the file and under its version', () => {
    using database = makeOld()
    bringUpToDate(database, path(), { migrations: [TO_NEXT, TO_SECOND] })
    using copy = new Database(folder.file(COPY), { readonly: true })
    expect(schemaVersion(copy)).toBe(SCHEMA_VERSION)
    expect(copy.query('SELECT name FROM projects').values()).toEqual([['Old']])
    expect(tables(copy)).not.toContain('two')
    expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  })

  test('is copied for this user only, as keys and secrets lie in the copy too', () => {
    using database = makeOld()
    const before = process.umask(0o022)
    bringUpToDate(database, path(), { migrations: [TO_NEXT, TO_SECOND] })
    process.umask(before)
    expect(statSync(folder.file(COPY)).mode & 0o777).toBe(0o600)
  })

  test('is copied and migrated, and each is reported as it begins', () => {
    using database = makeOld()
    const told: LongWork[] = []
    bringUpToDate(database, path(), { migrations: [TO_NEXT], onWork: (work) => told.push(work) })
    const bytes = expect.any(Number)
    expect(told).toEqual([
      { doing: 'copying', path: path(), bytes, grows: `${path()}.v${SCHEMA_VERSION}.unfinished-${process.pid}` },
      { doing: 'migrating', path: path(), bytes, grows: null },
    ])
  })

  test('stays as it was when a step fails, the steps before it included', () => {
    using database = makeOld()
    const failing = { to: SECOND, steps: ['INSERT INTO two VALUES (3); SELEKT'] }
    expect(() => bringUpToDate(database, path(), { migrations: [TO_NEXT, failing] })).toThrow('syntax error')
    expect(schemaVersion(database)).toBe(SCHEMA_VERSION)
    expect(tables(database)).not.toContain('two')
    expect(database.query('SELECT name FROM projects').values()).toEqual([['Old']])
    expect(database.inTransaction).toBe(false)
  })

  test('can be brought up to date after an attempt that failed, and the copy is of what is there now', () => {
    using database = makeOld()
    const failing = { to: NEXT, steps: ['SELEKT'] }
    expect(() => bringUpToDate(database, path(), { migrations: [failing] })).toThrow('syntax error')
    database.run(`${INSERT_PROJECT} ('q', 'Since', 'c', 100, 1, 'since')`)
    bringUpToDate(database, path(), { migrations: [TO_NEXT] })
    expect(schemaVersion(database)).toBe(NEXT)
    using copy = new Database(folder.file(COPY), { readonly: true })
    expect(copy.query('SELECT name FROM projects ORDER BY created_at').values()).toEqual([['Old'], ['Since']])
    expect(copies()).toEqual([COPY])
  })

  test('removes the copy that a killed process has left, but not one of a running process or a file of the operator', async () => {
    const killed = Bun.spawn([process.execPath, '-e', ''])
    await killed.exited
    const part = (pid: number) => `${COPY}.unfinished-${pid}`
    const kept = [`${COPY}.20261121`, part(process.ppid)]
    for (const name of [part(killed.pid), `${part(killed.pid)}-journal`, ...kept])
      await Bun.write(folder.file(name), 'half of a copy')
    using database = makeOld()
    bringUpToDate(database, path(), { migrations: [TO_NEXT] })
    expect(copies().toSorted()).toEqual([COPY, ...kept])
  })

  /** A connection beside which another process migrates the file just before a statement. */
  const raced = (database: Database, other: Database, before: string): Database => {
    const meanwhile = (statement: string) => {
      if (statement.startsWith(before)) bringUpToDate(other, path(), { migrations: [TO_NEXT] })
    }
    return new Proxy(database, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          meanwhile(String(given[0]))
          return Reflect.apply(member, target, given)
        }
      },
    })
  }

  test.each(['BEGIN IMMEDIATE', 'VACUUM'])(
    'is grown once and copied as it was, though another process does it before our %s',
    (before) => {
      using database = makeOld()
      using other = new Database(path())
      bringUpToDate(raced(database, other, before), path(), { migrations: [TO_NEXT] })
      expect(database.query('SELECT x FROM two').values()).toEqual([[2]])
      expect(database.inTransaction).toBe(false)
      using copy = new Database(folder.file(COPY), { readonly: true })
      expect(schemaVersion(copy)).toBe(SCHEMA_VERSION)
      expect(copies()).toEqual([COPY])
    },
  )
})

describe('a database that is not ours to write', () => {
  const refusal = () => refusalOf(openSqlite({ path: path() }))

  test('because it is newer is refused with both versions, and stays byte for byte', async () => {
    const newer = new Database(path(), { create: true })
    newer.run(`CREATE TABLE t (x); PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    newer.close()
    const before = readFileSync(path())
    expect(await refusal()).toMatchObject({
      code: 'database-too-new',
      message: `the database ${path()} has version ${SCHEMA_VERSION + 1}, but this program supports only versions up to ${SCHEMA_VERSION}`,
      data: { path: path(), version: SCHEMA_VERSION + 1, knownVersion: SCHEMA_VERSION },
    })
    expect(readFileSync(path())).toEqual(before)
    expect(readdirSync(folder.path)).toEqual(['o.db'])
  })

  /** Creates a database from before the first release, as its server left it. */
  const makeFormer = (isKilled: boolean) => {
    const former = new Database(path(), { create: true })
    former.run(`PRAGMA journal_mode = WAL; CREATE TABLE projects (id); PRAGMA user_version = ${FIRST_VERSION - 1}`)
    former.run("INSERT INTO projects VALUES ('p')")
    const [file, log] = [readFileSync(path()), readFileSync(`${path()}-wal`)]
    former.close()
    if (!isKilled) return
    writeFileSync(path(), file)
    writeFileSync(`${path()}-wal`, log)
  }

  test.each([
    { server: 'that was stopped', isKilled: false, exclusive: false },
    { server: 'that was killed', isKilled: true, exclusive: false },
    { server: 'that was stopped, and is to be copied', isKilled: false, exclusive: true },
  ])(
    'because a server of an unreleased version $server has made it is refused, and stays byte for byte',
    async (given) => {
      makeFormer(given.isKilled)
      const names = readdirSync(folder.path)
      const before = names.map((name) => readFileSync(folder.file(name)))
      expect(await refusalOf(openSqlite({ path: path(), exclusive: given.exclusive }))).toMatchObject({
        code: 'database-too-old',
        message: `the database ${path()} has version 11, but this program supports only version 12 and later`,
        data: { path: path(), version: 11 },
      })
      expect(names.map((name) => readFileSync(folder.file(name)))).toEqual(before)
      expect(readdirSync(folder.path).filter((name) => !name.endsWith('-shm'))).toEqual(names)
    },
  )

  test('because it belongs to another program is refused and stays byte for byte', async () => {
    const foreign = new Database(path(), { create: true })
    foreign.run('CREATE TABLE songs (title); INSERT INTO songs VALUES (1)')
    foreign.close()
    const before = readFileSync(path())
    expect(await refusal()).toMatchObject({
      code: 'database-foreign',
      message: `the database ${path()} belongs to another program`,
      data: { path: path(), setting: 'DATABASE_URL' },
    })
    expect(readFileSync(path())).toEqual(before)
    expect(readdirSync(folder.path)).toEqual(['o.db'])
  })

  test('because it is not a database is refused and stays byte for byte', async () => {
    const text = 'Dear diary, today I was taken for a database. '.repeat(50)
    await Bun.write(path(), text)
    expect((await refusal()).reason).toStartWith('the file is not a database')
    expect(await Bun.file(path()).text()).toBe(text)
  })

  test.each([
    ['its folder is a file', () => folder.file('file/o.db'), 'database-unusable', 'is writable'],
    ['it is a folder', () => folder.path, 'path-is-folder', 'DATABASE_URL'],
  ])('because %s is reported without a stack trace', async (_, wanted, code, reason) => {
    await Bun.write(folder.file('file'), '')
    const error = await refusalOf(openSqlite({ path: wanted() }))
    expect([error.code, error.data.path]).toEqual([code, wanted()])
    expect(error.message).toContain(wanted())
    expect(error.reason).toContain(reason)
  })
})

describe('a database that does not exist', () => {
  test('is created with its folder, for this user only', async () => {
    const deep = folder.file('a/b/o.db')
    await (await openSqlite({ path: deep })).close()
    expect(statSync(deep).mode & 0o777).toBe(0o600)
    expect(statSync(folder.file('a/b')).mode & 0o777).toBe(0o700)
  })

  test('is not created unless asked for', async () => {
    expect(await refusalOf(openSqlite({ path: path(), create: false }))).toMatchObject({
      code: 'database-missing',
      message: `there is no database at ${path()}`,
      data: { path: path() },
    })
    expect(readdirSync(folder.path)).toEqual([])
  })
})
