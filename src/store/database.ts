/** The seam under the SQL: what a database engine must be able to do. Statements and rows pass through, no domain words. */

import type { DatabaseSize } from './store.ts'

/** What stands in a column. */
export type Value = string | number | null | Uint8Array

/** Statements use numbered parameters: `$1`, `$2`, … */
export interface Sql {
  /** The first row, or null. */
  get<Row>(statement: string, values: readonly Value[]): Promise<Row | null>
  all<Row>(statement: string, values: readonly Value[]): Promise<Row[]>
  /** @returns how many rows changed */
  run(statement: string, values: readonly Value[]): Promise<number>
  /** One statement for many rows: the first row that each list of values gives, or null, in their order. */
  getEach<Row>(statement: string, lists: readonly (readonly Value[])[]): Promise<(Row | null)[]>
  /** One statement for many rows, in their order. */
  runEach(statement: string, lists: readonly (readonly Value[])[]): Promise<void>
}

export interface Database {
  /** Reads that see one state of the database, whatever is written meanwhile. */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  /**
   * All or nothing, one at a time; on disk when the promise is kept.
   * @throws Refusal `unavailable` when the database cannot be written now; nothing of `work` remains
   */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  /** A number that changes whenever another process has committed. */
  foreignCommits(): Promise<number>
  size(): Promise<DatabaseSize>
  close(): Promise<void>
}
