/**
 * Compares the file at a path with the open one, to detect a copy, such as a deleted file that was saved from `/proc`. Only an exact copy
 * matches the original file's log.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileIdentity, isSameIdentity } from './file-identity.ts'

/** Result of a comparison. `unfinished`: equal so far, but the files have not been completely compared or copied yet. */
type Compared = 'same' | 'different' | 'unfinished'

const BLOCK_BYTES = 1024 * 1024
/** Number of blocks to compare at a time. Comparing them takes about 30 milliseconds, during which the server cannot answer requests. */
const BLOCKS_PER_LOOK = 64

interface Progress {
  /** device, inode, size and time of the last write. If they change, the comparison starts over */
  readonly version: string
  readonly readTo: number
  readonly compared: Compared
}

export class FileComparison {
  readonly #open: number
  #progress: Progress = { version: '', readTo: 0, compared: 'unfinished' }
  /** Descriptors of the open file itself. They are kept open, because closing one would drop SQLite's locks on the file. */
  readonly #kept: number[] = []

  /** @param open descriptor of a file that is no longer being written to; the caller must close it */
  constructor(open: number) {
    this.#open = open
  }

  /** Compares the next blocks. @returns `different` also if there is no file at the path or it cannot be read */
  compare(path: string): Compared {
    const other = openToRead(path)
    if (other === null) return 'different'
    try {
      return this.#compareTo(other)
    } finally {
      if (isSameIdentity(identityOfOpen(this.#open), identityOfOpen(other))) this.#kept.push(other)
      else closeSync(other)
    }
  }

  close(): void {
    for (const file of this.#kept) closeSync(file)
  }

  #compareTo(other: number): Compared {
    const stats = fstatSync(other, { bigint: true })
    if (!stats.isFile()) return 'different'
    const { dev, ino, size, mtimeNs } = stats
    const version = [dev, ino, size, mtimeNs].join()
    const isAsBefore = version === this.#progress.version
    if (isAsBefore && this.#progress.compared !== 'unfinished') return this.#progress.compared
    const from = isAsBefore ? this.#progress.readTo : 0
    const sizes = { own: fstatSync(this.#open).size, other: Number(size) }
    this.#progress = { version, ...compareFrom(from, this.#open, other, sizes) }
    return this.#progress.compared
  }
}

function compareFrom(
  from: number,
  one: number,
  other: number,
  sizes: { readonly own: number; readonly other: number },
): Pick<Progress, 'readTo' | 'compared'> {
  if (sizes.other > sizes.own) return { readTo: from, compared: 'different' }
  const end = Math.min(sizes.other, from + BLOCKS_PER_LOOK * BLOCK_BYTES)
  for (let at = from; at < end; at += BLOCK_BYTES) {
    const length = Math.min(BLOCK_BYTES, end - at)
    if (!read(one, at, length).equals(read(other, at, length))) return { readTo: at, compared: 'different' }
  }
  return { readTo: end, compared: end === sizes.own ? 'same' : 'unfinished' }
}

function openToRead(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

const identityOfOpen = (file: number): FileIdentity => fstatSync(file, { bigint: true })

function read(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, at))
}
