/**
 * PostgreSQL as one side of a copy. A server that has no connection when the copy begins may reconnect during the copy. So the copy not
 * only searches for other programs but also makes their writes fail, using a trigger on `writers`, the table in which every write is
 * recorded.
 */
import { type PostgresAddress, shownDatabase } from '../../../domain/database-address.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { OnLongWork } from '../../../lib/work/long-work.ts'
import type { CopySide } from '../../copy/side.ts'
import type { Database, FirstSettings } from '../../sql/database.ts'
import { openPostgres } from './postgres.ts'

export interface PostgresSide {
  readonly address: PostgresAddress
  /** whether to create missing tables; if false, a database without tables is an error */
  readonly create: boolean
  readonly firstSettings?: FirstSettings
  readonly onWork?: OnLongWork
}

/** Maximum total number of connections for reads and writes. */
const CONNECTIONS = 4

/** First part of the names of a copy's connections. The rest of the name is different for each copy. */
const NAME = 'overdue copy'

const OTHERS = `
  SELECT COUNT(*) AS others FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'overdue%'
    AND application_name <> current_setting('application_name')`

/**
 * Number of searches for other programs. A single search is not enough, because PostgreSQL may take a moment to notice that a program has
 * exited.
 */
const SEARCHES = 10
const LOOK_AGAIN_MS = 100

// Waits for transactions that have already written to `writers`. Later transactions fail in the trigger.
const CLOSE = [
  `CREATE OR REPLACE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS
  $$BEGIN RAISE EXCEPTION 'writes are refused' USING ERRCODE = 'OD001'; END$$`,
  'DROP TRIGGER IF EXISTS refuse_write ON writers',
  `CREATE TRIGGER refuse_write BEFORE UPDATE OR INSERT ON writers FOR EACH ROW
  WHEN (current_setting('application_name') NOT LIKE '${NAME}%') EXECUTE FUNCTION refuse_write()`,
]
const OPEN = ['DROP TRIGGER IF EXISTS refuse_write ON writers', 'DROP FUNCTION IF EXISTS refuse_write']

const GO_ON_WITH_IDS = `
  SELECT setval('ping_ids', id) AS id FROM (SELECT MAX(id) AS id FROM pings) AS newest WHERE id > 0`

/** @throws Refusal `database-in-use` if a server or a command is using the database; the same errors as when a server opens the database */
export async function openPostgresSide({ address, ...options }: PostgresSide): Promise<CopySide> {
  const name = `${NAME} ${crypto.randomUUID().slice(0, 8)}`
  const database = await openPostgres({ address, connections: CONNECTIONS, name, ...options })
  try {
    await refuseOthers(database, shownDatabase(address))
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    database,
    address: shownDatabase(address),
    isChained: false,
    async close(sql) {
      for (const statement of CLOSE) await sql.run(statement, [])
    },
    async open(sql) {
      for (const statement of OPEN) await sql.run(statement, [])
    },
    async finish() {
      await database.write((sql) => sql.get(GO_ON_WITH_IDS, []))
      // Until PostgreSQL has analyzed the tables, its query plans make long lists many times slower.
      await database.write((sql) => sql.run('ANALYZE', []))
    },
  }
}

async function refuseOthers(database: Database, place: string): Promise<void> {
  for (let look = 1; ; look += 1) {
    const row = await database.read((sql) => sql.get<{ others: number }>(OTHERS, []))
    if (row?.others === 0) return
    if (look === SEARCHES) {
      const message = `a server or another program is using the database ${place}`
      throw new Refusal('database-in-use', message, { path: place, pid: null, isGone: false })
    }
    await Bun.sleep(LOOK_AGAIN_MS)
  }
}
