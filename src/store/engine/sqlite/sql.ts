/** {@link Sql} on a `bun:sqlite` connection. */
import type { Database as Connection, Statement } from 'bun:sqlite'
import type { Sql, Value } from '../../sql/database.ts'
import { withNumberedParameters } from './parameters.ts'
import { createPingTables } from './ping-tables.ts'
import { STATEMENTS } from './statements.ts'
import { createWordIndex } from './word-index.ts'

export class ConnectionSql implements Sql {
  /** prepared statements. There are few, because statements are constants in the source */
  readonly #prepared = new Map<string, Statement>()
  readonly words = createWordIndex(this)
  readonly statements = STATEMENTS
  readonly pings = createPingTables(this)

  constructor(readonly connection: Connection) {}

  #prepare(text: string): Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.connection.prepare(withNumberedParameters(text))
    this.#prepared.set(text, statement)
    return statement
  }

  /** Closes the connection. Finalizes the statements first, because SQLite does not close it until all of them are finalized. */
  close(): void {
    for (const statement of this.#prepared.values()) statement.finalize()
    this.#prepared.clear()
    this.connection.close()
  }

  async get<Row>(text: string, values: readonly Value[]): Promise<Row | null> {
    return this.#prepare(text).get(...values) as Row | null
  }

  async all<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    return this.#prepare(text).all(...values) as Row[]
  }

  async run(text: string, values: readonly Value[]): Promise<number> {
    return this.#prepare(text).run(...values).changes
  }

  async getEach<Row>(text: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]> {
    const statement = this.#prepare(text)
    return lists.map((values) => statement.get(...values) as Row | null)
  }

  async runEach(text: string, lists: readonly (readonly Value[])[]): Promise<void> {
    const statement = this.#prepare(text)
    for (const values of lists) statement.run(...values)
  }

  /** Does nothing, because SQLite allows only one write at a time across all processes. */
  async lock(): Promise<void> {}
}

/** @param begin statement that opens the transaction; null if the transaction is already open */
export async function inTransaction<Result>(
  connection: Connection,
  begin: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    if (begin !== null) connection.run(begin)
    const result = await work()
    connection.run('COMMIT')
    return result
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back the transaction.
    if (connection.inTransaction) connection.run('ROLLBACK')
    throw error
  }
}
