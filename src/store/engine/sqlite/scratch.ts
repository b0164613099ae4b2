/** A scratch database for rows of another program that are not in a SQLite file. */
import type { ForeignDatabase } from '../../sql/foreign-database.ts'
import { placeholders } from '../../sql/rows.ts'
import type { Value } from '../../sql/value.ts'
import { ForeignFile } from './foreign-file.ts'
import { SqliteThread } from './thread.ts'

/** A column of a scratch table, with the type that decides its order. */
export interface ScratchColumn {
  readonly name: string
  readonly type: 'INTEGER' | 'TEXT' | 'BLOB'
}

export type AddRows = (rows: readonly (readonly Value[])[]) => Promise<void>

/** A database on the disk that has no name and is removed with its process. */
export class Scratch {
  readonly #thread = new SqliteThread()

  async open(): Promise<void> {
    await this.#thread.connect(null)
    // Without a name, SQLite creates a file that it removes at once, and writes the data to it that does not fit in its cache.
    await this.#thread.all(`ATTACH DATABASE '' AS scratch`)
    await this.#thread.all('PRAGMA scratch.journal_mode = OFF')
    await this.#thread.all('PRAGMA scratch.cache_size = -32768')
  }

  /** @returns a function that adds rows, whose values are in the order of the columns */
  async createTable(name: string, columns: readonly ScratchColumn[]): Promise<AddRows> {
    const declared = columns.map((column) => `${quoted(column.name)} ${column.type}`)
    await this.#thread.all(`CREATE TABLE scratch.${quoted(name)} (${declared.join(', ')})`)
    const into = `INSERT INTO scratch.${quoted(name)} VALUES (${placeholders(columns.length)})`
    return (rows) => this.#thread.insert(into, rows)
  }

  async createIndex(table: string, columns: readonly string[]): Promise<void> {
    const name = `scratch.${quoted(`${table}_by_${columns.join('_')}`)}`
    await this.#thread.all(`CREATE INDEX ${name} ON ${quoted(table)} (${columns.map(quoted).join(', ')})`)
  }

  /** @param name the name of the source, for people @returns a database that closes this one when it is closed */
  read(name: string): ForeignDatabase {
    return new ForeignFile(name, this.#thread)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
