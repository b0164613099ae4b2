/** A scratch database for rows imported from a program that does not use a SQLite file. */
import type { ForeignDatabase } from '../../sql/foreign-database.ts'
import { placeholders } from '../../sql/rows.ts'
import type { Value } from '../../sql/value.ts'
import { ForeignFile } from './foreign-file.ts'
import { SqliteThread } from './thread.ts'

/** A column in a scratch table. Its type determines the order of its values. */
export interface ScratchColumn {
  readonly name: string
  readonly type: 'INTEGER' | 'TEXT' | 'BLOB'
}

export type AddRows = (rows: readonly (readonly Value[])[]) => Promise<void>

/** A database on disk that has no name and is removed when its process ends. */
export class Scratch {
  readonly #thread = new SqliteThread()

  async open(): Promise<void> {
    await this.#thread.connect(null)
    // For a database without a name, SQLite creates a file and unlinks it immediately. Data that does not fit in the cache is written to
    // this file.
    await this.#thread.all(`ATTACH DATABASE '' AS scratch`)
    await this.#thread.all('PRAGMA scratch.journal_mode = OFF')
    await this.#thread.all('PRAGMA scratch.cache_size = -32768')
  }

  /** @returns a function that adds rows; the values of each row are in the order of the columns */
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

  /** @param name the source's name, for messages @returns a database that closes this one when it is closed */
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
