/** Reads another program's PostgreSQL database in one transaction, which sees a single snapshot. */
import { type ReservedSQL, SQL } from 'bun'
import { type PostgresAddress, shownDatabase } from '../../../domain/database-address.ts'
import { Refusal } from '../../../domain/errors.ts'
import { messageOf } from '../../../lib/errors.ts'
import type { ForeignDatabase } from '../../sql/foreign-database.ts'
import type { Value } from '../../sql/value.ts'
import { driverOptions } from './connection/address.ts'
import { faultReason } from './connection/faults.ts'
import { withNameFault } from './connection/host-names.ts'
import { KEPT_ALIVE } from './connection/pools.ts'
import { closeWithin, within } from './connection/timeouts.ts'

const CONNECT_SECONDS = 5
/** Time limit of a statement in milliseconds, which is enough to count a table with a few million rows. */
const STATEMENT_MS = 300_000

/**
 * Settings that make the text format of values independent of the server's configuration. They also disable the timeouts that would end a
 * transaction while it waits for the consumer of its rows.
 */
const SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  application_name: 'overdue import',
}

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

const COLUMNS = `
  SELECT column_name FROM information_schema.columns
  WHERE table_name = $1 AND table_schema = ANY (current_schemas(false))`

/** Opens the first host that answers. A standby is sufficient. @throws Refusal `import-unavailable` */
export async function openForeignPostgres(address: PostgresAddress): Promise<ForeignDatabase> {
  const name = shownDatabase(address)
  let failure: unknown = null
  for (const host of address.hosts) {
    const connection = { ...KEPT_ALIVE, ...SETTINGS }
    const sql = new SQL({ ...driverOptions(address, host), max: 1, connectionTimeout: CONNECT_SECONDS, connection })
    try {
      const reserved = await within((CONNECT_SECONDS + 1) * 1_000, sql.reserve())
      await within(STATEMENT_MS, reserved.unsafe(BEGIN))
      return new ForeignPostgres(name, sql, reserved)
    } catch (error) {
      failure ??= await withNameFault(error, host)
      await closeWithin(sql, 0)
    }
  }
  throw asForeignRefusal(failure, name)
}

class ForeignPostgres implements ForeignDatabase {
  readonly #sql: SQL
  readonly #connection: ReservedSQL

  constructor(
    readonly name: string,
    sql: SQL,
    connection: ReservedSQL,
  ) {
    this.#sql = sql
    this.#connection = connection
  }

  async columns(table: string): Promise<ReadonlySet<string> | null> {
    const rows = await this.all<{ column_name: string }>(COLUMNS, [table])
    return rows.length === 0 ? null : new Set(rows.map((row) => row.column_name))
  }

  async all<Row>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    try {
      return await within(STATEMENT_MS, this.#connection.unsafe(statement, [...values]))
    } catch (error) {
      throw asForeignRefusal(error, this.name)
    }
  }

  async close(): Promise<void> {
    await closeWithin(this.#sql, 0)
  }
}

function asForeignRefusal(error: unknown, name: string): unknown {
  const known = faultReason(error)
  if (known === null && !(error instanceof SQL.SQLError)) return error
  // The reason may mention DATABASE_URL, but that is the setting for this server's own database.
  const reason = (known ?? 'look at the log of that PostgreSQL').replaceAll('DATABASE_URL', 'its URL')
  const message = `the database ${name} cannot be read: ${messageOf(error)}`
  return new Refusal('import-unavailable', message, { path: name, reason }, { cause: error })
}
