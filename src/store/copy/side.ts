/** One side of a copy: a database of some engine, and what only that engine knows about copies. */
import type { Database, Sql } from '../sql/database.ts'

export interface CopySide {
  readonly database: Database
  /** as in DATABASE_URL, without a password */
  readonly address: string
  /** true: its log is a chain */
  readonly isChained: boolean
  /** From the commit of this transaction on, writes of other programs fail. */
  close(sql: Sql): Promise<void>
  /** They may write again after the commit of this transaction. */
  open(sql: Sql): Promise<void>
  /** Prepares a target that has got all its rows. */
  finish(): Promise<void>
}
