/** The data model of a PostgreSQL: created, migrated, refused. Runs with TEST_ENGINE=postgres. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { databaseAddress } from '../../../../src/config/database-address.ts'
import type { PostgresAddress } from '../../../../src/domain/database-address.ts'
import { PostgresServer } from '../../../../src/store/engine/postgres/connection/server.ts'
import { bringUpToDate, type MigrationOptions } from '../../../../src/store/engine/postgres/migrations.ts'
import { openPostgres } from '../../../../src/store/engine/postgres/postgres.ts'
import { FIRST_VERSION, MIGRATIONS, type Migration, SCHEMA_VERSION } from '../../../../src/store/sql/migrations.ts'
import { ENGINE, testDatabase } from '../../../support/databases.ts'
import type { TestDatabase } from '../../../support/opened-stores.ts'
import { type Recording, sendAgain, sendOn } from '../../../support/postgres/recorded-program.ts'
import { refusalOf, rejection } from '../../../support/store-builders.ts'
import { FORMER_VERSIONS, formerModel, formerProgram, OLDEST_PROGRAM } from '../../former-models.ts'
import { EVENTS_AFTER, EVENTS_SINCE, FLIPS_BEFORE } from '../../moved-flips.ts'
import { ROWS_BEFORE, TOKENS, TOKENS_AFTER, TOKENS_SINCE } from '../../moved-tokens.ts'

/** Error of a statement that names flips, or a delivery that such a statement did not write. */
const GONE = /\b(?:flips|n_flips|flip_n)"?(?: of relation "\w+")? does not exist|attempts_delivery_id_fkey/

/** Versions that do not exist yet. */
const [NEXT, SECOND, THIRD] = [SCHEMA_VERSION + 1, SCHEMA_VERSION + 2, SCHEMA_VERSION + 3]

const TO_NEXT: Migration = {
  to: NEXT,
  steps: [{ sqlite: 'nothing for PostgreSQL', postgres: 'CREATE TABLE nine (x bigint); INSERT INTO nine VALUES (9)' }],
}
const TO_SECOND: Migration = { to: SECOND, steps: ['ALTER TABLE nine ADD COLUMN y bigint', 'UPDATE nine SET y = 10'] }
const TO_THIRD: Migration = { to: THIRD, steps: ['DROP TABLE nine'], oldestProgram: SECOND }

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
  const migrate = (migrations = MIGRATIONS, options: MigrationOptions = {}) =>
    server.useAlone((session) => bringUpToDate(session, 'checks', { migrations, ...options }))
  const empty = () => run('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const tables = async () => {
    const found = await rows('SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1')
    return found.map(({ tablename }) => tablename)
  }
  const version = () => rows('SELECT version, oldest_program FROM schema_version')

  const makeOld = (number: number) =>
    run(
      `${formerModel(number, 'postgres')}; INSERT INTO schema_version (version, oldest_program) VALUES (${number}, ${FIRST_VERSION})`,
    )

  /** Returns tables with their columns and options, and indexes with their keys. */
  const layout = async () => ({
    columns: await rows(
      `SELECT table_name, column_name, ordinal_position, data_type, is_nullable, column_default, collation_name
       FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, 3`,
    ),
    keys: await rows(
      `SELECT conrelid::regclass::text AS owner, conname, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
    ),
    indexes: await rows(`SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`),
  })

  test.each(FORMER_VERSIONS)('a database of version %d becomes one of today', async (number) => {
    const today = await layout()
    await empty()
    await makeOld(number)
    expect(await layout()).not.toEqual(today)
    await migrate()
    expect(await layout()).toEqual(today)
    expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: OLDEST_PROGRAM }])
  })

  test.each(FORMER_VERSIONS.filter((version) => version < TOKENS_SINCE))(
    'links, challenges, codes, invitations and offers of version %d become tokens',
    async (number) => {
      await empty()
      await makeOld(number)
      await run(ROWS_BEFORE)
      await migrate()
      expect(await rows(TOKENS)).toEqual(TOKENS_AFTER)
    },
  )

  test.each(FORMER_VERSIONS.filter((version) => version < EVENTS_SINCE))(
    'flips of version %d become events, and their deliveries and attempts are kept',
    async (number) => {
      await empty()
      await makeOld(number)
      await run(FLIPS_BEFORE)
      await migrate()
      for (const [statement, found] of EVENTS_AFTER) expect(await rows(statement)).toEqual([...found])
    },
  )

  describe('a new database', () => {
    test('has the newest tables, and is not changed by a second start', async () => {
      const before = await tables()
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: OLDEST_PROGRAM }])
      await empty()
      await migrate()
      await migrate()
      expect(await tables()).toEqual(before)
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: OLDEST_PROGRAM }])
    })

    test('begins with the settings that are given, which an existing one does not get', async () => {
      await empty()
      await migrate(MIGRATIONS, { firstSettings: { first: '1' } })
      await migrate(MIGRATIONS, { firstSettings: { later: '2' } })
      expect(await rows('SELECT name, value FROM settings')).toEqual([{ name: 'first', value: '1' }])
    })

    test('is created once by two servers that start together', async () => {
      await empty()
      await Promise.all([migrate(), migrate(), migrate()])
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: OLDEST_PROGRAM }])
    })

    test('is not created where that was not asked for', async () => {
      await empty()
      expect(await refusalOf(migrate(MIGRATIONS, { create: false }))).toHaveProperty('code', 'database-missing')
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
    test('is migrated by the steps that are missing, in order, each for its engine', async () => {
      await migrate([TO_NEXT])
      expect(await rows('SELECT * FROM nine')).toEqual([{ x: 9 }])
      await migrate([TO_NEXT, TO_SECOND])
      expect(await rows('SELECT * FROM nine')).toEqual([{ x: 9, y: 10 }])
      expect(await version()).toEqual([{ version: SECOND, oldest_program: FIRST_VERSION }])
    })

    test('is migrated once by servers that start together, and its rows are kept', async () => {
      await run("INSERT INTO settings VALUES ('a', 'b')")
      await Promise.all([migrate([TO_NEXT, TO_SECOND]), migrate([TO_NEXT, TO_SECOND])])
      expect(await rows('SELECT * FROM nine')).toEqual([{ x: 9, y: 10 }])
      expect(await rows('SELECT * FROM settings')).toEqual([{ name: 'a', value: 'b' }])
    })

    test('stays as it is if a step fails', async () => {
      const before = await tables()
      const failing = { to: SECOND, steps: ['CREATE TABLE ten (x bigint)', 'not SQL'] }
      expect(await rejection(migrate([TO_NEXT, failing]))).toBeInstanceOf(Error)
      expect(await tables()).toEqual(before)
      expect(await version()).toEqual([{ version: SCHEMA_VERSION, oldest_program: OLDEST_PROGRAM }])
    })

    test('from before the first release is refused, and stays as it is', async () => {
      const before = await tables()
      await run('UPDATE schema_version SET version = 11, oldest_program = 8')
      expect(await refusalOf(migrate([TO_NEXT]))).toMatchObject({
        code: 'database-too-old',
        message: 'the database checks has version 11, but this program supports only version 12 and later',
        data: { path: 'checks', version: 11 },
      })
      expect(await tables()).toEqual(before)
      expect(await version()).toEqual([{ version: 11, oldest_program: 8 }])
    })
  })

  describe.each(FORMER_VERSIONS.filter((version) => version < OLDEST_PROGRAM))('a program of version %d', (number) => {
    test('is refused when it starts', async () => {
      expect(await refusalOf(migrate(MIGRATIONS.filter(({ to }) => to <= number)))).toMatchObject({
        code: 'database-too-new',
        data: { version: SCHEMA_VERSION, knownVersion: number },
      })
    })

    test('that was left running writes no ping, no flip and no alert', async () => {
      const recording: Recording = await Bun.file(formerProgram(number)).json()
      const { setUp, work, judge, claim } = recording.stages
      await empty()
      await makeOld(number)
      expect(await server.useAlone((session) => sendAgain(session, recording, setUp))).toEqual([])
      await migrate()
      const failures = await server.useAlone((session) => sendOn(session, recording, [...work, ...judge, ...claim]))
      expect(failures.length).toBeGreaterThan(5)
      expect(failures.filter((failure) => !GONE.test(failure))).toEqual([])
      const counts = ['pings', 'events', 'deliveries'].map(
        (table) => `(SELECT count(*) FROM ${table})::int AS ${table}`,
      )
      expect(await rows(`SELECT ${counts.join(', ')}`)).toEqual([{ pings: 0, events: 0, deliveries: 0 }])
      expect(await rows('SELECT DISTINCT status FROM checks')).toEqual([{ status: 'new' }])
    })
  })

  describe('a newer database', () => {
    test('is used by an older program until a step ends that', async () => {
      await migrate([TO_NEXT, TO_SECOND])
      await migrate()
      expect(await version()).toEqual([{ version: SECOND, oldest_program: FIRST_VERSION }])
      await migrate([TO_NEXT, TO_SECOND, TO_THIRD])
      expect(await version()).toEqual([{ version: THIRD, oldest_program: SECOND }])
      expect(await refusalOf(migrate([TO_NEXT]))).toHaveProperty('code', 'database-too-new')
      await migrate([TO_NEXT, TO_SECOND])
    })
  })
}
