/** One side of a copy: a database of either engine, and the operations that depend on the engine. */
import type { Database, Sql } from '../sql/database.ts'

export interface CopySide {
  readonly database: Database
  /** address as in DATABASE_URL, without a password */
  readonly address: string
  /** true if the log entries form a chain */
  readonly isChained: boolean
  /** Makes other programs' writes fail once this transaction is committed. */
  close(sql: Sql): Promise<void>
  /** Lets other programs write again once this transaction is committed. */
  open(sql: Sql): Promise<void>
  /** Prepares a target for use after all of its rows have been copied. */
  finish(): Promise<void>
}
