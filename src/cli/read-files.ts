/** Reads files that people name on the command line: within a limit, and only if they are text. */
import { createReadStream, type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { codeOf, reasonOf } from '../lib/errors.ts'
import { megabytes } from '../lib/text.ts'
import { optionError } from './usage.ts'

export interface NamedFile {
  readonly path: string
  readonly bytes: Buffer
}

const BYTES_LIMIT = 16_000_000
const FILES_LIMIT = 2_000
const LINE_LIMIT = 100_000
const ANOTHER = 'name the file that you mean'

/**
 * @param path `-` is standard input
 * @throws Refusal `option-invalid` for what cannot be read, is too large, or is no text
 */
export async function readNamed(path: string, limit = BYTES_LIMIT): Promise<NamedFile> {
  const bytes = await readWithin(path, limit)
  if (bytes.includes(0)) throw optionError(`${nameOf(path)} is no text: it has bytes that are zero`, ANOTHER)
  if (longestLine(bytes) > LINE_LIMIT) {
    throw optionError(`${nameOf(path)} has a line of more than ${LINE_LIMIT} bytes`, ANOTHER)
  }
  return { path, bytes }
}

/**
 * The files themselves, and those in the folders and below them whose names fit, in the order of their names.
 * @throws Refusal `option-invalid`
 */
export async function readAllNamed(
  paths: readonly string[],
  fits: (path: string) => boolean,
): Promise<readonly NamedFile[]> {
  const files: NamedFile[] = []
  let left = BYTES_LIMIT
  for (const path of paths.flatMap((path) => (isFolder(path) ? within(path, fits) : [path]))) {
    const file = await readNamed(path, left)
    files.push(file)
    left -= file.bytes.length
  }
  return files
}

function isFolder(path: string): boolean {
  return path !== '-' && attempt(path, () => statSync(path).isDirectory())
}

function within(folder: string, fits: (path: string) => boolean): string[] {
  const found = attempt(folder, () => readdirSync(folder, { recursive: true, withFileTypes: true }))
  const paths = found
    .filter((entry: Dirent) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
  const fitting = paths.filter(fits).sort()
  if (fitting.length > FILES_LIMIT)
    throw optionError(`${folder} has more than ${FILES_LIMIT} such files`, 'name a smaller folder')
  return fitting
}

async function readWithin(path: string, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // Not a file of Bun, which can neither read devices nor pipes that have names.
    for await (const chunk of path === '-' ? Bun.stdin.stream() : createReadStream(path)) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limit) break
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  if (size > limit) throw optionError(`${nameOf(path)} is larger than ${megabytes(limit)}`, ANOTHER)
  return Buffer.concat(chunks)
}

function attempt<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown) {
  const reason = codeOf(error) === 'ENOENT' ? 'there is no such file' : reasonOf(error)
  return optionError(`cannot read ${nameOf(path)}: ${reason}`, 'check the name and the permissions')
}

/** For messages: the whole path of a file, and words for standard input. */
const nameOf = (path: string) => (path === '-' ? 'standard input' : basename(path) === '' ? 'the file' : path)

function longestLine(bytes: Buffer): number {
  let longest = 0
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    longest = Math.max(longest, end - start)
    start = end + 1
  }
  return Math.max(longest, bytes.length - start)
}
