/** A side of a copy: a database of some engine, and the operations that depend on the engine. */
import type { Database, Sql } from '../sql/database.ts'

export interface CopySide {
  readonly database: Database
  /** as in DATABASE_URL, without a password */
  readonly address: string
  /** true: its log is a chain */
  readonly isChained: boolean
  /** Makes writes of other programs fail from the commit of this transaction on. */
  close(sql: Sql): Promise<void>
  /** Lets other programs write again after the commit of this transaction. */
  open(sql: Sql): Promise<void>
  /** Prepares a target that has all its rows. */
  finish(): Promise<void>
}
