/** Reads a `pg_dump` dump of Healthchecks into a temporary database, line by line. */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../../domain/errors.ts'
import { codeOf, messageOf } from '../../../lib/errors.ts'
import { fromMicroseconds } from '../../../lib/time.ts'
import { asForeignRefusal, headOf } from '../../../store/engine/sqlite/foreign-file.ts'
import { type AddRows, Scratch, type ScratchColumn } from '../../../store/engine/sqlite/scratch.ts'
import type { ForeignDatabase } from '../../../store/sql/foreign-database.ts'
import type { Value } from '../../../store/sql/value.ts'
import { microsecondsOf } from '../values.ts'
import { COLUMNS, type Table } from './columns.ts'
import { copyBytes, copyColumns, copyHead, copyValue } from './copy-text.ts'
import { formatRefusal } from './dump-formats.ts'
import { dumpLines } from './dump-lines.ts'

const GZIP = [0x1f, 0x8b]
/** Last line of a complete dump of one database, apart from blank lines. */
const COMPLETE = '-- PostgreSQL database dump complete'
const END = '\\.'
/** Maximum length of a statement that is read, in bytes. A table has at most 1,600 columns. */
const STATEMENT_BYTES = 128 * 1024
/** Minimum length of a statement, in bytes. Shorter lines, such as blank lines, are skipped quickly. */
const LEAST_STATEMENT_BYTES = 10
const ROWS_AT_ONCE = 200
const BYTES_AT_ONCE = 1024 * 1024

const BODIES = new Set(['body_raw'])
const INTEGERS = /^(?:id|\w+_id|n)$/
/** Columns by which rows are sorted. Their times must be stored in one time zone. */
const ORDERED_TIMES = new Set(['created'])
const INDEXES = [
  ['api_ping', 'owner_id', 'n'],
  ['api_flip', 'owner_id', 'created'],
  ['api_notification', 'owner_id', 'id'],
] as const

/**
 * @param path path of a plain-text dump, which may be compressed with gzip
 * @param unpackedLimit maximum uncompressed size of a compressed dump, in bytes
 * @throws Refusal `import-format` if the text is not a dump, `import-damaged` if the dump is incomplete, `too-large`; errors from {@link
 * headOf}
 */
export async function openDump(path: string, unpackedLimit = Number.POSITIVE_INFINITY): Promise<ForeignDatabase> {
  const isGzip = GZIP.every((byte, index) => headOf(path)[index] === byte)
  const scratch = new Scratch()
  try {
    await scratch.open()
    await new DumpReader(path, scratch).read(isGzip ? unzipped(path, unpackedLimit) : createReadStream(path))
    return scratch.read(path)
  } catch (error) {
    await scratch.close()
    throw asDumpRefusal(error, path)
  }
}

/** Decompresses a dump. A few bytes may expand to thousands of times their size. @throws Refusal `too-large` if the limit is exceeded */
async function* unzipped(path: string, limit: number): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const packed = createReadStream(path)
  // An error in one stream does not end the stream that it is piped to.
  packed.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  let bytes = 0
  try {
    for await (const chunk of gunzip) {
      bytes += chunk.length
      if (bytes > limit) throw tooLarge(limit)
      yield chunk
    }
  } finally {
    packed.destroy()
  }
}

function tooLarge(limit: number): Refusal {
  const words = `the uncompressed dump has more than ${limit} bytes: use the import command, which has no such limit`
  return new Refusal('too-large', words, { limit })
}

function asDumpRefusal(error: unknown, path: string): unknown {
  const isTorn = /^Z_|^ERR_ZLIB/.test(codeOf(error))
  if (!isTorn) return asForeignRefusal(error, path)
  return new Refusal('import-damaged', `the file ${path} is damaged: ${messageOf(error)}`, { path }, { cause: error })
}

interface Block {
  readonly width: number
  /** index and name of the values to keep from a row, in the order of the table's columns */
  readonly kept: readonly (readonly [index: number, name: string])[]
  readonly add: AddRows
}

class DumpReader {
  readonly #path: string
  readonly #scratch: Scratch
  readonly #known = new Set<string>()
  #block: Block | 'passed' | null = null
  #rows: (readonly Value[])[] = []
  #bytes = 0
  #isComplete = false

  constructor(path: string, scratch: Scratch) {
    this.#path = path
    this.#scratch = scratch
  }

  async read(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const lines of dumpLines(this.#path, bytes)) {
      for (const line of lines) {
        if (this.#block === null) await this.#statement(line)
        else if (line.length === END.length && line.toString() === END) await this.#endBlock()
        else if (this.#block !== 'passed') {
          this.#row(this.#block, line)
          if (this.#rows.length >= ROWS_AT_ONCE || this.#bytes > BYTES_AT_ONCE) await this.#flush(this.#block)
        }
      }
    }
    if (this.#block !== null || !this.#isComplete) throw this.#damaged('it ends before the dump is complete')
    for (const [table, ...columns] of INDEXES)
      if (this.#known.has(table)) await this.#scratch.createIndex(table, columns)
  }

  async #statement(bytes: Buffer): Promise<void> {
    if (bytes.length < LEAST_STATEMENT_BYTES) return
    const line = bytes.toString('utf8', 0, STATEMENT_BYTES)
    if (line === COMPLETE) this.#isComplete = true
    if (/^INSERT INTO /.test(line)) throw formatRefusal(this.#path, 'inserts')
    const head = copyHead(line)
    if (head === null) return
    const columns = Object.hasOwn(COLUMNS, head.table) ? COLUMNS[head.table as Table] : null
    if (columns === null) {
      this.#block = 'passed'
      return
    }
    if (this.#known.has(head.table)) throw formatRefusal(this.#path, 'several')
    this.#known.add(head.table)
    const wanted = new Set<string>([...columns, ...(head.table === 'api_ping' ? ['body_raw', 'body'] : [])])
    const kept = [...head.columns.entries()].filter(([, name]) => wanted.has(name))
    const add = await this.#scratch.createTable(
      head.table,
      kept.map(([, name]) => columnOf(name)),
    )
    this.#block = { width: head.columns.length, kept, add }
  }

  #row(block: Block, line: Buffer): void {
    const columns = copyColumns(line, block.width)
    if (columns === null) throw this.#damaged('a row has a different number of values than its table')
    try {
      this.#rows.push(block.kept.map(([index, name]) => stored(name, copyValue(line, columns, index))))
    } catch {
      throw this.#damaged('the bytes of a body are not in a format of PostgreSQL')
    }
    this.#bytes += line.length
  }

  async #flush(block: Block): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    this.#bytes = 0
    await block.add(rows)
  }

  async #endBlock(): Promise<void> {
    if (this.#block !== null && this.#block !== 'passed') await this.#flush(this.#block)
    this.#block = null
  }

  #damaged(what: string): Refusal {
    return new Refusal('import-damaged', `the file ${this.#path} is damaged: ${what}`, { path: this.#path })
  }
}

function columnOf(name: string): ScratchColumn {
  return { name, type: BODIES.has(name) ? 'BLOB' : INTEGERS.test(name) ? 'INTEGER' : 'TEXT' }
}

/** @throws SyntaxError if the bytes are not in a PostgreSQL format */
function stored(name: string, value: Buffer | null): Value {
  if (value === null) return null
  if (BODIES.has(name)) return copyBytes(value)
  const text = value.toString()
  const microseconds = ORDERED_TIMES.has(name) ? microsecondsOf(text) : null
  return microseconds === null ? text : utcText(microseconds)
}

/** Formats a time like `2026-05-04T10:00:13.721545Z`, always with the same length. */
function utcText(microseconds: number): string {
  return fromMicroseconds(microseconds).toString({ fractionalSecondDigits: 6 })
}
