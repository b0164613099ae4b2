/** Compares two databases table by table, using the number of rows and a checksum over them. */
import { createHash } from 'node:crypto'
import type { Database, Value } from '../sql/database.ts'
import { keyOf, type Row, readPage } from './rows.ts'
import { COPIED, type CopiedTable } from './tables.ts'

export interface ComparedTable {
  readonly table: string
  /** number of rows in the source */
  readonly rows: number
  /** the source's checksum, in hexadecimal digits */
  readonly checksum: string
  /** number of rows in the copy */
  readonly copied: number
  readonly isEqual: boolean
  /** key, as a string, of the source's first row that is missing from the copy or differs in it; null if there is none */
  readonly firstDifference: string | null
}

/** @param onDone called with the table, and with the number of rows compared so far in all tables */
export async function compareTables(
  source: Database,
  copy: Database,
  onDone: (table: string, rows: number) => void,
): Promise<ComparedTable[]> {
  const compared: ComparedTable[] = []
  let done = 0
  for (const table of COPIED) {
    compared.push(
      await compareTable(source, copy, table, (rows) => {
        done += rows
        onDone(table.name, done)
      }),
    )
  }
  return compared
}

/** Compares the two sides page by page. Pages have the same number of rows as long as they are equal. */
async function compareTable(
  source: Database,
  copy: Database,
  table: CopiedTable,
  onDone: (rows: number) => void,
): Promise<ComparedTable> {
  const [own, other] = [new Reader(source, table), new Reader(copy, table)]
  let firstDifference: string | null = null
  for (;;) {
    const [rows, copied] = await Promise.all([own.next(), other.next()])
    if (rows.length === 0 && copied.length === 0) break
    if (firstDifference === null) firstDifference = differenceIn(table, rows, copied)
    onDone(rows.length)
  }
  const [mine, theirs] = [own.end(), other.end()]
  const isEqual = mine.rows === theirs.rows && mine.checksum === theirs.checksum
  return { table: table.name, ...mine, copied: theirs.rows, isEqual, firstDifference }
}

class Reader {
  readonly #checksum = new Checksum()
  #after: Row | null = null
  #rows = 0
  #hasEnded = false

  constructor(
    readonly database: Database,
    readonly table: CopiedTable,
  ) {}

  /** @returns an empty list at the end of the table */
  async next(): Promise<Row[]> {
    if (this.#hasEnded) return []
    const rows = await readPage(this.database, this.table, this.#after)
    const last = rows.at(-1)
    this.#hasEnded = last === undefined
    if (last) this.#after = keyOf(this.table, last)
    this.#checksum.add(rows)
    this.#rows += rows.length
    return rows
  }

  end(): { readonly rows: number; readonly checksum: string } {
    return { rows: this.#rows, checksum: this.#checksum.end() }
  }
}

/** A checksum over rows in a canonical form that is the same for every engine. Rows must be added in the order of their keys. */
class Checksum {
  readonly #hash = createHash('sha256')
  /** data that has not been hashed yet, because hashing one long string costs less than hashing many short ones */
  #text = ''

  add(rows: readonly Row[]): void {
    for (const row of rows) for (const value of row) this.#add(value)
    this.#flush()
  }

  /** Adds the value's type, its length and the value itself, so that different rows never produce the same bytes. */
  #add(value: Value): void {
    if (value === null) this.#text += 'n'
    else if (typeof value === 'number') this.#text += `i${value};`
    else if (typeof value === 'string') this.#text += `t${value.length};${value}`
    else {
      this.#text += `b${value.length};`
      this.#flush()
      this.#hash.update(value)
    }
  }

  #flush(): void {
    this.#hash.update(this.#text)
    this.#text = ''
  }

  /** Returns the checksum in hexadecimal digits. No rows can be added afterwards. */
  end(): string {
    return this.#hash.digest('hex')
  }
}

/** @returns the key of the source's first row that differs in the copy */
function differenceIn(table: CopiedTable, rows: readonly Row[], copied: readonly Row[]): string | null {
  const found = rows.find((row, index) => !isSame(row, copied[index] ?? []))
  return found === undefined ? null : keyOf(table, found).join(' ')
}

function isSame(row: Row, other: Row): boolean {
  return row.every((value, index) => {
    const copied = other[index]
    if (value instanceof Uint8Array) return copied instanceof Uint8Array && Buffer.compare(value, copied) === 0
    return value === copied
  })
}
