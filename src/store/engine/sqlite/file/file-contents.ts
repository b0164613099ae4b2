/**
 * Detects that a database file was overwritten. Reads the file directly, because SQLite would still answer from its cache. Formats:
 * https://www.sqlite.org/fileformat2.html and https://www.sqlite.org/walformat.html
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { FileIdentity } from './file-identity.ts'

/** Size in bytes of the first page, or of the beginning of a larger first page. */
const HEAD_BYTES = 4_096
/**
 * Byte ranges in the header that never change while the database is open in WAL mode: magic and format (0–23), the text encoding (56–59),
 * and zeros (72–91). Another process's statement, such as `PRAGMA auto_vacuum` with VACUUM, may change any other byte.
 */
const FIXED: readonly (readonly [from: number, to: number])[] = [
  [0, 24],
  [56, 60],
  [72, 92],
]

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/**
 * Size in bytes of the part of the log's index that is read: its header, which is stored twice, and the position up to which the log was
 * checkpointed.
 */
const INDEX_BYTES = 136
const INDEX_COPY_BYTES = 48
const INDEX_VERSION = 3_007_000

interface LogIndex {
  /** number of frames in the log */
  readonly frames: number
  readonly frameBytes: number
  /** salts from the log's header, which change whenever the log restarts */
  readonly salts: Buffer
  /** true during a checkpoint, and after a checkpoint that failed, for example because the disk was full */
  readonly isCheckpointing: boolean
}

/** Number of evenly spaced pages to read if the file was written to since the last snapshot. */
const SAMPLED_PAGES = 64
const PAGE_BYTES = 4_096

interface Snapshot {
  readonly head: Buffer
  readonly size: bigint
  readonly writtenAt: bigint
  /** hash of the sampled pages */
  readonly sample: number | bigint
  /** read before and after everything else, because another process may run a checkpoint in between */
  readonly indexes: readonly [Buffer, Buffer]
}

/**
 * The contents of a database that this process has open in WAL mode, where only checkpoints change the file. The descriptors stay open
 * until `close`, which must be called after the connections are closed, because closing a descriptor would drop SQLite's locks on the file.
 */
export class FileContents {
  readonly #main: number
  readonly #log: number
  readonly #index: number
  readonly identity: FileIdentity
  readonly logIdentity: FileIdentity
  readonly indexIdentity: FileIdentity
  #last: Snapshot

  /** @param path path without links; the log and its index must exist */
  constructor(path: string) {
    this.#main = openSync(path, 'r')
    this.#log = openSync(`${path}-wal`, 'r')
    this.#index = openSync(`${path}-shm`, 'r')
    this.identity = fstatSync(this.#main, { bigint: true })
    this.logIdentity = fstatSync(this.#log, { bigint: true })
    this.indexIdentity = fstatSync(this.#index, { bigint: true })
    this.#last = this.#snapshot(null)
  }

  /** The descriptor from which the database file is read. */
  get file(): number {
    return this.#main
  }

  get logFile(): number {
    return this.#log
  }

  /** @returns which file was overwritten since the last call; null if none was */
  findOverwritten(): 'database' | 'log' | null {
    const before = this.#last
    this.#last = this.#snapshot(before)
    const { head, size, sample, indexes } = this.#last
    if (FIXED.some(([from, to]) => !head.subarray(from, to).equals(before.head.subarray(from, to)))) return 'database'
    const hasChanged = size !== before.size || sample !== before.sample || !head.equals(before.head)
    if (hasChanged && !wasCheckpointed([...before.indexes, ...indexes])) return 'database'
    return this.#isLogOverwritten(indexes[1]) ? 'log' : null
  }

  close(): void {
    for (const file of [this.#main, this.#log, this.#index]) closeSync(file)
  }

  #snapshot(before: Snapshot | null): Snapshot {
    const began = read(this.#index, INDEX_BYTES)
    const { size, mtimeNs: writtenAt } = fstatSync(this.#main, { bigint: true })
    const isAsBefore = size === before?.size && writtenAt === before.writtenAt
    const sample = isAsBefore ? before.sample : hashOfSample(this.#main, Number(size))
    const head = read(this.#main, HEAD_BYTES)
    return { head, size, writtenAt, sample, indexes: [began, read(this.#index, INDEX_BYTES)] }
  }

  /** Compares the log with its index, which contains the log's minimum length and a copy of the salts in its header. */
  #isLogOverwritten(bytes: Buffer): boolean {
    const index = parseIndex(bytes)
    if (index === null || index.frames === 0) return false
    const isCutOff = fstatSync(this.#log).size < LOG_HEADER_BYTES + index.frames * index.frameBytes
    if (!isCutOff && read(this.#log, LOG_HEADER_BYTES).subarray(16, 24).equals(index.salts)) return false
    // Another process may have restarted the log in the meantime.
    return read(this.#index, INDEX_BYTES).equals(bytes)
  }
}

/** @param indexes in chronological order @returns true also if this is unknown */
function wasCheckpointed(indexes: readonly Buffer[]): boolean {
  const parsed = indexes.map(parseIndex)
  if (parsed.some((index) => index === null || index.isCheckpointing)) return true
  const progress = indexes.map((bytes) => Buffer.concat([bytes.subarray(32, 40), bytes.subarray(96, 100)]))
  return progress.some((marks) => !marks.equals(progress[0] ?? marks))
}

/** @returns null while another process is writing the index, or if its format is unknown */
function parseIndex(bytes: Buffer): LogIndex | null {
  if (bytes.length < INDEX_BYTES) return null
  // All values except the salts are in the machine's byte order.
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const number = (at: number) => words.getUint32(at, LITTLE_ENDIAN)
  const copy = bytes.subarray(INDEX_COPY_BYTES, 2 * INDEX_COPY_BYTES)
  const isWhole = bytes.subarray(0, INDEX_COPY_BYTES).equals(copy) && number(0) === INDEX_VERSION && bytes[12] === 1
  if (!isWhole) return null
  const pageBytes = words.getUint16(14, LITTLE_ENDIAN)
  return {
    frames: number(16),
    // 65,536 does not fit, so it is stored as 1.
    frameBytes: FRAME_HEADER_BYTES + (pageBytes === 1 ? 65_536 : pageBytes),
    salts: bytes.subarray(32, 40),
    isCheckpointing: number(96) !== number(128),
  }
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

function hashOfSample(file: number, size: number): number | bigint {
  const count = Math.ceil(size / PAGE_BYTES)
  const step = Math.max(1, count / SAMPLED_PAGES)
  const pages: Buffer[] = []
  for (let page = 0; page < count; page += step) pages.push(read(file, PAGE_BYTES, Math.floor(page) * PAGE_BYTES))
  return Bun.hash(Buffer.concat(pages))
}

/** @returns fewer bytes if the file is shorter */
function read(file: number, length: number, from = 0): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, from))
}
