/** A scratch database for rows of another program that arrive in another form than a SQLite file. */
import { Database as Connection } from 'bun:sqlite'
import type { ForeignDatabase } from '../foreign-database.ts'
import type { Value } from '../value.ts'
import { ForeignFile } from './foreign-file.ts'

/** A column of a scratch table, with the type that decides how it is ordered. */
export interface ScratchColumn {
  readonly name: string
  readonly type: 'INTEGER' | 'TEXT' | 'BLOB'
}

/** A database on the disk that has no name and is gone with its process. */
export class Scratch {
  readonly #connection = new Connection(':memory:')

  constructor() {
    // Without a name, SQLite makes a file that it removes at once, and writes to it what its cache cannot hold.
    this.#connection.run(`ATTACH DATABASE '' AS scratch`)
    this.#connection.run('PRAGMA scratch.journal_mode = OFF')
    this.#connection.run('PRAGMA scratch.cache_size = -32768')
  }

  /** @returns adds rows, whose values are in the order of the columns */
  createTable(name: string, columns: readonly ScratchColumn[]): (rows: readonly (readonly Value[])[]) => void {
    const declared = columns.map((column) => `${quoted(column.name)} ${column.type}`)
    this.#connection.run(`CREATE TABLE scratch.${quoted(name)} (${declared.join(', ')})`)
    const into = `INSERT INTO scratch.${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`
    const insert = this.#connection.prepare(into)
    return this.#connection.transaction((rows: readonly (readonly Value[])[]) => {
      for (const row of rows) insert.run(...row)
    })
  }

  createIndex(table: string, columns: readonly string[]): void {
    const name = `scratch.${quoted(`${table}_by_${columns.join('_')}`)}`
    this.#connection.run(`CREATE INDEX ${name} ON ${quoted(table)} (${columns.map(quoted).join(', ')})`)
  }

  /** @param name what was read into it, for people */
  read(name: string): ForeignDatabase {
    return new ForeignFile(name, this.#connection)
  }

  close(): void {
    this.#connection.close()
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
