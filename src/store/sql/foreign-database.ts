/** Another program's database. It is read as one consistent snapshot. */
import type { Value } from './value.ts'

export interface ForeignDatabase {
  /** name for messages: a path, or a URL without the password */
  readonly name: string
  /** Returns the names of a table's columns; null if the table does not exist. */
  columns(table: string): Promise<ReadonlySet<string> | null>
  /**
   * Runs a statement. Other work can run after each statement.
   * @param statement SQL that all engines share, with numbered parameters: `$1`, `$2`, …
   * @throws Refusal `import-damaged` or `import-unavailable` if the database cannot be read
   */
  all<Row>(statement: string, values?: readonly Value[]): Promise<Row[]>
  close(): Promise<void>
}
