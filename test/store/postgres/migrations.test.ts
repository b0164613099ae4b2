/** The data model of a PostgreSQL: created, migrated, refused. Runs with TEST_ENGINE=postgres. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { databaseAddress } from '../../../src/config/database-address.ts'
import type { PostgresAddress } from '../../../src/domain/database-address.ts'
import { MIGRATIONS, type Migration, SCHEMA_VERSION } from '../../../src/store/migrations.ts'
import { bringUpToDate, type MigrationOptions } from '../../../src/store/postgres/migrations.ts'
import { openPostgres } from '../../../src/store/postgres/postgres.ts'
import { PostgresServer } from '../../../src/store/postgres/server.ts'
import { ENGINE, testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { refusalOf, rejection } from '../../support/store-builders.ts'
import EIGHTH_SCHEMA from './schemas/8.sql' with { type: 'text' }
import NINTH_SCHEMA from './schemas/9.sql' with { type: 'text' }
import TENTH_SCHEMA from './schemas/10.sql' with { type: 'text' }
import ELEVENTH_SCHEMA from './schemas/11.sql' with { type: 'text' }

/** Versions that do not exist yet. */
const [NEXT, SECOND, THIRD] = [SCHEMA_VERSION + 1, SCHEMA_VERSION + 2, SCHEMA_VERSION + 3]

const STEPS: readonly Migration[] = [
  {
    to: NEXT,
    steps: [
      { sqlite: 'nothing for PostgreSQL', postgres: 'CREATE TABLE nine (x bigint); INSERT INTO nine VALUES (9)' },
    ],
  },
  { to: SECOND, steps: ['ALTER TABLE nine ADD COLUMN y bigint', 'UPDATE nine SET y = 10'] },
  { to: THIRD, steps: ['DROP TABLE nine'], oldestProgram: SECOND },
]

if (ENGINE === 'postgres') {
  let made: TestDatabase
  let server: PostgresServer
  let address: PostgresAddress
  beforeEach(async () => {
    made = await testDatabase()
    const found = databaseAddress(made.url)
    if (found.engine !== 'postgres') throw new Error(`${made.url} is no PostgreSQL`)
    address = found
    server = new PostgresServer({ address, name: 'test', connections: 4, onFault: () => {} })
    await server.start()
  })
  afterEach(async () => {
    await server.close()
    await made.remove()
  })

  const run = (text: string) => server.useAlone((session) => session.script(text))
  const rows = (text: string) => server.useAlone(async (session) => [...(await session.query(text, []))])
  const migrate = (options: MigrationOptions = {}) =>
    server.useAlone((session) => bringUpToDate(session, 'the database', { migrations: STEPS, ...options }))
  const empty = () => run('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const tables = async () => {
    const found = await rows('SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1')
    return found.map(({ tablename }) => tablename)
  }
  /** Columns, keys and indexes. */
  const shape = async () => [
    ...(await rows(`
      SELECT table_name, column_name, data_type, is_nullable, collation_name, column_default
      FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, 2`)),
    ...(await rows(`
      SELECT conrelid::regclass::text AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`)),
    ...(await rows('SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1')),
  ]
  const version = () => rows('SELECT version, oldest_program FROM schema_version')

  describe('a new database', () => {
    test('has the newest tables, and is not changed by a second start', async () => {
      const before = await tables()
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: 8 }])
      await empty()
      await migrate()
      await migrate()
      expect(await tables()).toEqual(before)
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: 8 }])
    })

    test('begins with the settings that are given, which an existing one does not get', async () => {
      await empty()
      await migrate({ firstSettings: { first: '1' } })
      await migrate({ firstSettings: { later: '2' } })
      expect(await rows('SELECT name, value FROM settings')).toEqual([{ name: 'first', value: '1' }])
    })

    test('is created once by two servers that start together', async () => {
      await empty()
      await Promise.all([migrate(), migrate(), migrate()])
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: 8 }])
    })

    test('is not created where that was not asked for', async () => {
      await empty()
      expect(await refusalOf(migrate({ create: false }))).toHaveProperty('code', 'database-missing')
      expect(await tables()).toEqual([])
    })

    test('is not created among the tables of another program, not even of one that counts versions', async () => {
      await empty()
      await run('CREATE TABLE schema_version (version bigint)')
      expect(await refusalOf(migrate())).toHaveProperty('code', 'database-foreign')
      expect(await tables()).toEqual(['schema_version'])
    })
  })

  test('a database of another encoding is refused, and says which one to create', async () => {
    const name = `latin_${crypto.randomUUID().slice(0, 8)}`
    await run(`CREATE DATABASE ${name} ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`)
    try {
      const other = { ...address, database: name }
      expect(await refusalOf(openPostgres({ address: other, connections: 4 }))).toMatchObject({
        code: 'database-unusable',
        message: expect.stringContaining('LATIN1'),
        data: { reason: expect.stringContaining('ENCODING UTF8') },
      })
    } finally {
      await run(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  })

  describe('an older database', () => {
    test.each([
      [8, EIGHTH_SCHEMA],
      [9, NINTH_SCHEMA],
      [10, TENTH_SCHEMA],
      [11, ELEVENTH_SCHEMA],
    ])('of version %d gets the same tables as a new one', async (older, schema) => {
      const made = await shape()
      await empty()
      await run(`${schema}; INSERT INTO schema_version VALUES (${older}, 8)`)
      expect(await shape()).not.toEqual(made)
      await migrate({ migrations: MIGRATIONS })
      expect(await shape()).toEqual(made)
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: 8 }])
    })

    test('is migrated by the steps that are missing, in order, each for its engine', async () => {
      await migrate({ target: NEXT })
      expect(await rows('SELECT * FROM nine')).toEqual([{ x: 9 }])
      await migrate({ target: SECOND })
      expect(await rows('SELECT * FROM nine')).toEqual([{ x: 9, y: 10 }])
      expect(await version()).toEqual([{ version: SECOND, oldest_program: 8 }])
    })

    test('is migrated once by servers that start together, and its rows are kept', async () => {
      await run("INSERT INTO settings VALUES ('a', 'b')")
      await Promise.all([migrate({ target: SECOND }), migrate({ target: SECOND })])
      expect(await rows('SELECT * FROM nine')).toEqual([{ x: 9, y: 10 }])
      expect(await rows('SELECT * FROM settings')).toEqual([{ name: 'a', value: 'b' }])
    })

    test('stays as it is if a step fails', async () => {
      const before = await tables()
      const failing: Migration[] = [
        ...STEPS.slice(0, 1),
        { to: SECOND, steps: ['CREATE TABLE ten (x bigint)', 'not SQL'] },
      ]
      expect(await rejection(migrate({ target: SECOND, migrations: failing }))).toBeInstanceOf(Error)
      expect(await tables()).toEqual(before)
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: 8 }])
    })

    test('gets values that a step computes', async () => {
      const computed: Migration = {
        to: NEXT,
        steps: [
          "CREATE TABLE nine (x bigint, y text); INSERT INTO nine VALUES (1, ''), (2, '')",
          {
            read: 'SELECT x FROM nine',
            write: 'UPDATE nine SET y = $2 WHERE x = $1',
            *values(given) {
              for (const { x = null } of given) yield [x, `number ${x}`]
            },
          },
        ],
      }
      await migrate({ target: NEXT, migrations: [computed] })
      expect(await rows('SELECT x, y FROM nine ORDER BY x')).toEqual([
        { x: 1, y: 'number 1' },
        { x: 2, y: 'number 2' },
      ])
    })
  })

  describe('a newer database', () => {
    test('is used by an older program until a step ends that', async () => {
      await migrate({ target: SECOND })
      await migrate({ target: SCHEMA_VERSION })
      expect(await version()).toEqual([{ version: SECOND, oldest_program: 8 }])
      await migrate({ target: THIRD })
      expect(await version()).toEqual([{ version: THIRD, oldest_program: SECOND }])
      expect(await refusalOf(migrate({ target: NEXT }))).toHaveProperty('code', 'database-too-new')
      await migrate({ target: SECOND })
    })
  })
}
